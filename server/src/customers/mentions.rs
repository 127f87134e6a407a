//! Whether a text names a customer, their car or one of their orders. Knows no files.

use std::collections::HashSet;

use dispatch_actors::store::OrderOfCustomer;
use dispatch_actors::text::folded;

use super::escapes::unescaped;

/// An order that is looked for in a text, which may come in pieces.
#[derive(Clone, Debug)]
pub(super) struct WantedOrder {
    /// Its digits, and the dealer's own text where that is another.
    numbers: Vec<String>,
    vin: String,
    /// Words of the customer's name that no piece had so far; none where there is no name.
    missing_words: Option<HashSet<String>>,
}

impl WantedOrder {
    pub(super) fn new(order: &OrderOfCustomer) -> Self {
        let dealers = order.dms_number.as_deref().unwrap_or_default();
        let mut numbers = vec![order.number.to_string(), folded(dealers.trim())];
        numbers.retain(|number| !number.is_empty());
        let name = folded(&order.customer);
        let words: HashSet<String> = words_of(&name).map(str::to_owned).collect();
        Self {
            numbers,
            vin: folded(order.vin.trim()),
            missing_words: (!words.is_empty()).then_some(words),
        }
    }

    /// Every word of the name, in whatever order and however far apart: systems write it in many ways.
    fn is_named(&mut self, text: &str, words: &HashSet<&str>) -> bool {
        let has_name = self.missing_words.as_mut().is_some_and(|missing| {
            missing.retain(|word| !words.contains(word.as_str()));
            missing.is_empty()
        });
        has_name
            || (!self.vin.is_empty() && text.contains(&self.vin))
            || self.numbers.iter().any(|number| has_number(text, number))
    }
}

/// Whether one of the orders is named, by this piece or together with the pieces before.
pub(super) fn names_one_of(text: &str, orders: &mut [WantedOrder]) -> bool {
    // Twice: a rejected row is a text of JSON, and may be JSON itself.
    let plain = folded(&unescaped(&unescaped(text)));
    // A backslash may also be one: `SHOP\nelson`. Of words alone, since the digits of `\u5317` are no number.
    let written = folded(text);
    let words: HashSet<&str> = words_of(&plain).chain(words_of(&written)).collect();
    orders
        .iter_mut()
        .any(|order| order.is_named(&plain, &words))
}

fn words_of(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|c: char| !c.is_alphanumeric());
    words.filter(|word| !word.is_empty())
}

/// The number, and not as a part of a longer one: zeros before it are of the same number, as intake reads it. Not before one or
/// two digits, which are days and months.
fn has_number(text: &str, number: &str) -> bool {
    text.match_indices(number).any(|(at, _)| {
        let before = match number.len() {
            ..=2 => &text[..at],
            _ => text[..at].trim_end_matches('0'),
        };
        let before = before.chars().next_back();
        let behind = text[at + number.len()..].chars().next();
        ![before, behind]
            .into_iter()
            .flatten()
            .any(|c| c.is_ascii_digit())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn order() -> OrderOfCustomer {
        OrderOfCustomer {
            number: 4389.try_into().unwrap(),
            dms_number: None,
            customer: "Ann Müller".to_owned(),
            vin: "1HGCM82633A004352".to_owned(),
            vehicle: String::new(),
            is_open: true,
        }
    }

    fn is_named(text: &str, order: &OrderOfCustomer) -> bool {
        names_one_of(text, &mut [WantedOrder::new(order)])
    }

    #[test]
    fn a_file_names_a_customer_however_it_is_written() {
        for text in [
            "number\n4389\n",
            r#"{"FirstName":"ANN","LastName":"MULLER"}"#,
            "x,1hgcm82633a004352",
            "Müller, Ann",
        ] {
            assert!(is_named(text, &order()), "{text}");
        }
        for text in ["number\n14389\n43891", "Miller, Ann", "Anna Müllers", ""] {
            assert!(!is_named(text, &order()), "{text}");
        }
    }

    #[test]
    fn a_number_is_found_with_leading_zeros_and_as_the_dealer_writes_it() {
        for text in ["number\n004389\n", "RO0004389", "A-4389-B"] {
            assert!(is_named(text, &order()), "{text}");
        }
        for text in ["104389", "1004389", "0043890", "43-89"] {
            assert!(!is_named(text, &order()), "{text}");
        }
        let written = OrderOfCustomer {
            number: 123_456.try_into().unwrap(),
            dms_number: Some("RO-12-3456".to_owned()),
            ..order()
        };
        for text in ["number\nro-12-3456\n", "0123456", r#"["RO\u002d12-3456"]"#] {
            assert!(is_named(text, &written), "{text}");
        }
        for text in ["RO-12-34567", "12/3456", "RO-112-3456"] {
            assert!(!is_named(text, &written), "{text}");
        }
    }

    #[test]
    fn escaped_letters_are_read_and_their_digits_are_no_number() {
        for text in [
            r#"{"customer": "Ann M\u00fcller"}"#,
            r#"{"row":"{\"customer\": \"Ann M\\u00fcller\"}"}"#,
            r#"{"notes": "called\nM\u00fcller,\nAnn"}"#,
            "<name>Ann M&#252;ller</name>",
            r"SHOP\ann, SHOP\müller",
            r#"{"customer": "\u0041nn", "number": "\u00e94389"}"#,
        ] {
            assert!(is_named(text, &order()), "{text}");
        }
        let text = r#"{"customer": "\u4389 \\u4389"}"#;
        assert!(!is_named(text, &order()), "{text}");
        let nelson = OrderOfCustomer {
            customer: "nelson".to_owned(),
            ..order()
        };
        assert!(is_named(r"SHOP\nelson", &nelson));
    }

    #[test]
    fn a_name_may_come_in_two_pieces_and_of_one_customer_alone() {
        let orders = [
            order(),
            OrderOfCustomer {
                customer: "Ann Lee".to_owned(),
                ..order()
            },
            // Erased before: it is found by its number alone.
            OrderOfCustomer {
                customer: String::new(),
                vin: String::new(),
                ..order()
            },
        ];
        let mut wanted: Vec<WantedOrder> = orders.iter().map(WantedOrder::new).collect();
        for (piece, is_named) in [("Ann", false), ("Bob", false), ("", false), ("Lee", true)] {
            assert_eq!(names_one_of(piece, &mut wanted), is_named, "{piece}");
        }
    }
}
