//! What a reader makes of the packets that come to it: where its connection is, and what its check
//! hears.

use tokio::time::Instant;

use super::{Over, Reply, Resume, Stage, State};
use crate::backoff::BackOff;
use crate::reader_context::{ReaderContext, count};
use crate::skim::{Event, Kind, Modified, Packet, Progress, skim};

/// What has come in one read.
pub(super) struct Coming<'a> {
    pub(super) context: &'a ReaderContext,
    pub(super) state: &'a State,
    pub(super) resume: &'a mut Resume,
    pub(super) backoff: &'a mut BackOff,
    pub(super) stage: &'a mut Stage,
    /// When; asked once.
    pub(super) at: Option<i64>,
}

impl Coming<'_> {
    pub(super) fn take(&mut self, packet: &[u8], replies: &mut Vec<Reply>) -> Result<(), Over> {
        let unreadable = || {
            let packet = String::from_utf8_lossy(&packet[..packet.len().min(80)]).into_owned();
            Over::Refused(format!("the server sent what cannot be read: {packet}"))
        };
        match skim(packet).ok_or_else(unreadable)? {
            Packet::Open => {
                self.backoff.reset();
                replies.push(Reply::Connect);
            }
            Packet::Ping => replies.push(Reply::Pong),
            Packet::Connected { pid } => self.connected(pid),
            Packet::Refused(why) => return Err(Over::Refused(format!("CONNECT refused: {why}"))),
            Packet::Disconnected => {
                return Err(Over::Refused("the server disconnected it".to_owned()));
            }
            Packet::Event(event) => self.event(&event),
            Packet::Other => {}
        }
        Ok(())
    }

    fn connected(&mut self, pid: Option<&str>) {
        let resumed = pid.is_some() && pid == self.resume.pid.as_deref();
        if self.resume.joined {
            count(&self.context.tallies.reconnects);
        }
        if resumed {
            count(&self.context.tallies.recovered);
            *self.stage = Stage::Replay;
        } else {
            self.resume.pid = pid.map(str::to_owned);
            self.resume.offset.clear();
            *self.stage = Stage::Hello;
        }
    }

    fn event(&mut self, event: &Event<'_>) {
        self.state.heard_at.set(Some(Instant::now()));
        match event.kind {
            Kind::Modified(modified) => self.modified(&modified),
            Kind::Hello(Progress { seq, is_read }) => {
                self.state.is_read.set(is_read);
                self.hello(seq);
            }
            Kind::Tick(Progress { seq, is_read }) => {
                count(&self.context.frames);
                self.state.is_read.set(is_read);
                self.state.hearing.borrow_mut().promised(seq);
            }
            Kind::Other => {}
        }
        if let Some(offset) = event.offset {
            self.resume.offset.clear();
            self.resume.offset.push_str(offset);
        }
    }

    fn modified(&mut self, modified: &Modified) {
        count(&self.context.frames);
        let replayed = *self.stage != Stage::Live;
        if self.state.role.measured
            && !replayed
            && let Some(stamped) = modified.stamped
        {
            let at = *self.at.get_or_insert_with(|| self.context.clock.now());
            self.context.deliveries.borrow_mut().record(at - stamped);
        }
        let mut hearing = self.state.hearing.borrow_mut();
        if self.context.held_back.get() {
            hearing.hold_back();
        }
        hearing.hear(modified, &mut self.context.places.borrow_mut());
    }

    fn hello(&mut self, seq: i64) {
        let mut hearing = self.state.hearing.borrow_mut();
        match *self.stage {
            Stage::Replay => {
                hearing.promised(seq);
                *self.stage = Stage::Live;
            }
            _ if self.resume.joined => {
                count(&self.context.tallies.reloads);
                hearing.rejoin(seq);
                *self.stage = Stage::Reload(seq);
            }
            _ => {
                hearing.join(seq);
                self.resume.joined = true;
                *self.stage = Stage::Live;
            }
        }
    }
}
