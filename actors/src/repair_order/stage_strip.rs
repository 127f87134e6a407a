//! Where an order's hours went: how long it stood in each stage, from its events.

use jiff::Timestamp;

use super::Change;
use super::stage::{StageId, StageSpan};

/// The spans from `opened_at` to `end`, without gaps, the oldest first: they add up to the time between. A stage that
/// begins before the opening, or after the end, counts only as far as it is between. None where there is no time
/// between. `changes`: with the moments at which they were made, oldest first; the order is then where the last says.
pub fn stage_strip<'a>(
    opened_at: Timestamp,
    end: Timestamp,
    changes: impl IntoIterator<Item = (Timestamp, &'a Change)>,
) -> Vec<StageSpan> {
    let mut spans: Vec<StageSpan> = Vec::new();
    let mut from = opened_at;
    let mut stage: Option<StageId> = None;
    let mut close_span = |stage: &Option<StageId>, from: Timestamp, to: Timestamp| {
        if to <= from {
            return;
        }
        match spans.last_mut() {
            // It was elsewhere for no time.
            Some(last) if last.stage == *stage => last.to = to,
            _ => spans.push(StageSpan {
                stage: stage.clone(),
                from,
                to,
            }),
        }
    };
    for (at, change) in changes {
        let next = match change {
            Change::StageChanged { to, .. } => &to.stage,
            Change::Created { repair_order } => &repair_order.progress.placement.stage,
            _ => continue,
        };
        if *next == stage {
            continue;
        }
        // A clock that was set back does not make an order younger.
        let at = at.clamp(from, end.max(from));
        close_span(&stage, from, at);
        (from, stage) = (at, next.clone());
    }
    close_span(&stage, from, end);
    spans
}
