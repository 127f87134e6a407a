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

use jiff::Timestamp;
use jiff::tz::TimeZone;
use rand::Rng;
use sea_orm::DbErr;
use tokio::task::{self, JoinError, JoinSet};
use tokio::time::timeout;

use super::email::Email;
use super::links::HOUR;
use super::mail_queue::{self, MailQueue, QueuedMail};
use super::notices::NoticeKind;
use super::provider::LinkPurpose;
use super::{accounts, links, mail_texts, notice_texts};
use crate::mail::{ATTEMPT_TIMEOUT, Letter, Mailer, NotSent};
use crate::text;

/// Mails under way at once, so that one that a mail server hangs on does not hold up the others.
const MAX_SENDING: usize = 4;

/// For which a mail that is being sent is left alone by other servers: an attempt, and time to spare
/// for the database and for clocks that differ.
const LEASE: Duration = Duration::from_secs(12 * 60);
const _: () = assert!(LEASE.as_secs() > 2 * ATTEMPT_TIMEOUT.as_secs());

/// How long a mail that another server queued, or left, may go unnoticed.
const POLL_INTERVAL: Duration = Duration::from_secs(5);

/// After the first failure; three times that after the next.
const FIRST_PAUSE: Duration = Duration::from_secs(5);
const MAX_PAUSE: Duration = Duration::from_secs(30 * 60);

/// Pauses are stretched by up to this, so that what failed together is not tried together.
const MAX_STRETCH: f64 = 1.2;

/// No mail is due later than this.
const HORIZON: Duration = Duration::from_secs(60 * 60);

/// Until what the database did not take is recorded again.
const RECORD_PAUSE: Duration = Duration::from_secs(2);

/// For which the end of the process waits for mails that are being sent.
const STOP_TIMEOUT: Duration = Duration::from_secs(4);

/// Characters of a failure that are kept.
const MAX_FAILURE: usize = 300;

/// Milliseconds after which a reset is given up: its link is promised for an hour.
const RESET_TTL: i64 = HOUR;

/// Milliseconds after which an invitation is given up, as mail servers do (RFC 5321, section
/// 4.5.4.1: at least four to five days).
const INVITATION_TTL: i64 = 4 * 24 * HOUR;
const NOTICE_TTL: i64 = INVITATION_TTL;

/// Sends what is queued; cheap to clone.
#[derive(Clone)]
pub struct MailDelivery {
    queue: MailQueue,
    mailer: Mailer,
    /// What a mailed link begins with.
    public_url: Arc<str>,
    /// In which notices say times.
    time_zone: TimeZone,
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

/// A mail that this server has taken.
struct Claimed {
    mail: QueuedMail,
    uid: String,
    content: Content,
}

/// What is in a mail.
enum Content {
    Link { purpose: LinkPurpose, token: String },
    Notice(NoticeKind),
}

/// What a mail is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Purpose {
    Link(LinkPurpose),
    Notice(NoticeKind),
}

impl Purpose {
    fn from_name(name: &str) -> Option<Self> {
        let link = LinkPurpose::from_name(name).map(Self::Link);
        link.or_else(|| NoticeKind::from_name(name).map(Self::Notice))
    }

    fn name(self) -> &'static str {
        match self {
            Self::Link(purpose) => purpose.name(),
            Self::Notice(kind) => kind.name(),
        }
    }

    /// Milliseconds after which a mail is given up.
    fn ttl(self) -> i64 {
        match self {
            Self::Link(LinkPurpose::PasswordReset) => RESET_TTL,
            Self::Link(LinkPurpose::Invitation) => INVITATION_TTL,
            Self::Notice(_) => NOTICE_TTL,
        }
    }
}

impl Claimed {
    fn purpose(&self) -> Purpose {
        match &self.content {
            Content::Link { purpose, .. } => Purpose::Link(*purpose),
            Content::Notice(kind) => Purpose::Notice(*kind),
        }
    }

    /// What nobody else may see; nothing in a notice.
    fn secret(&self) -> Option<&str> {
        match &self.content {
            Content::Link { token, .. } => Some(token),
            Content::Notice(_) => None,
        }
    }
}

impl MailDelivery {
    pub fn new(queue: MailQueue, mailer: Mailer, public_url: Arc<str>) -> Self {
        Self {
            queue,
            mailer,
            public_url,
            time_zone: TimeZone::UTC,
        }
    }

    /// In the shop's zone.
    pub fn with_time_zone(self, time_zone: TimeZone) -> Self {
        Self { time_zone, ..self }
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
                    // Whatever is queued meanwhile, the database did not answer.
                    true => std::future::pending().await,
                    false => self.queue.wake.notified().await,
                }
            };
            tokio::select! {
                () = &mut stop => break,
                () = wake => {}
                Some(()) = sending.end_one() => {}
                () = tokio::time::sleep(POLL_INTERVAL) => {}
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
        if mail_queue::load_due_mails(store.reader(), HORIZON, 1)
            .await?
            .is_empty()
        {
            return Ok(());
        }
        // First, whatever room there is: anybody may ask for a reset of any email.
        mail_queue::delete_unknown(store.writer()).await?;
        let room = MAX_SENDING - sending.len();
        let due = mail_queue::load_due_mails(store.reader(), HORIZON, MAX_SENDING).await?;
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
    async fn claim(&self, mut mail: QueuedMail) -> Result<Option<Claimed>, DbErr> {
        let transaction = self.queue.store.begin_write().await?;
        if !mail_queue::claim_mail(&transaction, &mut mail, LEASE).await? {
            return Ok(None);
        }
        let account = match Email::parse(&mail.email) {
            Ok(email) => accounts::by_email(&transaction, &email).await?,
            Err(_) => None,
        };
        let purpose = Purpose::from_name(&mail.purpose);
        let (Some(account), Some(purpose)) = (account, purpose) else {
            mail_queue::delete(&transaction, &mail).await?;
            transaction.commit().await?;
            return Ok(None);
        };
        let is_reset = purpose == Purpose::Link(LinkPurpose::PasswordReset);
        if is_reset && now() >= deadline(&mail, purpose) {
            tracing::warn!(
                mail = mail.id,
                "a mail with a reset came too late to be sent"
            );
            mail_queue::delete(&transaction, &mail).await?;
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
        Ok(Some(Claimed { mail, uid, content }))
    }

    fn letter(&self, Claimed { mail, content, .. }: &Claimed) -> Letter {
        let (purpose, token) = match content {
            Content::Link { purpose, token } => (*purpose, token),
            Content::Notice(kind) => {
                let facts = mail.notice_facts();
                let (email, language) = (&mail.email, &mail.language);
                let zone = &self.time_zone;
                return notice_texts::letter(&mail.id, email, *kind, &facts, language, zone);
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

    async fn send(&self, claimed: &Claimed) {
        let letter = self.letter(claimed);
        let outcome = Outcome::of(claimed, self.mailer.send(&letter).await);
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

    async fn record(&self, claimed: &Claimed, outcome: &Outcome) -> Result<(), DbErr> {
        let Claimed { mail, uid, .. } = claimed;
        let transaction = self.queue.store.begin_write().await?;
        let is_reset = claimed.purpose() == Purpose::Link(LinkPurpose::PasswordReset);
        match outcome {
            Outcome::Sent => {
                let is_newest = match is_reset {
                    true => mail_queue::delete(&transaction, mail).await?,
                    false => mail_queue::record_sent(&transaction, mail).await?,
                };
                if is_newest && let Content::Link { purpose, .. } = claimed.content {
                    links::delete_older_than(&transaction, uid, purpose, &mail.id).await?;
                }
            }
            Outcome::NotSent { next: None, .. } if is_reset => {
                mail_queue::delete(&transaction, mail).await?;
            }
            Outcome::NotSent { failure, next } => {
                mail_queue::record_failure(&transaction, mail, failure, *next).await?;
            }
        }
        transaction.commit().await
    }
}

/// What became of an attempt.
enum Outcome {
    Sent,
    NotSent {
        failure: String,
        /// Milliseconds; none to give up.
        next: Option<i64>,
    },
}

impl Outcome {
    fn of(claimed: &Claimed, sent: Result<(), NotSent>) -> Self {
        let Err(error) = sent else {
            return Self::Sent;
        };
        let Claimed { mail, .. } = claimed;
        let purpose = claimed.purpose();
        // A mail server may quote what it does not like.
        let failure = match claimed.secret() {
            Some(secret) => error.to_string().replace(secret, "..."),
            None => error.to_string(),
        };
        let failure = text::one_line(&failure);
        let failure: String = failure.chars().take(MAX_FAILURE).collect();
        let next = now() + pause_after(mail.attempts).as_millis() as i64;
        // Twice in a row: a server that is always late has it by now, as often as it was given it.
        let is_late_again = matches!(error, NotSent::Unanswered)
            && mail.failure.as_deref() == Some(failure.as_str());
        let gives_up = error.is_permanent() || is_late_again || next >= deadline(mail, purpose);
        let (purpose, attempts) = (purpose.name(), mail.attempts);
        if gives_up {
            tracing::error!(
                mail = mail.id,
                purpose,
                attempts,
                why = failure,
                "a mail was given up"
            );
        } else {
            tracing::warn!(
                mail = mail.id,
                purpose,
                attempts,
                why = failure,
                "a mail is tried again"
            );
        }
        Self::NotSent {
            failure,
            next: (!gives_up).then_some(next),
        }
    }
}

/// In milliseconds.
fn deadline(mail: &QueuedMail, purpose: Purpose) -> i64 {
    mail.queued_at + purpose.ttl()
}

fn pause_after(attempts: i32) -> Duration {
    let exponent = u32::try_from(attempts - 1).unwrap_or_default();
    let factor = 3_u32.saturating_pow(exponent);
    let pause = FIRST_PAUSE.saturating_mul(factor).min(MAX_PAUSE);
    pause.mul_f64(rand::rng().random_range(1.0..MAX_STRETCH))
}

/// Its lease runs out, and the mail is tried again.
fn log_panic(error: &JoinError) {
    tracing::error!(%error, "sending a mail broke off");
}

fn now() -> i64 {
    Timestamp::now().as_millisecond()
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
            mail_queue::queue_mail(&transaction, &email, LinkPurpose::Invitation, "en").await;
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
        let due = mail_queue::load_due_mails(store.reader(), HORIZON, 9).await;
        let due: Vec<_> = due
            .unwrap()
            .into_iter()
            .map(|mail| (mail.email, mail.attempts))
            .collect();
        assert_eq!(due, [("ann@example.com".to_owned(), 1)]);
    }

    #[test]
    fn a_mail_server_that_never_says_that_it_has_a_mail_gets_it_twice() {
        let claimed = |failure: Option<&str>| Claimed {
            mail: QueuedMail {
                email: "ann@example.com".to_owned(),
                purpose: "invitation".to_owned(),
                id: "1".to_owned(),
                language: "en".to_owned(),
                queued_at: now(),
                due_at: Some(now()),
                attempts: 3,
                tried_at: None,
                failure: failure.map(str::to_owned),
                facts: None,
            },
            uid: "u".to_owned(),
            content: Content::Link {
                purpose: LinkPurpose::Invitation,
                token: "secret".to_owned(),
            },
        };
        let after = |failure: Option<&str>| match Outcome::of(
            &claimed(failure),
            Err(NotSent::Unanswered),
        ) {
            Outcome::NotSent { failure, next } => (failure, next.is_some()),
            Outcome::Sent => panic!("it is not known to be sent"),
        };
        let (late, is_tried_again) = after(None);
        assert!(is_tried_again && after(Some("connection refused")).1);
        assert!(!after(Some(&late)).1);
    }

    #[test]
    fn pauses_grow_from_seconds_to_half_an_hour() {
        let least = |attempts| pause_after(attempts).as_secs_f64() / MAX_STRETCH;
        let most = |attempts| pause_after(attempts).as_secs_f64();
        for (attempts, seconds) in [
            (1, 5.0),
            (2, 15.0),
            (3, 45.0),
            (7, 1_800.0),
            (i32::MAX, 1_800.0),
        ] {
            assert!(
                least(attempts) <= seconds && seconds <= most(attempts),
                "{attempts}"
            );
        }
        assert!(MAX_PAUSE.mul_f64(MAX_STRETCH) < HORIZON);
    }
}
