//! The views that boards look at now: what each was told last, so that a change is encoded once for
//! all boards of a view, and only where it changes something on them.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use dispatch_actors::broadcaster::{Announcement, Audience, Entry, Frame, ViewFrames, ViewId};
use dispatch_actors::repair_order::{RepairOrder, RoNumber, Version};
use dispatch_actors::store::Seq;

use super::api_types::BoardCardEvent;
use super::layout::View;
use super::shop::{Shop, encoded};
use crate::realtime::frames;

#[derive(Clone)]
pub struct LiveViews {
    inner: Arc<Inner>,
}

struct Inner {
    shop: Shop,
    /// How many there are: without any, an event costs no more than a look at this.
    count: AtomicUsize,
    watched: Mutex<Watched>,
}

#[derive(Default)]
struct Watched {
    ids: ViewId,
    live: BTreeMap<ViewId, Live>,
}

struct Live {
    view: Arc<View>,
    seats: usize,
    told: HashMap<RoNumber, Told>,
}

/// What the boards of a view know of an order.
#[derive(Clone, Copy, PartialEq)]
struct Told {
    /// The order's when the first board came; none once all were told.
    since: Option<Version>,
    /// Of the card; none where there is none.
    card: Option<u32>,
}

/// A board's place at its view, for as long as this lives.
#[derive(Clone)]
pub struct Seat(Arc<Place>);

struct Place {
    views: LiveViews,
    id: ViewId,
    view: Arc<View>,
    board: Arc<str>,
    session: String,
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
    /// what it returns by is good for this token and this view alone.
    pub fn sit(&self, board: Arc<str>, token_hash: &str, view: View) -> Seat {
        let session = format!("{token_hash}:{view}");
        let mut watched = self.watched();
        let Watched { ids, live } = &mut *watched;
        let known = live.iter().find(|(_, live)| *live.view == view);
        let known = known.map(|(id, _)| *id);
        let id = known.unwrap_or_else(|| {
            *ids += 1;
            *ids
        });
        if known.is_none() {
            // Before its cards are looked at: whatever changes meanwhile waits, and is told.
            self.inner.count.store(live.len() + 1, Ordering::Release);
        }
        let there = live.entry(id);
        let there = there.or_insert_with(|| Live::new(&self.inner.shop, view));
        there.seats += 1;
        let view = Arc::clone(&there.view);
        self.inner.count.store(live.len(), Ordering::Release);
        drop(watched);
        Seat(Arc::new(Place {
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
            live.told = Live::cards_of(&self.inner.shop, &live.view);
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
        let at = frames::now();
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
                at: at.clone(),
            };
            changed.push((*id, frame(&payload)));
        }
        changed.into_iter().collect()
    }

    fn watched(&self) -> MutexGuard<'_, Watched> {
        let watched = self.inner.watched.lock();
        watched.unwrap_or_else(PoisonError::into_inner)
    }
}

fn card_of(
    shop: &Shop,
    view: &View,
    order: Option<&RepairOrder>,
) -> (Option<super::cards::Card>, Option<u32>) {
    let card = order.and_then(|order| shop.card(view, order));
    let hash = card
        .as_ref()
        .map(|card| crc32fast::hash(encoded(card).as_bytes()));
    (card, hash)
}

impl Live {
    fn new(shop: &Shop, view: View) -> Self {
        Self {
            told: Self::cards_of(shop, &view),
            view: Arc::new(view),
            seats: 0,
        }
    }

    fn cards_of(shop: &Shop, view: &View) -> HashMap<RoNumber, Told> {
        let open: Vec<Arc<RepairOrder>> = shop
            .snapshot
            .look(|open| open.orders.values().cloned().collect());
        let told = |order: &Arc<RepairOrder>| Told {
            since: Some(order.version),
            card: card_of(shop, view, Some(order)).1,
        };
        open.iter()
            .map(|order| (order.number, told(order)))
            .collect()
    }

    /// Whether the boards must be told of an order, and remembers that they were.
    fn is_news(
        &mut self,
        number: RoNumber,
        event: Option<Version>,
        is_open: bool,
        card: Option<u32>,
    ) -> bool {
        let now = Told { since: None, card };
        let before = match is_open {
            true => self.told.insert(number, now),
            false => self.told.remove(&number),
        };
        match before {
            Some(Told {
                since,
                card: before,
            }) => {
                // Of an event that was under way when the first board came it may not have heard.
                let under_way = since
                    .zip(event)
                    .is_some_and(|(since, event)| event <= since);
                before != card || (card.is_some() && under_way)
            }
            None => card.is_some(),
        }
    }
}

impl Seat {
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

    /// What a board that comes back is told of events: each order's card as it is now, once.
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
        let at = frames::now();
        let told = last_first.into_iter().rev().map(|(number, position)| {
            let order = shop.snapshot.get(number);
            let card = order.and_then(|order| shop.card(&self.0.view, &order));
            let payload = BoardCardEvent {
                seq: position.seq,
                key: &shop.key(self.0.view.layout, number),
                card: card.as_ref(),
                at: at.clone(),
            };
            frames::event("BOARD_CARD", &payload, position)
        });
        told.collect()
    }
}

impl Drop for Place {
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

impl PartialEq for Seat {
    fn eq(&self, other: &Self) -> bool {
        self.0.id == other.0.id && self.0.board == other.0.board
    }
}

impl fmt::Debug for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at view {}", self.0.board, self.0.id)
    }
}
