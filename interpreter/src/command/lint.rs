//! `nebuko lint`: what is wrong in workflow files, shown, explained or mended.

use nebuko::effect::Level;

use crate::{
    args::{Environment, LintArgs, LintFormat},
    error::{Error, Exit},
    lint::{Looked, Mended, Report, list, list_document, page, page_document, wanted},
    secret::Masker,
    term::Term,
};

pub(super) fn lint(args: &LintArgs, environment: &Environment, term: Term) -> Result<Exit, Error> {
    if let Some(rule) = &args.explain {
        let rule = wanted(rule)?;
        show(args, term, || page_document(rule), || page(rule))?;
        return Ok(Exit::Done);
    }
    if args.list {
        show(args, term, list_document, list)?;
        return Ok(Exit::Done);
    }
    look(args, &Masker::new(environment.all(), &[]), term)
}

/// Shows something that has two forms.
fn show(
    args: &LintArgs,
    term: Term,
    document: impl FnOnce() -> String,
    text: impl FnOnce() -> String,
) -> Result<(), Error> {
    match args.shown_as() {
        LintFormat::Json => term.document(&document()),
        LintFormat::Human => term.print_styled(&text()),
        LintFormat::Sarif | LintFormat::Github => {
            Err(Error::usage("show the rules", "this has no such format", "leave --format out, or give --json"))
        }
    }
}

fn look(args: &LintArgs, masker: &Masker, term: Term) -> Result<Exit, Error> {
    check_fix(args)?;
    let mut looked = Looked::at(&args.paths, args.stdin_name.as_deref())?;
    let mut mended = args.fix.then(|| looked.mend());
    // What could not be written is not mended, so it is written before anything is shown.
    let unwritten = match &mut mended {
        Some(mended) if !args.dry_run => looked.write(mended).err(),
        Some(_) | None => None,
    };
    let findings = looked.findings();
    let report = Report::new(&looked, &findings, mended.as_ref().map(Mended::count));
    match &mended {
        Some(mended) if args.dry_run => show_changes(args, &looked, mended, &report, masker, term)?,
        _ => show_findings(args, &report, masker, term)?,
    }
    if let Some(error) = unwritten {
        let exit = error.exit();
        term.error(&error.masked(masker));
        return Ok(exit);
    }
    let to_mend = args.dry_run && mended.is_some_and(|mended| mended.count() > 0);
    let counts = report.counts();
    let failed = counts.errors > 0 || to_mend || args.deny_warnings && counts.warnings > 0;
    Ok(if failed { Exit::Failed } else { Exit::Done })
}

fn check_fix(args: &LintArgs) -> Result<(), Error> {
    let from_stdin = args.paths.iter().any(|path| path.as_os_str() == "-");
    if args.fix && !args.dry_run && from_stdin {
        let why = "standard input cannot be written to";
        return Err(Error::usage("mend the workflows", why, "add --dry-run to see the change, or give the file"));
    }
    if args.dry_run && matches!(args.shown_as(), LintFormat::Sarif | LintFormat::Github) {
        let why = "a change is shown as text or in a JSON document";
        return Err(Error::usage("show what would be mended", why, "leave --format out, or give --json"));
    }
    Ok(())
}

fn show_findings(args: &LintArgs, report: &Report<'_>, masker: &Masker, term: Term) -> Result<(), Error> {
    match args.shown_as() {
        LintFormat::Json => term.document(&masker.mask(&report.json(None))),
        // These two are for others to read, so whoever looks on is told what there is.
        LintFormat::Sarif => {
            term.tell(Level::Info, &report.outcome());
            term.document(&masker.mask(&report.sarif()))
        }
        LintFormat::Github => {
            term.tell(Level::Info, &report.outcome());
            term.annotations(&masker.mask(&report.github()))
        }
        LintFormat::Human => {
            let summary = if term.quiet { String::new() } else { report.summary() };
            term.print_styled(&masker.mask(&(report.human() + &summary)))
        }
    }
}

/// Shows what a fix would change; where that is a text it can be applied, so nothing else is among it.
fn show_changes(
    args: &LintArgs,
    looked: &Looked,
    mended: &Mended,
    report: &Report<'_>,
    masker: &Masker,
    term: Term,
) -> Result<(), Error> {
    let diff = looked.diff(mended);
    if args.shown_as() == LintFormat::Json {
        return term.document(&masker.mask(&report.json(Some(&diff))));
    }
    term.print(&masker.mask(&diff))?;
    term.tell(Level::Info, &report.outlook());
    Ok(())
}
