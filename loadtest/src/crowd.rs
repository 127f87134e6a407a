//! The readers of a run: they join, get commands, are waited for, and are judged at the end.

use std::rc::Rc;
use std::time::Duration;

use tokio::sync::watch;
use tokio::task::{JoinHandle, spawn_local};
use tokio::time::{Instant, sleep, timeout};

use crate::checker::{Hearing, Verdict};
use crate::error::LoadTestError;
use crate::order::List;
use crate::reader::{ConnectionControl, Reader, Role, State};
use crate::reader_context::ReaderContext;

/// To connect, sign in and receive `hello`, after the one before has.
const JOIN: Duration = Duration::from_secs(20);

/// How often it is looked at how far they are.
const LOOK: Duration = Duration::from_millis(20);

/// To say goodbye.
const GOODBYE: Duration = Duration::from_secs(2);

pub struct Crowd {
    context: Rc<ReaderContext>,
    groups: Vec<watch::Sender<ConnectionControl>>,
    readers: Vec<(Rc<State>, JoinHandle<()>)>,
}

/// Readers that get the same commands.
#[derive(Clone, Copy, Debug)]
pub struct Group(usize);

impl Crowd {
    pub fn new(context: &Rc<ReaderContext>) -> Self {
        Self {
            context: context.clone(),
            groups: Vec::new(),
            readers: Vec::new(),
        }
    }

    /// Returns when all of them have received `hello`.
    pub async fn join(&mut self, count: u32, role: &Role) -> Result<Group, LoadTestError> {
        let (controls, control_changes) = watch::channel(ConnectionControl::default());
        self.groups.push(controls);
        let first = self.readers.len();
        for _ in 0..count {
            let state = Rc::new(State::new(role.clone()));
            let reader = Reader::new(self.context.clone(), state.clone(), control_changes.clone());
            self.readers.push((state, spawn_local(reader.listen())));
        }
        let mut live = 0;
        let mut since = Instant::now();
        loop {
            let joined = &self.readers[first..];
            for (state, _) in joined {
                if let Some(why) = &*state.ended.borrow() {
                    return Err(LoadTestError::Unexpected {
                        what: "a reader's `hello`",
                        why: why.clone(),
                    });
                }
            }
            let now_live = joined.iter().filter(|(state, _)| state.live.get()).count();
            if now_live == joined.len() {
                return Ok(Group(self.groups.len() - 1));
            }
            if now_live > live {
                (live, since) = (now_live, Instant::now());
            }
            if since.elapsed() > JOIN {
                return Err(LoadTestError::Unexpected {
                    what: "a reader's `hello`",
                    why: format!("it did not come within {} s", JOIN.as_secs()),
                });
            }
            sleep(LOOK).await;
        }
    }

    /// What everybody has on the screen from now on; must be newer than every `hello`.
    pub fn load(&self, list: &List) {
        let mut places = self.context.places.borrow_mut();
        for (state, _) in &self.readers {
            state.hearing.borrow_mut().load(list, &mut places);
        }
    }

    /// Those who have left and are not to be judged.
    pub fn forget(&mut self) {
        self.readers.clear();
    }

    pub fn tell(&self, group: Group, control: impl FnOnce(&mut ConnectionControl)) {
        self.groups[group.0].send_modify(control);
    }

    pub fn len(&self) -> usize {
        self.readers.len()
    }

    /// The highest number that a first `hello` said.
    pub fn hello(&self) -> i64 {
        let hello = |state: &State| state.hearing.borrow().joined_at();
        self.states().map(hello).max().unwrap_or(0)
    }

    fn states(&self) -> impl Iterator<Item = &State> {
        self.readers.iter().map(|(state, _)| state.as_ref())
    }

    /// Each reader's own, in the order they joined.
    pub fn each(&self) -> Vec<Rc<State>> {
        self.readers
            .iter()
            .map(|(state, _)| state.clone())
            .collect()
    }

    /// Of those that have not ended, how many are not there.
    pub fn absent(&self) -> usize {
        self.states()
            .filter(|state| !state.live.get() && !state.has_ended())
            .count()
    }

    /// Waits until all are back; false when they are not after `patience`.
    pub async fn all_back(&self, patience: Duration) -> bool {
        let since = Instant::now();
        while self.absent() > 0 {
            if since.elapsed() > patience {
                return false;
            }
            sleep(LOOK).await;
        }
        true
    }

    /// Waits until every reader is there and has heard everything up to `seq`, or none has come
    /// closer to it for as long as `patience`.
    pub async fn all_heard(&self, seq: i64, patience: Duration) {
        let mut behind = i64::MAX;
        let mut since = Instant::now();
        loop {
            let now_behind = self
                .states()
                .filter(|state| !state.has_ended())
                .map(|state| {
                    // A reader that does not receive everything learns it from the next tick.
                    let left = (seq - state.hearing.borrow().upto()).max(0);
                    left + i64::from(!state.live.get())
                })
                .sum();
            if now_behind < behind {
                (behind, since) = (now_behind, Instant::now());
            }
            if behind == 0 || since.elapsed() > patience {
                return;
            }
            sleep(LOOK).await;
        }
    }

    /// All leave, and are judged: `end` is a list that was read after the last change, `top` the
    /// highest number that was acknowledged or that `end` is true for.
    pub async fn leave(self, end: &List, top: i64) -> Vec<Verdict> {
        for controls in &self.groups {
            controls.send_modify(|control| control.is_closed = true);
        }
        let mut verdicts = Vec::with_capacity(self.readers.len());
        let until = Instant::now() + GOODBYE;
        for (state, task) in self.readers {
            let mut task = task;
            // A reader that does not end is aborted; it can receive nothing more either way.
            if timeout(until.saturating_duration_since(Instant::now()), &mut task)
                .await
                .is_err()
            {
                task.abort();
            }
            let hearing = state.hearing.replace(Hearing::new(true));
            let places = &mut self.context.places.borrow_mut();
            let mut verdict = match state.role.technician {
                Some(technician) => hearing.verdict(&end.of_technician(technician), top, places),
                None => hearing.verdict(end, top, places),
            };
            verdict.ended = state.ended.take();
            verdicts.push(verdict);
        }
        verdicts
    }
}
