//! Pairing by a link: the screen on which it is opened is the board.

use jiff::Timestamp;

use super::tokens::{self, Link};
use crate::audit::{self, Actor, AuditKind};
use crate::boards::api_types::{BoardLink, BoardTarget, Paired, Redeem, Screen};
use crate::boards::register::{audit_event, pair};
use crate::boards::registry::{Boards, moment};
use crate::boards::store;
use crate::change_request::AnswerKeeper;
use crate::error::{ApiError, ErrorCode};
use crate::limits::short_text;
use crate::repair_orders::api_types::By;

/// How long a link is valid, in seconds.
const LINK_TTL_SECONDS: i64 = 7 * 24 * 60 * 60;

impl Boards {
    /// 404 `unknown-board`, 409 `too-many-boards`.
    pub(in crate::boards) async fn link(
        &self,
        target: BoardTarget,
        by: &By,
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
        let expires = Timestamp::now().as_second() + LINK_TTL_SECONDS;
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
        let event = audit_event(AuditKind::BoardLinkMade, &row);
        let recorded = audit::record(&transaction, event).await?;
        transaction.commit().await?;
        recorded.announce();
        Ok(link)
    }

    /// What a link says. 404 `unknown-link`: forged or expired.
    pub(in crate::boards) fn read_link(&self, link: &str) -> Result<Link, ApiError> {
        self.keys.read_link(link).ok_or_else(unknown_link)
    }

    /// The user id of the author of a board's links.
    pub(in crate::boards) async fn link_maker(
        &self,
        link: Link,
    ) -> Result<Option<String>, ApiError> {
        let row = store::one(self.store.reader(), &link.board.to_string()).await?;
        Ok(row.and_then(|row| row.linked_by_uid))
    }

    /// `maker`: the link's author, who may still make one. 404 `unknown-link`.
    pub(in crate::boards) async fn redeem(
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
        let found = store::find_locked(&transaction, &link.board.to_string()).await?;
        let mut row = found.ok_or_else(unknown_link)?;
        // It may have been given to this screen before, and the answer was lost. Without a secret anybody
        // could be that screen.
        let is_unused = row.token_hash.as_ref() == Some(&hash) && row.token_used_at.is_none();
        let again = is_unused && secret.is_some();
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
        let event = audit_event(AuditKind::BoardPaired, &row)
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
}

pub(in crate::boards) fn unknown_link() -> ApiError {
    ApiError::new(
        ErrorCode::UnknownLink,
        "This link is not good any more: it was used, is older than seven days, or was made void",
    )
}
