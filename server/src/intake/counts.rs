//! What became of the rows that were taken in, whichever way they came.

use dispatch_actors::counts::Counter;

/// Rows of a dry run are not in it.
#[derive(Debug, Default)]
pub struct IntakeCounts {
    pub created: Counter,
    pub changed: Counter,
    pub unchanged: Counter,
    pub refused: Counter,
}
