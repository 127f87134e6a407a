//! Sends the mails of the queue: a few at once, each by one server, with longer and longer pauses
//! until it is sent, refused for good, or pointless.
//!
//! A mail is recorded as sent after the mail server has taken it. A server that dies in between
//! leaves its lease to run out, and the mail is sent once more, under the same Message-ID.

use std::collections::HashMap;
use std::future::Future;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use dispatch_actors::ticks::next_tick;
use jiff::tz::TimeZone;
use sea_orm::DbErr;
use tokio::task::{self, JoinError, JoinSet};
use tokio::time::timeout;

use super::claimed_mail::{ClaimedMail, Content, Purpose};
use super::delivery_outcome::{Outcome, deadline};
use super::mail_queue::MailQueue;
use super::queued_mails::{self, QueuedMail};
use super::{links, mail_texts, notice_texts};
use crate::identity::provider::LinkPurpose;
use crate::identity::{Email, accounts};
use crate::mail::{ATTEMPT_TIMEOUT, Mailer, OutgoingMail};
use crate::moments::now_ms;
use crate::shop_settings::ShopSettings;

/// Mails under way at once, so that one that a mail server hangs on does not hold up the others.
const MAX_SENDING: usize = 4;

/// For which a mail that is being sent is left alone by other servers: an attempt, and time to spare
/// for the database and for clocks that differ.
const LEASE: Duration = Duration::from_secs(12 * 60);

const _: () = assert!(LEASE.as_secs() > 2 * ATTEMPT_TIMEOUT.as_secs());

/// How long a mail that another server queued, or left, may go unnoticed.
const POLL_INTERVAL: Duration = Duration::from_secs(5);

/// No mail is due later than this.
pub(super) const HORIZON: Duration = Duration::from_secs(60 * 60);

/// Until what the database did not take is recorded again.
const RECORD_PAUSE: Duration = Duration::from_secs(2);

/// For which the end of the process waits for mails that are being sent.
const STOP_TIMEOUT: Duration = Duration::from_secs(4);

/// Sends what is queued; cheap to clone.
#[derive(Clone)]
pub struct MailDelivery {
    queue: MailQueue,
    mailer: Mailer,
    /// What a mailed link begins with.
    public_url: Arc<str>,
    /// In whose zone notices say times; none: in UTC.
    shop: Option<ShopSettings>,
}

/// Mails under way in this server.
#[derive(Default)]
struct Sending {
    tasks: JoinSet<()>,
    /// Which mail each of the tasks sends.
    mails: HashMap<task::Id, String>,
}

impl Sending {
    fn begin(&mut self, mail: String, send: impl Future<Output = ()> + Send + 'static) {
        let task = self.tasks.spawn(send);
        self.mails.insert(task.id(), mail);
    }

    fn has(&self, mail: &str) -> bool {
        self.mails.values().any(|id| id == mail)
    }

    fn len(&self) -> usize {
        self.mails.len()
    }

    /// Waits until one has ended, however it ended; none when there is none.
    async fn end_one(&mut self) -> Option<()> {
        let ended = self.tasks.join_next_with_id().await?;
        let task = match &ended {
            Ok((task, ())) => *task,
            Err(error) => error.id(),
        };
        self.mails.remove(&task);
        if let Err(error) = ended {
            log_panic(&error);
        }
        Some(())
    }
}

impl MailDelivery {
    pub fn new(queue: MailQueue, mailer: Mailer, public_url: Arc<str>) -> Self {
        Self {
            queue,
            mailer,
            public_url,
            shop: None,
        }
    }

    /// In the shop's zone.
    pub fn with_shop(self, shop: ShopSettings) -> Self {
        let shop = Some(shop);
        Self { shop, ..self }
    }

    /// Until `stop`, and then until what is under way is done, for [`STOP_TIMEOUT`] at most: what is left
    /// is sent once more when its lease has ended, by whatever server there is then.
    pub async fn run(self, stop: impl Future<Output = ()>) {
        let mut stop = pin!(stop);
        let mut sending = Sending::default();
        let mut is_failing = false;
        loop {
            let begun = self.begin_due(&mut sending).await;
            if let Err(error) = &begun
                && !is_failing
            {
                tracing::error!(%error, "queued mails could not be looked at");
            }
            is_failing = begun.is_err();
            let wake = async {
                match is_failing {
                    // The database did not answer: a new mail is no reason to try sooner.
                    true => std::future::pending().await,
                    false => self.queue.wake.notified().await,
                }
            };
            tokio::select! {
                () = &mut stop => break,
                () = wake => {}
                Some(()) = sending.end_one() => {}
                () = next_tick(POLL_INTERVAL) => {}
            }
        }
        let all_ended = async { while sending.end_one().await.is_some() {} };
        if timeout(STOP_TIMEOUT, all_ended).await.is_err() {
            tracing::warn!(
                mails = sending.len(),
                "mails were being sent when the server stopped; they are sent once more"
            );
        }
    }

    /// Begins to send what is due, as far as there is room.
    async fn begin_due(&self, sending: &mut Sending) -> Result<(), DbErr> {
        let store = &self.queue.store;
        if queued_mails::load_due_mails(store.reader(), HORIZON, 1)
            .await?
            .is_empty()
        {
            return Ok(());
        }
        // First, whatever room there is: anybody may ask for a reset of any email.
        queued_mails::delete_unknown(store.writer()).await?;
        let room = MAX_SENDING - sending.len();
        let due = queued_mails::load_due_mails(store.reader(), HORIZON, MAX_SENDING).await?;
        // What is under way here is due again where its lease ended before the database took what
        // became of it.
        let due = due.into_iter().filter(|mail| !sending.has(&mail.id));
        for mail in due.take(room).collect::<Vec<_>>() {
            if let Some(claimed) = self.claim(mail).await? {
                let (id, delivery) = (claimed.mail.id.clone(), self.clone());
                sending.begin(id, async move { delivery.send(&claimed).await });
            }
        }
        Ok(())
    }

    /// Takes a mail and makes its link. None when it is not to be sent, or not by this server.
    async fn claim(&self, mut mail: QueuedMail) -> Result<Option<ClaimedMail>, DbErr> {
        let transaction = self.queue.store.begin_write().await?;
        if !queued_mails::claim_mail(&transaction, &mut mail, LEASE).await? {
            return Ok(None);
        }
        let account = match Email::parse(&mail.email) {
            Ok(email) => accounts::by_email(&transaction, &email).await?,
            Err(_) => None,
        };
        let purpose = Purpose::from_name(&mail.purpose);
        let (Some(account), Some(purpose)) = (account, purpose) else {
            queued_mails::delete(&transaction, &mail).await?;
            transaction.commit().await?;
            return Ok(None);
        };
        let is_reset = purpose == Purpose::Link(LinkPurpose::PasswordReset);
        if is_reset && now_ms() >= deadline(&mail, purpose) {
            tracing::warn!(
                mail = mail.id,
                "a mail with a reset came too late to be sent"
            );
            queued_mails::delete(&transaction, &mail).await?;
            transaction.commit().await?;
            return Ok(None);
        }
        let content = match purpose {
            Purpose::Link(purpose) => Content::Link {
                token: links::make(&transaction, &account.uid, purpose, &mail.id).await?,
                purpose,
            },
            Purpose::Notice(kind) => Content::Notice(kind),
        };
        transaction.commit().await?;
        let uid = account.uid;
        Ok(Some(ClaimedMail { mail, uid, content }))
    }

    fn outgoing_mail(&self, ClaimedMail { mail, content, .. }: &ClaimedMail) -> OutgoingMail {
        let (purpose, token) = match content {
            Content::Link { purpose, token } => (*purpose, token),
            Content::Notice(kind) => {
                let facts = mail.notice_facts();
                let (email, language) = (&mail.email, &mail.language);
                let zone = self.shop.as_ref().map(ShopSettings::time_zone);
                let zone = &zone.unwrap_or(TimeZone::UTC);
                return notice_texts::notice_mail(&mail.id, email, *kind, &facts, language, zone);
            }
        };
        let invitation = match purpose {
            LinkPurpose::PasswordReset => "",
            LinkPurpose::Invitation => "&invitation=1",
        };
        // In the fragment, so that no server's log has it.
        let link = format!(
            "{}/reset-password#token={token}{invitation}",
            self.public_url
        );
        mail_texts::with_link(&mail.id, &mail.email, purpose, &mail.language, &link)
    }

    async fn send(&self, claimed: &ClaimedMail) {
        let outgoing = self.outgoing_mail(claimed);
        let outcome = Outcome::of(claimed, self.mailer.send(&outgoing).await);
        self.queue.counts().count(&outcome);
        // What a mail server has taken must not be sent again because the database was away: until it is
        // recorded this server leaves it alone. Another one cannot know, once the lease has ended.
        let mut is_failing = false;
        while let Err(error) = self.record(claimed, &outcome).await {
            if !is_failing {
                let mail = &claimed.mail.id;
                tracing::error!(%error, mail, "what became of a mail could not be recorded");
            }
            is_failing = true;
            tokio::time::sleep(RECORD_PAUSE).await;
        }
        if claimed.purpose() == Purpose::Link(LinkPurpose::Invitation) {
            self.queue.announce();
        }
    }

    async fn record(&self, claimed: &ClaimedMail, outcome: &Outcome) -> Result<(), DbErr> {
        let ClaimedMail { mail, uid, .. } = claimed;
        let transaction = self.queue.store.begin_write().await?;
        let is_reset = claimed.purpose() == Purpose::Link(LinkPurpose::PasswordReset);
        match outcome {
            Outcome::Sent => {
                let is_newest = match is_reset {
                    true => queued_mails::delete(&transaction, mail).await?,
                    false => queued_mails::record_sent(&transaction, mail).await?,
                };
                if is_newest && let Content::Link { purpose, .. } = claimed.content {
                    links::delete_older_than(&transaction, uid, purpose, &mail.id).await?;
                }
            }
            Outcome::Failed { next: None, .. } if is_reset => {
                queued_mails::delete(&transaction, mail).await?;
            }
            Outcome::Failed { failure, next } => {
                queued_mails::record_failure(&transaction, mail, failure, *next).await?;
            }
        }
        transaction.commit().await
    }
}

/// Its lease runs out, and the mail is tried again.
fn log_panic(error: &JoinError) {
    tracing::error!(%error, "sending a mail broke off");
}

#[cfg(test)]
mod tests {
    use dispatch_actors::store::Store;
    use dispatch_actors::testing::Throwaway;
    use sea_orm::ConnectionTrait;
    use tokio::net::TcpListener;

    use super::*;
    use crate::mail::{Mail, SmtpServer};

    /// Sends to a mail server that accepts connections and says nothing.
    async fn to_nobody(store: &Store) -> (MailDelivery, TcpListener) {
        let deaf = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("smtp://{}", deaf.local_addr().unwrap());
        let mail = Mail::Server {
            server: SmtpServer::new(&url.parse().unwrap()).unwrap(),
            from: "desk@example.com".parse().unwrap(),
        };
        let mailer = Mailer::new(&mail, "nowhere".as_ref());
        let queue = MailQueue::new(store.clone());
        let delivery = MailDelivery::new(queue, mailer, "http://127.0.0.1".into());
        (delivery, deaf)
    }

    async fn invite(store: &Store, email: &str) {
        let email = Email::parse(email).unwrap();
        let transaction = store.begin_write().await.unwrap();
        accounts::add_invited(&transaction, &email).await.unwrap();
        let queued =
            queued_mails::queue_mail(&transaction, &email, LinkPurpose::Invitation, "en").await;
        queued.unwrap();
        transaction.commit().await.unwrap();
    }

    #[tokio::test]
    async fn a_mail_that_is_under_way_is_not_sent_again_although_its_lease_has_ended() {
        let database = Throwaway::sqlite();
        let store = database.store().await;
        let (delivery, _deaf) = to_nobody(&store).await;
        invite(&store, "ann@example.com").await;
        let mut sending = Sending::default();
        delivery.begin_due(&mut sending).await.unwrap();
        assert_eq!(sending.len(), 1);
        let lease_ended = "UPDATE mail_queue SET due_at = 0";
        store
            .writer()
            .execute_unprepared(lease_ended)
            .await
            .unwrap();
        invite(&store, "ben@example.com").await;
        delivery.begin_due(&mut sending).await.unwrap();
        assert_eq!(sending.len(), 2, "the other one is sent");
        let due = queued_mails::load_due_mails(store.reader(), HORIZON, 9).await;
        let due: Vec<_> = due
            .unwrap()
            .into_iter()
            .map(|mail| (mail.email, mail.attempts))
            .collect();
        assert_eq!(due, [("ann@example.com".to_owned(), 1)]);
    }
}
