//! Figures of several rounds, side by side: their medians, and ours as a share of each peer's.

use std::collections::BTreeMap;

#[derive(Debug, Default)]
pub struct RoundFigures(BTreeMap<(String, &'static str), Vec<f64>>);

impl RoundFigures {
    pub fn note(&mut self, row: &str, side: &'static str, value: Option<f64>) {
        if let Some(value) = value {
            self.0
                .entry((row.to_owned(), side))
                .or_default()
                .push(value);
        }
    }

    fn median(&self, row: &str, side: &'static str) -> Option<f64> {
        let mut values = self.0.get(&(row.to_owned(), side))?.clone();
        values.sort_by(f64::total_cmp);
        values.get((values.len() - 1) / 2).copied()
    }

    /// None where nobody was measured. The first side is ours.
    pub fn row(
        &self,
        row: &str,
        text: &str,
        digits: usize,
        sides: [&'static str; 3],
    ) -> Option<String> {
        let medians = sides.map(|side| self.median(row, side));
        if medians.iter().all(Option::is_none) {
            return None;
        }
        let [ours, peers @ ..] = medians;
        let cell = |value: Option<f64>| value.map_or("-".to_owned(), |it| format!("{it:.digits$}"));
        let share = |peer: Option<f64>| match (ours, peer) {
            (Some(ours), Some(peer)) if peer > 0.0 => format!("{:.2}", ours / peer),
            _ => "-".to_owned(),
        };
        let cells = medians.map(cell).into_iter().chain(peers.map(share));
        Some(format!(
            "| {text} | {} |",
            cells.collect::<Vec<_>>().join(" | ")
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIDES: [&str; 3] = ["dispatch", "node", "socketioxide"];

    #[test]
    fn a_row_has_medians_and_our_share_of_each_peer() {
        let mut figures = RoundFigures::default();
        for value in [3.0, 1.0, 2.0] {
            figures.note("cpu", "dispatch", Some(value));
        }
        figures.note("cpu", "node", Some(8.0));
        figures.note("cpu", "socketioxide", None);
        let row = figures.row("cpu", "server CPU, us", 2, SIDES);
        assert_eq!(
            row.unwrap(),
            "| server CPU, us | 2.00 | 8.00 | - | 0.25 | - |"
        );
        assert_eq!(figures.row("bytes", "bytes", 0, SIDES), None);
    }

    #[test]
    fn of_an_even_number_the_median_is_the_lower_middle() {
        let mut figures = RoundFigures::default();
        for value in [4.0, 1.0, 2.0, 3.0] {
            figures.note("cpu", "dispatch", Some(value));
        }
        assert_eq!(figures.median("cpu", "dispatch"), Some(2.0));
    }
}
