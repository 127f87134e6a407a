//! Days, as dates are written in three languages.

use super::words::Word;

/// A day as far as it can be told: `07/08/2026` may be two.
#[derive(Clone, Debug, PartialEq)]
pub struct Date {
    /// Month and day.
    days: Vec<(u32, u32)>,
    year: Option<u32>,
}

impl Date {
    pub fn covers(&self, other: &Date) -> bool {
        other.days.iter().any(|day| self.days.contains(day))
            && other.year.is_none_or(|year| self.year == Some(year))
    }
}

/// `2026-07-14`, `07/14/2026`, `14.07.26`.
pub fn numeric_day(text: &str) -> Option<Date> {
    let sign = text.chars().find(|c| !c.is_ascii_digit())?;
    if !matches!(sign, '-' | '/' | '.') {
        return None;
    }
    let parts: Vec<&str> = text.split(sign).collect();
    let [a, b, c] = parts.as_slice() else {
        return None;
    };
    if !parts
        .iter()
        .all(|part| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit()))
    {
        return None;
    }
    let n = |part: &str| part.parse::<u32>().ok();
    let (year, first, second) = match (a.len(), b.len(), c.len()) {
        (4, 1..=2, 1..=2) => (n(a)?, n(b)?, n(c)?),
        (1..=2, 1..=2, 4) => (n(c)?, n(a)?, n(b)?),
        (1..=2, 1..=2, 2) => (2_000 + n(c)?, n(a)?, n(b)?),
        _ => return None,
    };
    let begins_with_year = a.len() == 4;
    let mut days = Vec::new();
    if is_day(first, second) && sign != '.' {
        days.push((first, second));
    }
    if !begins_with_year && is_day(second, first) {
        days.push((second, first));
    }
    let plausible = (1_900..=2_100).contains(&year);
    (plausible && !days.is_empty()).then_some(Date {
        days,
        year: Some(year),
    })
}

fn is_day(month: u32, day: u32) -> bool {
    (1..=12).contains(&month) && (1..=31).contains(&day)
}

/// `July 14, 2026`, `14 July 2026`, `14. Juli`, `14 de julio de 2026`: how many words it takes.
pub fn named_day(text: &str, words: &[Word]) -> Option<(usize, Date)> {
    let close = |at: usize| {
        let [before, after] = [words.get(at - 1)?, words.get(at)?];
        let between = &text[before.end()..after.start];
        between
            .chars()
            .all(|c| matches!(c, ' ' | '.' | ','))
            .then_some(after)
    };
    let day_of = |word: &Word| {
        let digits = word.text.trim_end_matches(|c: char| c.is_ascii_lowercase());
        digits
            .parse::<u32>()
            .ok()
            .filter(|day| is_day(1, *day) && digits.len() <= 2)
    };
    let is_de =
        |word: &Word| word.text.eq_ignore_ascii_case("de") || word.text.eq_ignore_ascii_case("of");
    let (mut count, month, day) = if let Some(month) = month(words[0].text) {
        (2, month, day_of(close(1)?)?)
    } else {
        let day = day_of(&words[0])?;
        let place = if is_de(close(1)?) { 2 } else { 1 };
        (place + 1, month(close(place)?.text)?, day)
    };
    let mut at = count;
    if close(at).is_some_and(is_de) {
        at += 1;
    }
    let year = words
        .get(at)
        .and_then(|_| close(at))
        .filter(|word| word.text.len() == 4);
    let year = year.and_then(|word| word.text.parse().ok());
    if year.is_some() {
        count = at + 1;
    }
    Some((
        count,
        Date {
            days: vec![(month, day)],
            year,
        },
    ))
}

fn month(text: &str) -> Option<u32> {
    let text = text.to_lowercase();
    let months: [&[&str]; 12] = [
        &["january", "jan", "januar", "jänner", "enero", "ene"],
        &["february", "feb", "februar", "febrero"],
        &["march", "mar", "märz", "marzo"],
        &["april", "apr", "abril", "abr"],
        &["may", "mai", "mayo"],
        &["june", "jun", "juni", "junio"],
        &["july", "jul", "juli", "julio"],
        &["august", "aug", "agosto", "ago"],
        &["september", "sept", "sep", "septiembre"],
        &["october", "oct", "oktober", "okt", "octubre"],
        &["november", "nov", "noviembre"],
        &["december", "dec", "dezember", "dez", "diciembre", "dic"],
    ];
    let place = months
        .iter()
        .position(|names| names.contains(&text.as_str()))?;
    u32::try_from(place + 1).ok()
}
