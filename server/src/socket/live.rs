//! Which sockets belong to which sign-in session, so that ending the one closes the others.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use actix::prelude::*;
use dispatch_actors::broadcaster::SessionId;
use tokio::sync::broadcast::error::RecvError;

use crate::app::Services;

/// The sign-in session of this socket has ended.
#[derive(Message)]
#[rtype(result = "()")]
pub struct SignedOut;

type Sockets = HashMap<SessionId, Recipient<SignedOut>>;

#[derive(Clone, Default)]
pub struct LiveSockets {
    by_sign_in: Arc<Mutex<HashMap<String, Sockets>>>,
}

impl LiveSockets {
    pub(super) fn add(&self, sign_in: &str, session: SessionId, socket: Recipient<SignedOut>) {
        self.lock()
            .entry(sign_in.to_owned())
            .or_default()
            .insert(session, socket);
    }

    pub(super) fn remove(&self, sign_in: &str, session: SessionId) {
        let mut by_sign_in = self.lock();
        if let Some(sockets) = by_sign_in.get_mut(sign_in) {
            sockets.remove(&session);
            if sockets.is_empty() {
                by_sign_in.remove(sign_in);
            }
        }
    }

    /// Every sign-in session that has a socket.
    pub fn sign_ins(&self) -> Vec<String> {
        self.lock().keys().cloned().collect()
    }

    /// Tells the sockets of a sign-in session that it has ended.
    pub fn end(&self, sign_in: &str) {
        let sockets = self.lock().remove(sign_in);
        for socket in sockets.into_iter().flat_map(HashMap::into_values) {
            // There is always room for the one message a socket gets this way; it fails only when
            // the socket is closed already.
            let _ = socket.try_send(SignedOut);
        }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, Sockets>> {
        self.by_sign_in
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

/// How often every socket's sign-in session is looked at: it may have expired, or been ended by
/// another process.
const LOOK: Duration = Duration::from_secs(30);

/// Closes the sockets of every sign-in session that ends, for as long as the server runs.
pub async fn follow_sign_ins(services: Services) {
    let mut ended = services.identity.ended();
    let mut look = tokio::time::interval(LOOK);
    loop {
        tokio::select! {
            sign_in = ended.recv() => match sign_in {
                Ok(sign_in) => services.sockets.end(&sign_in),
                // Some were missed.
                Err(RecvError::Lagged(_)) => look_at_all(&services).await,
                Err(RecvError::Closed) => return,
            },
            _ = look.tick() => look_at_all(&services).await,
        }
    }
}

async fn look_at_all(services: &Services) {
    for sign_in in services.sockets.sign_ins() {
        if matches!(services.identity.is_live(&sign_in).await, Ok(false)) {
            services.sockets.end(&sign_in);
        }
    }
}
