//! What became of calls to the story provider: each attempt is one.

use dispatch_actors::counts::Counter;

#[derive(Debug, Default)]
pub struct StoryCallCounts {
    /// It said a question or a story.
    pub answered: Counter,
    /// It answered something else.
    pub unreadable: Counter,
    /// It could not be reached, broke off, or had a fault that may pass.
    pub unavailable: Counter,
    /// It refused what it was asked.
    pub refused: Counter,
    /// It took too long.
    pub timed_out: Counter,
}
