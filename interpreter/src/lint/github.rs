//! Findings as annotations: workflow commands that a runner of GitHub Actions shows beside the lines.

use std::fmt::Write as _;

use nebuko::lint::Finding;

use super::{Report, lines::Region, name_of, word};

/// Gives a line for every finding that counts.
pub(super) fn annotations(report: &Report<'_>) -> String {
    report.live().map(|finding| annotation(report, finding)).collect()
}

fn annotation(report: &Report<'_>, finding: &Finding) -> String {
    let Region { line, column, end_line, end_column } = report.region(&finding.file, finding.place);
    let mut told = finding.what.clone();
    if !finding.hint.is_empty() {
        let _ = write!(told, "\nhelp: {}", finding.hint);
    }
    for label in &finding.labels {
        let _ = write!(told, "\n{}:{}:{}: {}", label.file, label.place.line, label.place.column, label.what);
    }
    let title = format!("{} {}", finding.rule, name_of(finding.rule));
    let mut text =
        format!("::{} file={},line={line},endLine={end_line}", word(finding.severity), property(&finding.file));
    // Columns count only where the finding stands on one line.
    if end_line == line {
        let _ = write!(text, ",col={column},endColumn={end_column}");
    }
    let _ = writeln!(text, ",title={}::{}", property(title.trim_end()), data(&told));
    text
}

/// Writes a message so that it stays on its line.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// Writes a property so that it ends where it should.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_a_text_is_taken_for_a_command() {
        let check = |text: &str, as_data: &str, as_property: &str| {
            assert_eq!((data(text).as_str(), property(text).as_str()), (as_data, as_property), "{text:?}");
        };
        check("plain", "plain", "plain");
        check("a%0Ab", "a%250Ab", "a%250Ab");
        check("a\r\n::error::b", "a%0D%0A::error::b", "a%0D%0A%3A%3Aerror%3A%3Ab");
        check("c:\\a,b", "c:\\a,b", "c%3A\\a%2Cb");
    }
}
