//! Customers' names as a desk says them: dealer's systems keep `LEE,ANN B`.

/// Behind a comma they make a company, not a person.
const COMPANY_SUFFIXES: [&str; 18] = [
    "inc", "llc", "ltd", "co", "corp", "lp", "llp", "plc", "gmbh", "ag", "kg", "pa", "pc", "pllc",
    "na", "sa", "sl", "slu",
];
/// Written in capitals.
const GENERATIONS: [&str; 4] = ["ii", "iii", "iv", "vi"];

/// `LEE,ANN B` is Ann B Lee. What has no comma may be a company and is kept as it is, as is what
/// has several.
pub fn display_name(name: &str) -> String {
    let name = name.trim();
    let Some((last, first)) = name.split_once(',') else {
        return name.to_owned();
    };
    let (last, first) = (last.trim(), first.trim());
    let bare = first.replace(['.', ' '], "").to_lowercase();
    if first.contains(',') || COMPANY_SUFFIXES.contains(&bare.as_str()) {
        return name.to_owned();
    }
    // JR and III belong behind the last name, wherever they stand.
    let whole = format!("{first} {last}");
    let is_upper_case = !whole.chars().any(char::is_lowercase);
    let words = whole.split_whitespace().map(|word| match is_upper_case {
        true => title_case(word),
        false => word.to_owned(),
    });
    words.collect::<Vec<_>>().join(" ")
}

/// O'NEILL is O'Neill, SMITH-JONES Smith-Jones, MCDONALD McDonald.
pub fn title_case(word: &str) -> String {
    let lower = word.to_lowercase();
    if GENERATIONS.contains(&lower.as_str()) {
        return word.to_owned();
    }
    let mut written = String::with_capacity(word.len());
    let mut capital = true;
    for c in lower.chars() {
        if capital {
            written.extend(c.to_uppercase());
        } else {
            written.push(c);
        }
        let so_far = written.as_str();
        capital = matches!(c, '-' | '\'' | '\u{2019}' | '.')
            || (lower.len() > 4 && (so_far == "Mc" || so_far.ends_with("-Mc")));
    }
    written
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_company_keeps_its_suffix_behind_its_name() {
        for name in [
            "Northside Veterinary Clinic, P.A.",
            "HARMON ELECTRIC, INC.",
            "Talleres Ruiz, S. L.",
        ] {
            assert_eq!(display_name(name), name);
        }
        assert_eq!(display_name("LEE,ANN B"), "Ann B Lee");
    }
}
