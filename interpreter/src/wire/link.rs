//! `Link` headers (RFC 8288): where the next page of a listing is.
//!
//! Whether our token may go there is for `address`.

/// Finds the target of `rel="next"` among the values of the `Link` headers.
pub(super) fn next_page<'a>(values: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    values.into_iter().find_map(next_in)
}

/// Walks `<target>; parameter; …, <target>; …`. Commas and semicolons inside `<>` belong to the target.
fn next_in(value: &str) -> Option<&str> {
    let mut rest = value;
    loop {
        let (_, from_target) = rest.split_once('<')?;
        let (target, parameters) = from_target.split_once('>')?;
        let end = parameters.find('<').unwrap_or(parameters.len());
        if parameters[..end].split([';', ',']).any(is_rel_next) {
            return Some(target);
        }
        rest = &parameters[end..];
    }
}

/// A `rel` holds one relation type or several, with or without quotes, in any case.
fn is_rel_next(parameter: &str) -> bool {
    let Some((name, value)) = parameter.split_once('=') else {
        return false;
    };
    let value = value.trim().trim_matches('"');
    name.trim().eq_ignore_ascii_case("rel")
        && value.split_ascii_whitespace().any(|rel| rel.eq_ignore_ascii_case("next"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_next_page_is_found_among_the_others() {
        let check = |value: &str, next: Option<&str>| assert_eq!(next_page([value]), next, "{value}");
        check(r#"<https://a/x?page=2>; rel="next", <https://a/x?page=9>; rel="last""#, Some("https://a/x?page=2"));
        check(r#"<https://a/x?page=1>; rel="prev", <https://a/x?page=3>; rel="next""#, Some("https://a/x?page=3"));
        check(r#"<https://a/x?since=1,2;3>; rel="next""#, Some("https://a/x?since=1,2;3"));
        check(r#"<https://a/x?page=9>; rel="last", <https://a/x?page=2>; rel="next""#, Some("https://a/x?page=2"));
        check(r#"<https://a/x?since=9>; rel="next", <https://a/x{?since}>; rel="first""#, Some("https://a/x?since=9"));
        check(r#"<https://a/x?page=1>; rel="first", <https://a/x?page=1>; rel="prev""#, None);
        check("<https://a/x>;rel=next", Some("https://a/x"));
        check(r#"<https://a/x>; title="t"; REL="last Next""#, Some("https://a/x"));
        check(r#"<https://a/x>; rel="last""#, None);
        check(r#"<https://a/next>; title="next""#, None);
        check(r#"https://a/x; rel="next""#, None);
        check("<https://a/x", None);
        check("", None);
    }
}
