//! What is above Engine.IO.

use std::rc::Rc;

use bytes::Bytes;
use bytestring::ByteString;

use crate::engine_session::EngineSession;
use crate::feed::Feed;
use crate::hub::Hub;

/// What Engine.IO carries.
#[derive(Clone, Debug, PartialEq)]
pub enum Message {
    Text(ByteString),
    Binary(Bytes),
}

/// One session's conversation. It may send on the session and close it at any time.
pub trait SessionHandler<F: Feed>: 'static {
    fn opened(&self, _: &Rc<EngineSession<F>>) {}

    fn message(&self, message: Message, session: &Rc<EngineSession<F>>);

    /// The publisher has taken the session in: from here on its thread's ring gets everything. See
    /// [`Hub::session_joined`].
    fn joined(&self, _: F::Joined, _: &Rc<EngineSession<F>>) {}

    /// Nothing is sent any more.
    fn closed(&self, _: &Rc<EngineSession<F>>) {}
}

/// One thread's application on Engine.IO.
pub trait EngineApplication<F: Feed>: 'static {
    /// A new session's.
    fn handler(&self) -> Box<dyn SessionHandler<F>>;

    /// The thread's hub has started; its sessions come later.
    fn started(&self, _: &Rc<Hub<F>>) {}
}
