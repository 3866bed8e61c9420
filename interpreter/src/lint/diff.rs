//! What a fix would change, as a patch that other programs can apply.

use std::path::Path;

use similar::TextDiff;

/// Gives the unified diff from one text of a file to another.
pub(super) fn diff(file: &str, old: &str, new: &str) -> String {
    // A lone `\r` ends no line for those who apply patches.
    let (old, new): (Vec<_>, Vec<_>) = (old.split_inclusive('\n').collect(), new.split_inclusive('\n').collect());
    let diff = TextDiff::configure().newline_terminated(true).diff_slices(&old, &new);
    let mut unified = diff.unified_diff();
    let hunks = unified.context_radius(3).iter_hunks().map(|hunk| {
        let changes = hunk.iter_changes().map(|change| line(&change.tag().to_string(), change.value()));
        format!("{}\n{}", hunk.header(), changes.collect::<String>())
    });
    let hunks: String = hunks.collect();
    let file = from_here(file);
    if hunks.is_empty() { hunks } else { format!("--- a/{file}\n+++ b/{file}\n{hunks}") }
}

/// Writes one line of a hunk; one without an end says so.
fn line(sign: &str, text: &str) -> String {
    let end = if text.ends_with('\n') { "" } else { "\n\\ No newline at end of file\n" };
    format!("{sign}{text}{end}")
}

/// Gives a path as those who apply patches want it: below the current folder, where it is.
fn from_here(file: &str) -> &str {
    let here = std::env::current_dir().ok();
    let below = here.as_deref().and_then(|here| Path::new(file).strip_prefix(here).ok()).and_then(Path::to_str);
    below.unwrap_or(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_is_a_patch() {
        let found = diff("flows/a.yaml", "one\ntwo\nthree\n", "one\n2\nthree\n");
        assert_eq!(found, "--- a/flows/a.yaml\n+++ b/flows/a.yaml\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n");
        assert!(diff("a", "one", "two").contains("\\ No newline at end of file"));
        assert_eq!(diff("a", "same\n", "same\n"), "");
        let lone = diff("a", "one\rtwo\r", "one\r2\r");
        assert!(lone.contains("@@ -1 +1 @@\n-one\rtwo\r\n\\ No newline"), "{lone:?}");
        let here = std::env::current_dir().expect("there is one").join("sub/a.yaml");
        assert!(diff(&here.to_string_lossy(), "a\n", "b\n").starts_with("--- a/sub/a.yaml\n+++ b/sub/a.yaml\n"));
    }
}
