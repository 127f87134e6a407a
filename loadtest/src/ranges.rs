//! Long lists of numbers for people: `812-815, 900`.

/// Ranges that are written out; a broken stream can miss thousands.
const SHOWN: usize = 12;

/// `numbers` must be ascending and without repetition.
pub fn ranges(numbers: impl IntoIterator<Item = i64>) -> String {
    let mut ranges: Vec<(i64, i64)> = Vec::new();
    for number in numbers {
        match ranges.last_mut() {
            Some((_, last)) if *last + 1 == number => *last = number,
            _ => ranges.push((number, number)),
        }
    }
    let mut text: Vec<String> = ranges
        .iter()
        .take(SHOWN)
        .map(|(first, last)| match last - first {
            0 => first.to_string(),
            _ => format!("{first}-{last}"),
        })
        .collect();
    if ranges.len() > SHOWN {
        let more: i64 = ranges[SHOWN..]
            .iter()
            .map(|(first, last)| last - first + 1)
            .sum();
        text.push(format!("and {more} more"));
    }
    text.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_become_a_range() {
        assert_eq!(ranges([812, 813, 814, 815, 900]), "812-815, 900");
        assert_eq!(ranges([]), "");
    }

    #[test]
    fn a_long_list_is_cut_with_a_count() {
        let text = ranges((0..20).map(|n| n * 2));
        assert!(text.ends_with("22, and 8 more"), "{text}");
    }
}
