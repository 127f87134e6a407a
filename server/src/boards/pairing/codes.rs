//! Pairing by a code: a screen shows one, and the user who types it makes the screen a board.

use std::net::IpAddr;

use super::open_pairings::MAX_OPEN_PAIRINGS;
use super::store as pairing_store;
use super::tokens;
use crate::audit::{self, AuditKind};
use crate::boards::api_types::{
    Board, BoardTarget, NewPairing, Paired, Pairing, PairingState, Screen,
};
use crate::boards::entities::pairing;
use crate::boards::register::{audit_event, pair};
use crate::boards::registry::{Boards, moment};
use crate::boards::store;
use crate::change_request::AnswerKeeper;
use crate::error::{ApiError, ErrorCode};
use crate::identity::Caller;
use crate::limits::short_text;
use crate::moments::now_ms;

/// How long a code is valid, in milliseconds.
const CODE_TTL_MS: i64 = 10 * 60 * 1_000;

/// Codes to try until one is free.
const MAX_CODE_ATTEMPTS: usize = 5;

impl Boards {
    /// A screen shows a code from here on. 429 `too-many-requests`.
    pub(in crate::boards) async fn begin_pairing(
        &self,
        new: NewPairing,
        address: IpAddr,
    ) -> Result<Pairing, ApiError> {
        let version = short_text("The version", &new.version)?;
        let Screen { width, height } = new.screen.checked()?;
        pairing_store::delete_expired(&self.store, now_ms()).await?;
        if pairing_store::count_waiting(&self.store).await? >= MAX_OPEN_PAIRINGS as u64 {
            let displaced = match self.open_pairings.displaced_by(address) {
                Some(id_hash) => Some(id_hash),
                None => pairing_store::oldest_waiting(&self.store).await?,
            };
            if let Some(id_hash) = displaced {
                pairing_store::withdraw(&self.store, &id_hash).await?;
                self.open_pairings.remove(&id_hash);
            }
        }
        let secret = tokens::new_secret();
        let expires_at = now_ms() + CODE_TTL_MS;
        for _ in 0..MAX_CODE_ATTEMPTS {
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
            if pairing_store::insert(&self.store, row).await? {
                self.open_pairings
                    .add(address, &id_hash, expires_at, now_ms());
                return Ok(Pairing {
                    pairing_id: secret,
                    code,
                    expires_at: moment(expires_at),
                });
            }
        }
        Err(ApiError::unavailable())
    }

    pub(in crate::boards) async fn pairing_state(
        &self,
        secret: &str,
    ) -> Result<PairingState, ApiError> {
        let found = pairing_store::find(&self.store, &tokens::hash(secret)).await?;
        let Some(pairing) = found.filter(|pairing| pairing.expires_at > now_ms()) else {
            return Ok(PairingState::Expired);
        };
        let Some(board) = pairing.board else {
            return Ok(PairingState::Waiting);
        };
        let board = store::one(self.store.reader(), &board).await?;
        let paired_board = board.filter(|board| {
            board.token_hash.as_ref() == Some(&pairing.token_hash) && board.token_used_at.is_none()
        });
        Ok(match paired_board {
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
    pub(in crate::boards) async fn claim(
        &self,
        code: &str,
        target: BoardTarget,
        by: &Caller,
        keeper: &AnswerKeeper,
    ) -> Result<Board, ApiError> {
        let code = tokens::read_code(code).ok_or_else(unknown_code)?;
        let transaction = store::begin(&self.store).await?;
        let found = pairing_store::find_by_code(&transaction, &code, now_ms()).await?;
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
        pairing.expires_at = now_ms() + CODE_TTL_MS;
        let pairing_id = pairing.id_hash.clone();
        pairing_store::claim(&transaction, pairing).await?;
        let event = audit_event(AuditKind::BoardPaired, &row).with_detail("by its code");
        let recorded = audit::record(&transaction, event).await?;
        let board = self.written(transaction, &row, keeper).await?;
        self.open_pairings.remove(&pairing_id);
        recorded.announce();
        Ok(board)
    }
}

fn unknown_code() -> ApiError {
    ApiError::new(
        ErrorCode::UnknownCode,
        "No screen shows this code, or not any more: read it from the screen again",
    )
}
