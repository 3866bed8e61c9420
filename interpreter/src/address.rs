//! Addresses of services: what may be shown of one, where it leads, and whether a secret may travel there.
//!
//! People paste addresses with a user name and a password in them. Neither is ever sent by us, and neither may turn
//! up in an error, a log or a recording.

use std::{borrow::Cow, net::IpAddr};

use ureq::http::Uri;

/// Where a service lives: scheme, host and port. Our token goes nowhere else.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Origin {
    scheme: String,
    host: String,
    port: u16,
}

impl Origin {
    /// Reads the origin of an absolute http or https address.
    ///
    /// # Errors
    /// What is wrong, in words: it is no such address, or it carries a user name.
    pub(crate) fn of(address: &str) -> Result<Self, &'static str> {
        let uri: Uri = address.parse().map_err(|_| NO_ADDRESS)?;
        let scheme = uri.scheme_str().ok_or(NO_ADDRESS)?.to_ascii_lowercase();
        let port = match scheme.as_str() {
            "https" => 443,
            "http" => 80,
            _ => return Err(NO_ADDRESS),
        };
        let authority = uri.authority().ok_or(NO_ADDRESS)?;
        if authority.as_str().contains('@') {
            return Err("it carries a user name or a password");
        }
        let host = authority.host().to_ascii_lowercase();
        let port = authority.port_u16().unwrap_or(port);
        if host.is_empty() { Err(NO_ADDRESS) } else { Ok(Self { scheme, host, port }) }
    }

    /// Makes a link absolute, if it leads to this same origin.
    pub(crate) fn resolve(&self, link: &str) -> Option<String> {
        if link.starts_with('/') && !link.starts_with("//") {
            return Some(format!("{}://{}:{}{link}", self.scheme, self.host, self.port));
        }
        (Self::of(link).as_ref() == Ok(self)).then(|| link.to_owned())
    }

    /// Tells whether the service is a host of this domain, or the domain itself.
    pub(crate) fn is_of(&self, domain: &str) -> bool {
        self.host.strip_suffix(domain).is_some_and(|before| before.is_empty() || before.ends_with('.'))
    }

    /// Tells whether the service runs on this machine.
    pub(crate) fn is_loopback(&self) -> bool {
        self.is_of("localhost") || self.ip().is_some_and(|address| address.is_loopback())
    }

    /// Tells whether the service can only be one of the own network: its name or number means nothing outside.
    pub(crate) fn is_of_the_own_network(&self) -> bool {
        let is_private = |address: IpAddr| match address {
            IpAddr::V4(address) => address.is_private() || address.is_link_local(),
            IpAddr::V6(address) => address.is_unique_local() || address.is_unicast_link_local(),
        };
        match self.ip() {
            Some(address) => address.is_loopback() || is_private(address),
            None => !self.host.contains('.') || OWN_DOMAINS.iter().any(|domain| self.is_of(domain)),
        }
    }

    /// Tells whether nobody on the way can read what is sent: it is encrypted, or does not leave this machine.
    pub(crate) fn is_private_on_the_way(&self) -> bool {
        self.scheme == "https" || self.is_loopback()
    }

    fn ip(&self) -> Option<IpAddr> {
        self.host.trim_start_matches('[').trim_end_matches(']').parse().ok()
    }
}

/// Shows an address as scheme, host and path: no user name, no password, no query.
pub(crate) fn shown(address: &str) -> String {
    let (scheme, rest) = match address.find("://") {
        Some(at) => address.split_at(at + 3),
        None => ("", address),
    };
    let authority = &rest[..rest.find(ENDS_OF_AUTHORITY).unwrap_or(rest.len())];
    // A password with a slash in it makes what stands before the slash look like a host, but for its port.
    let is_host = |text: &str| match text.rsplit_once(':') {
        Some((_, port)) if !text.ends_with(']') => port.bytes().all(|byte| byte.is_ascii_digit()),
        _ => true,
    };
    let before = if authority.contains('@') || is_host(authority) { authority } else { rest };
    let rest = before.rfind('@').map_or(rest, |at| &rest[at + 1..]);
    format!("{scheme}{}", &rest[..rest.find(['?', '#']).unwrap_or(rest.len())])
}

/// Takes user names and passwords out of all addresses in a text.
pub(crate) fn without_user_names(text: &str) -> Cow<'_, str> {
    let mut shown = String::new();
    let mut rest = text;
    while let Some(at) = rest.find("://") {
        let (before, after) = rest.split_at(at + 3);
        let ends = |sign: char| sign.is_whitespace() || ENDS_OF_AUTHORITY.contains(&sign) || "\"'`<>".contains(sign);
        let authority = &after[..after.find(ends).unwrap_or(after.len())];
        shown.push_str(before);
        rest = authority.rfind('@').map_or(after, |at| &after[at + 1..]);
    }
    if shown.len() + rest.len() == text.len() {
        return Cow::Borrowed(text);
    }
    Cow::Owned(shown + rest)
}

const NO_ADDRESS: &str = "it is no address like https://api.github.com";
const ENDS_OF_AUTHORITY: [char; 4] = ['/', '\\', '?', '#'];
/// Domains that are kept for networks of one's own (RFC 6762, RFC 8375, and ICANN's `internal`).
const OWN_DOMAINS: [&str; 4] = ["localhost", "local", "internal", "home.arpa"];

#[cfg(test)]
mod tests {
    use super::*;

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
            assert!(Origin::of(bad).is_err(), "{bad}");
        }
        assert_eq!(Origin::of("https://u:p@host"), Err("it carries a user name or a password"));
    }

    #[test]
    fn this_machine_and_the_own_network_are_known_by_their_names() {
        let check = |base: &str, machine: bool, network: bool, private: bool| {
            let origin = Origin::of(base).expect("the row gives a good base");
            let found = (origin.is_loopback(), origin.is_of_the_own_network(), origin.is_private_on_the_way());
            assert_eq!(found, (machine, network, private), "{base}");
        };
        check("http://localhost:80", true, true, true);
        check("http://github.localhost", true, true, true);
        check("http://127.3.2.1:1", true, true, true);
        check("http://[::1]:1", true, true, true);
        check("http://localhost.example.org", false, false, false);
        check("http://notlocalhost", false, true, false);
        check("http://10.0.0.1", false, true, false);
        check("https://192.168.1.7:8000", false, true, true);
        check("http://gpu:8000", false, true, false);
        check("https://gpu.home.arpa", false, true, true);
        check("https://gpu.example.org", false, false, true);
        check("http://8.8.8.8", false, false, false);
    }

    #[test]
    fn an_address_is_shown_without_what_is_secret_in_it() {
        let check = |address: &str, expected: &str| assert_eq!(shown(address), expected, "{address}");
        check("https://openrouter.ai/api/v1", "https://openrouter.ai/api/v1");
        check("http://127.0.0.1:8000/v1", "http://127.0.0.1:8000/v1");
        check("http://[::1]:8000/v1", "http://[::1]:8000/v1");
        check("http://user:secret@host/v1", "http://host/v1");
        check("https://secret@host", "https://host");
        check("http://a:se@cr@host:1/v1?key=secret#x", "http://host:1/v1");
        check("http://user:se/cret@host/v1", "http://host/v1");
        check("http://user:se?cret@host/v1", "http://host/v1");
        check("ftp://user:secret@host", "ftp://host");
        check("user:secret@host/v1", "host/v1");
        check("https://host/v1/@cf/meta", "https://host/v1/@cf/meta");
        check("https://host:8443/@cf", "https://host:8443/@cf");
        check("", "");
    }

    #[test]
    fn a_text_is_shown_without_user_names() {
        let check = |text: &str, expected: &str| assert_eq!(without_user_names(text), expected, "{text}");
        check("no address", "no address");
        check("at https://host/@x and a@b", "at https://host/@x and a@b");
        check("\"https://u:p@host/x\", http://t@h and", "\"https://host/x\", http://h and");
        check("https://u:p", "https://u:p");
        check("http://a@b@c/d", "http://c/d");
        check("://x@", "://");
    }
}
