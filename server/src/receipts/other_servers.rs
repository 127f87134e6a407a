//! Receipts that another server wrote: each event is taken by one server, and the sessions of all hear of it.

use dispatch_actors::store::WriteTransaction;
use jiff::Timestamp;
use sea_orm::DbErr;

use super::state::ReceiptsState;
use super::{AssignmentSelector, Key, Reached, Row, store};
use crate::error::ApiError;

/// What other servers hear.
const TOPIC: &str = "receipts";

/// What may have been missed is told again as far back as this: longer than a server that died goes unnoticed.
const RECENT_MS: i64 = 60_000;

/// Other servers hear with the commit which receipts were written.
pub(super) async fn notify<'a>(
    transaction: &WriteTransaction,
    written: impl Iterator<Item = &'a Row>,
) -> Result<(), DbErr> {
    let keys: Vec<String> = written
        .map(Row::key)
        .map(|(number, technician)| format!("{number}:{technician}"))
        .collect();
    match keys.is_empty() {
        true => Ok(()),
        false => {
            transaction
                .notify_other_servers(TOPIC, &keys.join(","))
                .await
        }
    }
}

/// Tells this server's sessions what others wrote, for as long as the server runs, from this call on.
pub(super) fn follow(state: ReceiptsState) -> impl Future<Output = ()> {
    let mut listener = state.store.others().listen(TOPIC);
    async move {
        loop {
            let data = listener.changed().await;
            if let Err(error) = send_to_sessions(&state, data.as_deref()).await {
                tracing::error!(%error, "receipts of another server could not be told");
            }
        }
    }
}

async fn send_to_sessions(state: &ReceiptsState, data: Option<&str>) -> Result<(), ApiError> {
    let rows = match data.map(read_keys) {
        Some(keys) => store::of_keys(&state.store, &keys).await?,
        None => {
            let since = Timestamp::now().as_millisecond() - RECENT_MS;
            let mut rows = store::of_open_orders(&state.store, None).await?;
            rows.retain(|row| row.changed_at() >= since);
            rows
        }
    };
    for row in rows {
        let is_news = row.sent_at.is_none() && row.handed_back_at.is_none();
        if is_news && state.sockets.listens(row.technician) {
            // The server that wrote it does not know of the technician's screen here.
            let meant = AssignmentSelector::Events(row.seq, row.seq);
            let reached = state
                .receipts
                .reach_all(row.technician, meant, Reached::Sent);
            reached.await?;
        } else {
            state.send_receipt(row).await?;
        }
    }
    Ok(())
}

fn read_keys(data: &str) -> Vec<Key> {
    let key = |text: &str| {
        let (number, technician) = text.split_once(':')?;
        Some((number.parse().ok()?, technician.parse().ok()?))
    };
    data.split(',').filter_map(key).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_read_as_they_are_told_and_nothing_else_is() {
        assert_eq!(
            read_keys("104217:1104,104218:11"),
            [(104_217, 1_104), (104_218, 11)]
        );
        assert_eq!(read_keys("104217,x:1,:,7:8:9"), []);
    }
}
