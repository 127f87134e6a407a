//! The one who writes receipts.

use std::sync::Arc;
use std::time::Duration;

use dispatch_actors::broadcaster::Audience;
use dispatch_actors::repair_order::Action;
use dispatch_actors::store::{Event, Seq};
use jiff::Timestamp;

use super::api_types::{Receipt, ReceiptNews};
use super::state::ReceiptsState;
use super::{
    AssignmentEvent, ReachReport, ReportQueue, Row, UNSENT_WINDOW, other_servers, push_turns, store,
};
use crate::error::ApiError;

/// Events that are read at once.
const PAGE_SIZE: u64 = 256;

/// Acknowledgements that are written at once.
const BATCH_SIZE: usize = 256;

/// From one write to the next: what comes meanwhile goes together, and the desk's own changes have the
/// database to themselves most of the time.
const WRITE_INTERVAL: Duration = Duration::from_millis(20);

/// Until what failed is tried again.
const RETRY_INTERVAL: Duration = Duration::from_secs(1);

/// Events without an assignment, after which the place in the log is kept all the same.
const MAX_UNSAVED_EVENTS: Seq = 1_000;

struct Follower {
    state: ReceiptsState,
    /// Everything up to here has been read.
    read: Seq,
    /// The stored position.
    kept: Seq,
    /// Of the log that is read.
    generation: Arc<str>,
    /// A commit failed, of which it is not known whether it was one: what it wrote is to be told all the same.
    is_unsure: bool,
}

/// Follows the log for as long as the server runs. Events from before the first start make no
/// receipts; events from while the server was down do.
pub async fn follow(state: ReceiptsState) {
    let Some(ReportQueue {
        mut words,
        mut assigned,
    }) = state.receipts.desk()
    else {
        return;
    };
    actix::spawn(other_servers::follow(state.clone()));
    actix::spawn(push_turns::take_over_from_the_gone(state.clone()));
    let mut follower = Follower::begin(state).await;
    let mut reports = Vec::new();
    let mut is_failing = false;
    loop {
        if follower.generation != follower.state.store.status().generation() {
            // The log went back: what was read of it before is not in it any more.
            follower = Follower::begin(follower.state).await;
        }
        match follower.write(&mut reports).await {
            Ok(()) => {
                is_failing = false;
                tokio::time::sleep(WRITE_INTERVAL).await;
            }
            Err(error) => {
                if !is_failing {
                    tracing::error!(%error, "receipts could not be written; it is tried again each second");
                }
                is_failing = true;
                // Callers that wait are told to try again.
                reports.clear();
                tokio::time::sleep(RETRY_INTERVAL).await;
                continue;
            }
        }
        tokio::select! {
        change = assigned.changed() => if change.is_err() { return },
        count = words.recv_many(&mut reports, BATCH_SIZE) => if count == 0 { return },
        }
    }
}

impl Follower {
    async fn begin(state: ReceiptsState) -> Self {
        loop {
            let generation = state.store.status().generation();
            match begin_at(&state).await {
                Ok(read) => {
                    return Self {
                        state,
                        read,
                        kept: read,
                        generation,
                        is_unsure: false,
                    };
                }
                Err(error) => {
                    tracing::error!(%error, "where receipts begin could not be read");
                    tokio::time::sleep(RETRY_INTERVAL).await;
                }
            }
        }
    }

    /// Writes the new assignments and acknowledgements since the last time, and announces them.
    async fn write(&mut self, reports: &mut Vec<ReachReport>) -> Result<(), ApiError> {
        loop {
            let page = self.state.store.events_after(self.read, PAGE_SIZE).await?;
            let is_last = (page.len() as u64) < PAGE_SIZE;
            let page_end = page.last().map(|event| event.seq);
            let newest = page_end.unwrap_or(self.read);
            let events: Vec<Event> = page.into_iter().filter(is_assignment).collect();
            // An acknowledgement may be about the newest assignment.
            let words = match is_last {
                true => std::mem::take(reports),
                false => Vec::new(),
            };
            if !events.is_empty() || !words.is_empty() || newest - self.kept > MAX_UNSAVED_EVENTS {
                self.write_page(&events, words, page_end).await?;
                self.kept = page_end.unwrap_or(self.kept);
            }
            self.read = newest;
            if is_last {
                return Ok(());
            }
        }
    }

    async fn write_page(
        &mut self,
        events: &[Event],
        words: Vec<ReachReport>,
        page_end: Option<Seq>,
    ) -> Result<(), ApiError> {
        let numbers: Vec<i64> = events.iter().map(|event| event.number.get()).collect();
        let meant: Vec<_> = words
            .iter()
            .map(|word| (word.technician, word.meant))
            .collect();
        let transaction = self.state.store.begin_write().await?;
        let kept = store::position(&transaction).await?.unwrap_or(self.kept);
        let mut book = store::book(&transaction, &numbers, &meant).await?;
        let listens = |technician| self.state.sockets.listens(technician);
        for event in events.iter().filter(|event| event.seq > kept) {
            book.take(event, listens);
        }
        let now = Timestamp::now().as_millisecond();
        let reached: Vec<Vec<Row>> = words
            .iter()
            .map(|word| book.reach(word.technician, word.meant, word.reached, now))
            .collect();
        store::write(&transaction, &book).await?;
        push_turns::begin(&transaction, &self.state.store, &book.begun).await?;
        other_servers::notify(&transaction, book.written()).await?;
        if let Some(position) = position_after(page_end, kept) {
            store::move_to(&transaction, position).await?;
        }
        let committed = transaction.commit().await;
        self.is_unsure |= committed.is_err();
        committed?;

        for (word, rows) in words.into_iter().zip(reached) {
            // The caller may be gone.
            let _ = word.reply.send(rows);
        }
        for row in book.written() {
            if let Err(error) = self.state.send_receipt(row.clone()).await {
                tracing::error!(%error, "a receipt could not be told");
            }
        }
        let assignments = self.state.receipts.assignments();
        for (key, seq) in book.begun {
            assignments.publish(&AssignmentEvent::assigned(key, seq));
        }
        for key in book.taken_away {
            assignments.publish(&AssignmentEvent::unassigned(key));
        }
        if self.is_unsure {
            let written = events.iter().map(|event| event.seq);
            let written: Vec<Seq> = written.filter(|seq| *seq <= kept).collect();
            let own = push_turns::own(&self.state.store, &written).await?;
            own.iter().for_each(|event| assignments.publish(event));
            self.is_unsure = false;
        }
        Ok(())
    }
}

impl ReceiptsState {
    /// Sends a receipt to the sessions that it concerns.
    pub(super) async fn send_receipt(&self, row: Row) -> Result<(), ApiError> {
        let audience = Audience::Technician(row.technician);
        let change = ReceiptNews::new(Receipt::of(row, &self.names));
        self.announcer
            .announce(ReceiptNews::NAME, &change, audience)
            .await
    }
}

/// Where the log is read up to now, if that is further than before. Without events it stays where it is: the log may have
/// gone back behind what was read here, which is not noticed yet, and its next events would be taken for read.
fn position_after(page_end: Option<Seq>, kept: Seq) -> Option<Seq> {
    page_end.filter(|end| *end > kept)
}

/// Where the log is read on. What a push service did not take before the server ended is tried again; of several
/// servers by one of them, see `push_turns`.
async fn begin_at(state: &ReceiptsState) -> Result<Seq, ApiError> {
    let top = state.store.top().await?;
    let read = store::begin_at(&state.store, top).await?;
    if state.store.others().may_exist() {
        return Ok(read);
    }
    let since = Timestamp::now() - UNSENT_WINDOW;
    let unsent = store::unsent(&state.store, since.as_millisecond()).await?;
    let assignments = state.receipts.assignments();
    for row in unsent {
        assignments.publish(&AssignmentEvent::assigned(row.key(), row.seq));
    }
    Ok(read)
}

fn is_assignment(event: &Event) -> bool {
    matches!(
        event.action(),
        Action::TechAssigned | Action::TechUnassigned
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_place_in_the_log_moves_on_with_its_events_alone() {
        assert_eq!(position_after(Some(9), 8), Some(9));
        assert_eq!(position_after(Some(8), 8), None);
        assert_eq!(position_after(Some(7), 8), None, "another server was first");
        assert_eq!(position_after(None, 8), None);
    }
}
