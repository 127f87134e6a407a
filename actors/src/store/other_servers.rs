//! Servers on the same PostgreSQL database, which hear of each other's writes at once (`NOTIFY`).
//!
//! What is said here only makes a server look sooner: everything is in the database, and whoever may have missed
//! something is told so and looks at all of it. That is so whenever the connection that listens begins anew, and
//! when another server falls silent, which may have died between a commit and its notices. On SQLite there is nobody
//! else to tell.

use std::collections::HashMap;
use std::mem::ManuallyDrop;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use rand::rngs::StdRng;
use rand::{RngCore, SeedableRng};
use sea_orm::sqlx::postgres::{PgListener, PgNotification};
use sea_orm::{ConnectionTrait, DbBackend, Statement};
use tokio::sync::{broadcast, mpsc};
use tokio::time::{sleep, timeout};

use super::Store;
use super::postgres_hosts::PostgresHosts;
use crate::ticks::ticks;

/// PostgreSQL's channel, which is one for all servers on a database.
pub(super) const CHANNEL: &str = "dispatch";

/// The topic of committed events. It is said by the transaction that writes them.
pub const LOG: &str = "log";

/// Says that a server runs.
const ALIVE: &str = "alive";

const ALIVE_INTERVAL: Duration = Duration::from_secs(2);

/// A server that says nothing for this long is gone; a connection on which our own message does not come back for this
/// long is dead.
const SILENCE_TIMEOUT: Duration = Duration::from_secs(10);

/// By then everybody has noticed that a server says nothing: whoever listens looks at least so often.
const SILENCE_NOTICED: Duration =
    Duration::from_secs(SILENCE_TIMEOUT.as_secs() + 2 * ALIVE_INTERVAL.as_secs());

/// Until a connection, or a message that did not get through, is tried again.
const RECONNECT_INTERVAL: Duration = Duration::from_millis(500);

/// A database that takes longer over a connection or a message.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);

/// PostgreSQL takes less than 8,000 bytes. Longer data are left out, and whoever listens looks at all of it.
const MAX_DATA_BYTES: usize = 7_000;

/// Messages that may wait to be sent.
const MAX_QUEUED_MESSAGES: usize = 4_096;

/// Notices that may wait for a follower; one that is further behind is told that it missed some.
const MAX_NOTICES: usize = 1_024;

/// What other servers did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ServerNotice {
    /// Another server wrote something about this topic; without data it may be any of it.
    Written {
        server: Arc<str>,
        topic: Arc<str>,
        data: Option<Arc<str>>,
    },
    /// A server that was not heard before, or not for a while.
    Joined(Arc<str>),
    /// A server has said nothing for ten seconds.
    Lost(Arc<str>),
    /// Some notices may not have arrived: anything may have been written.
    MaybeMissed,
}

/// Cheap to clone: all clones are one server.
#[derive(Clone, Default)]
pub struct OtherServers(Option<Arc<Inner>>);

struct Inner {
    hosts: PostgresHosts,
    /// By chance, so that a server knows its own messages.
    own_name: Arc<str>,
    messages: mpsc::Sender<String>,
    /// Taken by the task that sends them.
    unsent: Mutex<Option<mpsc::Receiver<String>>>,
    heard: Mutex<Heard>,
    notices: broadcast::Sender<ServerNotice>,
}

/// Who was heard.
#[derive(Default)]
struct Heard {
    /// Since when nothing was missed; none while nobody can be heard.
    since: Option<Instant>,
    /// When each other server was heard last.
    servers: HashMap<Arc<str>, Instant>,
}

impl OtherServers {
    pub(super) fn on_postgres(hosts: PostgresHosts) -> Self {
        let mut name = [0; 8];
        StdRng::from_os_rng().fill_bytes(&mut name);
        let name = u64::from_be_bytes(name);
        let (messages, unsent) = mpsc::channel(MAX_QUEUED_MESSAGES);
        Self(Some(Arc::new(Inner {
            hosts,
            own_name: format!("{name:016x}").into(),
            messages,
            unsent: Mutex::new(Some(unsent)),
            heard: Mutex::default(),
            notices: broadcast::Sender::new(MAX_NOTICES),
        })))
    }

    /// Tells the others that something about this topic was written, without waiting; to be called after the commit,
    /// where there is no transaction that could say so.
    pub fn notify(&self, topic: &str, data: &str) {
        if let Some(inner) = &self.0 {
            // Nobody sends them in a program that is not a server, and nobody needs to; and where the database takes none
            // for that long, the others find this server silent and ask for everything once it is back.
            let _ = inner.messages.try_send(inner.payload(topic, data));
        }
    }

    /// Whether the database is one that several servers can share.
    pub fn may_exist(&self) -> bool {
        self.0.is_some()
    }

    /// What this server is called on the database; none on SQLite.
    pub fn own_name(&self) -> Option<&Arc<str>> {
        self.0.as_ref().map(|inner| &inner.own_name)
    }

    /// Whether another server was heard within the last ten seconds.
    pub fn are_heard(&self) -> bool {
        self.0
            .as_ref()
            .is_some_and(|inner| !inner.heard().servers.is_empty())
    }

    /// Whether no server of this name runs any more. False for as long as that cannot be known: a server that runs is
    /// heard within ten seconds.
    pub fn is_gone(&self, server: &str) -> bool {
        let Some(inner) = &self.0 else {
            return false;
        };
        let heard = inner.heard();
        let has_listened = heard
            .since
            .is_some_and(|since| since.elapsed() > SILENCE_TIMEOUT);
        has_listened && server != &*inner.own_name && !heard.servers.contains_key(server)
    }

    /// The database's hosts; none on SQLite.
    pub(super) fn hosts(&self) -> Option<&PostgresHosts> {
        self.0.as_ref().map(|inner| &inner.hosts)
    }

    /// What other servers say about this topic, from this call on; and that anything may have been said since the caller
    /// read what it is about, where others were heard before this call.
    pub fn listen(&self, topic: &'static str) -> TopicListener {
        let notices = self.subscribe();
        let inner = self.0.as_ref();
        TopicListener {
            topic,
            notices,
            is_late: inner.is_some_and(|inner| inner.heard().since.is_some()),
        }
    }

    /// The notices from this call on; none on SQLite.
    pub fn subscribe(&self) -> Option<broadcast::Receiver<ServerNotice>> {
        self.0.as_ref().map(|inner| inner.notices.subscribe())
    }

    /// What a transaction executes to say so; none on SQLite.
    pub(super) fn notification(&self, topic: &str, data: &str) -> Option<Statement> {
        Some(notification(self.0.as_ref()?.payload(topic, data)))
    }

    /// What a transaction that writes events says of them; none on SQLite.
    pub(super) fn log_payload(&self) -> Option<String> {
        Some(self.0.as_ref()?.payload(LOG, ""))
    }

    /// Listens and speaks for as long as `is_running` says so.
    pub(crate) async fn run(&self, store: &Store, is_running: impl Fn() -> bool + Copy) {
        let Some(inner) = self.0.as_deref() else {
            return;
        };
        let unsent = inner
            .unsent
            .lock()
            .ok()
            .and_then(|mut unsent| unsent.take());
        let Some(unsent) = unsent else {
            return;
        };
        tokio::join!(
            inner.receive_until_stopped(is_running),
            inner.send_until_stopped(store, unsent, is_running)
        );
    }
}

/// What other servers say about one topic; by default nothing ever.
#[derive(Default)]
pub struct TopicListener {
    topic: &'static str,
    notices: Option<broadcast::Receiver<ServerNotice>>,
    /// Whoever listens first is told so when the connection begins.
    is_late: bool,
}

impl TopicListener {
    /// Waits until another server may have written something about the topic, on SQLite for ever. Gives what it said;
    /// none where it may be anything. Nothing is lost by waiting for something else instead.
    pub async fn changed(&mut self) -> Option<Arc<str>> {
        if std::mem::take(&mut self.is_late) {
            return None;
        }
        if let Some(notices) = &mut self.notices {
            loop {
                match notices.recv().await {
                    Ok(ServerNotice::Written { topic, data, .. }) if *topic == *self.topic => {
                        return data;
                    }
                    Ok(ServerNotice::MaybeMissed) | Err(broadcast::error::RecvError::Lagged(_)) => {
                        return None;
                    }
                    Ok(_) => {}
                    Err(broadcast::error::RecvError::Closed) => break,
                }
            }
        }
        std::future::pending().await
    }
}

impl Inner {
    fn heard(&self) -> MutexGuard<'_, Heard> {
        self.heard.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn payload(&self, topic: &str, data: &str) -> String {
        let data = if data.len() > MAX_DATA_BYTES {
            ""
        } else {
            data
        };
        format!("{} {topic} {data}", self.own_name)
    }

    async fn send_until_stopped(
        &self,
        store: &Store,
        mut unsent: mpsc::Receiver<String>,
        is_running: impl Fn() -> bool + Copy,
    ) {
        let mut alive = ticks(ALIVE_INTERVAL);
        while is_running() {
            let message = tokio::select! {
                _ = alive.tick() => self.payload(ALIVE, ""),
                message = unsent.recv() => match message {
                    Some(message) => message,
                    None => return,
                },
            };
            self.send(store, message, is_running).await;
        }
    }

    /// Tries again for as long as others may not have noticed that nothing gets through. What does not for that long is
    /// made up for: they find this server silent, and ask for everything once it is back.
    async fn send(&self, store: &Store, message: String, is_running: impl Fn() -> bool) {
        let begun = Instant::now();
        while is_running() {
            let sent = store.reader().execute_raw(notification(message.clone()));
            match store.in_time(CONNECT_TIMEOUT, sent).await {
                Some(Ok(_)) => return,
                Some(Err(error)) => tracing::debug!(%error, "other servers could not be told"),
                None => tracing::debug!("other servers could not be told in time"),
            }
            if begun.elapsed() > SILENCE_NOTICED {
                return;
            }
            sleep(RECONNECT_INTERVAL).await;
        }
    }

    async fn receive_until_stopped(&self, is_running: impl Fn() -> bool + Copy) {
        while is_running() {
            let connected = tokio::select! {
                connected = timeout(CONNECT_TIMEOUT, self.connect()) => connected,
                () = self.hosts.until_moved() => continue,
            };
            match connected {
                Ok(Ok(mut listener)) => {
                    self.begin_to_hear();
                    self.publish(ServerNotice::MaybeMissed);
                    tokio::select! {
                        () = self.receive(&mut listener, is_running) => {}
                        () = self.hosts.until_moved() => {}
                    }
                    self.heard().since = None;
                    drop(ManuallyDrop::into_inner(listener));
                }
                Ok(Err(error)) => tracing::debug!(%error, "other servers cannot be heard"),
                Err(_late) => tracing::debug!("other servers cannot be heard in time"),
            }
            sleep(RECONNECT_INTERVAL).await;
        }
    }

    /// Not dropped with the task that listens: its end starts a task of the driver's, for which there is no runtime any
    /// more when that task ends with its runtime.
    async fn connect(&self) -> Result<ManuallyDrop<PgListener>, sea_orm::sqlx::Error> {
        let listener = PgListener::connect(&self.hosts.current().url).await?;
        let mut listener = ManuallyDrop::new(listener);
        match listener.listen(CHANNEL).await {
            Ok(()) => Ok(listener),
            Err(error) => {
                drop(ManuallyDrop::into_inner(listener));
                Err(error)
            }
        }
    }

    /// Nobody could be heard before, which is no silence of theirs.
    fn begin_to_hear(&self) {
        let (mut heard, now) = (self.heard(), Instant::now());
        heard.since = Some(now);
        heard.servers.values_mut().for_each(|last| *last = now);
    }

    /// Until the connection is lost or our own message does not come back.
    async fn receive(&self, listener: &mut PgListener, is_running: impl Fn() -> bool) {
        let mut own_message_at = Instant::now();
        let mut has_own_message = false;
        while is_running() {
            if own_message_at.elapsed() > SILENCE_TIMEOUT {
                if !has_own_message {
                    tracing::warn!(
                        "the database's notifications do not arrive, so that other servers' changes are shown later; \
                         a connection pooler that keeps no sessions is not to be between"
                    );
                }
                return;
            }
            match timeout(ALIVE_INTERVAL, listener.try_recv()).await {
                Ok(Ok(Some(notification))) => match self.read(&notification) {
                    Some(Message { server, .. }) if server == &*self.own_name => {
                        own_message_at = Instant::now();
                        has_own_message = true;
                    }
                    Some(message) => self.accept(message),
                    None => {}
                },
                // The driver says so once, and would connect anew by itself: what was said meanwhile is lost.
                Ok(Ok(None) | Err(_)) => return,
                Err(_quiet) => {}
            }
            self.drop_the_silent();
        }
    }

    fn drop_the_silent(&self) {
        let now = Instant::now();
        self.heard().servers.retain(|server, last| {
            let is_here = now.duration_since(*last) < SILENCE_TIMEOUT;
            if !is_here {
                tracing::info!(%server, "another server on this database says nothing any more");
                self.publish(ServerNotice::Lost(Arc::clone(server)));
                self.publish(ServerNotice::MaybeMissed);
            }
            is_here
        });
    }

    fn read<'a>(&self, notification: &'a PgNotification) -> Option<Message<'a>> {
        let (server, rest) = notification.payload().split_once(' ')?;
        let (topic, data) = rest.split_once(' ')?;
        Some(Message {
            server,
            topic,
            data,
        })
    }

    fn accept(&self, message: Message<'_>) {
        let server: Arc<str> = message.server.into();
        let before = self
            .heard()
            .servers
            .insert(Arc::clone(&server), Instant::now());
        if before.is_none() {
            tracing::info!(%server, "another server on this database is heard");
            self.publish(ServerNotice::Joined(Arc::clone(&server)));
        }
        if message.topic != ALIVE {
            self.publish(ServerNotice::Written {
                server,
                topic: message.topic.into(),
                data: (!message.data.is_empty()).then(|| message.data.into()),
            });
        }
    }

    fn publish(&self, notice: ServerNotice) {
        // Nobody may follow yet.
        let _ = self.notices.send(notice);
    }
}

struct Message<'a> {
    server: &'a str,
    topic: &'a str,
    data: &'a str,
}

fn notification(payload: String) -> Statement {
    Statement::from_sql_and_values(
        DbBackend::Postgres,
        "SELECT pg_notify($1, $2)",
        [CHANNEL.into(), payload.into()],
    )
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;
    use crate::testing::Throwaway;

    #[tokio::test]
    async fn whoever_listens_after_others_were_heard_looks_at_everything_once() {
        let database = Throwaway::postgres().await;
        let store = database.store().await;
        let others = store.others();
        let inner = others.0.as_ref().unwrap();
        let mut early = others.listen("topic");
        assert_eq!(early.changed().now_or_never(), None);
        inner.begin_to_hear();
        inner.publish(ServerNotice::MaybeMissed);
        let mut late = others.listen("topic");
        for listener in [&mut early, &mut late] {
            assert_eq!(listener.changed().now_or_never(), Some(None));
            assert_eq!(listener.changed().now_or_never(), None);
        }
    }
}
