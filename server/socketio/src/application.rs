//! What an application of Socket.IO is to the crate.

use std::rc::Rc;

use bytes::Bytes;
use bytestring::ByteString;
use futures_util::future::LocalBoxFuture;
use serde_json::value::RawValue;

use crate::feed::Feed;
use crate::hub::Hub;
use crate::socket::Socket;

/// What is above Socket.IO, one for each thread.
pub trait Application: 'static {
    /// What its sessions may receive.
    type Feed: Feed;

    /// One connected client's. Dropped when it has left.
    type Client: 'static;

    /// Whether there is such a namespace.
    fn serves(&self, namespace: &str) -> bool;

    /// Lets a client in, or not. `auth`: the JSON that came with CONNECT.
    fn connect(
        &self,
        socket: &Socket<Self::Feed>,
        auth: Option<&str>,
    ) -> LocalBoxFuture<'static, Result<Accepted<Self::Client>, Denied>>;

    /// The client knows that it is in.
    fn connected(&self, socket: &Socket<Self::Feed>, client: &Rc<Self::Client>);

    fn event(&self, socket: &Socket<Self::Feed>, client: &Rc<Self::Client>, event: Event);

    /// The thread's hub has started; its sessions come later.
    fn started(&self, _: &Rc<Hub<Self::Feed>>) {}

    /// The publisher has taken the session in, on which this client is connected to the main
    /// namespace; see [`Hub::session_joined`].
    fn joined(
        &self,
        _: &Socket<Self::Feed>,
        _: &Rc<Self::Client>,
        _: <Self::Feed as Feed>::Joined,
    ) {
    }

    fn left(&self, _: &Socket<Self::Feed>) {}
}

pub struct Accepted<Client> {
    pub client: Client,
    /// The private id with which the client may come back, for applications that recover sessions. A
    /// recovered session keeps it.
    pub pid: Option<String>,
}

/// Why a client is refused.
pub enum Denied {
    /// CONNECT_ERROR, which stops the client's own reconnecting.
    Refused(serde_json::Value),
    /// A passing fault: the connection closes, and the client comes back.
    Fault,
}

/// An event of a client.
pub struct Event {
    /// A JSON list that begins with the name.
    pub(crate) list: ByteString,
    pub attachments: Vec<Bytes>,
    /// The client's number for the acknowledgement it wants.
    pub ack: Option<i64>,
}

impl Event {
    /// The list as it came.
    pub fn json(&self) -> &str {
        &self.list
    }

    /// The arguments, each as it came.
    pub fn arguments(&self) -> Vec<&RawValue> {
        let mut list: Vec<&RawValue> = serde_json::from_str(&self.list).unwrap_or_default();
        if !list.is_empty() {
            list.remove(0);
        }
        list
    }

    pub fn name(&self) -> String {
        let list: Vec<&RawValue> = serde_json::from_str(&self.list).unwrap_or_default();
        let name = list.first().map(|name| serde_json::from_str(name.get()));
        name.and_then(Result::ok).unwrap_or_default()
    }
}
