//! The facts that a text states, each with where it stands.

use super::words::{Word, words};

/// A fact, and where it stands, in bytes.
#[derive(Clone, Debug, PartialEq)]
pub struct Fact {
    pub start: usize,
    pub end: usize,
    pub said: Said,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Said {
    Number(Numeral),
    Date(Date),
    /// A trouble code: letters and digits of it, in capitals.
    Code(String),
    /// Letters and digits of whatever else has digits in it: part numbers, grades, sizes.
    Mark(String),
}

/// A number as far as it can be told: `1.234` may be two.
#[derive(Clone, Debug, PartialEq)]
pub struct Numeral {
    values: Vec<f64>,
    unit: Option<&'static str>,
    /// It is said to be how far the vehicle has gone.
    odometer: bool,
}

/// A day as far as it can be told: `07/08/2026` may be two.
#[derive(Clone, Debug, PartialEq)]
pub struct Date {
    /// Month and day.
    days: Vec<(u32, u32)>,
    year: Option<u32>,
}

impl Numeral {
    /// Whether the other number says nothing that this does not.
    pub fn covers(&self, other: &Numeral) -> bool {
        let unit = match (self.unit, other.unit) {
            (Some(ours), Some(theirs)) => ours == theirs,
            _ => true,
        };
        unit && other.values.iter().any(|value| self.values.contains(value))
    }

    pub fn is_mileage(&self) -> bool {
        self.odometer || matches!(self.unit, Some("mi" | "km"))
    }
}

impl Date {
    pub fn covers(&self, other: &Date) -> bool {
        other.days.iter().any(|day| self.days.contains(day))
            && other.year.is_none_or(|year| self.year == Some(year))
    }
}

/// Letters and digits alone, in capitals.
pub fn mark(text: &str) -> String {
    text.chars()
        .filter(|c| c.is_alphanumeric())
        .flat_map(char::to_uppercase)
        .collect()
}

/// Such as P0301, or U010000 with the byte that says how it failed.
pub fn is_trouble_code(mark: &str) -> bool {
    let bytes = mark.as_bytes();
    matches!(bytes.len(), 5 | 7)
        && matches!(bytes[0], b'P' | b'B' | b'C' | b'U')
        && matches!(bytes[1], b'0'..=b'3')
        && bytes[2..].iter().all(u8::is_ascii_hexdigit)
}

pub fn facts(text: &str) -> Vec<Fact> {
    let words = words(text);
    let mut facts = Vec::new();
    let mut marker = 1;
    let mut at = 0;
    while at < words.len() {
        if is_list_marker(text, &words[at], marker) {
            marker += 1;
            at += 1;
        } else if let Some((count, date)) = named_day(text, &words[at..]) {
            facts.push(Fact {
                start: words[at].start,
                end: words[at + count - 1].end(),
                said: Said::Date(date),
            });
            at += count;
        } else if let Some((count, value)) = spelled(&words[at..]) {
            facts.push(number(text, &words, at, count, vec![value], None));
            at += count;
        } else {
            of_word(text, &words, at, &mut facts);
            at += 1;
        }
    }
    facts
}

/// The number that a list's next entry begins with is no fact.
fn is_list_marker(text: &str, word: &Word, next: u32) -> bool {
    word.begins_line
        && word.text == next.to_string()
        && (text[word.end()..].starts_with(". ") || text[word.end()..].starts_with(") "))
}

fn of_word(text: &str, words: &[Word], at: usize, facts: &mut Vec<Fact>) {
    let word = words[at];
    if !word.has_digit() {
        return;
    }
    let whole = |said| Fact {
        start: word.start,
        end: word.end(),
        said,
    };
    let marked = mark(word.text);
    if let Some(date) = numeric_day(word.text) {
        facts.push(whole(Said::Date(date)));
    } else if is_trouble_code(&marked) && word.text.chars().all(|c| c.is_alphanumeric() || c == '-')
    {
        facts.push(whole(Said::Code(marked)));
    } else if let Some((values, unit)) = numeral(word.text) {
        facts.push(number(text, words, at, 1, values, unit));
    } else if is_one_mark(word.text, &marked) {
        facts.push(whole(Said::Mark(marked)));
    } else {
        let pieces = word.pieces();
        if pieces.len() > 1 {
            for piece in 0..pieces.len() {
                of_word(text, &pieces, piece, facts);
            }
        } else {
            facts.push(whole(Said::Mark(marked)));
        }
    }
}

/// Whether a word with signs in it is one thing rather than several: a part number or a grade, and
/// neither a range nor two codes.
fn is_one_mark(text: &str, mark: &str) -> bool {
    let is_list = text.contains(['/', ':', ',']);
    let has_letters = mark.chars().any(char::is_alphabetic);
    let codes = text
        .split(['/', '-'])
        .filter(|part| is_trouble_code(&part.to_uppercase()));
    let parts = || text.split('-');
    let hyphened_unit = parts().count() == 2
        && parts().next().is_some_and(|first| numeral(first).is_some())
        && !mark.ends_with(|c: char| c.is_ascii_digit());
    codes.count() < 2 && !hyphened_unit && !is_list && (has_letters || mark.len() >= 7)
        || (text.contains('/')
            && !text.contains([':', ','])
            && has_letters
            && mark.len() >= 5
            && is_one_of_letters(text))
}

/// `W712/75`: a mark with a slash, where what follows is not a code or a word of its own.
fn is_one_of_letters(text: &str) -> bool {
    let mut parts = text.split('/');
    let first = parts.next().unwrap_or_default();
    let is_mixed =
        first.chars().any(char::is_alphabetic) && first.chars().any(|c| c.is_ascii_digit());
    is_mixed
        && !is_trouble_code(&first.to_uppercase())
        && parts.all(|part| !part.is_empty() && part.chars().all(|c| c.is_ascii_digit()))
}

fn number(
    text: &str,
    words: &[Word],
    at: usize,
    count: usize,
    values: Vec<f64>,
    attached: Option<&'static str>,
) -> Fact {
    let last = words[at + count - 1];
    let mut end = last.end();
    let mut unit = attached;
    if unit.is_none() {
        let rest = &text[end..];
        let sign = rest.trim_start_matches([' ', '\u{a0}']);
        if sign.starts_with('%') {
            unit = Some("%");
            end = text.len() - sign.len() + 1;
        } else if let Some(next) = words.get(at + count)
            && text[end..next.start]
                .chars()
                .all(|c| matches!(c, ' ' | '\u{a0}' | '°' | '-'))
            && let Some(known) = self::unit(next.text)
        {
            unit = Some(known);
            end = next.end();
        }
    }
    let before = &words[at.saturating_sub(3)..at];
    let odometer = before.iter().any(|word| {
        let word = word.text.to_lowercase();
        ODOMETER.iter().any(|known| word.starts_with(known))
    });
    Fact {
        start: words[at].start,
        end,
        said: Said::Number(Numeral {
            values,
            unit,
            odometer: odometer && unit.is_none_or(|unit| matches!(unit, "mi" | "km")),
        }),
    }
}

const ODOMETER: [&str; 8] = [
    "mileage",
    "odometer",
    "laufleistung",
    "kilometerstand",
    "tachostand",
    "kilometraje",
    "odómetro",
    "millaje",
];

/// A number, with a unit right behind it at most.
fn numeral(text: &str) -> Option<(Vec<f64>, Option<&'static str>)> {
    let digits = text
        .find(|c: char| !(c.is_ascii_digit() || matches!(c, '.' | ',' | '\'' | '\u{2019}')))
        .unwrap_or(text.len());
    let (number, behind) = text.split_at(digits);
    if !number.starts_with(|c: char| c.is_ascii_digit())
        || !number.ends_with(|c: char| c.is_ascii_digit())
    {
        return None;
    }
    // A long row of digits is a part number.
    if number.len() >= 7 && number.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let mut values = values(number)?;
    let unit = match behind.to_lowercase().as_str() {
        "" | "st" | "nd" | "rd" | "th" | "x" | "er" => None,
        "k" => {
            values.iter_mut().for_each(|value| *value *= 1_000.0);
            None
        }
        _ => Some(unit(behind.trim_start_matches('-'))?),
    };
    Some((values, unit))
}

/// What a number may mean, whichever sign is for thousands.
fn values(number: &str) -> Option<Vec<f64>> {
    let number = number.replace(['\'', '\u{2019}'], "");
    let groups: Vec<&str> = number.split(['.', ',']).collect();
    let is_grouped = |groups: &[&str]| {
        groups.len() > 1 && groups[0].len() <= 3 && groups[1..].iter().all(|group| group.len() == 3)
    };
    let parse = |text: String| text.parse::<f64>().ok();
    let mut values = Vec::new();
    if is_grouped(&groups) || groups.len() == 1 {
        values.extend(parse(groups.concat()));
    }
    if let [whole @ .., decimals] = groups.as_slice()
        && !whole.is_empty()
        && (whole.len() == 1 || is_grouped(whole))
    {
        values.extend(parse(format!("{}.{decimals}", whole.concat())));
    }
    (!values.is_empty()).then_some(values)
}

/// What a unit is called here, however it is written.
fn unit(text: &str) -> Option<&'static str> {
    let text = text.to_lowercase();
    Some(match text.trim_end_matches('.') {
        "mi" | "mile" | "miles" | "meile" | "meilen" | "milla" | "millas" => "mi",
        "km" | "kms" | "kilometer" | "kilometers" | "kilometre" | "kilometres" | "kilometern"
        | "kilómetro" | "kilómetros" | "kilometros" => "km",
        "mph" => "mph",
        "km/h" | "kmh" | "kph" => "km/h",
        "mm" | "millimeter" | "millimeters" | "millimetre" | "millimetres" | "millimetern"
        | "milímetro" | "milímetros" => "mm",
        "cm" | "centimeter" | "centimeters" | "zentimeter" | "centímetros" => "cm",
        "m" | "meter" | "meters" | "metros" => "m",
        "in" | "inch" | "inches" | "zoll" | "pulgada" | "pulgadas" => "in",
        "ft" | "feet" | "foot" | "pies" => "ft",
        "nm" | "n-m" | "newton-meters" | "newtonmeter" => "Nm",
        "lb-ft" | "ft-lb" | "ft-lbs" | "lb-fts" | "lbs-ft" | "ft/lb" | "ft/lbs" | "foot-pounds"
        | "ftlbs" => "lb-ft",
        "lb" | "lbs" | "pound" | "pounds" | "libras" => "lb",
        "v" | "volt" | "volts" | "voltios" => "V",
        "mv" | "millivolts" | "millivolt" => "mV",
        "a" | "amp" | "amps" | "ampere" | "amperes" | "amperios" => "A",
        "ma" | "milliamps" | "milliampere" | "miliamperios" => "mA",
        "ohm" | "ohms" | "ω" | "ohmios" => "ohm",
        "kohm" | "kω" => "kohm",
        "psi" => "psi",
        "bar" => "bar",
        "kpa" => "kPa",
        "mbar" => "mbar",
        "c" | "celsius" => "C",
        "f" | "fahrenheit" => "F",
        "percent" | "prozent" => "%",
        "rpm" | "u/min" => "rpm",
        "hz" => "Hz",
        "l" | "liter" | "liters" | "litre" | "litres" | "litern" | "litro" | "litros" => "l",
        "ml" => "ml",
        "qt" | "qts" | "quart" | "quarts" | "cuartos" => "qt",
        "gal" | "gallon" | "gallons" => "gal",
        "oz" | "ounce" | "ounces" => "oz",
        "g" | "gram" | "grams" | "gramm" | "gramos" => "g",
        "kg" | "kilogram" | "kilograms" | "kilogramm" => "kg",
        "h" | "hr" | "hrs" | "hour" | "hours" | "stunde" | "stunden" | "hora" | "horas" => "h",
        "min" | "mins" | "minute" | "minutes" | "minuten" | "minuto" | "minutos" => "min",
        "s" | "sec" | "seconds" | "sekunden" | "segundos" => "s",
        "w" | "watt" | "watts" => "W",
        "kw" => "kW",
        _ => return None,
    })
}

/// `2026-07-14`, `07/14/2026`, `14.07.26`.
fn numeric_day(text: &str) -> Option<Date> {
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
fn named_day(text: &str, words: &[Word]) -> Option<(usize, Date)> {
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

/// A number in words: how many of them, and how much. *One* is an article as well, and alone no
/// number.
fn spelled(words: &[Word]) -> Option<(usize, f64)> {
    let mut total = 0.0;
    let mut group = 0.0;
    let mut count = 0;
    let mut taken = 0;
    'words: for word in words {
        let text = word.text.to_lowercase();
        let parts: Vec<&str> = text.split('-').collect();
        let mut values = Vec::new();
        for part in &parts {
            match number_word(part) {
                Some(value) => values.push(value),
                None => break 'words,
            }
        }
        for value in values {
            if value == 1_000.0 {
                total += if group == 0.0 { 1.0 } else { group } * 1_000.0;
                group = 0.0;
            } else if value == 100.0 {
                group = if group == 0.0 { 1.0 } else { group } * 100.0;
            } else if count > 0 && !follows(group, value) {
                break 'words;
            } else {
                group += value;
            }
            count += 1;
        }
        taken += 1;
    }
    let value = total + group;
    (taken > 0 && value > 1.0).then_some((taken, value))
}

/// Whether a smaller number can follow in the same one: *five* after *twenty*, not after *three*.
fn follows(group: f64, value: f64) -> bool {
    group == 0.0 || (group % 100.0 == 0.0 && value < 100.0) || (group % 10.0 == 0.0 && value < 10.0)
}

fn number_word(text: &str) -> Option<f64> {
    Some(match text {
        "one" => 1.0,
        "two" | "zwei" | "dos" => 2.0,
        "three" | "drei" | "tres" => 3.0,
        "four" | "vier" | "cuatro" => 4.0,
        "five" | "fünf" | "cinco" => 5.0,
        "six" | "sechs" | "seis" => 6.0,
        "seven" | "sieben" | "siete" => 7.0,
        "eight" | "acht" | "ocho" => 8.0,
        "nine" | "neun" | "nueve" => 9.0,
        "ten" | "zehn" | "diez" => 10.0,
        "eleven" | "elf" => 11.0,
        "twelve" | "zwölf" | "doce" => 12.0,
        "thirteen" | "dreizehn" | "trece" => 13.0,
        "fourteen" | "vierzehn" | "catorce" => 14.0,
        "fifteen" | "fünfzehn" | "quince" => 15.0,
        "sixteen" | "sechzehn" | "dieciséis" => 16.0,
        "seventeen" | "siebzehn" | "diecisiete" => 17.0,
        "eighteen" | "achtzehn" | "dieciocho" => 18.0,
        "nineteen" | "neunzehn" | "diecinueve" => 19.0,
        "twenty" | "zwanzig" | "veinte" => 20.0,
        "thirty" | "dreißig" | "treinta" => 30.0,
        "forty" | "vierzig" | "cuarenta" => 40.0,
        "fifty" | "fünfzig" | "cincuenta" => 50.0,
        "sixty" | "sechzig" | "sesenta" => 60.0,
        "seventy" | "siebzig" | "setenta" => 70.0,
        "eighty" | "achtzig" | "ochenta" => 80.0,
        "ninety" | "neunzig" | "noventa" => 90.0,
        "hundred" | "hundert" | "cien" => 100.0,
        "thousand" | "tausend" => 1_000.0,
        _ => return None,
    })
}
