//! The desk's figures. Callers share them: they are counted at most every five seconds, however
//! many ask, and an order's events are read once after its closing.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use actix_web::{get, web};
use dispatch_actors::figures::{Calendar, Closing, Figure, Figures, Lived, UsedFigures};
use dispatch_actors::repair_order::{DisplayedStatus, RoNumber, Version};
use dispatch_actors::snapshot::Snapshot;
use dispatch_actors::store::{ClosedOrder, Seq, Store, StoreError};
use jiff::{Timestamp, Zoned};
use serde::Serialize;
use tokio::sync::Mutex;
use utoipa::ToSchema;

use crate::clocks::Clocks;
use crate::error::ApiError;
use crate::identity::Caller;
use crate::shop_settings::ShopSettings;

/// How old an answer may be.
const FRESH: Duration = Duration::from_secs(5);

/// Held while it is counted: who asks meanwhile waits, and takes the same.
#[derive(Clone)]
pub struct DeskFigures {
    store: Store,
    snapshot: Snapshot,
    clocks: Clocks,
    shop: ShopSettings,
    counted: Arc<Mutex<Counted>>,
}

#[derive(Default)]
struct Counted {
    closings: Option<Closings>,
    answer: Option<(Instant, Figures, Seq)>,
}

/// What was closed, as the log had it at `seq`.
struct Closings {
    calendar: Calendar,
    generation: Arc<str>,
    seq: Seq,
    by_number: HashMap<RoNumber, (Version, Closing)>,
}

impl DeskFigures {
    pub fn new(store: Store, snapshot: Snapshot, clocks: Clocks, shop: ShopSettings) -> Self {
        Self {
            store,
            snapshot,
            clocks,
            shop,
            counted: Arc::default(),
        }
    }

    async fn now(&self) -> Result<(Figures, Seq), ApiError> {
        let mut counted = self.counted.lock().await;
        if let Some((at, figures, seq)) = counted.answer
            && at.elapsed() < FRESH
        {
            return Ok((figures, seq));
        }
        let now = Timestamp::now().to_zoned(self.shop.time_zone());
        let calendar = calendar(&now)?;
        let closings = match counted.closings.take() {
            Some(cached) if cached.covers(&calendar, &self.store) => {
                if self.snapshot.seq() > cached.seq {
                    Closings::read(&self.store, calendar, cached.by_number).await?
                } else {
                    cached
                }
            }
            _ => Closings::read(&self.store, calendar, HashMap::new()).await?,
        };
        let clocked = closings.clocked(&self.clocks).await?;
        let figures = Figures::of(clocked.iter(), &calendar);
        let seq = closings.seq;
        counted.answer = Some((Instant::now(), figures, seq));
        counted.closings = Some(closings);
        Ok((figures, seq))
    }
}

impl Closings {
    /// Whether they are of these days, and of the log that there is now.
    fn covers(&self, calendar: &Calendar, store: &Store) -> bool {
        self.calendar.covers(calendar) && self.generation == store.status().generation()
    }

    /// `cached`: closings of before. One that stands as it did is not read again.
    async fn read(
        store: &Store,
        calendar: Calendar,
        mut cached: HashMap<RoNumber, (Version, Closing)>,
    ) -> Result<Self, StoreError> {
        let generation = store.status().generation();
        let closed = store.closed_since(calendar.since()).await?;
        let mut by_number = HashMap::with_capacity(closed.orders.len());
        let mut new_orders: Vec<ClosedOrder> = Vec::new();
        for order in closed.orders {
            match cached.remove(&order.number) {
                Some(same) if same.0 == order.version => {
                    by_number.insert(order.number, same);
                }
                _ => new_orders.push(order),
            }
        }
        let numbers: Vec<RoNumber> = new_orders
            .iter()
            .filter(|order| calendar.asks(order.status, order.closed_at))
            .map(|order| order.number)
            .collect();
        let lives = store.lives(&numbers).await?;
        for order in new_orders {
            let life = lives.get(&order.number);
            let closing = Closing {
                closed_at: order.closed_at,
                status: order.status,
                lived: life.map_or_else(Lived::default, |life| Lived::of(life, order.closed_at)),
                clocked: None,
            };
            by_number.insert(order.number, (order.version, closing));
        }
        Ok(Self {
            calendar,
            generation,
            seq: closed.seq,
            by_number,
        })
    }

    /// With what the clocks say of those of which a figure asks it. Read each time: clocks are
    /// corrected, also when the order is long closed.
    async fn clocked(&self, clocks: &Clocks) -> Result<Vec<Closing>, ApiError> {
        let clocked_orders = self.by_number.iter().filter(|(_, (_, one))| {
            one.status == DisplayedStatus::Used && self.calendar.asks(one.status, one.closed_at)
        });
        let clocked_orders = clocked_orders.map(|(number, (_, one))| (*number, one.closed_at));
        let times = clocks.time_on_orders(&clocked_orders.collect()).await?;
        let closings = self.by_number.iter().map(|(number, (_, one))| Closing {
            clocked: times.get(number).copied(),
            ..one.clone()
        });
        Ok(closings.collect())
    }
}

fn calendar(now: &Zoned) -> Result<Calendar, ApiError> {
    Calendar::at(now).map_err(|error| {
        tracing::error!(%error, "the shop's clock has no today");
        ApiError::unavailable()
    })
}

#[derive(Serialize, ToSchema)]
pub struct FiguresAnswer {
    /// Always true.
    ok: bool,
    result: FiguresNow,
    /// The event number they are true for; they may be up to five seconds old.
    seq: i64,
}

/// What was closed, in the shop's time zone. Reopened orders are not closed.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Figures)]
pub struct FiguresNow {
    /// Orders closed today; yesterday's are those up to the same time of day.
    completed_today: FigureNow,
    /// Of the orders that were Waiting when they were closed today: from when they last became so,
    /// or were opened so, to the closing. Yesterday's is of the whole day.
    average_wait_ms: FigureNow,
    used: UsedNow,
}

/// Of the orders that were Used when they were closed this calendar month. Yesterday's are the
/// month's as they stood when yesterday ended; null on the first. Orders that never had a
/// technician before they were closed, as far as the log knows, have no part in the averages
/// before and in service.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = UsedFigures)]
pub struct UsedNow {
    completed: FigureNow,
    /// From opening to the first technician.
    average_before_service_ms: FigureNow,
    /// From the first technician to closing.
    average_in_service_ms: FigureNow,
    /// The time before the closing in which at least one technician's clock ran on it; of those
    /// orders on which one ever did.
    average_with_technician_ms: FigureNow,
}

/// A figure and what it is compared with; null where there is nothing to count.
#[derive(Serialize, ToSchema)]
#[schema(as = Figure)]
pub struct FigureNow {
    #[schema(required, minimum = 0)]
    value: Option<i64>,
    #[schema(required, minimum = 0)]
    yesterday: Option<i64>,
}

impl From<Figure> for FigureNow {
    fn from(Figure { value, yesterday }: Figure) -> Self {
        Self { value, yesterday }
    }
}

impl From<Figures> for FiguresNow {
    fn from(figures: Figures) -> Self {
        let UsedFigures {
            completed,
            average_before_service,
            average_in_service,
            average_with_technician,
        } = figures.used_cars;
        Self {
            completed_today: figures.completed_today.into(),
            average_wait_ms: figures.average_wait.into(),
            used: UsedNow {
                completed: completed.into(),
                average_before_service_ms: average_before_service.into(),
                average_in_service_ms: average_in_service.into(),
                average_with_technician_ms: average_with_technician.into(),
            },
        }
    }
}

/// What the desk has done: orders completed, how long customers waited, how long used cars took.
#[utoipa::path(
    tag = "repair orders",
    responses(
        (status = 200, body = FiguresAnswer),
    )
)]
#[get("/api/repair-orders/figures")]
pub async fn desk_figures(
    _: Caller,
    figures: web::Data<DeskFigures>,
) -> Result<web::Json<FiguresAnswer>, ApiError> {
    let (figures, seq) = figures.now().await?;
    Ok(web::Json(FiguresAnswer {
        ok: true,
        result: figures.into(),
        seq,
    }))
}
