//! The register of boards: adding, changing, revoking and deleting them, each in one transaction.

use dispatch_actors::store::WriteTransaction;
use uuid::Uuid;

use super::api_types::{Board, BoardFields, BoardTarget, NewBoard};
use super::display::layout::Layout;
use super::entities::board;
use super::registry::Boards;
use super::store;
use crate::audit::{self, AuditEvent, AuditKind};
use crate::change_request::AnswerKeeper;
use crate::error::{ApiError, ErrorCode};
use crate::limits::short_text;
use crate::moments::now_ms;

/// A large dealership has a dozen.
const MAX_BOARDS: u64 = 500;

/// What a board is called that nobody named.
const DEFAULT_NAME: &str = "Board";

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
        let row = board::Model::new(id, name, new.layout, &settings, now_ms());
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
        let mut row = find_or_404(&transaction, id).await?;
        change(&mut row, fields)?;
        store::update(&transaction, row.clone()).await?;
        self.written(transaction, &row, keeper).await
    }

    /// Ends a board's token, if it has one, and voids its links. 404 `unknown-board`.
    pub(super) async fn revoke(&self, id: &str) -> Result<(), ApiError> {
        let transaction = store::begin(&self.store).await?;
        let mut row = find_or_404(&transaction, id).await?;
        if let Some(hash) = row.token_hash.take() {
            store::end(&transaction, &hash, now_ms()).await?;
            row.token_used_at = None;
            row.revoked_at = Some(now_ms());
        }
        row.epoch += 1;
        let event = audit_event(AuditKind::BoardRevoked, &row);
        store::update(&transaction, row).await?;
        let recorded = audit::record(&transaction, event).await?;
        transaction.commit().await?;
        recorded.announce();
        Ok(())
    }

    /// 404 `unknown-board`, 409 `board-paired`.
    pub(super) async fn delete(&self, id: &str) -> Result<(), ApiError> {
        let transaction = store::begin(&self.store).await?;
        let row = find_or_404(&transaction, id).await?;
        if row.token_hash.is_some() {
            return Err(ApiError::new(
                ErrorCode::BoardPaired,
                "A screen is this board: revoke it first",
            ));
        }
        store::delete(&transaction, id).await?;
        let event = audit_event(AuditKind::BoardDeleted, &row);
        let recorded = audit::record(&transaction, event).await?;
        transaction.commit().await?;
        recorded.announce();
        Ok(())
    }

    /// The board that is meant, changed as it was asked for; a new one where none is.
    pub(super) async fn target(
        &self,
        transaction: &WriteTransaction,
        target: BoardTarget,
    ) -> Result<board::Model, ApiError> {
        let BoardTarget { board_id, fields } = target;
        if let Some(id) = board_id {
            let mut row = find_or_404(transaction, &id.0).await?;
            change(&mut row, fields)?;
            store::update(transaction, row.clone()).await?;
            return Ok(row);
        }
        let layout = fields.layout.unwrap_or(Layout::ShopFloor);
        let name = short_text(
            "The board's name",
            fields.name.as_deref().unwrap_or(DEFAULT_NAME),
        )?;
        let settings = layout
            .defaults()
            .with(fields.settings.unwrap_or_default())?;
        let id = Uuid::new_v4().to_string();
        let row = board::Model::new(id, name, layout, &settings, now_ms());
        self.insert(transaction, row.clone()).await?;
        Ok(row)
    }

    async fn insert(
        &self,
        transaction: &WriteTransaction,
        row: board::Model,
    ) -> Result<(), ApiError> {
        if store::count(transaction).await? >= MAX_BOARDS {
            return Err(ApiError::new(
                ErrorCode::TooManyBoards,
                format!("There are {MAX_BOARDS} boards already; remove one that is not used"),
            ));
        }
        store::insert(transaction, row).await?;
        Ok(())
    }

    pub(super) async fn written(
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

pub(super) fn audit_event(kind: AuditKind, row: &board::Model) -> AuditEvent {
    AuditEvent::done(kind).about(&row.id, &row.name)
}

/// Gives a board a token; one it had ends.
pub(super) async fn pair(
    transaction: &WriteTransaction,
    row: &mut board::Model,
    hash: String,
) -> Result<(), ApiError> {
    if let Some(before) = row.token_hash.replace(hash) {
        store::end(transaction, &before, now_ms()).await?;
    }
    row.epoch += 1;
    row.token_used_at = None;
    row.paired_at = Some(now_ms());
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
            // Another layout may not be able to show these categories and columns.
            kept.categories = layout.defaults().categories;
            kept.columns = None;
            layout
        }
        _ => row.layout(),
    };
    row.show(layout, &kept.with(settings.unwrap_or_default())?);
    Ok(())
}

async fn find_or_404(transaction: &WriteTransaction, id: &str) -> Result<board::Model, ApiError> {
    // Nothing else is an id, and PostgreSQL does not take everything as a text.
    Uuid::parse_str(id).map_err(|_| unknown_board())?;
    let row = store::find_locked(transaction, id).await?;
    row.ok_or_else(unknown_board)
}

pub(super) fn unknown_board() -> ApiError {
    ApiError::new(
        ErrorCode::UnknownBoard,
        "There is no such board; it may have been removed",
    )
}
