//! Points in time as GitHub writes them: `2026-10-02T00:00:00Z`, UTC, whole seconds.
//!
//! There is no clock here. A time enters with an event and is only compared, shifted and written.

use alloc::{format, string::String};
use core::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};

/// A UTC time in whole seconds, between the years 0000 and 9999.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp {
    /// Seconds since 1970-01-01T00:00:00Z.
    seconds: i64,
}

impl Timestamp {
    /// Takes seconds since 1970-01-01T00:00:00Z, held inside the years 0000 to 9999.
    pub fn from_seconds(seconds: i64) -> Self {
        Self { seconds: seconds.clamp(FIRST_SECOND, LAST_SECOND) }
    }

    /// Gives the seconds since 1970-01-01T00:00:00Z.
    pub fn seconds(self) -> i64 {
        self.seconds
    }

    /// Gives the time so many seconds earlier, no earlier than the year 0000.
    pub fn earlier(self, seconds: i64) -> Self {
        Self::from_seconds(self.seconds.saturating_sub(seconds))
    }

    /// Reads the 20 bytes that GitHub sends; anything else is `None`.
    pub fn parse(text: &str) -> Option<Self> {
        let bytes: &[u8; 20] = text.as_bytes().try_into().ok()?;
        let shape_fits = bytes.iter().zip(b"0000-00-00T00:00:00Z").all(|(byte, shape)| match shape {
            b'0' => byte.is_ascii_digit(),
            mark => byte == mark,
        });
        if !shape_fits {
            return None;
        }
        let number =
            |from: usize, to: usize| bytes[from..to].iter().fold(0, |sum, digit| sum * 10 + i64::from(digit - b'0'));
        let (year, month, day) = (number(0, 4), number(5, 7), number(8, 10));
        let (hour, minute, second) = (number(11, 13), number(14, 16), number(17, 19));
        let in_range = (1..=12).contains(&month)
            && (1..=days_in_month(year, month)).contains(&day)
            && hour < 24
            && minute < 60
            && second < 60;
        in_range.then(|| {
            let days = days_from_civil(year, month, day);
            Self { seconds: days * DAY + hour * 3_600 + minute * 60 + second }
        })
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (days, rest) = (self.seconds.div_euclid(DAY), self.seconds.rem_euclid(DAY));
        let (year, month, day) = civil_from_days(days);
        let (hour, minute, second) = (rest / 3_600, rest / 60 % 60, rest % 60);
        write!(f, "{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
    }
}

impl Serialize for Timestamp {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Timestamp {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Self::parse(&text).ok_or_else(|| D::Error::custom(format!("{text:?} is no time like 2026-10-02T00:00:00Z")))
    }
}

/// Counts the days from 1970-01-01 in the proleptic Gregorian calendar; years start in March, so that
/// the leap day is a year's last.
fn days_from_civil(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let year_of_era = year.rem_euclid(400);
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    era * DAYS_PER_ERA + day_of_era - DAYS_TO_1970
}

fn civil_from_days(days: i64) -> (i64, i64, i64) {
    let days = days + DAYS_TO_1970;
    let era = days.div_euclid(DAYS_PER_ERA);
    let day_of_era = days.rem_euclid(DAYS_PER_ERA);
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    (year, month, day)
}

fn days_in_month(year: i64, month: i64) -> i64 {
    match month {
        2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

const DAY: i64 = 86_400;
/// 400 Gregorian years.
const DAYS_PER_ERA: i64 = 146_097;
/// From 0000-03-01, where the first era starts, to 1970-01-01.
const DAYS_TO_1970: i64 = 719_468;
/// 0000-01-01T00:00:00Z.
const FIRST_SECOND: i64 = -62_167_219_200;
/// 9999-12-31T23:59:59Z.
const LAST_SECOND: i64 = 253_402_300_799;

#[cfg(test)]
mod tests {
    use alloc::string::ToString;

    use super::*;

    #[test]
    fn only_the_twenty_bytes_are_a_time() {
        let check = |text: &str, seconds: Option<i64>| {
            assert_eq!(Timestamp::parse(text).map(Timestamp::seconds), seconds, "{text}");
        };
        check("1970-01-01T00:00:00Z", Some(0));
        check("2026-10-02T00:00:00Z", Some(1_790_899_200));
        check("2000-02-29T23:59:59Z", Some(951_868_799));
        check("1900-02-29T00:00:00Z", None);
        check("2026-13-01T00:00:00Z", None);
        check("2026-10-02T24:00:00Z", None);
        check("2026-10-02T23:59:60Z", None);
        check("2026-10-02T00:00:00+00:00", None);
        check("2026-10-02 00:00:00Z", None);
        check("+026-10-02T00:00:00Z", None);
        check("", None);
        check("２026-10-02T00:00", None);
    }

    #[test]
    fn what_is_written_reads_back() {
        fn holds(seconds: i64) -> bool {
            let time = Timestamp::from_seconds(seconds);
            Timestamp::parse(&time.to_string()) == Some(time)
        }
        quickcheck::quickcheck(holds as fn(i64) -> bool);
        for edge in [FIRST_SECOND, LAST_SECOND, -1, 0, 951_782_400] {
            assert!(holds(edge), "{edge}");
        }
    }
}
