//! Naming a place in a JSON text by its field.

/// Gives the JSON pointer of the field in which a byte of a JSON text stands; empty for the object as a whole. The text
/// need be JSON only up to there.
pub(super) fn pointer_at(text: &str, offset: usize) -> String {
    let bytes = text.as_bytes();
    let mut levels: Vec<Level> = Vec::new();
    let mut at = 0;
    while at < bytes.len().min(offset) || bytes.get(at) == Some(&b'"') && at <= offset {
        match bytes[at] {
            b'{' => levels.push(Level::Object(None)),
            b'[' => levels.push(Level::Array(0)),
            b'}' | b']' => drop(levels.pop()),
            b',' => match levels.last_mut() {
                Some(Level::Array(index)) => *index += 1,
                Some(Level::Object(key)) => *key = None,
                None => {}
            },
            b'"' => {
                let end = string_end(bytes, at);
                if let Some(Level::Object(key @ None)) = levels.last_mut() {
                    *key = Some(text.get(at + 1..end - 1).unwrap_or_default());
                }
                if offset < end {
                    break;
                }
                at = end;
                continue;
            }
            _ => {}
        }
        at += 1;
    }
    levels.iter().map(Level::token).collect()
}

/// Escapes a key for a pointer.
pub(super) fn token(key: &str) -> String {
    key.replace('~', "~0").replace('/', "~1")
}

enum Level<'t> {
    Array(usize),
    /// The key at hand, as it is written.
    Object(Option<&'t str>),
}

impl Level<'_> {
    fn token(&self) -> String {
        match self {
            Self::Array(index) => format!("/{index}"),
            Self::Object(Some(key)) => format!("/{}", token(key)),
            Self::Object(None) => String::new(),
        }
    }
}

/// Finds the byte after a string that starts here.
fn string_end(bytes: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while at < bytes.len() {
        match bytes[at] {
            b'\\' => at += 2,
            b'"' => return at + 1,
            _ => at += 1,
        }
    }
    // One that never ends has no closing quote to leave out either.
    bytes.len() + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_stands_in_a_field() {
        let text = r#"{"a":[1,{"b/c":"x,]}\"y"}],"d":null}"#;
        let check = |part: &str, pointer: &str| {
            let offset = text.find(part).expect("it is there");
            assert_eq!(pointer_at(text, offset), pointer, "{part} at {offset}");
        };
        assert_eq!(pointer_at(text, 0), "");
        assert_eq!(pointer_at(text, 1), "/a");
        check("a\"", "/a");
        check("[1", "/a");
        check("1,", "/a/0");
        check("{\"b", "/a/1");
        check("b/c", "/a/1/b~1c");
        check(":\"x", "/a/1/b~1c");
        check("]}\\", "/a/1/b~1c");
        check("y\"", "/a/1/b~1c");
        check("d\"", "/d");
        check("null", "/d");
        assert_eq!(pointer_at(text, text.len()), "");
    }

    #[test]
    fn any_text_has_a_pointer_at_any_place() {
        fn holds(text: String, offset: usize) -> bool {
            pointer_at(&text, offset).len() <= 4 * text.len() + 4
                && pointer_at(&format!("{{\"{text}"), offset % 100).len() <= 4 * text.len() + 4
        }
        quickcheck::quickcheck(holds as fn(String, usize) -> bool);
    }
}
