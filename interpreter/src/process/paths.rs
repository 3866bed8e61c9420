//! Which file a program is, and where it runs: never outside the checkout, also where links lead.
//!
//! A bare name is the exception: the system looks for it in `PATH`. Hooks are always files of the checkout.

use std::{
    fs,
    path::{Path, PathBuf},
};

use nebuko::process::{Process, Purpose};

use crate::{error::causes, workspace::inside};

/// Gives the program to start: a bare name for the system to look up, or the real path of a file of the checkout.
///
/// # Errors
/// Says why it is none that may be run, and what to do.
pub(super) fn program(process: &Process, name: &str, checkout: &Path) -> Result<PathBuf, String> {
    let is_a_file = match process.purpose {
        Purpose::PreHook | Purpose::PostHook => true,
        Purpose::Script | Purpose::Input { .. } | Purpose::Agent { .. } | Purpose::Tool => name.contains('/'),
    };
    if name.is_empty() {
        return Err("the name of the program is empty".into());
    }
    if !is_a_file {
        return Ok(name.into());
    }
    let path = inside(name, checkout)?;
    let about = fs::metadata(&path).map_err(|error| format!("`{name}`: {}", causes(&error)))?;
    if !about.is_file() {
        return Err(format!("`{name}` is no file; name a script or a program"));
    }
    if !is_executable(&about) {
        let next = format!("run `chmod +x {name}` (`git update-index --chmod=+x {name}`) and commit that");
        return Err(format!("`{name}` is not executable; {next}"));
    }
    Ok(path)
}

/// Gives the real path of the folder to run in. An empty one is the checkout itself.
///
/// # Errors
/// Says why it is none, and what to do.
pub(super) fn working_dir(folder: &str, checkout: &Path) -> Result<PathBuf, String> {
    let path = inside(if folder.is_empty() { "." } else { folder }, checkout)?;
    if path.is_dir() { Ok(path) } else { Err(format!("`{folder}` is no folder; give one of the checkout to run in")) }
}

#[cfg(unix)]
fn is_executable(about: &fs::Metadata) -> bool {
    std::os::unix::fs::PermissionsExt::mode(&about.permissions()) & 0o111 != 0
}

#[cfg(not(unix))]
fn is_executable(_: &fs::Metadata) -> bool {
    true
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::{PermissionsExt, symlink};

    use super::*;
    use crate::scratch::Scratch;

    fn checkout() -> Scratch {
        let temp =
            Scratch::with(&[("in/bin/run.sh", "#!/bin/sh\n"), ("in/plain.txt", "x"), ("out/run.sh", "#!/bin/sh\n")]);
        for name in ["in/bin/run.sh", "out/run.sh"] {
            fs::set_permissions(temp.path().join(name), fs::Permissions::from_mode(0o755)).expect("a file of ours");
        }
        for (target, name) in
            [("../out", "in/away"), ("bin/run.sh", "in/near"), ("none", "in/lost"), ("loop", "in/loop")]
        {
            symlink(target, temp.path().join(name)).expect("a link");
        }
        temp
    }

    #[test]
    fn a_program_is_a_file_of_the_checkout_or_a_bare_name() {
        let temp = checkout();
        let root = temp.path().join("in");
        let check = |purpose: Purpose, name: &str, expected: Result<&str, &str>| {
            let process = Process { purpose, ..Process::default() };
            let found = program(&process, name, &root);
            match expected {
                Ok(path) => assert!(found.as_ref().is_ok_and(|found| found.ends_with(path)), "{name}: {found:?}"),
                Err(why) => assert!(found.as_ref().is_err_and(|found| found.contains(why)), "{name}: {found:?}"),
            }
        };
        let script = || Purpose::Script;
        check(script(), "git", Ok("git"));
        check(script(), "near", Ok("near"));
        check(script(), "./near", Ok("in/bin/run.sh"));
        check(script(), "bin/run.sh", Ok("in/bin/run.sh"));
        check(script(), "bin//./run.sh", Ok("in/bin/run.sh"));
        check(Purpose::Input { name: "a".into() }, "git", Ok("git"));
        check(Purpose::PreHook, "near", Ok("in/bin/run.sh"));
        check(Purpose::PostHook, "git", Err("`git`: there is no such file in the checkout"));
        check(Purpose::PreHook, "plain.txt", Err("chmod +x plain.txt"));
        check(script(), "", Err("is empty"));
        check(script(), "/bin/sh", Err("relative one without `..`"));
        check(script(), "../out/run.sh", Err("relative one without `..`"));
        check(script(), "bin/../bin/run.sh", Err("relative one without `..`"));
        check(script(), "away/run.sh", Err("leads out of the checkout"));
        check(Purpose::PreHook, "away/run.sh", Err("leads out of the checkout"));
        check(script(), "./lost", Err("no such file"));
        check(script(), "./loop", Err("`./loop`: "));
        check(script(), "./bin", Err("is no file"));
        check(script(), "./a\0b", Err("`./a\0b`: "));
    }

    #[test]
    fn a_program_runs_in_a_folder_of_the_checkout() {
        let temp = checkout();
        let check = |folder: &str, expected: Result<&str, &str>| {
            let found = working_dir(folder, &temp.path().join("in"));
            match expected {
                Ok(path) => assert!(found.as_ref().is_ok_and(|found| found.ends_with(path)), "{folder}: {found:?}"),
                Err(why) => assert!(found.as_ref().is_err_and(|found| found.contains(why)), "{folder}: {found:?}"),
            }
        };
        check("", Ok("in"));
        check(".", Ok("in"));
        check("bin", Ok("in/bin"));
        check("plain.txt", Err("is no folder"));
        check("none", Err("no such file"));
        check("away", Err("leads out of the checkout"));
        check("..", Err("without `..`"));
        check("/", Err("without `..`"));
        let nowhere = working_dir("", &temp.path().join("nowhere"));
        assert!(nowhere.as_ref().is_err_and(|why| why.contains("no such file")), "{nowhere:?}");
    }
}
