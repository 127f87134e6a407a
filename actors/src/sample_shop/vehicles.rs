//! Vehicles: models that exist, in years in which they were built, with a VIN whose manufacturer
//! code fits the make, whose year letter fits the year and whose check digit is right.

use rand::Rng;
use rand::rngs::StdRng;

use super::{pick, word};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Power {
    Gas,
    Diesel,
    Hybrid,
    Electric,
}

/// Where a car comes from, which says how old it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Owner {
    Customer,
    NewCarLot,
    UsedCarLot,
}

#[derive(Clone, Debug)]
pub(super) struct Vehicle {
    pub(super) vin: String,
    /// "YEAR MAKE MODEL TRIM": screens take the first word for the year, the second for the make.
    pub(super) text: String,
    pub(super) power: Power,
}

struct Model {
    /// The VIN's first three characters: the world manufacturer identifier.
    wmi: &'static str,
    make: &'static str,
    model: &'static str,
    /// First and last model year under this manufacturer identifier.
    from: i16,
    until: i16,
    power: Power,
    trims: &'static [&'static str],
}

/// The makes that the dealer sells new.
const FRANCHISES: [&str; 4] = ["Ford", "Toyota", "Jeep", "Ram"];
const STILL_MADE: i16 = i16::MAX;

pub(super) fn vehicle(rng: &mut StdRng, owner: Owner, this_year: i16) -> Vehicle {
    let model = model(rng, owner);
    let year = match owner {
        Owner::NewCarLot => this_year + i16::from(rng.random_bool(0.4)),
        // Two draws added: most cars in a shop are 3 to 10 years old.
        _ => this_year - rng.random_range(0..=6) - rng.random_range(0..=8),
    };
    let year = year.clamp(model.from, model.until);
    Vehicle {
        vin: vin(rng, model.wmi, year),
        text: format!(
            "{year} {} {} {}",
            model.make,
            model.model,
            word(rng, model.trims)
        ),
        power: model.power,
    }
}

/// Every car on the new-car lot is of a make the dealer sells, and so are most that come in.
fn model(rng: &mut StdRng, owner: Owner) -> &'static Model {
    let franchise = match owner {
        Owner::NewCarLot => true,
        Owner::Customer => rng.random_bool(0.4),
        Owner::UsedCarLot => false,
    };
    loop {
        let model = pick(rng, MODELS);
        let sold_here = FRANCHISES.contains(&model.make);
        let new_enough = owner != Owner::NewCarLot || model.until == STILL_MADE;
        if (sold_here || !franchise) && new_enough {
            return model;
        }
    }
}

/// A VIN after 49 CFR 565: manufacturer, description, check digit, year, plant, serial number.
fn vin(rng: &mut StdRng, wmi: &str, year: i16) -> String {
    let mut vin = String::with_capacity(17);
    vin.push_str(wmi);
    for place in 4..=8 {
        // Place 7 tells one 30-year round of year letters from the other.
        let alphabet = match place {
            7 if year >= 2010 => LETTERS,
            7 => DIGITS,
            _ => LETTERS_AND_DIGITS,
        };
        vin.push(pick_char(rng, alphabet));
    }
    vin.push('0');
    vin.push(year_letter(year));
    vin.push(pick_char(rng, LETTERS_AND_DIGITS));
    for _ in 12..=17 {
        vin.push(pick_char(rng, DIGITS));
    }
    if let Some(digit) = check_digit(&vin) {
        vin.replace_range(8..9, digit.encode_utf8(&mut [0; 4]));
    }
    vin
}

const DIGITS: &[u8] = b"0123456789";
/// No I, O or Q: they look like 1 and 0.
const LETTERS: &[u8] = b"ABCDEFGHJKLMNPRSTUVWXYZ";
const LETTERS_AND_DIGITS: &[u8] = b"ABCDEFGHJKLMNPRSTUVWXYZ0123456789";
/// From 1980 on, the same again after 30 years; the letters of a VIN without U, Z and 0.
const YEAR_LETTERS: &[u8; 30] = b"ABCDEFGHJKLMNPRSTVWXY123456789";

fn pick_char(rng: &mut StdRng, alphabet: &[u8]) -> char {
    char::from(*pick(rng, alphabet))
}

fn year_letter(year: i16) -> char {
    let place = usize::from((year - 1980).rem_euclid(30).unsigned_abs());
    char::from(YEAR_LETTERS[place])
}

/// The ninth character that makes the VIN right; none where a character cannot be in a VIN.
pub(super) fn check_digit(vin: &str) -> Option<char> {
    const WEIGHTS: [u32; 17] = [8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2];
    let mut sum = 0;
    for (character, weight) in vin.chars().zip(WEIGHTS) {
        sum += weight * value(character)?;
    }
    match sum % 11 {
        10 => Some('X'),
        rest => char::from_digit(rest, 10),
    }
}

fn value(character: char) -> Option<u32> {
    match character {
        '0'..='9' => character.to_digit(10),
        'A'..='H' => Some(u32::from(character) - u32::from('A') + 1),
        'J'..='N' => Some(u32::from(character) - u32::from('J') + 1),
        'P' => Some(7),
        'R' => Some(9),
        'S'..='Z' => Some(u32::from(character) - u32::from('S') + 2),
        _ => None,
    }
}

const fn of(
    make: &'static str,
    wmi: &'static str,
    model: &'static str,
    (from, until): (i16, i16),
    power: Power,
    trims: &'static [&'static str],
) -> Model {
    Model {
        wmi,
        make,
        model,
        from,
        until,
        power,
        trims,
    }
}

#[rustfmt::skip] // a table reads as rows
const MODELS: &[Model] = &[
    of("Ford", "1FT", "F-150", (2004, STILL_MADE), Power::Gas, &["XL Regular Cab", "XLT SuperCrew", "Lariat SuperCrew", "King Ranch", "Tremor"]),
    of("Ford", "1FT", "F-250 Super Duty", (2008, STILL_MADE), Power::Diesel, &["XLT", "Lariat Crew Cab", "Platinum"]),
    of("Ford", "1FT", "Transit 250", (2015, STILL_MADE), Power::Gas, &["Cargo Van Medium Roof", "Cargo Van High Roof Extended"]),
    of("Ford", "1FM", "Explorer", (2006, STILL_MADE), Power::Gas, &["XLT", "Limited", "Platinum"]),
    of("Ford", "1FM", "Escape", (2008, 2025), Power::Gas, &["S", "SE", "Titanium"]),
    of("Ford", "1FA", "Mustang", (2005, STILL_MADE), Power::Gas, &["Convertible", "Coupe Premium", "GT"]),
    of("Ford", "3FM", "Bronco Sport", (2021, STILL_MADE), Power::Gas, &["Big Bend", "Badlands"]),
    of("Ford", "3FM", "Mustang Mach-E", (2021, STILL_MADE), Power::Electric, &["Select", "Premium AWD", "GT"]),
    of("Ford", "3FT", "Maverick", (2022, STILL_MADE), Power::Hybrid, &["XL", "XLT", "Lariat"]),
    of("Toyota", "4T1", "Camry", (2007, 2024), Power::Gas, &["LE", "SE", "XLE V6"]),
    of("Toyota", "4T1", "Camry", (2025, STILL_MADE), Power::Hybrid, &["LE", "XLE AWD"]),
    of("Toyota", "2T1", "Corolla", (2003, 2019), Power::Gas, &["L", "LE", "S Plus"]),
    of("Toyota", "5YF", "Corolla", (2020, STILL_MADE), Power::Gas, &["LE", "SE Nightshade"]),
    of("Toyota", "5TD", "Highlander", (2010, STILL_MADE), Power::Gas, &["LE", "XLE", "Limited Platinum"]),
    of("Toyota", "5TD", "Sienna", (2021, STILL_MADE), Power::Hybrid, &["LE", "XSE", "Woodland Special Edition"]),
    of("Toyota", "5TF", "Tundra", (2007, STILL_MADE), Power::Gas, &["SR5 Double Cab", "Limited CrewMax", "1794 Edition"]),
    of("Toyota", "3TM", "Tacoma", (2016, STILL_MADE), Power::Gas, &["SR", "TRD Off-Road Double Cab"]),
    of("Toyota", "2T3", "RAV4", (2010, 2025), Power::Gas, &["LE", "XLE Premium", "Adventure"]),
    of("Toyota", "JTE", "4Runner", (2003, STILL_MADE), Power::Gas, &["SR5", "TRD Pro"]),
    of("Toyota", "JTD", "Prius", (2004, STILL_MADE), Power::Hybrid, &["Two", "LE", "Limited"]),
    of("Jeep", "1C4", "Wrangler", (2012, STILL_MADE), Power::Gas, &["Sport", "Unlimited Sahara", "Unlimited Rubicon"]),
    of("Jeep", "1C4", "Grand Cherokee", (2012, STILL_MADE), Power::Gas, &["Laredo", "Limited 4x4", "Summit"]),
    of("Jeep", "3C4", "Compass", (2017, STILL_MADE), Power::Gas, &["Latitude", "Trailhawk"]),
    of("Ram", "1C6", "1500", (2012, STILL_MADE), Power::Gas, &["Tradesman", "Big Horn Crew Cab", "Laramie Longhorn"]),
    of("Ram", "3C6", "2500", (2012, STILL_MADE), Power::Diesel, &["Tradesman", "Laramie Mega Cab", "Big Horn"]),
    of("Ram", "3C6", "ProMaster", (2014, STILL_MADE), Power::Gas, &["1500 Low Roof", "3500 High Roof Extended"]),
    of("Dodge", "2C3", "Charger", (2012, 2023), Power::Gas, &["SXT", "R/T Scat Pack"]),
    of("Dodge", "1C4", "Durango", (2012, STILL_MADE), Power::Gas, &["GT", "Citadel"]),
    of("Chrysler", "2C4", "Pacifica", (2017, STILL_MADE), Power::Gas, &["Touring L", "Pinnacle"]),
    of("Chevrolet", "3GC", "Silverado 1500", (2007, STILL_MADE), Power::Gas, &["WT", "LT Crew Cab", "High Country"]),
    of("Chevrolet", "1GC", "Silverado 2500HD", (2007, STILL_MADE), Power::Diesel, &["LT", "LTZ Crew Cab"]),
    of("Chevrolet", "1GN", "Tahoe", (2007, STILL_MADE), Power::Gas, &["LS", "Premier", "RST"]),
    of("Chevrolet", "3GN", "Equinox", (2018, STILL_MADE), Power::Gas, &["LT", "Premier AWD"]),
    of("Chevrolet", "1G1", "Malibu", (2008, 2025), Power::Gas, &["LS", "LT", "Premier"]),
    of("Chevrolet", "1G1", "Bolt EV", (2017, 2023), Power::Electric, &["LT", "2LT"]),
    of("GMC", "3GT", "Sierra 1500", (2007, STILL_MADE), Power::Gas, &["SLE", "AT4", "Denali Ultimate"]),
    of("GMC", "1GK", "Yukon", (2007, STILL_MADE), Power::Gas, &["SLT", "XL Denali"]),
    of("Honda", "1HG", "Accord", (2003, STILL_MADE), Power::Gas, &["LX", "Sport", "EX-L"]),
    of("Honda", "2HG", "Civic", (2006, STILL_MADE), Power::Gas, &["LX", "EX", "Si"]),
    of("Honda", "2HK", "CR-V", (2017, STILL_MADE), Power::Gas, &["EX", "EX-L AWD"]),
    of("Honda", "5FN", "Odyssey", (2005, STILL_MADE), Power::Gas, &["EX-L", "Touring Elite"]),
    of("Nissan", "1N4", "Altima", (2003, 2025), Power::Gas, &["2.5 S", "2.5 SV", "Platinum"]),
    of("Nissan", "5N1", "Rogue", (2014, STILL_MADE), Power::Gas, &["S", "SL AWD"]),
    of("Hyundai", "5NP", "Elantra", (2011, 2020), Power::Gas, &["SE", "Limited"]),
    of("Hyundai", "KM8", "Palisade", (2020, STILL_MADE), Power::Gas, &["SEL", "Calligraphy"]),
    of("Hyundai", "KM8", "IONIQ 5", (2022, 2024), Power::Electric, &["SE Standard Range", "Limited AWD"]),
    of("Kia", "5XY", "Telluride", (2020, STILL_MADE), Power::Gas, &["LX", "SX Prestige X-Pro"]),
    of("Kia", "KND", "Niro", (2017, STILL_MADE), Power::Hybrid, &["LX", "EX Touring"]),
    of("Subaru", "4S4", "Outback", (2005, 2025), Power::Gas, &["2.5i Premium", "Limited XT", "Wilderness"]),
    of("Subaru", "JF2", "Forester", (2009, STILL_MADE), Power::Gas, &["Base", "Sport", "Touring"]),
    of("Mazda", "JM3", "CX-5", (2013, STILL_MADE), Power::Gas, &["Touring", "2.5 Turbo Signature"]),
    of("Volkswagen", "3VW", "Jetta", (2005, STILL_MADE), Power::Gas, &["S", "SEL", "GLI Autobahn"]),
    of("Volkswagen", "3VW", "Jetta TDI", (2009, 2014), Power::Diesel, &["Sedan", "SportWagen"]),
    of("BMW", "5UX", "X5", (2007, STILL_MADE), Power::Gas, &["xDrive35i", "xDrive40i"]),
    of("Mercedes-Benz", "4JG", "GLE", (2016, STILL_MADE), Power::Gas, &["350 4MATIC", "450 4MATIC"]),
    of("Audi", "WA1", "Q5", (2009, STILL_MADE), Power::Gas, &["Premium Plus", "Prestige S line"]),
    of("Lexus", "2T2", "RX", (2010, STILL_MADE), Power::Gas, &["350", "350 F Sport"]),
    of("Tesla", "5YJ", "Model 3", (2017, STILL_MADE), Power::Electric, &["Standard Range Plus", "Performance"]),
    of("Volvo", "YV4", "XC60", (2010, STILL_MADE), Power::Gas, &["T5 Momentum", "T6 AWD Inscription"]),
    of("Acura", "5J8", "MDX", (2014, STILL_MADE), Power::Gas, &["SH-AWD", "A-Spec"]),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_check_digit_of_vins_known_to_be_right_is_found() {
        for vin in [
            "1HGCM82633A004352",
            "1M8GDM9AXKP042788",
            "5GZCZ43D13S812715",
            "11111111111111111",
        ] {
            assert_eq!(check_digit(vin), vin.chars().nth(8), "{vin}");
        }
    }

    #[test]
    fn a_letter_that_no_vin_has_gives_no_check_digit() {
        assert_eq!(check_digit("1HGCM82633A00435O"), None);
    }

    #[test]
    fn the_year_letters_are_those_of_the_standard() {
        let letters: String = [2003, 2009, 2010, 2018, 2026, 2027]
            .map(year_letter)
            .iter()
            .collect();
        assert_eq!(letters, "39AJTV");
    }
}
