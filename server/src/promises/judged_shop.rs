//! The shop's promises as they were judged last. Whoever asks while nothing of it has changed gets the same: judging reads
//! the clocks of all open orders, and a change makes all screens ask at once.

use std::sync::{Arc, PoisonError};
use std::time::Instant;

use actix_web::web::{self, Bytes};
use dispatch_actors::promise::PromiseRisk;
use dispatch_actors::store::LogPosition;
use jiff::Timestamp;
use jiff::tz::TimeZone;
use tokio::sync::{Mutex, watch};

use super::known_shop::KnownShop;
use super::state::PromisesState;
use crate::error::ApiError;
use crate::moments::now;

/// All clones are the same.
#[derive(Clone, Default)]
pub struct JudgedPromises(Arc<Mutex<Kept>>);

#[derive(Default)]
struct Kept {
    last: Option<Last>,
    /// When judging failed last, and nothing has been judged since.
    failed_at: Option<Instant>,
}

impl Kept {
    /// Whether somebody who asked then has waited for an attempt that failed.
    fn has_failed_since(&self, asked: Instant) -> bool {
        self.failed_at.is_some_and(|failed| failed > asked)
    }
}

/// The shop at one moment, and its promises.
pub(super) struct JudgedShop {
    pub shop: KnownShop,
    pub risks: Vec<PromiseRisk>,
    /// The answer to those who see the whole shop, with the names' generation that stands in it.
    encoded: std::sync::Mutex<Option<(u64, Bytes)>>,
}

impl JudgedShop {
    /// What `encode` gave for these names, the first time.
    pub(super) fn encoded(
        &self,
        names: u64,
        encode: impl FnOnce() -> Result<Bytes, ApiError>,
    ) -> Result<Bytes, ApiError> {
        let mut encoded = self.encoded.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((of, bytes)) = &*encoded
            && *of == names
        {
            return Ok(bytes.clone());
        }
        let bytes = encode()?;
        *encoded = Some((names, bytes.clone()));
        Ok(bytes)
    }
}

struct Last {
    basis: Basis,
    technicians: watch::Receiver<()>,
    judged: Arc<JudgedShop>,
}

/// What promises depend on beside the list of technicians. Orders, and with them holds, are what the log is up to its
/// newest event.
#[derive(Debug, PartialEq, Eq)]
struct Basis {
    /// Since 1970: everything in an answer that is reckoned from the time is said to the minute.
    minute: i64,
    position: LogPosition,
    generation: Arc<str>,
    clocks: u64,
    has_stages: bool,
    zone: TimeZone,
}

fn minute_of(moment: Timestamp) -> i64 {
    moment.as_second().div_euclid(60)
}

impl Basis {
    fn of(state: &PromisesState, now: Timestamp) -> Self {
        let (position, generation) = state
            .snapshot
            .read(|open| (open.position, Arc::clone(open.generation)));
        Self {
            minute: minute_of(now),
            position,
            generation,
            clocks: state.clocks.revision(),
            has_stages: state.stages.is_on(),
            zone: state.shop.time_zone(),
        }
    }
}

impl JudgedPromises {
    /// The promises as they are now, at most a minute old. Who asks while they are judged waits, and takes the same; also
    /// a failure, since a database that is away would let one after the other wait for it. 503 `unavailable`.
    pub(super) async fn now(&self, state: &PromisesState) -> Result<Arc<JudgedShop>, ApiError> {
        let asked = Instant::now();
        let mut kept = self.0.lock().await;
        if kept.has_failed_since(asked) {
            return Err(ApiError::unavailable());
        }
        // Before anything is read: what changes meanwhile is judged the next time.
        let basis = Basis::of(state, now());
        if let Some(last) = &kept.last
            && last.basis == basis
            && !last.technicians.has_changed().unwrap_or(true)
        {
            return Ok(Arc::clone(&last.judged));
        }
        let technicians = state.technicians.changes().subscribe();
        let judged = judge(state).await.map(Arc::new);
        kept.failed_at = judged.is_err().then(Instant::now);
        let judged = judged?;
        kept.last = Some(Last {
            basis,
            technicians,
            judged: Arc::clone(&judged),
        });
        Ok(judged)
    }
}

async fn judge(state: &PromisesState) -> Result<JudgedShop, ApiError> {
    let shop = KnownShop::read(state).await?;
    // Of thousands of orders it takes longer than others should wait for this thread.
    let judged = web::block(move || {
        let risks = shop.risks();
        JudgedShop {
            shop,
            risks,
            encoded: std::sync::Mutex::default(),
        }
    });
    judged.await.map_err(|error| {
        tracing::error!(%error, "the promises were not judged");
        ApiError::unavailable()
    })
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    /// Something of the shop at that second of an hour.
    fn basis(second: i64) -> Basis {
        Basis {
            minute: minute_of(Timestamp::from_second(1_763_640_000 + second).unwrap()),
            position: LogPosition::default(),
            generation: "a".into(),
            clocks: 0,
            has_stages: true,
            zone: TimeZone::UTC,
        }
    }

    #[test]
    fn who_asked_before_an_attempt_failed_does_not_wait_for_another() {
        let (before, failed) = (Instant::now(), Instant::now() + Duration::from_secs(5));
        let mut kept = Kept::default();
        assert!(!kept.has_failed_since(before));
        kept.failed_at = Some(failed);
        assert!(kept.has_failed_since(before));
        assert!(!kept.has_failed_since(failed + Duration::from_millis(1)));
    }

    #[test]
    fn what_was_judged_counts_for_its_minute_and_as_long_as_nothing_is_another() {
        assert_eq!(basis(0), basis(59));
        assert_ne!(basis(59), basis(60));
        let event = LogPosition {
            seq: 7,
            ..LogPosition::default()
        };
        let others = [
            Basis {
                position: event,
                ..basis(0)
            },
            Basis {
                generation: "b".into(),
                ..basis(0)
            },
            Basis {
                clocks: 1,
                ..basis(0)
            },
            Basis {
                has_stages: false,
                ..basis(0)
            },
            Basis {
                zone: TimeZone::get("Europe/Berlin").unwrap(),
                ..basis(0)
            },
        ];
        for other in others {
            assert_ne!(basis(0), other);
        }
    }
}
