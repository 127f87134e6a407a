//! When a client tries again: as `socket.io-client` does by default, to the letter, since a storm is
//! shaped by it.

use std::time::Duration;

use rand::Rng;

const FIRST: Duration = Duration::from_secs(1);
const MAX_PAUSE: Duration = Duration::from_secs(5);
const FACTOR: u32 = 2;
/// Its `randomizationFactor`.
const RANDOM: f64 = 0.5;

/// Tries after which it is the longest delay anyway.
const ENOUGH: u32 = 8;

#[derive(Debug, Default)]
pub struct BackOff {
    tries: u32,
}

impl BackOff {
    /// How long to wait before the next try.
    pub fn next(&mut self, rng: &mut impl Rng) -> Duration {
        let delay = FIRST * FACTOR.pow(self.tries.min(ENOUGH));
        self.tries += 1;
        let deviation = delay.mul_f64(rng.random::<f64>() * RANDOM);
        let delay = if rng.random::<bool>() {
            delay + deviation
        } else {
            delay - deviation
        };
        delay.min(MAX_PAUSE)
    }

    /// A transport was open.
    pub fn reset(&mut self) {
        self.tries = 0;
    }
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use rand::rngs::StdRng;

    use super::*;

    #[test]
    fn delays_double_around_their_middle_up_to_five_seconds() {
        let mut rng = StdRng::seed_from_u64(1);
        for (tries, least, most) in [(0, 0.5, 1.5), (1, 1.0, 3.0), (2, 2.0, 5.0), (9, 5.0, 5.0)] {
            let delays: Vec<f64> = (0..1_000)
                .map(|_| BackOff { tries }.next(&mut rng).as_secs_f64())
                .collect();
            assert!(delays.iter().all(|delay| (least..=most).contains(delay)));
            let spread = delays.iter().copied().fold(0.0, f64::max)
                - delays.iter().copied().fold(f64::MAX, f64::min);
            assert!(spread >= (most - least) * 0.9, "{tries}: {spread}");
        }
    }

    #[test]
    fn an_open_transport_starts_over() {
        let mut rng = StdRng::seed_from_u64(1);
        let mut backoff = BackOff { tries: 5 };
        backoff.reset();
        assert!(backoff.next(&mut rng) <= Duration::from_millis(1_500));
        assert_eq!(backoff.tries, 1);
    }
}
