//! `nebuko schema`: what an editor needs to check a file while it is written.

use nebuko::{config, workflow};

use crate::{
    args::SchemaOf,
    error::{Error, Exit},
    term::Term,
};

pub(super) fn schema(of: SchemaOf, term: Term) -> Result<Exit, Error> {
    let schema = match of {
        SchemaOf::Workflow => workflow::schema::schema(),
        SchemaOf::Config => config::schema::schema(),
    };
    // People read it too, and look at what changed in it.
    term.document(&format!("{schema:#}\n"))?;
    Ok(Exit::Done)
}
