//! What most sessions are to be written next, put together once.

use bytes::Bytes;
use smallvec::SmallVec;

use crate::feed::Feed;
use crate::ring::{Position, Ring};

/// What a WebSocket that reads is to be written next: made once for all members of a group that are
/// at the same position, which are most of them.
#[derive(Default)]
pub(crate) struct SharedBytes {
    /// A session before this position did not take what it was offered.
    since: Position,
    /// By index.
    groups: SmallVec<[GroupBytes; 2]>,
}

#[derive(Default)]
struct GroupBytes {
    from: Position,
    to: Position,
    bytes: Bytes,
    /// Members that receive something else in between.
    exceptions: Vec<i64>,
}

impl SharedBytes {
    pub(crate) fn new(since: Position) -> Self {
        Self {
            since,
            groups: SmallVec::new(),
        }
    }

    /// All that a session at `position` is to receive. None when it is not the same as for others.
    pub(crate) fn at<F: Feed>(
        &mut self,
        position: Position,
        interest: &F::Interest,
        ring: &Ring<F>,
    ) -> Option<&Bytes> {
        if position < self.since || !ring.has(position) {
            return None;
        }
        let group = F::group(interest)?;
        while self.groups.len() <= group.index {
            self.groups.push(GroupBytes::default());
        }
        let shared = &mut self.groups[group.index];
        if (shared.from, shared.to) != (position, ring.end()) {
            *shared = GroupBytes {
                from: position,
                to: ring.end(),
                bytes: ring.since(position, group.index),
                exceptions: ring.members_since(position),
            };
        }
        let is_exception = |member| shared.exceptions.contains(&member);
        (!group.member.is_some_and(is_exception)).then_some(&shared.bytes)
    }
}
