//! How often one person may ask an interviewer, at all servers of the database together: a provider is paid for each
//! time.

use std::num::NonZeroU32;

use dispatch_actors::repair_order::InterviewerId;

use crate::error::ApiError;
use crate::identity::{HOUR, Limit, SharedLimits, Tiers};

const BUILT_IN_CALLS: &Tiers = &[(600, HOUR)];

pub struct CallLimits {
    provider: Limit,
    built_in: Limit,
    shared: SharedLimits,
}

impl CallLimits {
    pub(crate) fn new(shared: &SharedLimits, calls_an_hour: NonZeroU32) -> Self {
        let calls = [(calls_an_hour.get(), HOUR)];
        Self {
            provider: shared.limit("story-calls", &calls, None),
            built_in: shared.limit("built-in-story-calls", BUILT_IN_CALLS, None),
            shared: shared.clone(),
        }
    }

    /// 429 `too-many-requests`.
    pub fn count(&self, interviewer: InterviewerId, uid: &str) -> Result<(), ApiError> {
        let limit = match interviewer {
            InterviewerId::BuiltIn => &self.built_in,
            InterviewerId::Gemini | InterviewerId::Openai => &self.provider,
        };
        let person = self.shared.key(&[uid.as_bytes()]);
        limit.take(person).map_err(ApiError::too_many)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_person_has_so_many_calls_and_the_built_in_interviewer_has_its_own() {
        let limits = CallLimits::new(&SharedLimits::of_test(), NonZeroU32::new(2).unwrap());
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
