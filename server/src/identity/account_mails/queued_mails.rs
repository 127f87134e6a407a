//! The table of mails that wait to be sent, and of what became of invitations' mails. A row
//! says whom a link is to be made for and never holds one: its token is made when the mail is sent.
//! A notice has no link; its row says what it tells of.
//!
//! A person has one mail of each purpose: asking once more takes the place of what waits. Of a notice
//! that waits the new one tells, too. A server claims a mail by counting the attempt, at the count
//! that it read; so of several servers one has it, until the lease ends. What became of the mail is
//! recorded at that count, too.

use std::time::Duration;

use dispatch_actors::store::WriteTransaction;
use jiff::Timestamp;
use sea_orm::sea_query::{Expr, OnConflict};
use sea_orm::{
    ColumnTrait, Condition, ConnectionTrait, DbErr, EntityTrait, IntoActiveModel, QueryFilter,
    QueryOrder, QuerySelect,
};
use uuid::Uuid;

use super::links::HOUR;
use super::mail_queue::{MailState, MailStatus};
use super::notices::{NoticeFacts, NoticeKind};
use crate::identity::provider::LinkPurpose;
use crate::identity::{Email, accounts};
use crate::moments::now_ms;
pub(super) use row::{Column, Entity};

/// Things of one kind that a notice tells of; of more, the newest.
const MAX_NOTICE_FACTS: usize = 5;

/// Milliseconds from a notice to the next of its kind, so that nobody's letter box is filled.
const NOTICE_PAUSE: i64 = 10 * 60 * 1_000;

/// Milliseconds for which what became of a mail is kept.
const MAX_STATUS_AGE: i64 = 30 * 24 * HOUR;

mod row {
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
    #[sea_orm(table_name = "mail_queue")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false, column_type = "Text")]
        pub email: String,
        #[sea_orm(primary_key, auto_increment = false, column_type = "Text")]
        pub purpose: String,
        #[sea_orm(column_type = "Text")]
        pub id: String,
        #[sea_orm(column_type = "Text")]
        pub language: String,
        pub queued_at: i64,
        pub due_at: Option<i64>,
        pub attempts: i32,
        pub tried_at: Option<i64>,
        #[sea_orm(column_type = "Text", nullable)]
        pub failure: Option<String>,
        /// Of a notice, as JSON.
        #[sea_orm(column_type = "Text", nullable)]
        pub facts: Option<String>,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}
}

pub(in crate::identity) use row::Model as QueuedMail;

impl QueuedMail {
    /// Of a notice: what it tells of, the oldest first.
    pub(in crate::identity) fn notice_facts(&self) -> Vec<NoticeFacts> {
        let facts = self.facts.as_deref().unwrap_or_default();
        serde_json::from_str(facts).unwrap_or_default()
    }

    pub(super) fn status(&self) -> MailStatus {
        let time = |at| Timestamp::from_millisecond(at).unwrap_or_default();
        let state = match (&self.failure, self.due_at) {
            (None, None) => MailState::Sent,
            (None, Some(_)) => MailState::Queued,
            (Some(_), Some(_)) => MailState::Retrying,
            (Some(_), None) => MailState::Failed,
        };
        let at = self.tried_at.filter(|_| state != MailState::Queued);
        MailStatus {
            state,
            at: time(at.unwrap_or(self.queued_at)),
            failure: self.failure.clone(),
            next_attempt_at: self.due_at.map(time).filter(|_| self.failure.is_some()),
        }
    }
}

/// Puts a mail in, in place of what waits for this person.
pub(in crate::identity) async fn queue_mail(
    writer: &impl ConnectionTrait,
    email: &Email,
    purpose: LinkPurpose,
    language: &str,
) -> Result<(), DbErr> {
    insert(
        writer,
        fresh_mail(email, purpose.name(), language, now_ms(), None),
    )
    .await
}

/// Puts a notice in. The first goes out at once; what happens soon after it goes out together.
pub(in crate::identity) async fn queue_notice(
    transaction: &WriteTransaction,
    email: &Email,
    kind: NoticeKind,
    facts: NoticeFacts,
    language: &str,
) -> Result<(), DbErr> {
    let key = (email.as_str().to_owned(), kind.name().to_owned());
    let before = Entity::find_by_id(key)
        .lock_exclusive()
        .one(transaction)
        .await?;
    let is_waiting = before.as_ref().is_some_and(|mail| mail.due_at.is_some());
    // One that is under way counts as sent: what comes meanwhile waits for its turn.
    let sent_at = before.as_ref().and_then(|mail| {
        let is_tried = mail.due_at.is_some() && mail.attempts > 0;
        mail.tried_at.or(is_tried.then(now_ms))
    });
    let mut all = before
        .filter(|_| is_waiting)
        .map_or_else(Vec::new, |mail| mail.notice_facts());
    all.push(facts);
    let first = all.len().saturating_sub(MAX_NOTICE_FACTS);
    let facts = serde_json::json!(&all[first..]).to_string();
    let due_at = sent_at.map_or(0, |sent_at| sent_at + NOTICE_PAUSE);
    // Never later than the pause from now, whatever clock wrote the time before.
    let due_at = due_at.clamp(now_ms(), now_ms() + NOTICE_PAUSE);
    let mail = fresh_mail(email, kind.name(), language, due_at, Some(facts));
    // Until it is sent, what counts is when the one before was.
    let tried_at = sent_at.filter(|_| due_at > now_ms());
    insert(transaction, QueuedMail { tried_at, ..mail }).await
}

fn fresh_mail(
    email: &Email,
    purpose: &str,
    language: &str,
    due_at: i64,
    facts: Option<String>,
) -> QueuedMail {
    QueuedMail {
        email: email.as_str().to_owned(),
        purpose: purpose.to_owned(),
        id: Uuid::now_v7().to_string(),
        language: language.to_owned(),
        queued_at: now_ms(),
        due_at: Some(due_at),
        attempts: 0,
        tried_at: None,
        failure: None,
        facts,
    }
}

async fn insert(writer: &impl ConnectionTrait, mail: QueuedMail) -> Result<(), DbErr> {
    let all_but_the_key = [
        Column::Id,
        Column::Language,
        Column::QueuedAt,
        Column::DueAt,
        Column::Attempts,
        Column::TriedAt,
        Column::Failure,
        Column::Facts,
    ];
    Entity::insert(mail.into_active_model())
        .on_conflict(
            OnConflict::columns([Column::Email, Column::Purpose])
                .update_columns(all_but_the_key)
                .to_owned(),
        )
        .exec_without_returning(writer)
        .await?;
    Ok(())
}

/// The first `limit` that are due. `horizon`: no mail is ever put off for longer, so that what is
/// due later than that was written by a clock that ran ahead.
pub(in crate::identity) async fn load_due_mails(
    reader: &impl ConnectionTrait,
    horizon: Duration,
    limit: usize,
) -> Result<Vec<QueuedMail>, DbErr> {
    let now = now_ms();
    let is_due = Condition::any()
        .add(Column::DueAt.lte(now))
        .add(Column::DueAt.gt(now + horizon.as_millis() as i64));
    Entity::find()
        .filter(is_due)
        .order_by_asc(Column::DueAt)
        .limit(limit as u64)
        .all(reader)
        .await
}

/// Deletes what waits for nobody: emails without an account, or without one any more.
pub(in crate::identity) async fn delete_unknown(
    writer: &impl ConnectionTrait,
) -> Result<(), DbErr> {
    Entity::delete_many()
        .filter(Column::Email.not_in_subquery(accounts::emails()))
        .exec(writer)
        .await?;
    Ok(())
}

/// Takes a mail until the lease ends, and counts the attempt. False when another server has it, or
/// when it was replaced or withdrawn.
pub(in crate::identity) async fn claim_mail(
    writer: &impl ConnectionTrait,
    mail: &mut QueuedMail,
    lease: Duration,
) -> Result<bool, DbErr> {
    let until = now_ms() + lease.as_millis() as i64;
    let claimed = Entity::update_many()
        .col_expr(Column::DueAt, Expr::value(until))
        .col_expr(Column::Attempts, Expr::value(mail.attempts + 1))
        .filter(is_still(mail))
        .exec(writer)
        .await?;
    mail.attempts += 1;
    Ok(claimed.rows_affected > 0)
}

/// Records that an attempt did not succeed. `next`: in milliseconds, none to give up.
pub(in crate::identity) async fn record_failure(
    writer: &impl ConnectionTrait,
    mail: &QueuedMail,
    failure: &str,
    next: Option<i64>,
) -> Result<(), DbErr> {
    Entity::update_many()
        .col_expr(Column::DueAt, Expr::value(next))
        .col_expr(Column::TriedAt, Expr::value(now_ms()))
        .col_expr(Column::Failure, Expr::value(failure))
        .filter(is_still(mail))
        .exec(writer)
        .await?;
    Ok(())
}

/// False when the mail was replaced or withdrawn meanwhile.
pub(in crate::identity) async fn record_sent(
    writer: &impl ConnectionTrait,
    mail: &QueuedMail,
) -> Result<bool, DbErr> {
    let recorded = Entity::update_many()
        .col_expr(Column::DueAt, Expr::value(None::<i64>))
        .col_expr(Column::TriedAt, Expr::value(now_ms()))
        .col_expr(Column::Failure, Expr::value(None::<String>))
        .filter(is_still(mail))
        .exec(writer)
        .await?;
    Ok(recorded.rows_affected > 0)
}

/// For a mail that nobody is shown the end of. False as [`record_sent`].
pub(in crate::identity) async fn delete(
    writer: &impl ConnectionTrait,
    mail: &QueuedMail,
) -> Result<bool, DbErr> {
    let deleted = Entity::delete_many()
        .filter(is_still(mail))
        .exec(writer)
        .await?;
    Ok(deleted.rows_affected > 0)
}

/// Deletes every mail of a person; to go with their account.
pub(in crate::identity) async fn delete_all_of(
    writer: &impl ConnectionTrait,
    email: &str,
) -> Result<(), DbErr> {
    Entity::delete_many()
        .filter(Column::Email.eq(email))
        .exec(writer)
        .await?;
    Ok(())
}

/// Deletes those with links; to go with a password that is set. Notices stay: whoever has set it may be
/// the one they are about.
pub(in crate::identity) async fn delete_links_of(
    writer: &impl ConnectionTrait,
    email: &str,
) -> Result<(), DbErr> {
    let purposes = [LinkPurpose::PasswordReset, LinkPurpose::Invitation];
    Entity::delete_many()
        .filter(Column::Email.eq(email))
        .filter(Column::Purpose.is_in(purposes.map(LinkPurpose::name)))
        .exec(writer)
        .await?;
    Ok(())
}

/// Deletes what nobody will ask about any more.
pub(in crate::identity) async fn delete_expired_mails(
    writer: &impl ConnectionTrait,
) -> Result<(), DbErr> {
    Entity::delete_many()
        .filter(Column::DueAt.is_null())
        .filter(Column::TriedAt.lte(now_ms() - MAX_STATUS_AGE))
        .exec(writer)
        .await?;
    Ok(())
}

/// Neither replaced, withdrawn, nor tried by anybody else since.
fn is_still(mail: &QueuedMail) -> Condition {
    Condition::all()
        .add(Column::Email.eq(&mail.email))
        .add(Column::Purpose.eq(&mail.purpose))
        .add(Column::Id.eq(&mail.id))
        .add(Column::Attempts.eq(mail.attempts))
        .add(Column::DueAt.is_not_null())
}
