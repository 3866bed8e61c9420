//! What an outside program wrote: its report, and the dispatch that it ends with (decision 8).
//!
//! It may stand on one line, over several, or in a fence: programs that ask a model get it in each of these ways. A last
//! line that wants to be a dispatch and cannot be read is none, and no part of the report either: whoever meant
//! `hold` must not be taken to mean `advance`. What follows from it is for the stage.

use alloc::{boxed::Box, format, string::String};

use serde_json::{Map, Value};

use super::tools::{self, DispatchNext};

/// A program's output, taken apart.
#[derive(Debug, PartialEq)]
pub(crate) struct Written<'t> {
    /// What stands before the dispatch, or everything where there is none.
    pub(crate) report: &'t str,
    /// What that line is.
    pub(crate) last: LastLine<'t>,
}

/// What the last line of an output is.
#[derive(Debug, PartialEq)]
pub(crate) enum LastLine<'t> {
    /// A part of the report.
    Report,
    /// A dispatch.
    Dispatch(Box<DispatchNext>),
    /// Meant as one, and not readable.
    Unreadable {
        /// The line.
        line: &'t str,
        /// What is wrong with it.
        why: String,
    },
}

/// Takes an output apart.
pub(crate) fn read(output: &str) -> Written<'_> {
    let text = output.trim();
    let (before, said) = last_said(text);
    let dispatch = match serde_json::from_str(said) {
        Ok(Value::Object(map)) if map.contains_key(DISPATCH) => taken(map),
        Err(error) if said.starts_with('{') && said.contains("\"dispatch\"") => Err(format!("it is no JSON: {error}")),
        Ok(_) | Err(_) => return Written { report: text, last: LastLine::Report },
    };
    let last =
        dispatch.map_or_else(|why| LastLine::Unreadable { line: said, why }, |next| LastLine::Dispatch(Box::new(next)));
    Written { report: before, last }
}

/// Gives what a text ends with, and what stands before it: a block in a fence, an object over several lines whose
/// first is its bracket, or the last line.
fn last_said(text: &str) -> (&str, &str) {
    let start = text.rfind(['\n', '\r']).map_or(0, |end| end + 1);
    let last = text[start..].trim();
    let said = match last.as_bytes() {
        [b'`', b'`', b'`', ..] | [b'~', b'~', b'~', ..] => in_fence(&text[..start], last),
        [b'}'] => opening(text).map(|at| (&text[..at], &text[at..])),
        _ => None,
    };
    let (before, said) = said.unwrap_or((&text[..start], last));
    (before.trim_end(), said.trim())
}

/// Finds what a fence holds, from the text before its last line. One with other words behind it closes nothing.
fn in_fence<'t>(text: &'t str, close: &str) -> Option<(&'t str, &'t str)> {
    let mark = close.chars().next().filter(|mark| close.trim_start_matches(*mark).is_empty())?;
    let opens = |line: &str| {
        let line = line.trim();
        line.starts_with(close) && !line.trim_start_matches(mark).contains(mark)
    };
    let mut end = text.len();
    for line in text.split_inclusive('\n').rev() {
        let start = end - line.len();
        if opens(line) {
            return Some((&text[..start], &text[end..]));
        }
        end = start;
    }
    None
}

/// Finds the last line that is an opening bracket, or begins with one, at the very start of the line.
fn opening(text: &str) -> Option<usize> {
    match text.rfind("\n{") {
        Some(at) => Some(at + 1),
        None => text.starts_with('{').then_some(0),
    }
}

/// Takes what `dispatch_next` would take, and nothing else.
fn taken(mut line: Map<String, Value>) -> Result<DispatchNext, String> {
    let dispatch = line.remove(DISPATCH);
    let result = line.remove(RESULT);
    if let Some(key) = line.keys().next() {
        return Err(format!("it has the key `{key}`; its keys are `dispatch` and `result`"));
    }
    let Some(Value::Object(mut dispatch)) = dispatch else {
        return Err("its `dispatch` is no object".into());
    };
    if let Some(result) = result.filter(|result| !result.is_null()) {
        dispatch.insert(RESULT.into(), result);
    }
    tools::dispatch_next(&dispatch)
}

const DISPATCH: &str = "dispatch";
const RESULT: &str = "result";

#[cfg(test)]
mod tests {
    use alloc::string::ToString;

    use quickcheck::quickcheck;

    use super::*;
    use crate::dispatch::Status;

    #[test]
    fn the_last_line_may_be_a_dispatch() {
        let check = |output: &str, report: &str, said: Result<Option<(Status, Option<&str>)>, &str>| {
            let found = read(output);
            assert_eq!(found.report, report, "{output:?}");
            match (&found.last, said) {
                (LastLine::Report, Ok(None)) => {}
                (LastLine::Dispatch(next), Ok(Some((status, result)))) => {
                    assert_eq!((next.dispatch.status, next.result.as_deref()), (status, result), "{output:?}");
                }
                (LastLine::Unreadable { why, .. }, Err(part)) => assert!(why.contains(part), "{output:?}: {why}"),
                other => panic!("{output:?}: {other:?}"),
            }
        };
        let unsaid = || Ok(None);
        check("Done.\n", "Done.", unsaid());
        check("", "", unsaid());
        check("{\"dispatch\": {}}", "", Ok(Some((Status::Advance, None))));
        check("Done.\n\n{\"dispatch\": {\"status\": \"hold\"}}\n\n", "Done.", Ok(Some((Status::Hold, None))));
        check("a\r\n  {\"dispatch\":{\"status\":\"loop\"}} \r\n", "a", Ok(Some((Status::Loop, None))));
        check("a\n{\"dispatch\": {}, \"result\": \"approved\"}", "a", Ok(Some((Status::Advance, Some("approved")))));
        check("a\n{\"dispatch\": {\"result\": \"b\"}, \"result\": \"c\"}", "a", Ok(Some((Status::Advance, Some("c")))));
        check("a\n{\"dispatch\": {\"result\": \"b\"}, \"result\": null}", "a", Ok(Some((Status::Advance, Some("b")))));
        let fenced = |info: &str, inside: &str| format!("Done.\n\n```{info}\n{inside}\n```\n");
        check(&fenced("json", "{\"dispatch\": {\"status\": \"hold\"}}"), "Done.", Ok(Some((Status::Hold, None))));
        check(
            &fenced("", "{\n  \"dispatch\": {\n    \"status\": \"hold\"\n  }\n}"),
            "Done.",
            Ok(Some((Status::Hold, None))),
        );
        check(&fenced("json", "{\"dispatch\": {\"status\": \"leap\"}}"), "Done.", Err("unknown variant"));
        check(&fenced("json", "{\"dispatch\": {\"status\": \"hold\""), "Done.", Err("no JSON"));
        check("a\n~~~\n{\"dispatch\": {}}\n~~~", "a", Ok(Some((Status::Advance, None))));
        check("a\n{\n  \"dispatch\": {\n    \"status\": \"hold\"\n  }\n}\n", "a", Ok(Some((Status::Hold, None))));
        check("{\n\"dispatch\": {\n}\n}", "", Ok(Some((Status::Advance, None))));
        check("a\n{\n  \"dispatch\": hold\n}", "a", Err("no JSON"));
        let code = fenced("rust", "fn a() {}");
        check(&code, code.trim(), unsaid());
        let code = fenced("json", "{\"status\": \"hold\"}");
        check(&code, code.trim(), unsaid());
        check("a\n```", "a\n```", unsaid());
        check("{\n  let a = 1;\n}", "{\n  let a = 1;\n}", unsaid());
        check("fn a() {\n}", "fn a() {\n}", unsaid());
        // What is no dispatch belongs to the report.
        check("a\n{\"status\": \"hold\"}", "a\n{\"status\": \"hold\"}", unsaid());
        check("a\n{\"b\": {\"dispatch\": {}}}", "a\n{\"b\": {\"dispatch\": {}}}", unsaid());
        check("a\n[{\"dispatch\": {}}]", "a\n[{\"dispatch\": {}}]", unsaid());
        check("a\n{\"dispatch\": {}}\nb", "a\n{\"dispatch\": {}}\nb", unsaid());
        check("see {\"dispatch\": {}}", "see {\"dispatch\": {}}", unsaid());
        check("a\n{not json", "a\n{not json", unsaid());
        // What wants to be one is never a report.
        check("a\n{\"dispatch\": {\"status\": \"hold\"", "a", Err("no JSON"));
        check("a\n{\"dispatch\": {}} done", "a", Err("no JSON"));
        check("a\n{\"dispatch\": \"hold\"}", "a", Err("is no object"));
        check("a\n{\"dispatch\": null}", "a", Err("is no object"));
        check("a\n{\"dispatch\": {\"status\": \"leap\"}}", "a", Err("unknown variant"));
        check("a\n{\"dispatch\": {\"model\": \"big\"}}", "a", Err("unknown field `model`"));
        check("a\n{\"dispatch\": {\"skills\": [\"x\"]}}", "a", Err("unknown field `skills`"));
        check("a\n{\"dispatch\": {}, \"reslt\": \"approved\"}", "a", Err("the key `reslt`"));
        check("a\n{\"dispatch\": {}, \"result\": 7}", "a", Err("invalid type"));
    }

    quickcheck! {
        fn any_output_is_taken_apart(text: String) -> bool {
            let found = read(&text);
            text.contains(found.report) && (found.last != LastLine::Report || found.report == text.trim())
        }

        fn any_text_before_a_dispatch_is_the_report(text: String) -> bool {
            let output = text.clone() + "\n{\"dispatch\": {}}";
            let found = read(&output);
            found.report == text.trim() && matches!(found.last, LastLine::Dispatch(_))
        }
    }

    #[test]
    fn a_bracket_too_deep_is_no_crash() {
        let output = "{\"dispatch\": ".to_string() + &"[".repeat(100_000);
        assert!(matches!(read(&output).last, LastLine::Unreadable { .. }));
    }
}
