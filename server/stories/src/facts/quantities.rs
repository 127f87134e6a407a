//! Numbers, in digits and in words, with the units behind them.

use super::words::Word;

/// A number as far as it can be told: `1.234` may be two.
#[derive(Clone, Debug, PartialEq)]
pub struct Quantity {
    values: Vec<f64>,
    unit: Option<&'static str>,
    /// It is said to be how far the vehicle has gone.
    odometer: bool,
}

impl Quantity {
    /// Whether the other number says nothing that this does not.
    pub fn covers(&self, other: &Quantity) -> bool {
        let unit = match (self.unit, other.unit) {
            (Some(ours), Some(theirs)) => ours == theirs,
            _ => true,
        };
        unit && other.values.iter().any(|value| self.values.contains(value))
    }

    pub fn unit(&self) -> Option<&'static str> {
        self.unit
    }

    /// Whether it is how far the car has gone in its life, and not how far it was driven for a test.
    pub fn is_odometer(&self) -> bool {
        let is_far = self.values.iter().any(|value| *value >= 1_000.0);
        self.odometer || (is_far && matches!(self.unit, Some("mi" | "km")))
    }

    pub fn is_mileage(&self) -> bool {
        self.odometer || matches!(self.unit, Some("mi" | "km"))
    }
}

/// A number with the unit behind it, and where that ends.
pub fn quantity(
    text: &str,
    words: &[Word],
    at: usize,
    count: usize,
    values: Vec<f64>,
    attached: Option<&'static str>,
) -> (usize, Quantity) {
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
            && let Some(next_unit) = self::unit(next.text)
        {
            unit = Some(next_unit);
            end = next.end();
        }
    }
    let before = &words[at.saturating_sub(3)..at];
    let odometer = before.iter().any(|word| {
        let word = word.text.to_lowercase();
        ODOMETER.iter().any(|mark| word.starts_with(mark))
    });
    let numeral = Quantity {
        values,
        unit,
        odometer: odometer && unit.is_none_or(|unit| matches!(unit, "mi" | "km")),
    };
    (end, numeral)
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
pub fn numeral(text: &str) -> Option<(Vec<f64>, Option<&'static str>)> {
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
        "inhg" => "inHg",
        "deg" | "degree" | "degrees" | "grad" | "grados" => "deg",
        "ppm" => "ppm",
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

/// A number in words: how many of them, and how much. *One* is an article as well, and alone no
/// number.
pub fn spelled(words: &[Word]) -> Option<(usize, f64)> {
    let mut total = 0.0;
    let mut group = 0.0;
    let mut count = 0;
    let mut word_count = 0;
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
        word_count += 1;
    }
    let value = total + group;
    (word_count > 0 && value > 1.0).then_some((word_count, value))
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
