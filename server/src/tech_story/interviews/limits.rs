//! How often one person may ask an interviewer: a provider is paid for each time.

use std::num::NonZeroU32;
use std::sync::atomic::{AtomicU32, Ordering};

use dispatch_actors::repair_order::InterviewerId;
use governor::clock::{Clock, DefaultClock};
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};

use crate::error::ApiError;

const BUILT_IN_CALLS_AN_HOUR: NonZeroU32 = NonZeroU32::new(600).expect("not zero");

/// After so many calls those who have not asked for long are forgotten.
const SWEEP_EVERY: u32 = 256;

pub struct CallLimits {
    provider: DefaultKeyedRateLimiter<String>,
    built_in: DefaultKeyedRateLimiter<String>,
    counted: AtomicU32,
}

impl CallLimits {
    pub fn new(calls_an_hour: NonZeroU32) -> Self {
        Self {
            provider: RateLimiter::keyed(Quota::per_hour(calls_an_hour)),
            built_in: RateLimiter::keyed(Quota::per_hour(BUILT_IN_CALLS_AN_HOUR)),
            counted: AtomicU32::new(0),
        }
    }

    /// 429 `too-many-requests`.
    pub fn count(&self, interviewer: InterviewerId, uid: &str) -> Result<(), ApiError> {
        let limit = match interviewer {
            InterviewerId::BuiltIn => &self.built_in,
            InterviewerId::Gemini | InterviewerId::Openai => &self.provider,
        };
        let counted = self.counted.fetch_add(1, Ordering::Relaxed);
        if counted.is_multiple_of(SWEEP_EVERY) {
            self.provider.retain_recent();
            self.built_in.retain_recent();
        }
        limit.check_key(&uid.to_owned()).map_err(|until| {
            ApiError::too_many(until.wait_time_from(DefaultClock::default().now()))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_person_has_so_many_calls_and_the_built_in_interviewer_has_its_own() {
        let limits = CallLimits::new(NonZeroU32::new(2).unwrap());
        let ask = |interviewer, uid| limits.count(interviewer, uid);
        assert!(ask(InterviewerId::Gemini, "ann").is_ok());
        assert!(ask(InterviewerId::Gemini, "ann").is_ok());
        let refused = ask(InterviewerId::Gemini, "ann").unwrap_err();
        assert_eq!(refused.code.as_str(), "too-many-requests");
        assert!(refused.retry_after.is_some_and(|seconds| seconds > 1_000));
        assert!(ask(InterviewerId::Gemini, "bob").is_ok());
        assert!(ask(InterviewerId::BuiltIn, "ann").is_ok());
    }
}
