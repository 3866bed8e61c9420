//! Where the thread is, once it is certain.

use std::{fmt, path::PathBuf, str::FromStr};

use nebuko::ids::Identity;

use super::{Environment, EventFile, SettingsArgs, SourceArgs};
use crate::error::Error;

/// A thread to work on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// On GitHub.
    Live {
        /// The repository.
        repo: Repo,
        /// The issue or pull request.
        number: u64,
        /// The address of the REST API.
        api: String,
    },
    /// A folder.
    Local(PathBuf),
    /// A JSON dump.
    Thread(PathBuf),
    /// None: what woke the engine is about no thread.
    Nowhere,
}

/// `owner/name`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repo(String);

impl Source {
    /// Finds the one source that was meant. An event tells what the command line leaves open.
    ///
    /// # Errors
    /// Usage: no source, half a source, or an event about another thread.
    pub fn of(args: &SourceArgs, environment: &Environment, event: Option<&EventFile>) -> Result<Self, Error> {
        if let Some(folder) = &args.local {
            return Ok(Self::Local(folder.clone()));
        }
        if let Some(file) = &args.thread {
            return Ok(Self::Thread(file.clone()));
        }
        // Whatever such an event is about, it starts nothing there.
        if args.issue.is_none() && event.is_some_and(EventFile::is_about_no_thread) {
            return Ok(Self::Nowhere);
        }
        let repo = pick("--repo", args.repo.as_ref(), event.and_then(|event| event.repo.as_ref()))?;
        let number = pick("--issue", args.issue.as_ref(), event.and_then(|event| event.number.as_ref()))?;
        let repo = match (repo, environment.value("GITHUB_REPOSITORY")) {
            (None, Some(named)) if number.is_some() => Some(named.parse().map_err(|why: String| {
                Error::usage("take the repository from GITHUB_REPOSITORY", why, "give --repo OWNER/NAME")
            })?),
            (repo, _) => repo,
        };
        let api = args.github_url.as_deref().or(environment.value("GITHUB_API_URL")).unwrap_or(GITHUB_API);
        match (repo, number) {
            (Some(repo), Some(number)) => Ok(Self::Live { repo, number, api: api.trim_end_matches('/').into() }),
            (Some(_), None) => Err(incomplete("a repository is given and no issue", "add --issue N")),
            (None, Some(_)) => Err(incomplete("an issue is given and no repository", "add --repo OWNER/NAME")),
            (None, None) => Err(incomplete(
                "no thread is given",
                "give --local DIR, --thread FILE, or --repo OWNER/NAME with --issue N",
            )),
        }
    }

    /// Gives the arguments that look at this source again in the same way, for the commands a person may try next;
    /// empty where there is nothing to look at.
    pub fn flags(&self, args: &SourceArgs, settings: &SettingsArgs) -> String {
        let mut flags = match self {
            Self::Live { repo, number, .. } => format!("--repo {repo} --issue {number}"),
            Self::Local(folder) => format!("--local {}", quoted(&folder.display().to_string())),
            Self::Thread(file) => format!("--thread {}", quoted(&file.display().to_string())),
            Self::Nowhere => return String::new(),
        };
        let mut add = |flag: &str, value: &str| flags.push_str(&format!(" {flag} {}", quoted(value)));
        if let Some(url) = args.github_url.as_deref().filter(|_| matches!(self, Self::Live { .. })) {
            add("--github-url", url);
        }
        if let Some(folder) = &settings.workflows {
            add("--workflows", &folder.display().to_string());
        }
        if let Some(file) = &settings.config {
            add("--config", &file.display().to_string());
        }
        if let Some(count) = settings.history {
            add("--history", &count.to_string());
        }
        settings.trusted_actor.iter().for_each(|account| add("--trusted-actor", &as_argument(account)));
        if let Some(login) = &settings.engine_login {
            add("--engine-login", login);
        }
        flags
    }
}

/// Writes an account as `--trusted-actor` takes it.
fn as_argument(account: &Identity) -> String {
    if account.id == 0 { format!("@{}", account.login) } else { account.id.to_string() }
}

fn pick<T: Clone + PartialEq + fmt::Display>(
    flag: &str,
    given: Option<&T>,
    told: Option<&T>,
) -> Result<Option<T>, Error> {
    match (given, told) {
        (Some(given), Some(told)) if given != told => Err(Error::usage(
            "use the event",
            format!("it is about {told}, and {flag} says {given}"),
            format!("leave {flag} out, or give the event's own"),
        )),
        (given, told) => Ok(given.or(told).cloned()),
    }
}

fn incomplete(why: &str, next: &str) -> Error {
    Error::usage("find the thread", why, next)
}

/// Writes an argument so that a shell reads it as one.
fn quoted(text: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/._-+@%:,=".contains(&byte);
    if !text.is_empty() && text.bytes().all(plain) { text.into() } else { format!("'{}'", text.replace('\'', r"'\''")) }
}

impl FromStr for Repo {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let is_name = |part: &str| {
            !part.is_empty()
                && !matches!(part, "." | "..")
                && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte))
        };
        match text.split_once('/') {
            Some((owner, name)) if is_name(owner) && is_name(name) => Ok(Self(text.into())),
            _ => Err(format!("{text:?} is no OWNER/NAME")),
        }
    }
}

impl fmt::Display for Repo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// GitHub itself.
const GITHUB_API: &str = "https://api.github.com";

#[cfg(test)]
mod tests {
    use nebuko::event::Trigger;

    use super::*;

    fn event(repo: &str, number: u64) -> EventFile {
        EventFile { trigger: Trigger::Manual, repo: repo.parse().ok(), number: Some(number) }
    }

    #[test]
    fn a_source_is_named_once_and_whole() {
        let check = |args: SourceArgs, variables: &[(&str, &str)], event: Option<EventFile>, expected: &str| {
            let found = Source::of(&args, &Environment::of(variables), event.as_ref());
            let told = found.map_or_else(|error| error.to_string(), |source| format!("{source:?}"));
            assert!(told.contains(expected), "{args:?} {variables:?}: {told}");
        };
        let live = |repo: Option<&str>, issue| SourceArgs {
            repo: repo.map(|repo| repo.parse().expect("the row names a repository")),
            issue,
            ..SourceArgs::default()
        };
        let from_ci = &[("GITHUB_REPOSITORY", "acme/ci"), ("GITHUB_API_URL", "https://ghe.acme.com/api/v3/")];
        check(
            live(Some("acme/site"), Some(12)),
            &[],
            None,
            r#"Repo("acme/site"), number: 12, api: "https://api.github.com""#,
        );
        check(
            live(None, Some(12)),
            from_ci,
            None,
            r#"Repo("acme/ci"), number: 12, api: "https://ghe.acme.com/api/v3""#,
        );
        check(live(None, None), &[], Some(event("acme/site", 7)), r#"Repo("acme/site"), number: 7"#);
        check(live(None, None), from_ci, Some(event("acme/site", 7)), r#"Repo("acme/site"), number: 7"#);
        check(live(None, Some(8)), &[], Some(event("acme/site", 7)), "it is about 7, and --issue says 8");
        check(live(Some("a/b"), None), &[], Some(event("acme/site", 7)), "it is about acme/site");
        check(live(None, None), from_ci, None, "no thread is given");
        let push = || EventFile {
            trigger: Trigger::Other { name: "push".into() },
            repo: "acme/site".parse().ok(),
            number: None,
        };
        check(live(None, None), from_ci, Some(push()), "Nowhere");
        check(live(Some("acme/site"), None), from_ci, Some(push()), "Nowhere");
        check(live(None, Some(12)), from_ci, Some(push()), r#"Repo("acme/site"), number: 12"#);
        let schedule = EventFile { trigger: Trigger::Manual, ..push() };
        check(live(None, None), from_ci, Some(schedule), "add --issue N");
        check(live(Some("acme/site"), None), &[], None, "add --issue N");
        check(live(None, Some(12)), &[], None, "add --repo");
        check(live(None, Some(12)), &[("GITHUB_REPOSITORY", "acme")], None, "no OWNER/NAME");
        let local = SourceArgs { local: Some("demo".into()), ..SourceArgs::default() };
        check(local, from_ci, Some(event("acme/site", 7)), r#"Local("demo")"#);
    }

    #[test]
    fn a_repository_is_two_names() {
        let check = |text: &str, good: bool| assert_eq!(text.parse::<Repo>().is_ok(), good, "{text}");
        check("acme/site", true);
        check("a-b_c/d.e-f", true);
        check("acme", false);
        check("acme/", false);
        check("/site", false);
        check("acme/site/x", false);
        check("acme/..", false);
        check("acme/a b", false);
        check("acme/a?b", false);
        check("https://github.com/acme/site", false);
    }

    #[test]
    fn the_flags_name_the_source_again_and_what_was_set() {
        let args = SourceArgs { github_url: Some("https://ghe.acme.com/api/v3".into()), ..SourceArgs::default() };
        let check = |source: Source, settings: SettingsArgs, expected: &str| {
            assert_eq!(source.flags(&args, &settings), expected);
        };
        let none = SettingsArgs::default;
        check(Source::Local("demo/a".into()), none(), "--local demo/a");
        check(Source::Local("my demo".into()), none(), "--local 'my demo'");
        check(Source::Thread("it's.json".into()), none(), r"--thread 'it'\''s.json'");
        check(Source::Nowhere, none(), "");
        let repo: Repo = "acme/site".parse().expect("a repository");
        let live = Source::Live { repo, number: 3, api: String::new() };
        check(live, none(), "--repo acme/site --issue 3 --github-url https://ghe.acme.com/api/v3");
        let settings = SettingsArgs {
            workflows: Some("my flows".into()),
            config: Some("my config.yaml".into()),
            history: Some(-1),
            trusted_actor: vec![Identity::new(7, ""), Identity::new(0, "old[bot]")],
            engine_login: Some("nebuko[bot]".into()),
        };
        let all = "--local demo --workflows 'my flows' --config 'my config.yaml' --history -1 --trusted-actor 7 --trusted-actor '@old[bot]' \
                   --engine-login 'nebuko[bot]'";
        check(Source::Local("demo".into()), settings, all);
    }
}
