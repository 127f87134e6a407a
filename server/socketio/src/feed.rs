//! What is fanned out: one ordered stream of messages, of which each session receives its part.

use crate::frame::FrameRef;

/// Events are numbered from 1, without a gap and in their order. 0 is before the first.
pub type EventNumber = i64;

/// The types of a stream, and which session receives which message.
///
/// Some messages are events: they have numbers, and a client that reconnects gets those it missed.
/// All others are not replayed.
pub trait Feed: Sized + 'static {
    /// One message. A clone should be cheap: each thread has one.
    type Message: Clone + Send + Sync + 'static;
    /// What a session wants to receive.
    type Interest: Clone + 'static;
    /// The place of an event in the stream, as clients know it: its number, and whatever else makes
    /// it unique. The default is the place before the first event.
    type Offset: Copy + Default + Send + 'static;
    /// What a session is given when it joins the stream; see [`SessionHandler::joined`].
    ///
    /// [`SessionHandler::joined`]: crate::SessionHandler::joined
    type Joined: 'static;

    /// The frame of a message for a session, if it gets any.
    fn frame_of<'a>(interest: &Self::Interest, message: &'a Self::Message) -> Option<FrameRef<'a>>;

    /// Whether a session that missed this event gets it when it reconnects.
    fn is_replayed_to(interest: &Self::Interest, event: &Self::Message) -> bool {
        Self::frame_of(interest, event).is_some()
    }

    /// Of the newest event that this or a message before it announces.
    fn offset(message: &Self::Message) -> Self::Offset;

    fn number(offset: Self::Offset) -> EventNumber;

    fn is_event(message: &Self::Message) -> bool;

    /// The bytes of all its frames.
    fn size(message: &Self::Message) -> usize;

    /// The group whose members receive the same, so that new messages are encoded once for all of
    /// them. None for an interest that few share.
    fn group(_: &Self::Interest) -> Option<Group> {
        None
    }

    /// The frame of a message for every member of a group.
    fn group_frame(_group: usize, _message: &Self::Message) -> Option<FrameRef<'_>> {
        None
    }

    /// The one member of a group that alone receives this message, or receives another frame of it
    /// than the others.
    fn only_for(_: &Self::Message) -> Option<i64> {
        None
    }
}

/// Where a session belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Group {
    /// From 0 on; groups are few.
    pub index: usize,
    /// The session's name in the group, where it may receive what the others do not.
    pub member: Option<i64>,
}

/// For applications that only answer: there is nothing to follow.
impl Feed for () {
    type Message = std::convert::Infallible;
    type Interest = std::convert::Infallible;
    type Offset = ();
    type Joined = ();

    fn frame_of<'a>(_: &Self::Interest, message: &'a Self::Message) -> Option<FrameRef<'a>> {
        match *message {}
    }

    fn offset(message: &Self::Message) -> Self::Offset {
        match *message {}
    }

    fn number((): Self::Offset) -> EventNumber {
        0
    }

    fn is_event(message: &Self::Message) -> bool {
        match *message {}
    }

    fn size(message: &Self::Message) -> usize {
        match *message {}
    }
}
