//! The register of boards: adding, changing, pairing and revoking them, each in one transaction.

use std::net::IpAddr;

use dispatch_actors::store::WriteTransaction;
use jiff::Timestamp;
use uuid::Uuid;

use super::api_types::{
    Board, BoardFields, BoardLink, BoardTarget, NewBoard, NewPairing, Paired, Pairing,
    PairingState, Redeem, Screen,
};
use super::layout::Layout;
use super::open_pairings::MAX_OPEN_PAIRINGS;
use super::store::{self, board, pairing};
use super::tokens::{self, Link};
use super::{Boards, now};
use crate::audit::{self, Actor, AuditEvent, AuditKind};
use crate::change_request::AnswerKeeper;
use crate::error::{ApiError, ErrorCode};
use crate::identity::Caller;
use crate::limits::short_text;

/// A large dealership has a dozen.
const MOST: u64 = 500;

/// For so long a code is good, in milliseconds.
const CODE_LASTS: i64 = 10 * 60 * 1_000;

/// For so long a link is good, in seconds.
const LINK_LASTS: i64 = 7 * 24 * 60 * 60;

/// Codes that are tried until one is nobody's.
const TRIES: usize = 5;

/// What a board is called that nobody named.
const NAMELESS: &str = "Board";

impl Boards {
    /// 409 `too-many-boards`.
    pub(super) async fn add(
        &self,
        new: NewBoard,
        keeper: &AnswerKeeper,
    ) -> Result<Board, ApiError> {
        let name = short_text("The board's name", &new.name)?;
        let settings = new
            .layout
            .defaults()
            .with(new.settings.unwrap_or_default())?;
        let transaction = store::begin(&self.store).await?;
        let id = Uuid::new_v4().to_string();
        let row = board::Model::new(id, name, new.layout, &settings, now());
        self.insert(&transaction, row.clone()).await?;
        self.written(transaction, &row, keeper).await
    }

    /// 404 `unknown-board`.
    pub(super) async fn change(
        &self,
        id: &str,
        fields: BoardFields,
        keeper: &AnswerKeeper,
    ) -> Result<Board, ApiError> {
        let transaction = store::begin(&self.store).await?;
        let mut row = known(&transaction, id).await?;
        change(&mut row, fields)?;
        store::update(&transaction, row.clone()).await?;
        self.written(transaction, &row, keeper).await
    }

    /// Ends a board's token, if it has one, and voids its links. 404 `unknown-board`.
    pub(super) async fn revoke(&self, id: &str) -> Result<(), ApiError> {
        let transaction = store::begin(&self.store).await?;
        let mut row = known(&transaction, id).await?;
        if let Some(hash) = row.token_hash.take() {
            store::end(&transaction, &hash, now()).await?;
            row.token_used_at = None;
            row.revoked_at = Some(now());
        }
        row.epoch += 1;
        let event = event_of(AuditKind::BoardRevoked, &row);
        store::update(&transaction, row).await?;
        let recorded = audit::record(&transaction, event).await?;
        transaction.commit().await?;
        recorded.announce();
        Ok(())
    }

    /// 404 `unknown-board`, 409 `board-paired`.
    pub(super) async fn delete(&self, id: &str) -> Result<(), ApiError> {
        let transaction = store::begin(&self.store).await?;
        let row = known(&transaction, id).await?;
        if row.token_hash.is_some() {
            return Err(ApiError::new(
                ErrorCode::BoardPaired,
                "A screen is this board: revoke it first",
            ));
        }
        store::delete(&transaction, id).await?;
        let event = event_of(AuditKind::BoardDeleted, &row);
        let recorded = audit::record(&transaction, event).await?;
        transaction.commit().await?;
        recorded.announce();
        Ok(())
    }

    /// A screen shows a code from here on. 429 `too-many-requests`.
    pub(super) async fn begin_pairing(
        &self,
        new: NewPairing,
        address: IpAddr,
    ) -> Result<Pairing, ApiError> {
        let version = short_text("The version", &new.version)?;
        let Screen { width, height } = new.screen.checked()?;
        store::sweep(&self.store, now()).await?;
        if store::count_waiting(&self.store).await? >= MAX_OPEN_PAIRINGS as u64 {
            let displaced = match self.open_pairings.displaced_by(address) {
                Some(id_hash) => Some(id_hash),
                None => store::oldest_waiting(&self.store).await?,
            };
            if let Some(id_hash) = displaced {
                store::withdraw_pairing(&self.store, &id_hash).await?;
                self.open_pairings.remove(&id_hash);
            }
        }
        let secret = tokens::new_secret();
        let expires_at = now() + CODE_LASTS;
        for _ in 0..TRIES {
            let code = tokens::new_code();
            let row = pairing::Model {
                id_hash: tokens::hash(&secret),
                code: code.clone(),
                token_hash: tokens::hash(&self.keys.token(&secret)),
                version: version.clone(),
                screen_width: width,
                screen_height: height,
                expires_at,
                board: None,
            };
            let id_hash = row.id_hash.clone();
            if store::insert_pairing(&self.store, row).await? {
                self.open_pairings.add(address, &id_hash, expires_at, now());
                return Ok(Pairing {
                    pairing_id: secret,
                    code,
                    expires_at: moment(expires_at),
                });
            }
        }
        Err(ApiError::unavailable())
    }

    pub(super) async fn pairing_state(&self, secret: &str) -> Result<PairingState, ApiError> {
        let found = store::pairing(&self.store, &tokens::hash(secret)).await?;
        let Some(pairing) = found.filter(|pairing| pairing.expires_at > now()) else {
            return Ok(PairingState::Expired);
        };
        let Some(board) = pairing.board else {
            return Ok(PairingState::Waiting);
        };
        let board = store::one(self.store.reader(), &board).await?;
        let given = board.filter(|board| {
            board.token_hash.as_ref() == Some(&pairing.token_hash) && board.token_used_at.is_none()
        });
        Ok(match given {
            None => PairingState::Expired,
            Some(board) => PairingState::Paired(Paired {
                token: self.keys.token(secret),
                board_id: board.id,
                name: board.name,
            }),
        })
    }

    /// Makes the screen with this code a board. 404 `unknown-code`, `unknown-board`, 409
    /// `too-many-boards`.
    pub(super) async fn claim(
        &self,
        code: &str,
        target: BoardTarget,
        by: &Caller,
        keeper: &AnswerKeeper,
    ) -> Result<Board, ApiError> {
        let code = tokens::read_code(code).ok_or_else(unknown_code)?;
        let transaction = store::begin(&self.store).await?;
        let found = store::waiting(&transaction, &code, now()).await?;
        let mut pairing = found.ok_or_else(unknown_code)?;
        let mut row = self.target(&transaction, target).await?;
        pair(&transaction, &mut row, pairing.token_hash.clone()).await?;
        row.paired_by_uid = Some(by.uid.clone());
        row.paired_by_name = Some(by.name.clone());
        row.version = Some(pairing.version.clone());
        row.screen_width = Some(pairing.screen_width);
        row.screen_height = Some(pairing.screen_height);
        store::update(&transaction, row.clone()).await?;
        pairing.board = Some(row.id.clone());
        // The screen must come to ask for its token.
        pairing.expires_at = now() + CODE_LASTS;
        let pairing_id = pairing.id_hash.clone();
        store::claim(&transaction, pairing).await?;
        let event = event_of(AuditKind::BoardPaired, &row).with_detail("by its code");
        let recorded = audit::record(&transaction, event).await?;
        let board = self.written(transaction, &row, keeper).await?;
        self.open_pairings.remove(&pairing_id);
        recorded.announce();
        Ok(board)
    }

    /// 404 `unknown-board`, 409 `too-many-boards`.
    pub(super) async fn link(
        &self,
        target: BoardTarget,
        by: &Caller,
        keeper: &AnswerKeeper,
    ) -> Result<BoardLink, ApiError> {
        let transaction = store::begin(&self.store).await?;
        let mut row = self.target(&transaction, target).await?;
        if row.linked_by_uid.as_ref().is_some_and(|uid| *uid != by.uid) {
            // The board says who made its links: one person, whose right to it they end with.
            row.epoch += 1;
        }
        row.linked_by_uid = Some(by.uid.clone());
        row.linked_by_name = Some(by.name.clone());
        store::update(&transaction, row.clone()).await?;
        let expires = Timestamp::now().as_second() + LINK_LASTS;
        let link = self.keys.link(Link {
            board: row.id.parse().map_err(|_| ApiError::unavailable())?,
            epoch: row.epoch,
            expires,
        });
        let link = BoardLink {
            board_id: row.id.clone(),
            url: format!("/board#link={link}"),
            expires_at: moment(expires * 1_000),
        };
        keeper.keep(&transaction, &link).await?;
        let event = event_of(AuditKind::BoardLinkMade, &row);
        let recorded = audit::record(&transaction, event).await?;
        transaction.commit().await?;
        recorded.announce();
        Ok(link)
    }

    /// What a link says. 404 `unknown-link`: forged or expired.
    pub(super) fn read_link(&self, link: &str) -> Result<Link, ApiError> {
        self.keys.read_link(link).ok_or_else(unknown_link)
    }

    /// The user id of whoever makes the links of a board.
    pub(super) async fn link_maker(&self, link: Link) -> Result<Option<String>, ApiError> {
        let row = store::one(self.store.reader(), &link.board.to_string()).await?;
        Ok(row.and_then(|row| row.linked_by_uid))
    }

    /// `maker`: of the link, who may still make one. 404 `unknown-link`.
    pub(super) async fn redeem(
        &self,
        link: Link,
        maker: &str,
        redeem: Redeem,
    ) -> Result<Paired, ApiError> {
        let version = short_text("The version", &redeem.version)?;
        let Screen { width, height } = redeem.screen.checked()?;
        let secret = redeem.secret.as_deref();
        if secret.is_some_and(|secret| !tokens::is_secret(secret)) {
            return Err(ApiError::invalid(
                "That is not a screen's secret: 43 letters, digits, - and _",
            ));
        }
        let token = self.keys.token(&match secret {
            Some(secret) => format!("{}.{secret}", redeem.link),
            None => redeem.link,
        });
        let hash = tokens::hash(&token);
        let transaction = store::begin(&self.store).await?;
        let found = store::held(&transaction, &link.board.to_string()).await?;
        let mut row = found.ok_or_else(unknown_link)?;
        // It may have been given to this screen before, and the answer was lost. Without a secret anybody
        // could be that screen.
        let given = row.token_hash.as_ref() == Some(&hash) && row.token_used_at.is_none();
        let again = given && secret.is_some();
        if !again {
            if row.epoch != link.epoch || row.linked_by_uid.as_deref() != Some(maker) {
                return Err(unknown_link());
            }
            pair(&transaction, &mut row, hash).await?;
            row.paired_by_uid = row.linked_by_uid.clone();
            row.paired_by_name = row.linked_by_name.clone();
        }
        row.version = Some(version);
        row.screen_width = Some(width);
        row.screen_height = Some(height);
        store::update(&transaction, row.clone()).await?;
        let event = event_of(AuditKind::BoardPaired, &row)
            .by(Actor::board(&row.id, &row.name))
            .with_detail("by a link");
        let events = if again { vec![] } else { vec![event] };
        let recorded = audit::record_all(&transaction, events).await?;
        transaction.commit().await?;
        audit::announce_all(recorded);
        Ok(Paired {
            token,
            board_id: row.id,
            name: row.name,
        })
    }

    /// The board that is meant, changed as it was asked for; a new one where none is.
    async fn target(
        &self,
        transaction: &WriteTransaction,
        target: BoardTarget,
    ) -> Result<board::Model, ApiError> {
        let BoardTarget { board_id, fields } = target;
        if let Some(id) = board_id {
            let mut row = known(transaction, &id.0).await?;
            change(&mut row, fields)?;
            store::update(transaction, row.clone()).await?;
            return Ok(row);
        }
        let layout = fields.layout.unwrap_or(Layout::ShopFloor);
        let name = short_text(
            "The board's name",
            fields.name.as_deref().unwrap_or(NAMELESS),
        )?;
        let settings = layout
            .defaults()
            .with(fields.settings.unwrap_or_default())?;
        let id = Uuid::new_v4().to_string();
        let row = board::Model::new(id, name, layout, &settings, now());
        self.insert(transaction, row.clone()).await?;
        Ok(row)
    }

    async fn insert(
        &self,
        transaction: &WriteTransaction,
        row: board::Model,
    ) -> Result<(), ApiError> {
        if store::count(transaction).await? >= MOST {
            return Err(ApiError::new(
                ErrorCode::TooManyBoards,
                format!("There are {MOST} boards already; remove one that is not used"),
            ));
        }
        store::insert(transaction, row).await?;
        Ok(())
    }

    async fn written(
        &self,
        transaction: WriteTransaction,
        row: &board::Model,
        keeper: &AnswerKeeper,
    ) -> Result<Board, ApiError> {
        let board = self.view_of(row);
        keeper.keep(&transaction, &board).await?;
        transaction.commit().await?;
        Ok(board)
    }
}

fn event_of(kind: AuditKind, row: &board::Model) -> AuditEvent {
    AuditEvent::done(kind).about(&row.id, &row.name)
}

/// Gives a board a token; one it had ends.
async fn pair(
    transaction: &WriteTransaction,
    row: &mut board::Model,
    hash: String,
) -> Result<(), ApiError> {
    if let Some(before) = row.token_hash.replace(hash) {
        store::end(transaction, &before, now()).await?;
    }
    row.epoch += 1;
    row.token_used_at = None;
    row.paired_at = Some(now());
    row.revoked_at = None;
    Ok(())
}

fn change(row: &mut board::Model, fields: BoardFields) -> Result<(), ApiError> {
    let BoardFields {
        name,
        layout,
        settings,
        expected_revision,
    } = fields;
    if expected_revision.is_some_and(|expected| *expected != row.revision()) {
        return Err(ApiError::new(
            ErrorCode::BoardChanged,
            "Somebody has changed this board meanwhile: look at it again",
        ));
    }
    if let Some(name) = name {
        row.name = short_text("The board's name", &name)?;
    }
    let mut kept = row.settings();
    let layout = match layout {
        Some(layout) if layout != row.layout() => {
            // What it showed another layout may not be able to show.
            kept.categories = layout.defaults().categories;
            kept.columns = None;
            layout
        }
        _ => row.layout(),
    };
    row.show(layout, &kept.with(settings.unwrap_or_default())?);
    Ok(())
}

async fn known(transaction: &WriteTransaction, id: &str) -> Result<board::Model, ApiError> {
    // Nothing else is an id, and PostgreSQL does not take everything as a text.
    Uuid::parse_str(id).map_err(|_| unknown_board())?;
    let row = store::held(transaction, id).await?;
    row.ok_or_else(unknown_board)
}

pub(super) fn unknown_board() -> ApiError {
    ApiError::new(
        ErrorCode::UnknownBoard,
        "There is no such board; it may have been removed",
    )
}

fn unknown_code() -> ApiError {
    ApiError::new(
        ErrorCode::UnknownCode,
        "No screen shows this code, or not any more: read it from the screen again",
    )
}

pub(super) fn unknown_link() -> ApiError {
    ApiError::new(
        ErrorCode::UnknownLink,
        "This link is not good any more: it was used, is older than seven days, or was made void",
    )
}

pub(super) fn moment(at: i64) -> String {
    Timestamp::from_millisecond(at)
        .unwrap_or_default()
        .to_string()
}
