//! A thread's sessions, visited one after the other in passes that may pause and resume while
//! sessions come and go.

use indexmap::IndexMap;
use indexmap::map::Values;

use crate::sid::SessionId;

/// A session that is there from the beginning to the end of a pass is visited exactly once, in the
/// order of arrival. A session that leaves may change the order of those that are left.
#[derive(Debug)]
pub(crate) struct FanOut<T> {
    members: IndexMap<SessionId, T>,
    /// The pass has been through this many, from the first on.
    visited: usize,
}

impl<T> Default for FanOut<T> {
    fn default() -> Self {
        Self {
            members: IndexMap::default(),
            visited: 0,
        }
    }
}

impl<T> FanOut<T> {
    pub(crate) fn get(&self, id: SessionId) -> Option<&T> {
        self.members.get(&id)
    }

    pub(crate) fn values(&self) -> Values<'_, SessionId, T> {
        self.members.values()
    }

    pub(crate) fn insert(&mut self, id: SessionId, member: T) {
        self.members.insert(id, member);
    }

    /// Whether it was there.
    pub(crate) fn remove(&mut self, id: SessionId) -> bool {
        let Some((index, ..)) = self.members.swap_remove_full(&id) else {
            return false;
        };
        if index < self.visited {
            self.visited -= 1;
            // The last one has its place now, and may not have been visited.
            if self.visited < self.members.len() {
                self.members.swap_indices(index, self.visited);
            }
        }
        true
    }

    pub(crate) fn begin_pass(&mut self) {
        self.visited = 0;
    }

    /// None when the pass is over.
    pub(crate) fn next_of_pass(&mut self) -> Option<&T> {
        let (_, member) = self.members.get_index(self.visited)?;
        self.visited += 1;
        Some(member)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    #[derive(Clone, Debug)]
    enum Step {
        Join,
        /// One of those who are there leaves.
        Leave(prop::sample::Index),
        Visit,
    }

    fn step() -> impl Strategy<Value = Step> {
        prop_oneof![
            Just(Step::Join),
            any::<prop::sample::Index>().prop_map(Step::Leave),
            Just(Step::Visit),
        ]
    }

    proptest! {
        #[test]
        fn each_remaining_session_is_visited_once_while_others_come_and_leave(
            members in 0..20_u64,
            steps in vec(step(), 0..60),
        ) {
            let mut fan_out = FanOut::default();
            (0..members).for_each(|id| fan_out.insert(id, id));
            let (mut there, mut next): (BTreeSet<u64>, u64) = ((0..members).collect(), members);
            let mut visits: BTreeMap<u64, usize> = BTreeMap::new();
            fan_out.begin_pass();
            for step in steps {
                match step {
                    Step::Join => {
                        fan_out.insert(next, next);
                        there.insert(next);
                        next += 1;
                    }
                    Step::Leave(_) if there.is_empty() => {}
                    Step::Leave(index) => {
                        let all: Vec<u64> = there.iter().copied().collect();
                        let id = *index.get(&all);
                        there.remove(&id);
                        prop_assert!(fan_out.remove(id) && !fan_out.remove(id));
                        prop_assert!(fan_out.get(id).is_none());
                    }
                    Step::Visit => {
                        if let Some(id) = fan_out.next_of_pass() {
                            *visits.entry(*id).or_default() += 1;
                        }
                    }
                }
            }
            while let Some(id) = fan_out.next_of_pass() {
                *visits.entry(*id).or_default() += 1;
            }
            prop_assert!(visits.values().all(|times| *times == 1), "{visits:?}");
            prop_assert!(there.iter().all(|id| visits.contains_key(id)), "{visits:?}");
            prop_assert_eq!(fan_out.values().count(), there.len());
        }
    }

    #[test]
    fn sessions_are_visited_in_the_order_of_their_arrival() {
        let mut fan_out = FanOut::default();
        (0..5).for_each(|id| fan_out.insert(id, id));
        for _ in 0..2 {
            fan_out.begin_pass();
            let visited: Vec<u64> =
                std::iter::from_fn(|| fan_out.next_of_pass().copied()).collect();
            assert_eq!(visited, [0, 1, 2, 3, 4]);
        }
    }
}
