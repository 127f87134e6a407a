//! Closes the sockets of sign-ins that have ended.

use std::time::Duration;

use dispatch_actors::ticks::ticks;
use tokio::sync::broadcast::error::RecvError;

use crate::identity::Identity;
use crate::realtime::live_sockets::LiveSockets;

/// How often it is looked at what let every socket in: a session may have expired, and another server may have died
/// before it said that it ended one or replaced a key.
const CHECK_INTERVAL: Duration = Duration::from_secs(1);

/// Closes the sockets whose session has ended, whose ID token's key is accepted no more, or whose
/// session has no good ID token left, for as long as the server runs.
pub async fn follow_sign_ins(sockets: LiveSockets, identity: Identity) {
    let mut ended = identity.ended();
    let mut keys = identity.token_key_changes();
    let mut elsewhere = identity.other_servers_sign_ins();
    let mut check = ticks(CHECK_INTERVAL);
    loop {
        tokio::select! {
            sign_in = ended.recv() => match sign_in {
                Ok(sign_in) => sockets.end(&sign_in),
                // Some were missed.
                Err(RecvError::Lagged(_)) => end_all_invalid(&sockets, &identity).await,
                Err(RecvError::Closed) => return,
            },
            said = elsewhere.changed() => match said {
                Some(ended) => identity.ended_elsewhere(&ended).for_each(|sign_in| sockets.end(sign_in)),
                None => {
                    identity.look_again();
                    end_all_invalid(&sockets, &identity).await;
                }
            },
            Ok(()) = keys.changed() => end_all_invalid(&sockets, &identity).await,
            _ = check.tick() => end_all_invalid(&sockets, &identity).await,
        }
    }
}

/// A database that does not answer now is asked again.
async fn end_all_invalid(sockets: &LiveSockets, identity: &Identity) {
    let keys = identity.refused_keys(sockets.token_keys()).await;
    sockets.end_keys(&keys.unwrap_or_default());
    let sign_ins = sockets.sign_ins();
    let ended = identity.ended_of(&sign_ins).await;
    let idle = identity.without_id_token(&sign_ins).await;
    for sign_in in [ended, idle]
        .into_iter()
        .flat_map(Result::unwrap_or_default)
    {
        sockets.end(&sign_in);
    }
}
