//! What is fanned out: one ordered stream of messages, of which each session hears its part.

use crate::frame::FrameRef;

/// Events are numbered from 1, without a gap and in their order. 0 is before the first.
pub type EventNumber = i64;

/// The types of a stream, and who hears which message of it.
///
/// Some messages are events: they have numbers, and whoever was away is sent those it missed. All
/// others are of the moment, and are not replayed.
pub trait Feed: Sized + 'static {
    /// One message. A clone should be cheap: each thread has one.
    type Message: Clone + Send + Sync + 'static;
    /// What a session wants to hear.
    type Interest: Clone + 'static;
    /// The place of an event in the stream, as it is told to clients: its number, and whatever else
    /// makes it unmistakable. The default is the place before the first event.
    type Offset: Copy + Default + Send + 'static;
    /// What a session is given when it joins the stream; see [`SessionHandler::joined`].
    ///
    /// [`SessionHandler::joined`]: crate::SessionHandler::joined
    type Joined: 'static;

    /// What a session hears of a message, if anything.
    fn frame_of<'a>(interest: &Self::Interest, message: &'a Self::Message) -> Option<FrameRef<'a>>;

    /// Whether a session that missed this event is to be told of it when it comes back.
    fn is_replayed_to(interest: &Self::Interest, event: &Self::Message) -> bool {
        Self::frame_of(interest, event).is_some()
    }

    /// Of the newest event that this or a message before it announces.
    fn offset(message: &Self::Message) -> Self::Offset;

    fn number(offset: Self::Offset) -> EventNumber;

    fn is_event(message: &Self::Message) -> bool;

    /// The bytes of all its frames.
    fn size(message: &Self::Message) -> usize;

    /// The group whose members hear the same, so that what is new is put together once for all of
    /// them. None for an interest that few share.
    fn group(_: &Self::Interest) -> Option<Group> {
        None
    }

    /// What every member of a group hears of a message.
    fn group_frame(_group: usize, _message: &Self::Message) -> Option<FrameRef<'_>> {
        None
    }

    /// The one member of a group who hears this message, or hears something else of it, where the
    /// others do not.
    fn only_for(_: &Self::Message) -> Option<i64> {
        None
    }
}

/// Where a session belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Group {
    /// From 0 on; groups are few.
    pub index: usize,
    /// The session's name in the group, where it may hear what the others do not.
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
