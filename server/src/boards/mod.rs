//! Boards on the shop's walls: screens without a user, that show some of the orders and hear of
//! nothing else.
//!
//! - How a screen becomes a board: `register` (boards, pairing, links, revocation), `tokens`,
//!   `open_pairings`, `limits`, `store` (the tables).
//! - What a board shows: `layout` (layouts, settings, views), `cards` (what a card has), `shop` (the
//!   cards of a view, from the open orders), `customer_names` (customers' names, shortened), `progress` (how far
//!   the work is), `checksum`.
//! - How it stays right: `views` (each change is encoded once for all boards of a view), `updates`
//!   (revoked and changed boards, running clocks), `sightings` (when each board was seen last).
//! - Calls: `state` (what they work with), `routes` (of those who manage boards), `screen_routes` (of the screens), `api_types` (shapes).

pub mod api_types;
pub mod cards;
pub mod checksum;
mod customer_names;
pub mod layout;
mod limits;
mod open_pairings;
mod progress;
mod register;
pub mod routes;
pub mod screen_routes;
mod shop;
mod sightings;
mod state;
mod store;
mod tokens;
mod updates;
mod views;

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::Instant;

use dispatch_actors::store::Store;
use jiff::Timestamp;
use sea_orm::DbErr;
use tokio::sync::watch;

use crate::change_signal::ChangeSignal;
use crate::error::{ApiError, ErrorCode};
use crate::repair_orders::api_types::By;
use api_types::{Board, BoardSelf, BoardState};
use layout::View;
use limits::Limits;
use open_pairings::OpenPairings;
use register::moment;
use sightings::Sightings;
use store::board;

pub use shop::Shop;
pub use state::BoardsState;
pub use tokens::{Keys, PREFIX as TOKEN_PREFIX};
pub use updates::follow;
pub use views::{LiveViews, Seat};

/// The boards of the shop.
#[derive(Clone)]
pub struct Boards {
    store: Store,
    keys: Keys,
    views: LiveViews,
    limits: Arc<Limits>,
    open_pairings: Arc<OpenPairings>,
    /// As the database had them when it was looked at last.
    known: Arc<RwLock<Known>>,
    /// Held from before the database is looked at until what changed is told.
    turn: Arc<tokio::sync::Mutex<()>>,
    /// Tokens that were used here for the first time.
    used: Arc<Mutex<HashSet<String>>>,
    sightings: Sightings,
    /// Whoever shows boards has something to ask for.
    changed: ChangeSignal,
    clocks: updates::ClockNews,
    /// When something changed last on a board without an event.
    moved: Arc<watch::Sender<Option<Instant>>>,
}

#[derive(Default)]
struct Known {
    generation: Option<String>,
    boards: HashMap<Arc<str>, Arc<Hung>>,
    by_token: HashMap<String, Arc<Hung>>,
}

/// A board, as much of it as every call asks for.
#[derive(Clone, Debug, PartialEq)]
pub struct Hung {
    pub id: Arc<str>,
    pub about: BoardSelf,
    pub view: View,
    pub token_hash: Option<String>,
    /// Its token was used before it was looked at.
    used: bool,
}

impl Boards {
    pub async fn open(store: Store, keys: Keys, views: LiveViews) -> Result<Self, DbErr> {
        store::prepare(&store).await?;
        let boards = Self {
            store,
            keys,
            views,
            limits: Arc::default(),
            open_pairings: Arc::default(),
            known: Arc::default(),
            turn: Arc::default(),
            used: Arc::default(),
            sightings: Sightings::default(),
            changed: ChangeSignal::default(),
            clocks: updates::ClockNews::default(),
            moved: Arc::new(watch::Sender::new(None)),
        };
        boards.read().await?;
        Ok(boards)
    }

    pub fn shop(&self) -> &Shop {
        self.views.shop()
    }

    /// Takes the board's place at what it shows.
    pub fn sit(&self, board: &Hung) -> Seat {
        let token = board.token_hash.as_deref().unwrap_or_default();
        self.views
            .sit(Arc::clone(&board.id), token, board.view.clone())
    }

    fn by_id(&self, id: &str) -> Option<Arc<Hung>> {
        let known = self.known.read().unwrap_or_else(PoisonError::into_inner);
        known.boards.get(id).cloned()
    }

    fn by_token(&self, hash: &str) -> Option<Arc<Hung>> {
        let known = self.known.read().unwrap_or_else(PoisonError::into_inner);
        known.by_token.get(hash).cloned()
    }

    /// Whether another process changed boards since they were read.
    async fn is_stale(&self) -> Result<bool, DbErr> {
        let generation = store::generation(&self.store).await?;
        let known = self.known.read().unwrap_or_else(PoisonError::into_inner);
        Ok(known.generation != generation)
    }

    /// Reads all boards; what they were before.
    async fn read(&self) -> Result<HashMap<Arc<str>, Arc<Hung>>, DbErr> {
        // First: what is written meanwhile is read again.
        let generation = store::generation(&self.store).await?;
        let rows = store::all(self.store.reader()).await?;
        let boards = rows.iter().map(|row| Arc::new(Hung::from(row)));
        let boards: HashMap<_, _> = boards.map(|board| (Arc::clone(&board.id), board)).collect();
        let tokens = boards.values().filter_map(|board| {
            let hash = board.token_hash.clone()?;
            Some((hash, Arc::clone(board)))
        });
        let read = Known {
            generation,
            by_token: tokens.collect(),
            boards,
        };
        let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
        Ok(std::mem::replace(&mut *known, read).boards)
    }

    /// The board with this token. 401 `board-revoked`, `unauthorized`.
    pub async fn authenticate(&self, token: &str) -> Result<Arc<Hung>, ApiError> {
        if !token.starts_with(TOKEN_PREFIX) {
            return Err(stranger());
        }
        let hash = tokens::hash(token);
        let mut found = self.by_token(&hash);
        if found.is_none() && self.is_stale().await? {
            // Another process gave it a moment ago.
            let row = store::by_token(&self.store, &hash).await?;
            found = row.map(|row| Arc::new(Hung::from(&row)));
        }
        let Some(board) = found else {
            let ended = store::has_ended(self.store.reader(), &hash).await?;
            return Err(if ended { revoked() } else { stranger() });
        };
        let used = || self.used.lock().unwrap_or_else(PoisonError::into_inner);
        if !board.used && !used().contains(&hash) {
            store::used(&self.store, &hash, now()).await?;
            used().insert(hash);
        }
        Ok(board)
    }

    /// A board as those who manage it see it; whether it is connected is not looked at.
    fn view_of(&self, row: &board::Model) -> Board {
        let seen = self.sightings.of(&row.id);
        let BoardSelf {
            board_id,
            name,
            layout,
            settings,
        } = BoardSelf::from(row);
        let paired_by = row.paired_by_uid.clone().zip(row.paired_by_name.clone());
        Board {
            board_id,
            name,
            layout,
            settings,
            revision: row.revision(),
            state: match (&row.token_hash, row.revoked_at) {
                (Some(_), _) => BoardState::Paired,
                (None, Some(_)) => BoardState::Revoked,
                (None, None) => BoardState::Unpaired,
            },
            last_seen_at: seen.at.or(row.last_seen_at).map(moment),
            live: false,
            version: seen.version.or_else(|| row.version.clone()),
            screen: seen.screen.or_else(|| row.screen()),
            shows: seen.shows,
            paired_at: row.paired_at.map(moment),
            paired_by: paired_by
                .filter(|_| row.paired_at.is_some())
                .map(|(uid, name)| By { uid, name }),
        }
    }
}

impl From<&board::Model> for BoardSelf {
    fn from(row: &board::Model) -> Self {
        Self {
            board_id: row.id.clone(),
            name: row.name.clone(),
            layout: row.layout(),
            settings: row.settings(),
        }
    }
}

impl From<&board::Model> for Hung {
    fn from(row: &board::Model) -> Self {
        let about = BoardSelf::from(row);
        Self {
            id: row.id.as_str().into(),
            view: View::of(about.layout, &about.settings),
            about,
            token_hash: row.token_hash.clone(),
            used: row.token_used_at.is_some(),
        }
    }
}

fn now() -> i64 {
    Timestamp::now().as_millisecond()
}

fn stranger() -> ApiError {
    ApiError::unauthorized("Send a board's own token, as Authorization: Bearer db_...")
}

fn revoked() -> ApiError {
    ApiError::new(
        ErrorCode::BoardRevoked,
        "This board was revoked, or is another screen now: pair it again",
    )
}
