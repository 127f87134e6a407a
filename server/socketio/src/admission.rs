//! Who may open a session.

use std::net::IpAddr;

use crate::hub_actor::SessionHandle;
use crate::sid::SessionId;

/// Decides on one thread whether sessions may open there, and is called when they end. Counts over
/// all threads are shared by the application between its values.
///
/// A session is *connected* while a client is in one of its namespaces, and is waiting before and
/// after.
pub trait Admission: 'static {
    /// Whether one more session may open from there now. Where not, the client is answered 503 with
    /// a Retry-After.
    fn admits(&self, address: IpAddr) -> bool;

    /// A session has opened, or its last client has left. The handle ends it from any thread.
    fn waiting(&self, session: SessionHandle, address: IpAddr);

    fn connected(&self, session: SessionId, address: IpAddr);

    fn closed(&self, session: SessionId);
}

/// Admits everybody.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unlimited;

impl Admission for Unlimited {
    fn admits(&self, _: IpAddr) -> bool {
        true
    }

    fn waiting(&self, _: SessionHandle, _: IpAddr) {}

    fn connected(&self, _: SessionId, _: IpAddr) {}

    fn closed(&self, _: SessionId) {}
}
