//! What a fix would change, as a patch that other programs can apply.

use similar::TextDiff;

/// Gives the unified diff from one text of a file to another.
pub(super) fn diff(file: &str, old: &str, new: &str) -> String {
    let diff = TextDiff::from_lines(old, new);
    let names = (format!("a/{file}"), format!("b/{file}"));
    diff.unified_diff().context_radius(3).header(&names.0, &names.1).to_string()
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
    }
}
