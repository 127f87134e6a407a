//! Customers' names on a wall: the family name for those who work here, first name and initial where
//! customers sit. Dealer systems keep names in many ways; what cannot be taken apart says less, not
//! more.

use dispatch_intake::customer_name::{display_name, title_case};

/// Behind a name, and no part of it.
const GENERATIONS: [&str; 6] = ["jr", "sr", "ii", "iii", "iv", "vi"];

/// In a name they make it a company's.
const OF_COMPANIES: [&str; 46] = [
    "inc",
    "llc",
    "ltd",
    "co",
    "corp",
    "lp",
    "llp",
    "plc",
    "gmbh",
    "ag",
    "kg",
    "ohg",
    "sa",
    "sl",
    "company",
    "towing",
    "rental",
    "rentals",
    "leasing",
    "fleet",
    "services",
    "service",
    "sons",
    "bros",
    "group",
    "management",
    "mgmt",
    "church",
    "school",
    "city",
    "county",
    "inventory",
    "purchase",
    "auto",
    "motors",
    "plumbing",
    "electric",
    "landscaping",
    "roofing",
    "catering",
    "clinic",
    "hospice",
    "trucking",
    "pub",
    "grill",
    "control",
];

/// What the shop calls a customer.
pub fn family_name(customer: &str) -> String {
    let name = display_name(customer);
    match Name::of(&name) {
        Name::Person { last, .. } => last,
        Name::Company(_) | Name::Other(_) => name,
    }
}

/// What a customer is called where others read it.
pub fn first_name_and_initial(customer: &str) -> String {
    let name = display_name(customer);
    let (first, last) = match Name::of(&name) {
        Name::Person { first, last } => (first.to_owned(), initial(&last)),
        Name::Company(initials) => return initials,
        Name::Other(given_name) => (given_name, None),
    };
    let shouted = first.chars().count() > 1 && !first.chars().any(char::is_lowercase);
    let first = if shouted { title_case(&first) } else { first };
    match last {
        Some(initial) => format!("{first} {initial}."),
        None => first,
    }
}

enum Name<'a> {
    Person {
        first: &'a str,
        /// Of several words, where they belong together.
        last: String,
    },
    /// The part of a company's name that may be shown: many are named after a family.
    Company(String),
    /// A name that cannot be taken apart: the part that may be shown.
    Other(String),
}

impl<'a> Name<'a> {
    fn of(name: &'a str) -> Self {
        let words: Vec<&str> = name.split_whitespace().collect();
        let Some(&first) = words.first() else {
            return Name::Other(String::new());
        };
        if name.chars().any(is_family_first) {
            if name
                .chars()
                .any(|c| c.is_alphabetic() && !is_family_first(c))
            {
                // The same name in two scripts, in whichever order.
                return Name::Other(shortened(first));
            }
            return Name::Other(given_of_family_first(&words));
        }
        if words.iter().any(|word| is_of_companies(word)) {
            let initials: Vec<String> = words.iter().take(2).map(|word| shortened(word)).collect();
            return Name::Company(initials.join(" "));
        }
        if is_unclear(name, &words) {
            return Name::Other(shortened(first));
        }
        let mut end = words.len();
        while end > 1 && is_generation(words[end - 1]) {
            end -= 1;
        }
        if end < 2 {
            // A family name alone, as likely as not.
            return Name::Other(shortened(first));
        }
        // Van der Berg, De La Cruz, St. John: what stands before it in small words is part of it.
        let mut from = end - 1;
        while from > 1 && is_particle(words[from - 1]) {
            from -= 1;
        }
        let last = words[from..end].join(" ");
        Name::Person { first, last }
    }
}

fn bare(word: &str) -> String {
    word.trim_matches(|c: char| !c.is_alphanumeric())
        .to_lowercase()
}

fn is_generation(word: &str) -> bool {
    GENERATIONS.contains(&bare(word).as_str())
}

fn is_particle(word: &str) -> bool {
    const PARTICLES: [&str; 16] = [
        "van", "von", "der", "den", "de", "la", "las", "los", "del", "di", "da", "dos", "st",
        "mac", "al", "bin",
    ];
    PARTICLES.contains(&bare(word).as_str())
}

fn is_of_companies(word: &str) -> bool {
    OF_COMPANIES.contains(&bare(word).as_str())
}

/// Two people, two names, or a company nobody knows to be one: which word is whose is not known.
fn is_unclear(name: &str, words: &[&str]) -> bool {
    name.contains(|c: char| c.is_ascii_digit() || matches!(c, ',' | '/' | '('))
        || matches!(words, [_, and, _] if matches!(bare(and).as_str(), "" | "and" | "und" | "y"))
        || (words.len() > 4 && !words.iter().any(|word| is_particle(word)))
}

fn shortened(word: &str) -> String {
    initial(word).map(|c| format!("{c}.")).unwrap_or_default()
}

/// Scripts in which the family name comes first.
fn is_family_first(c: char) -> bool {
    matches!(
        u32::from(c),
        0x3040..=0x30ff | 0x3400..=0x9fff | 0xac00..=0xd7af | 0xf900..=0xfaff | 0xff66..=0xff9f
    )
}

/// Without the family name: the last word of several; of one word all but its first sign, or its
/// first two of four or more.
fn given_of_family_first(words: &[&str]) -> String {
    match words {
        [.., last] if words.len() > 1 => (*last).to_owned(),
        [only] => {
            let signs = only.chars().count();
            only.chars().skip(if signs > 3 { 2 } else { 1 }).collect()
        }
        _ => String::new(),
    }
}

fn initial(word: &str) -> Option<char> {
    word.chars()
        .find(|c| c.is_alphabetic())
        .and_then(|c| c.to_uppercase().next())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn customers_are_called_by_family_name_in_the_shop_and_by_first_name_in_the_lounge() {
        for (name, shop, lounge) in [
            ("Joe Wilson", "Wilson", "Joe W."),
            ("Joe B. Wilson", "Wilson", "Joe W."),
            ("WILSON, JOE B", "Wilson", "Joe W."),
            ("WILSON,JOE", "Wilson", "Joe W."),
            ("JOE WILSON", "WILSON", "Joe W."),
            ("Joe Wilson Jr.", "Wilson", "Joe W."),
            ("Ann & Joe Miller", "Miller", "Ann M."),
            ("Anna Smith-Jones", "Smith-Jones", "Anna S."),
            ("Carlos De La Cruz", "De La Cruz", "Carlos D."),
            ("Eva Van der Berg", "Van der Berg", "Eva V."),
            ("Zoë Østergaard", "Østergaard", "Zoë Ø."),
            ("Владимир Ким", "Ким", "Владимир К."),
            ("Ng", "Ng", "N."),
            ("王小明", "王小明", "小明"),
            ("欧阳娜娜", "欧阳娜娜", "娜娜"),
            ("山田 太郎", "山田 太郎", "太郎"),
            ("김민준", "김민준", "민준"),
            ("ﾔﾏﾀﾞ ﾀﾛｳ", "ﾔﾏﾀﾞ ﾀﾛｳ", "ﾀﾛｳ"),
            ("WANG 王小明", "WANG 王小明", "W."),
            ("SMITH & JONES", "SMITH & JONES", "S."),
            ("Smith and Jones", "Smith and Jones", "S."),
            ("Harmon Electric Co.", "Harmon Electric Co.", "H. E."),
            ("A1 Towing", "A1 Towing", "A. T."),
            ("SMITH, JOHN, JR", "SMITH, JOHN, JR", "S."),
            ("WILSON/JOE", "WILSON/JOE", "W."),
            ("Wilson (Joe)", "Wilson (Joe)", "W."),
            ("WILSON JOE 2", "WILSON JOE 2", "W."),
            (
                "NEW VEHICLE INVENTORY N24001",
                "NEW VEHICLE INVENTORY N24001",
                "N. V.",
            ),
            ("", "", ""),
        ] {
            assert_eq!(family_name(name), shop, "{name}");
            assert_eq!(first_name_and_initial(name), lounge, "{name}");
        }
    }
}
