//! What the command line and the environment say over the settings of the file.

use std::path::PathBuf;

use nebuko::{ids::Identity, setup::Settings};

use crate::{
    args::{Environment, RunArgs, SettingsArgs},
    error::Error,
};

/// What was said of the settings outside of their file. A flag counts more than the environment, and both count more
/// than the file.
#[derive(Clone, Debug, Default)]
pub struct Given {
    /// The folder of workflows.
    pub workflows: Option<PathBuf>,
    /// The file of settings.
    pub config: Option<PathBuf>,
    history: Option<(i64, &'static str)>,
    trusted_actors: Vec<Identity>,
    engine_login: Option<String>,
    model: Option<String>,
    max_steps: Option<u32>,
    single_step: bool,
    dry_run: bool,
}

impl Given {
    /// Takes what was written on the command line and in the environment.
    ///
    /// # Errors
    /// Usage: `HISTORY_COMMENT_COUNT` is no number.
    pub fn of(args: &SettingsArgs, environment: &Environment) -> Result<Self, Error> {
        let history = match (args.history, environment.value(HISTORY)) {
            (Some(count), _) => Some((count, "--history")),
            (None, None) => None,
            (None, Some(text)) => Some(text.parse().map(|count| (count, HISTORY)).map_err(|_| {
                let next = "set it to a whole number (0 shows all), or unset it";
                Error::usage(format!("read {HISTORY}"), format!("{text:?} is no whole number"), next)
            })?),
        };
        Ok(Self {
            workflows: args.workflows.clone(),
            config: args.config.clone(),
            history,
            trusted_actors: args.trusted_actor.clone(),
            engine_login: args.engine_login.clone(),
            ..Self::default()
        })
    }

    /// Names a folder of workflows, and leaves all settings to their file.
    pub fn with_workflows(workflows: Option<PathBuf>) -> Self {
        Self { workflows, ..Self::default() }
    }

    /// Takes what was said of a run.
    ///
    /// # Errors
    /// As [`Given::of`].
    pub fn of_run(args: &RunArgs, environment: &Environment) -> Result<Self, Error> {
        Ok(Self {
            model: args.model_name.clone(),
            max_steps: args.max_steps,
            single_step: args.single_step,
            dry_run: args.dry_run,
            ..Self::of(&args.settings, environment)?
        })
    }

    /// Puts it over the settings.
    pub fn apply(&self, settings: &mut Settings) {
        if let Some((count, _)) = self.history {
            settings.history_comment_count = Some(count);
        }
        if !self.trusted_actors.is_empty() {
            settings.trusted_actors.clone_from(&self.trusted_actors);
        }
        if self.engine_login.is_some() {
            settings.engine_login.clone_from(&self.engine_login);
        }
        if let Some(model) = &self.model {
            settings.model.clone_from(model);
        }
        if let Some(max_steps) = self.max_steps {
            settings.max_steps = max_steps;
        }
        settings.chain = !self.single_step;
        settings.dry_run = self.dry_run;
    }

    /// Names the flag or the variable that sets a key of the settings, where one does.
    pub fn origin(&self, key: &str) -> Option<&'static str> {
        match key {
            "history" => self.history.map(|(_, origin)| origin),
            "trusted_actors" => (!self.trusted_actors.is_empty()).then_some("--trusted-actor"),
            "engine_login" => self.engine_login.as_ref().map(|_| "--engine-login"),
            "model" => self.model.as_ref().map(|_| "--model-name"),
            _ => None,
        }
    }
}

/// ADR-0012, decision 4.
const HISTORY: &str = "HISTORY_COMMENT_COUNT";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_window_comes_from_the_flag_or_else_the_environment_or_else_the_file() {
        let check = |flag: Option<i64>, variable: Option<&str>, expected: Option<(Option<i64>, Option<&str>)>| {
            let args = SettingsArgs { history: flag, ..SettingsArgs::default() };
            let environment = Environment::of(&variable.map_or_else(Vec::new, |text| vec![(HISTORY, text)]));
            let found = Given::of(&args, &environment).ok().map(|given| {
                let mut settings = Settings { history_comment_count: Some(8), ..Settings::default() };
                given.apply(&mut settings);
                (settings.history_comment_count, given.origin("history"))
            });
            assert_eq!(found, expected, "{flag:?} {variable:?}");
        };
        check(None, None, Some((Some(8), None)));
        check(None, Some("5"), Some((Some(5), Some(HISTORY))));
        check(None, Some("-1"), Some((Some(-1), Some(HISTORY))));
        check(None, Some(""), Some((Some(8), None)));
        check(Some(3), Some("5"), Some((Some(3), Some("--history"))));
        check(Some(3), Some("many"), Some((Some(3), Some("--history"))));
        check(None, Some("many"), None);
        check(None, Some("5.0"), None);
    }

    #[test]
    fn flags_count_more_than_the_file() {
        let args = SettingsArgs {
            trusted_actor: vec![Identity::new(7, "")],
            engine_login: Some("mine".into()),
            ..SettingsArgs::default()
        };
        let from_file = Settings {
            trusted_actors: vec![Identity::new(1, "")],
            engine_login: Some("theirs".into()),
            ..Settings::default()
        };
        let environment = Environment::default();
        let applied = |args: &SettingsArgs| {
            let mut settings = from_file.clone();
            Given::of(args, &environment).expect("nothing is wrong").apply(&mut settings);
            settings
        };
        assert_eq!(applied(&SettingsArgs::default()), from_file);
        let over = applied(&args);
        assert_eq!((over.trusted_actors, over.engine_login), (args.trusted_actor, args.engine_login));
    }
}
