//! How large a prompt is, and how much of it repeats another: the bytes that a provider reads, in the order in which it
//! reads them.
//!
//! What a service makes of them in tokens is its own business; what a cache may keep is the head that stays the same.

use alloc::{borrow::Cow, string::String, vec::Vec};

use crate::agent::{ChatRequest, Message};

/// A stretch of a prompt: whose it is, and its text.
pub(crate) type Piece<'r> = (&'static str, Cow<'r, str>);

/// Takes a request apart as a provider reads it: the tool list, then every part of every message.
pub(crate) fn pieces(request: &ChatRequest) -> Vec<Piece<'_>> {
    let tools = (!request.tools.is_empty()).then(|| ("tools", Cow::Owned(tools_text(request))));
    tools.into_iter().chain(request.messages.iter().flat_map(of_message)).collect()
}

/// Counts the bytes of a prompt.
pub(crate) fn bytes(pieces: &[Piece<'_>]) -> u64 {
    pieces.iter().map(|(_, text)| text.len() as u64).sum()
}

/// Counts the bytes of a request's messages from one on.
pub(crate) fn bytes_from(request: &ChatRequest, first: usize) -> u64 {
    request.messages.iter().skip(first).map(|message| bytes(&of_message(message))).sum()
}

/// Counts the bytes with which two prompts begin alike. Where a piece is another's beginning only, it ends there: no
/// text of the next piece is taken for its rest.
pub(crate) fn shared_bytes(one: &[Piece<'_>], other: &[Piece<'_>]) -> u64 {
    let mut shared = 0;
    for ((whose, text), (whose_else, another)) in one.iter().zip(other) {
        if whose != whose_else {
            break;
        }
        let same = if text == another {
            text.len()
        } else {
            text.bytes().zip(another.bytes()).take_while(|(a, b)| a == b).count()
        };
        shared += same as u64;
        if same < text.len() || same < another.len() {
            break;
        }
    }
    shared
}

/// Writes the tool list as it goes over the wire.
pub(crate) fn tools_text(request: &ChatRequest) -> String {
    serde_json::to_string(&request.tools).unwrap_or_default()
}

fn of_message(message: &Message) -> Vec<Piece<'_>> {
    match message {
        Message::System { content } => content.iter().map(|part| ("system", part.text.as_str().into())).collect(),
        Message::User { content } => content.iter().map(|part| ("user", part.text.as_str().into())).collect(),
        Message::Assistant { content, tool_calls } => {
            let called = tool_calls.iter().flat_map(|call| [&call.function.name, &call.function.arguments]);
            [content].into_iter().chain(called).map(|text| ("assistant", text.as_str().into())).collect()
        }
        Message::Tool { content, .. } => Vec::from([("tool", content.as_str().into())]),
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec;

    use quickcheck::quickcheck;

    use super::*;
    use crate::agent::{ContentPart, FunctionCall, ToolCall, tools};

    fn prompt(texts: &[&'static str]) -> Vec<Piece<'static>> {
        texts.iter().map(|text| ("user", Cow::Borrowed(*text))).collect()
    }

    #[test]
    fn prompts_are_alike_up_to_the_first_byte_that_differs() {
        let check = |one: &[&'static str], other: &[&'static str], shared: u64| {
            assert_eq!(shared_bytes(&prompt(one), &prompt(other)), shared, "{one:?} {other:?}");
        };
        check(&["abc", "def"], &["abc", "def"], 6);
        check(&["abc", "def"], &["abc", "dxf"], 4);
        check(&["abc"], &["abc", "def"], 3);
        check(&["ab", "c"], &["abc"], 2); // the part ends there, so what follows is no rest of it
        check(&["abc", "def"], &["ab", "cdef"], 2);
        check(&["", "a"], &["", "a"], 1);
        check(&[], &["abc"], 0);
        check(&["x"], &["abc"], 0);
        let system = [("system", Cow::Borrowed("abc"))];
        assert_eq!(shared_bytes(&system, &prompt(&["abc"])), 0, "another's words are not the same words");
    }

    #[test]
    fn a_request_is_read_with_its_tools_and_calls() {
        let call = ToolCall {
            id: "c1".into(),
            kind: "function".into(),
            function: FunctionCall { name: "finish".into(), arguments: "{}".into() },
        };
        let mut request = ChatRequest {
            messages: vec![
                Message::System { content: vec![ContentPart::text("s")] },
                Message::User { content: vec![ContentPart::text("one"), ContentPart::text("two")] },
                Message::Assistant { content: String::new(), tool_calls: vec![call] },
                Message::Tool { tool_call_id: "c1".into(), content: "ok".into() },
            ],
            ..ChatRequest::default()
        };
        assert_eq!(bytes(&pieces(&request)), 1 + 6 + 8 + 2);
        request.tools = tools::all();
        let found = pieces(&request);
        assert_eq!(found[0].0, "tools", "providers put them first");
        assert_eq!(bytes(&found), 17 + tools_text(&request).len() as u64);
    }

    quickcheck! {
        fn no_two_prompts_share_more_than_the_smaller_has(one: Vec<String>, other: Vec<String>) -> bool {
            let prompt = |texts: &[String]| -> Vec<Piece<'static>> {
                texts.iter().map(|text| ("user", Cow::Owned(text.clone()))).collect()
            };
            let (one, other) = (prompt(&one), prompt(&other));
            let shared = shared_bytes(&one, &other);
            shared == shared_bytes(&other, &one)
                && shared <= bytes(&one).min(bytes(&other))
                && shared_bytes(&one, &one) == bytes(&one)
        }
    }
}
