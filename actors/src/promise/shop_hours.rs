//! When the shop works, by the clock on its wall.

use std::fmt;
use std::str::FromStr;

use jiff::civil::{Date, Time, Weekday};
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan};

/// From when until when the shop works on each day of the week. Written as `Mon-Fri 07:00-18:00, Sat 08:00-16:00`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShopHours {
    /// From Monday; none: closed.
    days: [Option<(Time, Time)>; 7],
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' are no shop hours, such as 'Mon-Fri 07:00-18:00, Sat 08:00-16:00'")]
pub struct BadShopHours(String);

const NAMES: [&str; 7] = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];

/// As a dealership's service department mostly has them.
impl Default for ShopHours {
    fn default() -> Self {
        let saturday = Some((Time::constant(8, 0, 0, 0), Time::constant(16, 0, 0, 0)));
        let Self { mut days } = Self::every_day();
        days[5] = saturday;
        days[6] = None;
        Self { days }
    }
}

impl ShopHours {
    /// Those of a working day, also on Saturday and Sunday.
    pub fn every_day() -> Self {
        let working_day = Some((Time::constant(7, 0, 0, 0), Time::constant(18, 0, 0, 0)));
        Self {
            days: [working_day; 7],
        }
    }

    /// Of that day; none where the shop is closed. A time that the zone's clocks skip is when they go on.
    pub fn on(&self, date: Date, zone: &TimeZone) -> Option<(Timestamp, Timestamp)> {
        let (opens, closes) = self.days[place(date.weekday())]?;
        let at = |time: Time| {
            let zoned = date.to_datetime(time).to_zoned(zone.clone());
            zoned.map(|zoned| zoned.timestamp())
        };
        let (opens, closes) = (at(opens).ok()?, at(closes).ok()?);
        (opens < closes).then_some((opens, closes))
    }

    /// The days from the one of `now` on on which the shop works, `days` of the calendar.
    pub(super) fn from(
        &self,
        now: Timestamp,
        zone: &TimeZone,
        days: i32,
    ) -> Vec<(Timestamp, Timestamp)> {
        let today = zone.to_datetime(now).date();
        let dates = (0..days).filter_map(|day| today.checked_add(day.days()).ok());
        dates.filter_map(|date| self.on(date, zone)).collect()
    }
}

fn place(weekday: Weekday) -> usize {
    usize::try_from(weekday.to_monday_zero_offset()).unwrap_or_default()
}

impl FromStr for ShopHours {
    type Err = BadShopHours;

    fn from_str(text: &str) -> Result<Self, BadShopHours> {
        let bad = || BadShopHours(text.to_owned());
        let mut days = [None; 7];
        for part in text.split(',') {
            let (names, times) = part.trim().split_once(' ').ok_or_else(bad)?;
            let (first, last) = names.split_once('-').unwrap_or((names, names));
            let (first, last) = (day(first).ok_or_else(bad)?, day(last).ok_or_else(bad)?);
            let (opens, closes) = times.trim().split_once('-').ok_or_else(bad)?;
            let hours = (time(opens).ok_or_else(bad)?, time(closes).ok_or_else(bad)?);
            let named = days.get_mut(first..=last).ok_or_else(bad)?;
            if hours.0 >= hours.1 || named.iter().any(Option::is_some) {
                return Err(bad());
            }
            named.fill(Some(hours));
        }
        Ok(Self { days })
    }
}

fn day(name: &str) -> Option<usize> {
    let mut names = NAMES.iter();
    names.position(|known| known.eq_ignore_ascii_case(name.trim()))
}

fn time(text: &str) -> Option<Time> {
    Time::strptime("%H:%M", text.trim()).ok()
}

impl fmt::Display for ShopHours {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut separator = "";
        let mut first = 0;
        while first < self.days.len() {
            let same = |day: &&Option<(Time, Time)>| **day == self.days[first];
            let last = first + self.days[first..].iter().take_while(same).count() - 1;
            if let Some((opens, closes)) = self.days[first] {
                write!(f, "{separator}{}", NAMES[first])?;
                if last > first {
                    write!(f, "-{}", NAMES[last])?;
                }
                let (opens, closes) = (opens.strftime("%H:%M"), closes.strftime("%H:%M"));
                write!(f, " {opens}-{closes}")?;
                separator = ", ";
            }
            first = last + 1;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shop_hours_are_read_as_they_are_written() {
        for text in [
            "Mon-Fri 07:00-18:00, Sat 08:00-16:00",
            "Mon-Sun 00:00-23:59",
            "Mon 08:00-12:00, Wed-Thu 09:30-17:15",
        ] {
            let hours: ShopHours = text.parse().unwrap();
            assert_eq!(hours.to_string(), text);
        }
        assert_eq!(
            ShopHours::default().to_string(),
            "Mon-Fri 07:00-18:00, Sat 08:00-16:00"
        );
        assert_eq!(
            "mon - fri 7:00-18:00".parse::<ShopHours>().ok(),
            None,
            "days are one word"
        );
    }

    #[test]
    fn hours_that_no_shop_has_are_refused() {
        for text in [
            "",
            "Mon",
            "Mon-Fri",
            "Mon 18:00-07:00",
            "Mon 07:00-07:00",
            "Mon 07:00",
            "Fri-Mon 07:00-18:00",
            "Mon-Fri 07:00-18:00, Wed 08:00-12:00",
            "Xyz 07:00-18:00",
            "Mon 25:00-26:00",
        ] {
            assert!(text.parse::<ShopHours>().is_err(), "{text:?}");
        }
    }

    #[test]
    fn hours_follow_the_clocks_of_the_zone() {
        let zone = TimeZone::get("America/Chicago").unwrap();
        let hours: ShopHours = "Mon-Sun 01:00-05:00".parse().unwrap();
        let length = |date: Date| {
            let (opens, closes) = hours.on(date, &zone).unwrap();
            closes.duration_since(opens).as_hours()
        };
        assert_eq!(length(jiff::civil::date(2026, 3, 7)), 4);
        assert_eq!(length(jiff::civil::date(2026, 3, 8)), 3);
        assert_eq!(length(jiff::civil::date(2026, 11, 1)), 5);
    }
}
