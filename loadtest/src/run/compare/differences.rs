//! How much more one build takes than another, and how sure that is.

use std::fmt;
use std::time::Duration;

/// For one of what was asked for, of the build before and of the other.
pub type Pair = [f64; 2];

/// What one build took for some work, of each piece of it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Cost {
    /// The server's processor time, in microseconds.
    pub processor: f64,
    /// From asking to the answer, in microseconds.
    pub waited: f64,
}

/// The rounds after one start.
#[derive(Debug, Default)]
pub struct Rounds(Vec<Pair>);

/// The rounds of each start.
#[derive(Debug, Default)]
pub struct Starts(Vec<Rounds>);

/// Of one kind of work.
#[derive(Debug, Default)]
pub struct WorkCosts {
    processor: Starts,
    waited: Starts,
}

impl Cost {
    pub fn of(processor: Duration, waited: Duration, pieces: u64) -> Self {
        let each = |time: Duration| time.as_secs_f64() * 1_000_000.0 / pieces as f64;
        Self {
            processor: each(processor),
            waited: each(waited),
        }
    }
}

impl WorkCosts {
    /// What the rounds after one more start took.
    pub fn add_start(&mut self, rounds: &[[Cost; 2]]) {
        let of =
            |value: fn(Cost) -> f64| Rounds(rounds.iter().map(|pair| pair.map(value)).collect());
        self.processor.0.push(of(|cost| cost.processor));
        self.waited.0.push(of(|cost| cost.waited));
    }
}

impl fmt::Display for WorkCosts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} | {}", self.processor, self.waited)
    }
}

impl Rounds {
    /// The logarithm of how many times as much the build after takes: a slow round counts for no more than a fast one.
    fn ratio(&self) -> f64 {
        mean(self.0.iter().map(|[before, after]| (after / before).ln()))
    }

    fn cost(&self, place: usize) -> f64 {
        mean(self.0.iter().map(|costs| costs[place]))
    }
}

impl Starts {
    /// A single round after each start.
    pub fn add(&mut self, pair: Pair) {
        self.0.push(Rounds(vec![pair]));
    }

    /// How much more the build after takes, in percent, and the standard error of that.
    fn difference(&self) -> (f64, f64) {
        let count = self.0.len() as f64;
        let ratio = mean(self.0.iter().map(Rounds::ratio));
        let squares = self
            .0
            .iter()
            .map(|rounds| (rounds.ratio() - ratio).powi(2))
            .sum::<f64>();
        let error = (squares / (count - 1.0) / count).sqrt();
        ((ratio.exp() - 1.0) * 100.0, error * 100.0)
    }
}

impl fmt::Display for Starts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (more, error) = self.difference();
        let [before, after] = [0, 1].map(|place| mean(self.0.iter().map(|it| it.cost(place))));
        write!(
            f,
            "{before:>9.1} | {after:>9.1} | {more:>+5.1} % ({error:.1})"
        )
    }
}

fn mean(values: impl ExactSizeIterator<Item = f64>) -> f64 {
    let count = values.len() as f64;
    values.sum::<f64>() / count
}

#[cfg(test)]
mod tests {
    use super::*;

    fn starts(all: &[&[Pair]]) -> Starts {
        Starts(all.iter().map(|rounds| Rounds(rounds.to_vec())).collect())
    }

    #[test]
    fn a_build_that_takes_a_tenth_more_in_each_round_takes_a_tenth_more() {
        let costs = [100.0, 200.0, 150.0].map(|before| [before, before * 1.1]);
        let (more, error) = starts(&[&costs, &costs]).difference();
        assert!((more - 10.0).abs() < 1e-6, "{more}");
        assert!(error < 1e-6, "{error}");
    }

    #[test]
    fn starts_that_say_the_opposite_cancel_out_however_sure_each_is() {
        let one = [[100.0, 120.0]; 9];
        let other = [[120.0, 100.0]; 9];
        let (more, error) = starts(&[&one, &other]).difference();
        assert!(more.abs() < 1e-6, "{more}");
        assert!(error > 10.0, "{error}");
    }

    #[test]
    fn a_cost_is_that_of_one_piece_of_the_work() {
        let cost = Cost::of(Duration::from_millis(30), Duration::from_millis(60), 10);
        assert_eq!(
            cost,
            Cost {
                processor: 3_000.0,
                waited: 6_000.0
            }
        );
    }
}
