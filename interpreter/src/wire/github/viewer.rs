//! Whose token this is.
//!
//! What follows from an account that stays unknown is for the core.

use nebuko::{
    event::{Failure, FailureKind},
    ids::Identity,
};
use serde::Deserialize;
use serde_json::json;

use super::{
    super::{Call, Intent, words},
    GitHub,
};

/// What is known of the token's account.
pub(crate) struct Viewer {
    pub(crate) account: Option<Identity>,
    pub(crate) how: String,
}

impl GitHub {
    /// Asks whose token this is: `GET /user`, and GraphQL where the token may not ask that (decision 1).
    ///
    /// An account that cannot be told is an answer too; only a token that is no good and a service that
    /// cannot be reached are failures.
    pub(crate) fn read_viewer(&mut self) -> Result<Viewer, Failure> {
        if self.target.token.is_none() {
            return Ok(Viewer { account: None, how: "there is no token, so there is no account".into() });
        }
        let attempted = "ask GitHub whose token this is (GET /user)";
        let address = format!("{}/user", self.target.api);
        let reply = self.hear(&Call::get(&address), attempted)?;
        if reply.is_success() {
            let user: User = self.parse(&reply, attempted, Intent::Read)?;
            return Ok(Viewer { account: Some(Identity::new(user.id, user.login)), how: "GET /user".into() });
        }
        let is_not_for_apps = match reply.status {
            403 | 404 => !words::is_limit(&reply),
            401 => words::answered(&reply).contains("not accessible"),
            _ => false,
        };
        if !is_not_for_apps {
            return Err(self.refusal(&reply, attempted, Intent::Read));
        }
        self.read_viewer_by_graphql(&words::answered(&reply))
    }

    fn read_viewer_by_graphql(&mut self, refused: &str) -> Result<Viewer, Failure> {
        let attempted = "ask GitHub whose token this is (GraphQL viewer)";
        let address = graphql_address(&self.target.api);
        let query = json!({ "query": "query { viewer { login databaseId } }" }).to_string();
        let reply = self.hear(&Call::query(&address, query.as_bytes()), attempted)?;
        if reply.is_success() {
            let answer = serde_json::from_slice::<GraphQl>(&reply.body).unwrap_or_default();
            if let Some(viewer) = answer.data.and_then(|data| data.viewer) {
                let account = Identity::new(viewer.database_id.unwrap_or(0), viewer.login);
                return Ok(Viewer { account: Some(account), how: "GraphQL viewer".into() });
            }
            // GraphQL tells of its limit with HTTP 200. An unknown account would be taken for a fact.
            if answer.errors.iter().any(|error| error.kind == "RATE_LIMITED") {
                let next = "Run again later, or with another token.";
                return Err(self.masked(FailureKind::Unavailable, attempted, words::answered(&reply), next));
            }
        } else if words::reply_kind(&reply, Intent::Read) == FailureKind::Unavailable {
            return Err(self.refusal(&reply, attempted, Intent::Read));
        }
        let how = format!("GET /user: {refused}; GraphQL viewer: {}", words::answered(&reply));
        Ok(Viewer { account: None, how: self.around.masker.mask(&how).into_owned() })
    }
}

/// The account, as `GET /user` gives it.
#[derive(Deserialize)]
struct User {
    id: u64,
    login: String,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct GraphQl {
    data: Option<GraphQlData>,
    errors: Vec<GraphQlError>,
}

#[derive(Deserialize)]
struct GraphQlError {
    #[serde(default, rename = "type")]
    kind: String,
}

#[derive(Deserialize)]
struct GraphQlData {
    viewer: Option<GraphQlViewer>,
}

#[derive(Deserialize)]
struct GraphQlViewer {
    login: String,
    #[serde(rename = "databaseId")]
    database_id: Option<u64>,
}

/// On a GitHub Enterprise Server, REST is at `…/api/v3` and GraphQL beside it.
fn graphql_address(api: &str) -> String {
    match api.strip_suffix("/v3") {
        Some(parent) if parent.ends_with("/api") => format!("{parent}/graphql"),
        _ => format!("{api}/graphql"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn graphql_stands_where_the_server_has_it() {
        let check = |api: &str, address: &str| assert_eq!(graphql_address(api), address);
        check("https://api.github.com", "https://api.github.com/graphql");
        check("https://ghe.example.org/api/v3", "https://ghe.example.org/api/graphql");
        check("https://example.org/v3", "https://example.org/v3/graphql");
        check("http://127.0.0.1:4001", "http://127.0.0.1:4001/graphql");
    }
}
