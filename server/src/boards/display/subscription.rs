//! A board's subscription to its view.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use dispatch_actors::broadcaster::{Audience, Entry, Frame, ViewId};

use super::layout::View;
use super::views::LiveViews;
use crate::boards::api_types::BoardCardEvent;
use crate::moments::now;
use crate::realtime::frames;

/// A board's subscription to its view. It ends when the last clone is dropped.
#[derive(Clone)]
pub struct BoardSubscription(pub(in crate::boards) Arc<SubscriptionInner>);

pub(in crate::boards) struct SubscriptionInner {
    pub(in crate::boards) views: LiveViews,
    pub(in crate::boards) id: ViewId,
    pub(in crate::boards) view: Arc<View>,
    pub(in crate::boards) board: Arc<str>,
    pub(in crate::boards) session: String,
}

impl BoardSubscription {
    pub fn view(&self) -> ViewId {
        self.0.id
    }

    pub fn board(&self) -> &str {
        &self.0.board
    }

    /// What makes it the same board at the same view when it comes back.
    pub fn session(&self) -> &str {
        &self.0.session
    }

    /// The frames for a board that reconnects: each changed order's card as it is now, once.
    pub fn missed(&self, entries: &[Entry]) -> Vec<Frame> {
        let shop = self.0.views.shop();
        let mut later = BTreeSet::new();
        let mut last_first = Vec::new();
        for entry in entries.iter().rev() {
            let Audience::Order { number, .. } = entry.audience else {
                continue;
            };
            if later.insert(number) {
                last_first.push((number, entry.position));
            }
        }
        let at = now();
        let last_sent = last_first.into_iter().rev().map(|(number, position)| {
            let order = shop.snapshot.get(number);
            let card = order.and_then(|order| shop.card(&self.0.view, &order));
            let payload = BoardCardEvent {
                seq: position.seq,
                key: &shop.key(self.0.view.layout, number),
                card: card.as_ref(),
                at,
            };
            frames::event("BOARD_CARD", &payload, position)
        });
        last_sent.collect()
    }
}

impl Drop for SubscriptionInner {
    fn drop(&mut self) {
        let mut watched = self.views.watched();
        if let Some(live) = watched.live.get_mut(&self.id) {
            live.seats -= 1;
            if live.seats == 0 {
                watched.live.remove(&self.id);
                let count = watched.live.len();
                self.views.inner.count.store(count, Ordering::Release);
            }
        }
    }
}

impl PartialEq for BoardSubscription {
    fn eq(&self, other: &Self) -> bool {
        self.0.id == other.0.id && self.0.board == other.0.board
    }
}

impl fmt::Debug for BoardSubscription {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at view {}", self.0.board, self.0.id)
    }
}
