//! The boards of the shop, as every call asks for them: kept in memory, and read again when another
//! process has changed them.

use std::collections::{HashMap, HashSet};
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::Instant;

use dispatch_actors::store::{SoftState, Store};
use jiff::Timestamp;
use sea_orm::DbErr;
use tokio::sync::watch;

use super::api_types::{Board, BoardSelf, BoardState};
use super::display::clock_updates::PendingClockChanges;
use super::display::layout::View;
use super::display::shop::Shop;
use super::display::subscription::BoardSubscription;
use super::display::views::LiveViews;
use super::entities::board;
use super::last_seen::{BoardsLastSeen, LastSeen};
use super::limits::Limits;
use super::other_servers;
use super::pairing::open_pairings::OpenPairings;
use super::pairing::tokens::{self, Keys, PREFIX};
use super::store;
use crate::change_signal::ChangeSignal;
use crate::error::{ApiError, ErrorCode};
use crate::identity::SharedLimits;
use crate::moments::now_ms;
use crate::repair_orders::api_types::By;

/// The boards of the shop.
#[derive(Clone)]
pub struct Boards {
    pub(super) store: Store,
    pub(super) keys: Keys,
    pub(super) views: LiveViews,
    pub(super) limits: Arc<Limits>,
    pub(super) open_pairings: Arc<OpenPairings>,
    /// As the database had them when it was looked at last.
    cache: Arc<RwLock<BoardCache>>,
    /// Held from before the database is read until the changes are announced.
    pub(super) reload_lock: Arc<tokio::sync::Mutex<()>>,
    /// Tokens that were used here for the first time.
    pub(super) used_tokens: Arc<Mutex<HashSet<String>>>,
    pub(super) last_seen: BoardsLastSeen,
    /// The boards that are connected to each server.
    pub(super) screens: SoftState,
    /// Clients that show boards must ask again.
    pub(super) changed: ChangeSignal,
    pub(super) clocks: PendingClockChanges,
    /// When something changed last on a board without an event.
    pub(super) changed_at: Arc<watch::Sender<Option<Instant>>>,
}

#[derive(Default)]
struct BoardCache {
    generation: Option<String>,
    boards: HashMap<Arc<str>, Arc<CachedBoard>>,
    by_token: HashMap<String, Arc<CachedBoard>>,
}

/// A board, as much of it as every call asks for.
#[derive(Clone, Debug, PartialEq)]
pub struct CachedBoard {
    pub id: Arc<str>,
    pub about: BoardSelf,
    pub view: View,
    pub token_hash: Option<String>,
    /// Its token was used before it was looked at.
    is_token_used: bool,
}

impl Boards {
    pub(crate) async fn open(
        store: Store,
        keys: Keys,
        views: LiveViews,
        limits: &SharedLimits,
    ) -> Result<Self, DbErr> {
        store::prepare(&store).await?;
        let screens = SoftState::new(store.others(), other_servers::TOPIC);
        let boards = Self {
            store,
            keys,
            views,
            limits: Arc::new(Limits::new(limits)),
            open_pairings: Arc::default(),
            cache: Arc::default(),
            reload_lock: Arc::default(),
            used_tokens: Arc::default(),
            last_seen: BoardsLastSeen::default(),
            screens,
            changed: ChangeSignal::default(),
            clocks: PendingClockChanges::default(),
            changed_at: Arc::new(watch::Sender::new(None)),
        };
        boards.read().await?;
        Ok(boards)
    }

    pub fn shop(&self) -> &Shop {
        self.views.shop()
    }

    /// Takes the board's place at what it shows.
    pub fn subscribe(&self, board: &CachedBoard) -> BoardSubscription {
        let token = board.token_hash.as_deref().unwrap_or_default();
        self.views
            .subscribe(Arc::clone(&board.id), token, board.view.clone())
    }

    pub(super) fn by_id(&self, id: &str) -> Option<Arc<CachedBoard>> {
        let cache = self.cache.read().unwrap_or_else(PoisonError::into_inner);
        cache.boards.get(id).cloned()
    }

    pub(super) fn by_token(&self, hash: &str) -> Option<Arc<CachedBoard>> {
        let cache = self.cache.read().unwrap_or_else(PoisonError::into_inner);
        cache.by_token.get(hash).cloned()
    }

    /// Whether another process changed boards since they were read.
    pub(super) async fn is_stale(&self) -> Result<bool, DbErr> {
        let generation = store::generation(&self.store).await?;
        let cache = self.cache.read().unwrap_or_else(PoisonError::into_inner);
        Ok(cache.generation != generation)
    }

    /// Reads all boards; what they were before.
    pub(super) async fn read(&self) -> Result<HashMap<Arc<str>, Arc<CachedBoard>>, DbErr> {
        // First: what is written meanwhile is read again.
        let generation = store::generation(&self.store).await?;
        let rows = store::all(self.store.reader()).await?;
        let boards = rows.iter().map(|row| Arc::new(CachedBoard::from(row)));
        let boards: HashMap<_, _> = boards.map(|board| (Arc::clone(&board.id), board)).collect();
        let tokens = boards.values().filter_map(|board| {
            let hash = board.token_hash.clone()?;
            Some((hash, Arc::clone(board)))
        });
        let read = BoardCache {
            generation,
            by_token: tokens.collect(),
            boards,
        };
        let mut cache = self.cache.write().unwrap_or_else(PoisonError::into_inner);
        Ok(std::mem::replace(&mut *cache, read).boards)
    }

    /// The board with this token, which was sent from this address. 401 `board-revoked`, `unauthorized`, 429
    /// `too-many-requests`.
    pub async fn authenticate(
        &self,
        token: &str,
        address: IpAddr,
    ) -> Result<Arc<CachedBoard>, ApiError> {
        let hash = tokens::hash(token);
        let board = match self.by_token(&hash) {
            Some(board) => board,
            None => self.look_up_token(token, &hash, address).await?,
        };
        let used_tokens = || {
            self.used_tokens
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
        };
        if !board.is_token_used && !used_tokens().contains(&hash) {
            store::mark_used(&self.store, &hash, now_ms()).await?;
            used_tokens().insert(hash);
        }
        Ok(board)
    }

    /// The board with a token that is not in the cache. A try is counted before the database is asked, so that
    /// a flood of made-up tokens costs no look-ups, and given back unless the token was never a board's. One
    /// that another process gave a moment ago is in the cache within a second, and good there.
    async fn look_up_token(
        &self,
        token: &str,
        hash: &str,
        address: IpAddr,
    ) -> Result<Arc<CachedBoard>, ApiError> {
        self.limits.unknown_token(address)?;
        let found = match token.starts_with(PREFIX) {
            true => self.read_by_token(hash).await,
            false => Err(stranger()),
        };
        let refusal = found.as_ref().err();
        let is_wrong = refusal.is_some_and(|refused| refused.code == ErrorCode::Unauthorized);
        if !is_wrong {
            self.limits.real_token(address);
        }
        found
    }

    async fn read_by_token(&self, hash: &str) -> Result<Arc<CachedBoard>, ApiError> {
        // Another process may have given it a moment ago.
        let found = match self.is_stale().await? {
            true => {
                let row = store::by_token(&self.store, hash).await?;
                row.map(|row| Arc::new(CachedBoard::from(&row)))
            }
            // All boards may have been read since the first look.
            false => self.by_token(hash),
        };
        if let Some(board) = found {
            return Ok(board);
        }
        let has_ended = store::has_ended(self.store.reader(), hash).await?;
        Err(if has_ended { revoked() } else { stranger() })
    }

    /// A board as those who manage it see it; whether it is connected is not looked at.
    pub(super) fn view_of(&self, row: &board::Model) -> Board {
        let kept = LastSeen::of_row(row);
        let last_seen = self.last_seen.of(&row.id).or(kept);
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
            last_seen_at: last_seen.at.map(moment),
            live: false,
            version: last_seen.version,
            screen: last_seen.screen,
            shows: last_seen.shows,
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

impl From<&board::Model> for CachedBoard {
    fn from(row: &board::Model) -> Self {
        let about = BoardSelf::from(row);
        Self {
            id: row.id.as_str().into(),
            view: View::of(about.layout, &about.settings),
            about,
            token_hash: row.token_hash.clone(),
            is_token_used: row.token_used_at.is_some(),
        }
    }
}

pub(super) fn stranger() -> ApiError {
    ApiError::unauthorized("Send a board's own token, as Authorization: Bearer db_...")
}

fn revoked() -> ApiError {
    ApiError::new(
        ErrorCode::BoardRevoked,
        "This board was revoked, or is another screen now: pair it again",
    )
}

pub(super) fn moment(at: i64) -> Timestamp {
    Timestamp::from_millisecond(at).unwrap_or_default()
}
