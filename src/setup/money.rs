//! Money, counted in whole millionths of a dollar, so that sums are the same on every machine.

use alloc::{
    format,
    string::{String, ToString},
};
use core::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

/// An amount of US dollars, exact to a millionth. In JSON it is a text such as `"1.25"`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Usd(u64);

impl Usd {
    /// Makes an amount of millionths.
    pub const fn from_micro(micro: u64) -> Self {
        Self(micro)
    }

    /// Gives it in millionths.
    pub const fn micro(self) -> u64 {
        self.0
    }

    /// Adds another; what is too much stays at the most that can be counted.
    #[must_use]
    pub const fn plus(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }

    /// Reads `12`, `0.5` or `1.250000`: digits, and at most six behind a point.
    pub fn parse(text: &str) -> Option<Self> {
        let (whole, part) = text.split_once('.').unwrap_or((text, "0"));
        let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        if !digits(whole) || !digits(part) || part.len() > 6 {
            return None;
        }
        let micro: u64 = format!("{part:0<6}").parse().ok()?;
        Some(Self(whole.parse::<u64>().ok()?.checked_mul(1_000_000)?.checked_add(micro)?))
    }
}

impl fmt::Display for Usd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let part = format!("{:06}", self.0 % 1_000_000);
        let part = part.trim_end_matches('0');
        write!(f, "{}.{part:0<2}", self.0 / 1_000_000)
    }
}

impl Serialize for Usd {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.to_string())
    }
}

impl<'de> Deserialize<'de> for Usd {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Self::parse(&text).ok_or_else(|| D::Error::custom(format!("{text:?} is no amount of dollars such as \"1.25\"")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_amount_is_read_and_written_the_same() {
        let check = |text: &str, micro: Option<u64>, shown: &str| {
            let amount = Usd::parse(text);
            assert_eq!(amount.map(Usd::micro), micro, "{text}");
            assert_eq!(amount.map(|amount| amount.to_string()).unwrap_or_default(), shown, "{text}");
        };
        check("0", Some(0), "0.00");
        check("12", Some(12_000_000), "12.00");
        check("0.5", Some(500_000), "0.50");
        check("1.250000", Some(1_250_000), "1.25");
        check("0.000001", Some(1), "0.000001");
        check("0.0000001", None, "");
        check("-1", None, "");
        check("1.", None, "");
        check(".5", None, "");
        check("1e3", None, "");
        check("", None, "");
        check("99999999999999999999", None, "");
    }
}
