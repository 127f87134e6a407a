//! The views that boards look at now: what was last sent to each, so that a change is encoded once
//! for all boards of a view, and only where it changes something on them.

use std::collections::{BTreeMap, HashMap};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use dispatch_actors::broadcaster::{Announcement, Frame, ViewFrames, ViewId};
use dispatch_actors::repair_order::{RepairOrder, RoNumber, Version};
use dispatch_actors::store::Seq;

use super::cards::Card;
use super::layout::View;
use super::shop::{Shop, encoded};
use super::subscription::{BoardSubscription, SubscriptionInner};
use crate::boards::api_types::BoardCardEvent;
use crate::moments::now;
use crate::realtime::frames;

#[derive(Clone)]
pub struct LiveViews {
    pub(in crate::boards) inner: Arc<Inner>,
}

pub(in crate::boards) struct Inner {
    pub(in crate::boards) shop: Shop,
    /// How many there are: without any, an event costs no more than a look at this.
    pub(in crate::boards) count: AtomicUsize,
    pub(in crate::boards) watched: Mutex<Watched>,
}

#[derive(Default)]
pub(in crate::boards) struct Watched {
    pub(in crate::boards) ids: ViewId,
    pub(in crate::boards) live: BTreeMap<ViewId, Live>,
}

pub(in crate::boards) struct Live {
    pub(in crate::boards) view: Arc<View>,
    pub(in crate::boards) seats: usize,
    pub(in crate::boards) last_sent: HashMap<RoNumber, LastSent>,
}

/// What the boards of a view know of an order.
#[derive(Clone, Copy, PartialEq)]
pub(in crate::boards) struct LastSent {
    /// The order's when the first board came; none once all boards have it.
    since: Option<Version>,
    /// Of the card; none where there is none.
    card: Option<u32>,
}

impl LiveViews {
    pub fn new(shop: Shop) -> Self {
        Self {
            inner: Arc::new(Inner {
                shop,
                count: AtomicUsize::new(0),
                watched: Mutex::default(),
            }),
        }
    }

    pub fn shop(&self) -> &Shop {
        &self.inner.shop
    }

    /// A board takes its place; from here on what changes on this view is encoded. `token_hash`:
    /// its pid is valid for this token and this view only.
    pub fn subscribe(&self, board: Arc<str>, token_hash: &str, view: View) -> BoardSubscription {
        let session = format!("{token_hash}:{view}");
        let mut watched = self.watched();
        let Watched { ids, live } = &mut *watched;
        let existing = live.iter().find(|(_, live)| *live.view == view);
        let existing = existing.map(|(id, _)| *id);
        let id = existing.unwrap_or_else(|| {
            *ids += 1;
            *ids
        });
        if existing.is_none() {
            // Before its cards are read: a change in the meantime waits, and is sent afterwards.
            self.inner.count.store(live.len() + 1, Ordering::Release);
        }
        let there = live.entry(id);
        let there = there.or_insert_with(|| Live::new(&self.inner.shop, view));
        there.seats += 1;
        let view = Arc::clone(&there.view);
        self.inner.count.store(live.len(), Ordering::Release);
        drop(watched);
        BoardSubscription(Arc::new(SubscriptionInner {
            views: self.clone(),
            id,
            view,
            board,
            session,
        }))
    }

    /// The views that boards look at.
    pub fn live(&self) -> Vec<(ViewId, Arc<View>)> {
        let watched = self.watched();
        let views = watched.live.iter();
        views
            .map(|(id, live)| (*id, Arc::clone(&live.view)))
            .collect()
    }

    pub fn is_empty(&self) -> bool {
        self.inner.count.load(Ordering::Acquire) == 0
    }

    /// The log went back: what the views were sent before holds no more.
    pub fn start_over(&self) {
        let mut watched = self.watched();
        for live in watched.live.values_mut() {
            live.last_sent = Live::cards_of(&self.inner.shop, &live.view);
        }
    }

    /// What an event changes on the views.
    pub fn changed(&self, announcement: &Announcement) -> ViewFrames {
        let event = &announcement.event;
        self.frames(
            event.number,
            Some(event.version),
            |payload| frames::event("BOARD_CARD", payload, event.position()),
            event.seq,
        )
    }

    /// What changed on the views without an event.
    pub fn again(&self, number: RoNumber, top: Seq) -> ViewFrames {
        self.frames(
            number,
            None,
            |payload| frames::event_without_offset("BOARD_CARD", payload),
            top,
        )
    }

    fn frames(
        &self,
        number: RoNumber,
        event: Option<Version>,
        frame: impl Fn(&BoardCardEvent<'_>) -> Frame,
        seq: Seq,
    ) -> ViewFrames {
        if self.is_empty() {
            return ViewFrames::default();
        }
        let shop = &self.inner.shop;
        // As it is now, which may be newer than the event.
        let order = shop.snapshot.get(number);
        let at = now();
        let mut watched = self.watched();
        let mut changed = Vec::new();
        for (id, live) in &mut watched.live {
            let (card, hash) = card_of(shop, &live.view, order.as_deref());
            // A board may have loaded a state between this event's and the one that is shown.
            let is_late = order
                .as_ref()
                .zip(event)
                .is_some_and(|(order, event)| event < order.version);
            let is_news = live.is_news(number, event, order.is_some(), hash);
            if !is_news && !is_late {
                continue;
            }
            let key = shop.key(live.view.layout, number);
            let payload = BoardCardEvent {
                seq,
                key: &key,
                card: card.as_ref(),
                at,
            };
            changed.push((*id, frame(&payload)));
        }
        changed.into_iter().collect()
    }

    pub(in crate::boards) fn watched(&self) -> MutexGuard<'_, Watched> {
        let watched = self.inner.watched.lock();
        watched.unwrap_or_else(PoisonError::into_inner)
    }
}

fn card_of(shop: &Shop, view: &View, order: Option<&RepairOrder>) -> (Option<Card>, Option<u32>) {
    let card = order.and_then(|order| shop.card(view, order));
    let hash = card
        .as_ref()
        .map(|card| crc32fast::hash(encoded(card).as_bytes()));
    (card, hash)
}

impl Live {
    fn new(shop: &Shop, view: View) -> Self {
        Self {
            last_sent: Self::cards_of(shop, &view),
            view: Arc::new(view),
            seats: 0,
        }
    }

    fn cards_of(shop: &Shop, view: &View) -> HashMap<RoNumber, LastSent> {
        let open: Vec<Arc<RepairOrder>> = shop
            .snapshot
            .read(|open| open.orders.values().cloned().collect());
        let last_sent = |order: &Arc<RepairOrder>| LastSent {
            since: Some(order.version),
            card: card_of(shop, view, Some(order)).1,
        };
        open.iter()
            .map(|order| (order.number, last_sent(order)))
            .collect()
    }

    /// Whether an order must be sent to the boards; remembers that it was.
    fn is_news(
        &mut self,
        number: RoNumber,
        event: Option<Version>,
        is_open: bool,
        card: Option<u32>,
    ) -> bool {
        let now = LastSent { since: None, card };
        let before = match is_open {
            true => self.last_sent.insert(number, now),
            false => self.last_sent.remove(&number),
        };
        match before {
            Some(LastSent {
                since,
                card: before,
            }) => {
                // The first board may have missed an event that was under way when it came.
                let under_way = since
                    .zip(event)
                    .is_some_and(|(since, event)| event <= since);
                before != card || (card.is_some() && under_way)
            }
            None => card.is_some(),
        }
    }
}
