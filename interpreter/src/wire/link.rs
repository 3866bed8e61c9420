//! `Link` headers (RFC 8288), and which addresses may be followed with our token in hand.

use ureq::http::Uri;

/// Finds the target of `rel="next"` among the values of the `Link` headers.
pub(super) fn next_page<'a>(values: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    values.into_iter().find_map(next_in)
}

/// Where a service lives: scheme, host and port. Our token goes nowhere else.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Origin {
    scheme: String,
    host: String,
    port: u16,
}

impl Origin {
    /// Reads the origin of an absolute http or https address; one that carries a user name has none.
    pub(super) fn of(address: &str) -> Option<Self> {
        let uri: Uri = address.parse().ok()?;
        let scheme = uri.scheme_str()?.to_ascii_lowercase();
        let port = match scheme.as_str() {
            "https" => 443,
            "http" => 80,
            _ => return None,
        };
        let authority = uri.authority().filter(|authority| !authority.as_str().contains('@'))?;
        let host = authority.host().to_ascii_lowercase();
        (!host.is_empty()).then(|| Self { scheme, host, port: authority.port_u16().unwrap_or(port) })
    }

    /// Makes a link absolute, if it leads to this same origin.
    pub(super) fn resolve(&self, link: &str) -> Option<String> {
        if link.starts_with('/') && !link.starts_with("//") {
            return Some(format!("{}://{}:{}{link}", self.scheme, self.host, self.port));
        }
        (Self::of(link).as_ref() == Some(self)).then(|| link.to_owned())
    }

    /// Tells whether the service runs on this machine.
    pub(super) fn is_loopback(&self) -> bool {
        let host = self.host.trim_start_matches('[').trim_end_matches(']');
        host == "localhost"
            || host.ends_with(".localhost")
            || host.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback())
    }
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

    #[test]
    fn links_are_followed_to_the_same_origin_only() {
        let check = |base: &str, link: &str, found: Option<&str>| {
            let origin = Origin::of(base).expect("the row gives a good base");
            assert_eq!(origin.resolve(link).as_deref(), found, "{link} from {base}");
        };
        let api = "https://api.github.com";
        check(api, "https://api.github.com/repositories/1/x", Some("https://api.github.com/repositories/1/x"));
        check(api, "https://API.github.com:443/x", Some("https://API.github.com:443/x"));
        check(api, "/repositories/1", Some("https://api.github.com:443/repositories/1"));
        check(api, "http://api.github.com/x", None);
        check(api, "https://api.github.com:8443/x", None);
        check(api, "https://api.github.com.example.org/x", None);
        check(api, "https://api.github.com@example.org/x", None);
        check(api, "//example.org/x", None);
        check(api, "ftp://api.github.com/x", None);
        check(api, "", None);
        check("http://127.0.0.1:4010", "http://127.0.0.1:4011/x", None);
        check("http://[::1]:4010/api", "http://[::1]:4010/x", Some("http://[::1]:4010/x"));
    }

    #[test]
    fn only_whole_addresses_have_an_origin() {
        for bad in ["", "api.github.com", "/x", "https://", "file:///etc", "https://token@host", "https://a b"] {
            assert_eq!(Origin::of(bad), None, "{bad}");
        }
    }

    #[test]
    fn this_machine_is_known_by_its_names() {
        let check = |base: &str, local: bool| {
            assert_eq!(Origin::of(base).map(|origin| origin.is_loopback()), Some(local), "{base}");
        };
        check("http://localhost:80", true);
        check("http://github.localhost", true);
        check("http://127.3.2.1:1", true);
        check("http://[::1]:1", true);
        check("http://localhost.example.org", false);
        check("http://10.0.0.1", false);
    }
}
