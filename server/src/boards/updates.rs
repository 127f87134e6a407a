//! Changes of boards, by this process or another: the cache follows, sockets of revoked boards are
//! closed, and clients that show boards are notified.

use std::sync::Arc;
use std::time::{Duration, Instant};

use dispatch_actors::broadcaster::Audience;
use dispatch_actors::repair_order::RoNumber;
use dispatch_actors::snapshot::OpenOrders;
use dispatch_actors::ticks::ticks;
use jiff::Timestamp;

use super::api_types::{
    Board, BoardIdentifyEvent, BoardReloadEvent, BoardSettingsEvent, BoardsChangedEvent,
};
use super::display::clock_updates::follow_clocks;
use super::display::layout::Layout;
use super::display::subscription::BoardSubscription;
use super::entities::board;
use super::other_servers::follow_screens;
use super::pairing::store as pairing_store;
use super::registry::{Boards, CachedBoard};
use super::state::BoardsState;
use super::{register, store};
use crate::change_request::run_detached;
use crate::error::ApiError;
use crate::first_failure::FirstFailure;
use crate::moments::{now, now_ms};
use crate::seen_version::SeenVersion;

/// What other servers hear when the screen of a board is to load its page again, or to show its name.
const RELOAD_TOPIC: &str = "board-reload";
const IDENTIFY_TOPIC: &str = "board-identify";

/// How long what others do to boards may go unnoticed.
const POLL_INTERVAL: Duration = Duration::from_secs(1);

/// From one announcement to those who show boards to the next.
const ANNOUNCE_INTERVAL: Duration = Duration::from_secs(1);

/// How often it is written down when boards were seen, and what is too old is forgotten.
const WRITE_INTERVAL: Duration = Duration::from_secs(60);

/// What a clock changed is on every board by then.
const SETTLE_TIME: Duration = Duration::from_secs(2);

impl Boards {
    /// A board is connected.
    pub fn mark_connected(&self, board: &CachedBoard) {
        self.last_seen.mark_seen(&board.id);
        self.changed.announce();
    }

    /// A board is not connected any more.
    pub fn mark_disconnected(&self, subscription: &BoardSubscription) {
        self.last_seen.mark_seen(subscription.board());
        self.changed.announce();
    }

    pub(super) fn note_change(&self) {
        self.changed_at.send_replace(Some(Instant::now()));
    }

    /// Whether all boards have the changes without an event.
    pub(super) fn is_settled(&self) -> bool {
        let changed_at = *self.changed_at.borrow();
        changed_at.is_none_or(|changed_at| changed_at.elapsed() >= SETTLE_TIME)
    }
}

impl BoardsState {
    /// Every board, by name.
    pub(super) async fn list_boards(&self) -> Result<Vec<Board>, ApiError> {
        let connected = self.connected_boards();
        let rows = store::all(self.boards.store.reader()).await?;
        let board = |row: &board::Model| Board {
            live: connected.contains(row.id.as_str()),
            ..self.boards.view_of(row)
        };
        let mut boards: Vec<Board> = rows.iter().map(board).collect();
        boards.sort_by_cached_key(|board| (board.name.to_lowercase(), board.board_id.clone()));
        Ok(boards)
    }

    /// Reads the boards, which changed, and what that changes for those that are connected. To the
    /// end, also where the request behind it is dropped: what was read is not read again.
    pub(crate) async fn reload_boards(&self) -> Result<(), ApiError> {
        let state = self.clone();
        run_detached(async move { state.follow_boards().await }).await
    }

    async fn follow_boards(&self) -> Result<(), ApiError> {
        let boards = &self.boards;
        let _turn = boards.reload_lock.lock().await;
        // First: boards that connect later are checked against what is read now. Another process
        // may issue and revoke a token between two reads.
        let connected = self.sockets.board_tokens();
        let before = boards.read().await?;
        let had = before.values();
        let had = had.filter_map(|was| Some((Arc::clone(&was.id), was.token_hash.clone()?)));
        for (id, token) in had.chain(connected) {
            if boards.by_token(&token).is_none() {
                boards.last_seen.forget(&id);
                self.sockets.end_board(&id, &token, true);
            }
        }
        let mut tuned = Vec::new();
        for was in before.values() {
            let is = boards.by_id(&was.id);
            let same =
                |is: &Arc<CachedBoard>| is.token_hash.is_some() && is.token_hash == was.token_hash;
            if let Some(is) = is.filter(same)
                && is.about != was.about
            {
                tuned.push((was, is));
            }
        }
        boards.changed.announce();
        let mut all_sent = Ok(());
        for (was, is) in tuned {
            boards.note_change();
            // First: it asks for its new picture at once.
            let result = self.send_settings(&is).await;
            if is.view != was.view {
                // It reconnects with its new view.
                let token = is.token_hash.as_deref().unwrap_or_default();
                self.sockets.end_board(&is.id, token, false);
            }
            all_sent = all_sent.and(result);
        }
        all_sent
    }

    async fn send_settings(&self, board: &CachedBoard) -> Result<(), ApiError> {
        let settings = BoardSettingsEvent {
            board: board.about.clone(),
        };
        let board = Audience::Board(Arc::clone(&board.id));
        self.announcer
            .announce("BOARD_SETTINGS", &settings, board)
            .await
    }

    /// Whichever server its screen is connected to. 404 `unknown-board`.
    pub(super) async fn reload_board(&self, id: &str) -> Result<(), ApiError> {
        self.read_if_unknown(id).await?;
        self.reload_board_here(id).await?;
        self.store.others().notify(RELOAD_TOPIC, id);
        Ok(())
    }

    /// Another server may have added it a moment ago.
    async fn read_if_unknown(&self, id: &str) -> Result<(), ApiError> {
        match self.boards.by_id(id) {
            Some(_) => Ok(()),
            None => refresh_if_stale(self).await,
        }
    }

    async fn reload_board_here(&self, id: &str) -> Result<(), ApiError> {
        let board = self.boards.by_id(id).ok_or_else(register::unknown_board)?;
        let reload = BoardReloadEvent { at: now() };
        let board = Audience::Board(Arc::clone(&board.id));
        self.announcer
            .announce("BOARD_RELOAD", &reload, board)
            .await
    }

    /// Whichever server its screen is connected to. 404 `unknown-board`.
    pub(super) async fn identify_board(&self, id: &str) -> Result<(), ApiError> {
        self.read_if_unknown(id).await?;
        self.identify_board_here(id).await?;
        self.store.others().notify(IDENTIFY_TOPIC, id);
        Ok(())
    }

    async fn identify_board_here(&self, id: &str) -> Result<(), ApiError> {
        let board = self.boards.by_id(id).ok_or_else(register::unknown_board)?;
        let identify = BoardIdentifyEvent {
            name: board.about.name.clone(),
        };
        let board = Audience::Board(Arc::clone(&board.id));
        self.announcer
            .announce("BOARD_IDENTIFY", &identify, board)
            .await
    }

    async fn show_all_again(&self) -> Result<(), ApiError> {
        let orders = self
            .snapshot
            .read(|open| open.orders.keys().copied().collect());
        self.show_again(orders).await
    }

    /// Technicians are called otherwise now, or are others.
    async fn names_changed(&self) -> Result<(), ApiError> {
        self.show_all_again().await?;
        for id in self.sockets.boards() {
            if let Some(board) = self.boards.by_id(&id)
                && board.view.layout == Layout::ShopFloor
            {
                self.send_settings(&board).await?;
            }
        }
        Ok(())
    }
}

/// Follows the boards and what they show, for as long as the server runs, from this call on.
pub fn follow(state: BoardsState) -> impl Future<Output = ()> {
    let changed = state.boards.changed.clone();
    let announcing = state.clone();
    let tell = async move || announce_boards_changed(&announcing).await;
    let announced = changed.follow(ANNOUNCE_INTERVAL, "boards that changed", tell);
    let screens = follow_screens(&state.boards);
    async move {
        // How far the work is, before anybody looks.
        if let Err(error) = reload_new_orders(&state).await {
            tracing::error!(%error, "how far work is could not be read");
        }
        actix::spawn(follow_clocks(state.clone()));
        actix::spawn(announced);
        actix::spawn(screens);
        follow_database(state).await;
    }
}

/// Of what is done every second.
#[derive(Default)]
struct Failures {
    boards: FirstFailure,
    work: FirstFailure,
    names: FirstFailure,
    stages: FirstFailure,
}

/// Follows what other processes do, and keeps in the database what is known here.
async fn follow_database(state: BoardsState) {
    let mut look = ticks(POLL_INTERVAL);
    let mut write = ticks(WRITE_INTERVAL);
    let mut names = SeenVersion::new(state.names.generation());
    let stages = &state.boards.shop().stages;
    let mut seen_stages = SeenVersion::new(stages.generation());
    let mut log = SeenVersion::new(state.snapshot.seq());
    let others = state.store.others();
    let mut changed = others.listen(store::TOPIC);
    let mut connected = state.boards.changed.subscribe();
    let mut reload = others.listen(RELOAD_TOPIC);
    let mut identify = others.listen(IDENTIFY_TOPIC);
    let mut failures = Failures::default();
    loop {
        tokio::select! {
            _ = changed.changed() => {
                if let Some(error) = failures.boards.of(refresh_if_stale(&state).await) {
                    tracing::error!(%error, "boards could not be read");
                }
            }
            // A board that is not known here has no screen here, and a word that was missed is said again by hand.
            Some(id) = reload.changed() => drop(state.reload_board_here(&id).await),
            Some(id) = identify.changed() => drop(state.identify_board_here(&id).await),
            Ok(()) = connected.changed() => state.publish_screens(),
            _ = look.tick() => {
                state.publish_screens();
                if let Some(error) = failures.boards.of(refresh_if_stale(&state).await) {
                    tracing::error!(%error, "boards could not be read");
                }
                let newest = state.snapshot.seq();
                let reloaded = log.refresh_if_stale(newest, reload_new_orders(&state)).await;
                if let Some(error) = failures.work.of(reloaded) {
                    tracing::error!(%error, "how far work is could not be read");
                }
                let newest = state.names.generation();
                let refreshed = names.refresh_if_stale(newest, state.names_changed()).await;
                if let Some(error) = failures.names.of(refreshed) {
                    tracing::error!(%error, "boards could not be told of technicians' names");
                }
                let newest = stages.generation();
                let refreshed = seen_stages.refresh_if_stale(newest, state.show_all_again()).await;
                if let Some(error) = failures.stages.of(refreshed) {
                    tracing::error!(%error, "boards could not be told of the stages of work");
                }
            }
            _ = write.tick() => write_last_seen(&state).await,
        }
    }
}

async fn write_last_seen(state: &BoardsState) {
    let boards = &state.boards;
    if let Err(error) = boards.last_seen.write(&boards.store).await {
        tracing::warn!(%error, "when boards were seen last could not be kept");
    }
    if let Err(error) = pairing_store::delete_expired(&boards.store, now_ms()).await {
        tracing::warn!(%error, "old pairings were not deleted");
    }
    // No process announces what another process finished.
    let open = |open: OpenOrders<'_>| open.orders.keys().copied().collect();
    let orders: Vec<RoNumber> = state.snapshot.read(open);
    if let Err(error) = state.reload_work(&orders).await {
        tracing::error!(%error, "how far work is could not be read");
    }
}

/// Another process may have changed boards.
async fn refresh_if_stale(state: &BoardsState) -> Result<(), ApiError> {
    if state.boards.is_stale().await? {
        state.reload_boards().await?;
    }
    Ok(())
}

/// Orders of which it is not known how far the work is: new ones, and those that were reopened.
async fn reload_new_orders(state: &BoardsState) -> Result<(), ApiError> {
    let unknown = state.boards.shop().progress.unknown(&state.snapshot);
    state.reload_work(&unknown).await
}

/// Notifies clients that show boards.
async fn announce_boards_changed(state: &BoardsState) -> Result<(), ApiError> {
    let changed = BoardsChangedEvent {
        r#type: "BOARDS_CHANGED",
        timestamp: Timestamp::now(),
    };
    state
        .announcer
        .announce("BOARDS_CHANGED", &changed, Audience::Desks)
        .await
}
