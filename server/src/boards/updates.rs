//! Boards as they change, whoever changes them: what is known of them follows, sockets of boards
//! that were revoked are closed, and whoever shows boards is told. And the clocks as boards show
//! them.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use dispatch_actors::broadcaster::{Audience, ShowAgain};
use dispatch_actors::repair_order::{RoNumber, TechnicianId};
use dispatch_actors::snapshot::OpenOrders;
use jiff::Timestamp;
use tokio::sync::Notify;
use tokio::time::{MissedTickBehavior, interval};

use super::api_types::{
    Board, BoardClockEvent, BoardIdentifyEvent, BoardReloadEvent, BoardRunning, BoardSettingsEvent,
    BoardTechnician, BoardsChangedEvent,
};
use super::layout::{Layout, View};
use super::shop::{Picture, encoded};
use super::state::BoardsState;
use super::{Hung, Seat, now, register, store};
use crate::change_request::run_detached;
use crate::clocks::{ClockChange, Running};
use crate::error::ApiError;
use crate::realtime::frames;
use crate::seen_version::SeenVersion;

/// How long what others do to boards may go unnoticed.
const LOOK_INTERVAL: Duration = Duration::from_secs(1);

/// From one announcement to those who show boards to the next.
const ANNOUNCE_INTERVAL: Duration = Duration::from_secs(1);

/// How often it is written down when boards were seen, and what is too old is forgotten.
const WRITE_INTERVAL: Duration = Duration::from_secs(60);

/// Orders that are shown again between two events.
const SHOWN_AT_ONCE: usize = 100;

/// What a clock changed is on every board by then.
const SETTLED: Duration = Duration::from_secs(2);

/// Technicians whose clocks, and orders on which work, moved a moment ago.
#[derive(Clone, Default)]
pub(super) struct ClockNews {
    moved: Arc<Mutex<Moved>>,
    wake: Arc<Notify>,
}

type Moved = (BTreeSet<TechnicianId>, BTreeSet<RoNumber>);

impl ClockNews {
    fn moved(&self) -> MutexGuard<'_, Moved> {
        self.moved.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl super::Boards {
    /// What the clocks publish; the boards are told in a moment.
    pub(super) fn note_clock_change(&self, change: &ClockChange) {
        self.stir();
        let mut moved = self.clocks.moved();
        moved.0.insert(change.technician);
        moved.1.extend(&change.orders);
        drop(moved);
        self.clocks.wake.notify_one();
    }

    /// A board is connected.
    pub fn came(&self, board: &Hung) {
        self.sightings.saw(&board.id);
        self.changed.announce();
    }

    /// A board is not connected any more.
    pub fn went(&self, seat: &Seat) {
        self.sightings.saw(seat.board());
        self.changed.announce();
    }

    fn stir(&self) {
        self.moved.send_replace(Some(Instant::now()));
    }

    /// Whether all boards have heard what changed without an event.
    pub(super) fn is_settled(&self) -> bool {
        let moved = *self.moved.borrow();
        moved.is_none_or(|moved| moved.elapsed() >= SETTLED)
    }
}

impl BoardsState {
    /// Every board, by name.
    pub(super) async fn list_boards(&self) -> Result<Vec<Board>, ApiError> {
        let connected = self.sockets.boards();
        let rows = store::all(self.boards.store.reader()).await?;
        let board = |row: &store::board::Model| Board {
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
        let _turn = boards.turn.lock().await;
        // First: who comes later is let in by what is read now. A token may be given and taken by
        // another process between two looks.
        let connected = self.sockets.board_tokens();
        let before = boards.read().await?;
        let had = before.values();
        let had = had.filter_map(|was| Some((Arc::clone(&was.id), was.token_hash.clone()?)));
        for (id, token) in had.chain(connected) {
            if boards.by_token(&token).is_none() {
                boards.sightings.forget(&id);
                self.sockets.end_board(&id, &token, true);
            }
        }
        let mut tuned = Vec::new();
        for was in before.values() {
            let is = boards.by_id(&was.id);
            let same = |is: &Arc<Hung>| is.token_hash.is_some() && is.token_hash == was.token_hash;
            if let Some(is) = is.filter(same)
                && is.about != was.about
            {
                tuned.push((was, is));
            }
        }
        boards.changed.announce();
        let mut all_told = Ok(());
        for (was, is) in tuned {
            boards.stir();
            // First: it asks for its new picture at once.
            let told = self.tell_settings(&is).await;
            if is.view != was.view {
                // It comes back to what it shows now.
                let token = is.token_hash.as_deref().unwrap_or_default();
                self.sockets.end_board(&is.id, token, false);
            }
            all_told = all_told.and(told);
        }
        all_told
    }

    async fn tell_settings(&self, board: &Hung) -> Result<(), ApiError> {
        let settings = BoardSettingsEvent {
            board: board.about.clone(),
        };
        let board = Audience::Board(Arc::clone(&board.id));
        self.announcer
            .announce("BOARD_SETTINGS", &settings, board)
            .await
    }

    /// 404 `unknown-board`.
    pub(super) async fn reload_board(&self, id: &str) -> Result<(), ApiError> {
        let board = self.boards.by_id(id).ok_or_else(register::unknown_board)?;
        let reload = BoardReloadEvent { at: frames::now() };
        let board = Audience::Board(Arc::clone(&board.id));
        self.announcer
            .announce("BOARD_RELOAD", &reload, board)
            .await
    }

    /// 404 `unknown-board`.
    pub(super) async fn identify_board(&self, id: &str) -> Result<(), ApiError> {
        let board = self.boards.by_id(id).ok_or_else(register::unknown_board)?;
        let identify = BoardIdentifyEvent {
            name: board.about.name.clone(),
        };
        let board = Audience::Board(Arc::clone(&board.id));
        self.announcer
            .announce("BOARD_IDENTIFY", &identify, board)
            .await
    }

    /// The columns of a shop floor, and whoever else is on a card of it, by name.
    pub(super) fn board_technicians(
        &self,
        view: &View,
        on_cards: &[TechnicianId],
    ) -> Vec<BoardTechnician> {
        if view.layout != Layout::ShopFloor {
            return Vec::new();
        }
        let mut everybody = self.names.all();
        let running = self.clocks.running();
        for id in on_cards.iter().chain(running.keys()) {
            if !everybody.iter().any(|(known, _)| known == id) {
                everybody.push((*id, self.names.of(*id, None)));
            }
        }
        everybody.retain(|(id, _)| view.is_about(*id));
        everybody.sort_by_cached_key(|(id, name)| (name.to_lowercase(), *id));
        let technicians = everybody.into_iter().map(|(id, name)| BoardTechnician {
            id,
            name,
            running: running.get(&id).map(|running| self.on_board(view, running)),
        });
        technicians.collect()
    }

    /// Of everything that boards of a view show.
    pub(super) fn board_checksum(
        &self,
        picture: &Picture,
        technicians: &[BoardTechnician],
    ) -> String {
        let shown = technicians.iter().filter(|technician| {
            technician.running.is_some() || picture.technicians.contains(&technician.id)
        });
        let mut shown: Vec<&BoardTechnician> = shown.collect();
        shown.sort_unstable_by_key(|technician| technician.id);
        let lines: Vec<String> = shown.into_iter().map(encoded).collect();
        let lines = lines.iter().map(String::as_str);
        picture.checksum.and(lines).to_string()
    }

    /// A clock as boards of a view show it.
    fn on_board(&self, view: &View, running: &Running) -> BoardRunning {
        let key = |order| self.boards.shop().key(view.layout, order);
        BoardRunning {
            // Whether or not the order is on the board now: it may come to it while the clock runs.
            key: running.entry.work.map(|work| key(work.order)),
            since: running.entry.started_at.to_string(),
        }
    }

    /// Reads again how far the work on these orders is, and tells the boards on which it shows.
    async fn reload_work(&self, orders: &[RoNumber]) -> Result<(), ApiError> {
        let progress = &self.boards.shop().progress;
        let changed = progress.reload(&self.clocks, orders).await?;
        self.show_again(changed).await
    }

    async fn show_again(&self, orders: Vec<RoNumber>) -> Result<(), ApiError> {
        if orders.is_empty() || self.boards.views.is_empty() {
            return Ok(());
        }
        self.boards.stir();
        // Not all at once: events wait meanwhile.
        for orders in orders.chunks(SHOWN_AT_ONCE) {
            let told = self.broadcaster.send(ShowAgain(orders.to_vec())).await;
            told.map_err(|_| ApiError::unavailable())?;
        }
        Ok(())
    }

    async fn tell_clock(&self, technician: TechnicianId) -> Result<(), ApiError> {
        let running = self.clocks.running().remove(&technician);
        for (id, view) in self.boards.views.live() {
            if view.layout != Layout::ShopFloor || !view.is_about(technician) {
                continue;
            }
            let clock = BoardClockEvent {
                technician: BoardTechnician {
                    id: technician,
                    name: self.names.of(technician, None),
                    running: running
                        .as_ref()
                        .map(|running| self.on_board(&view, running)),
                },
                at: frames::now(),
            };
            self.announcer
                .announce("BOARD_CLOCK", &clock, Audience::View(id))
                .await?;
        }
        Ok(())
    }

    /// Technicians are called otherwise now, or are others.
    async fn names_changed(&self) -> Result<(), ApiError> {
        let orders = self
            .snapshot
            .look(|open| open.orders.keys().copied().collect());
        self.show_again(orders).await?;
        for id in self.sockets.boards() {
            if let Some(board) = self.boards.by_id(&id)
                && board.view.layout == Layout::ShopFloor
            {
                self.tell_settings(&board).await?;
            }
        }
        Ok(())
    }
}

/// Follows the boards and what they show, for as long as the server runs, from this call on.
pub fn follow(state: BoardsState) -> impl Future<Output = ()> {
    let changed = state.boards.changed.clone();
    let announcing = state.clone();
    let tell = async move || tell_boards_changed(&announcing).await;
    let announced = changed.follow(ANNOUNCE_INTERVAL, "boards that changed", tell);
    async move {
        // How far the work is, before anybody looks.
        if let Err(error) = reload_new_orders(&state).await {
            tracing::error!(%error, "how far work is could not be read");
        }
        actix::spawn(follow_clocks(state.clone()));
        actix::spawn(announced);
        follow_database(state).await;
    }
}

/// Follows what other processes do, and keeps in the database what is known here.
async fn follow_database(state: BoardsState) {
    let mut look = interval(LOOK_INTERVAL);
    look.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut write = interval(WRITE_INTERVAL);
    write.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut names = SeenVersion::new(state.names.generation());
    let mut log = SeenVersion::new(state.snapshot.seq());
    loop {
        tokio::select! {
            _ = look.tick() => {
                if let Err(error) = refresh_if_stale(&state).await {
                    tracing::error!(%error, "boards could not be read");
                }
                let newest = state.snapshot.seq();
                if let Err(error) = log.refresh_if_stale(newest, reload_new_orders(&state)).await {
                    tracing::error!(%error, "how far work is could not be read");
                }
                let newest = state.names.generation();
                if let Err(error) = names.refresh_if_stale(newest, state.names_changed()).await {
                    tracing::error!(%error, "boards could not be told of technicians' names");
                }
            }
            _ = write.tick() => keep_sightings(&state).await,
        }
    }
}

async fn keep_sightings(state: &BoardsState) {
    let boards = &state.boards;
    if let Err(error) = boards.sightings.write(&boards.store).await {
        tracing::warn!(%error, "when boards were seen last could not be kept");
    }
    if let Err(error) = store::sweep(&boards.store, now()).await {
        tracing::warn!(%error, "old pairings were not deleted");
    }
    // What another process finished is told by nobody.
    let open = |open: OpenOrders<'_>| open.orders.keys().copied().collect();
    let orders: Vec<RoNumber> = state.snapshot.look(open);
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

async fn follow_clocks(state: BoardsState) {
    loop {
        state.boards.clocks.wake.notified().await;
        let (technicians, orders) = std::mem::take(&mut *state.boards.clocks.moved());
        let orders: Vec<RoNumber> = orders.into_iter().collect();
        if let Err(error) = state.reload_work(&orders).await {
            // It is looked at again within the minute.
            tracing::error!(%error, "how far work is could not be read");
        }
        for technician in technicians {
            if let Err(error) = state.tell_clock(technician).await {
                tracing::error!(%error, "a clock could not be told to boards");
            }
        }
    }
}

/// Tells whoever shows boards.
async fn tell_boards_changed(state: &BoardsState) -> Result<(), ApiError> {
    let changed = BoardsChangedEvent {
        r#type: "BOARDS_CHANGED",
        timestamp: Timestamp::now().to_string(),
    };
    state
        .announcer
        .announce("BOARDS_CHANGED", &changed, Audience::Desks)
        .await
}
