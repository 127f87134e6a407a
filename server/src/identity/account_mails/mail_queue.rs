//! The queue of mails as those see it who put mails in and show what becomes of them.

use std::collections::HashMap;
use std::sync::Arc;

use dispatch_actors::store::{Store, TopicListener};
use jiff::Timestamp;
use sea_orm::{ColumnTrait, DbErr, EntityTrait, PaginatorTrait, QueryFilter};
use tokio::sync::{Notify, watch};

use super::mail_counts::MailCounts;
use super::queued_mails::{Column, Entity, queue_mail};
use crate::change_signal::ChangeSignal;
use crate::identity::Email;
use crate::identity::provider::{LinkPurpose, ProviderError};

/// Resets that wait at once, for accounts and others: what asks for more is refused. Invitations
/// are an owner's and as many as there are people.
const MAX_RESETS: u64 = 10_000;

/// What other servers hear: what became of an invitation's mail.
const TOPIC: &str = "invitation-mails";

/// What became of a mail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MailStatus {
    pub state: MailState,
    /// When it was queued or, once it was tried, when it was tried last.
    pub at: Timestamp,
    /// Why it was not sent the last time.
    pub failure: Option<String>,
    pub next_attempt_at: Option<Timestamp>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, utoipa::ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum MailState {
    Queued,
    Sent,
    /// It could not be sent and is tried again.
    Retrying,
    /// It could not be sent and is not tried again.
    Failed,
}

/// The queue as those see it who put mails in and show what becomes of them; cheap to clone.
#[derive(Clone)]
pub struct MailQueue {
    pub(in crate::identity) store: Store,
    /// Something is due.
    pub(in crate::identity) wake: Arc<Notify>,
    changed: ChangeSignal,
    counts: Arc<MailCounts>,
}

impl MailQueue {
    pub fn new(store: Store) -> Self {
        Self {
            changed: ChangeSignal::shared(store.others(), TOPIC),
            store,
            wake: Arc::default(),
            counts: Arc::default(),
        }
    }

    /// What became of attempts to send them from here.
    pub fn counts(&self) -> &Arc<MailCounts> {
        &self.counts
    }

    /// Told when the state of an invitation's mail has changed here.
    pub fn changes(&self) -> watch::Receiver<()> {
        self.changed.subscribe()
    }

    /// What other servers say of that, from this call on.
    pub fn change_listener(&self) -> TopicListener {
        self.store.others().listen(TOPIC)
    }

    /// Those of invitations, by email.
    pub async fn invitations(&self) -> Result<HashMap<String, MailStatus>, DbErr> {
        let mails = Entity::find()
            .filter(Column::Purpose.eq(LinkPurpose::Invitation.name()))
            .all(self.store.reader())
            .await?;
        let statuses = mails
            .into_iter()
            .map(|mail| (mail.email.clone(), mail.status()));
        Ok(statuses.collect())
    }

    pub async fn invitation(&self, email: &str) -> Result<Option<MailStatus>, DbErr> {
        let key = (email.to_owned(), LinkPurpose::Invitation.name().to_owned());
        let mail = Entity::find_by_id(key).one(self.store.reader()).await?;
        Ok(mail.map(|mail| mail.status()))
    }

    /// Puts a reset in, whoever's email it is. `TooManyRequests` when too many wait.
    pub(in crate::identity) async fn add_reset(
        &self,
        email: &Email,
        language: &str,
    ) -> Result<(), ProviderError> {
        let waiting = Entity::find()
            .filter(Column::Purpose.eq(LinkPurpose::PasswordReset.name()))
            .count(self.store.reader())
            .await?;
        if waiting >= MAX_RESETS {
            return Err(ProviderError::TooManyRequests);
        }
        queue_mail(
            self.store.writer(),
            email,
            LinkPurpose::PasswordReset,
            language,
        )
        .await?;
        self.wake.notify_one();
        Ok(())
    }

    /// To be called after the commit that put an invitation in, or recorded what became of one.
    pub(in crate::identity) fn announce(&self) {
        self.wake.notify_one();
        self.changed.announce();
    }
}
