//! The call about where the shop's cars waited.

use std::collections::BTreeMap;

use actix_web::{get, web};
use dispatch_actors::repair_order::{Refusal, StageId, TechnicianId};
use dispatch_actors::stage_totals::{
    AdvisorTotal, DayBorders, GroupTotal, StageTotal, StageTotals,
};
use dispatch_actors::store::{Store, StoreError};
use dispatch_actors::supervisor::Failure;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan};
use sea_orm::sea_query::{Expr, ExprTrait, Query};
use sea_orm::{ConnectionTrait, DbErr};

use super::Stage;
use super::state::StagesState;
use super::totals_types::{AdvisorTime, StagePlaces, StageTime, TechnicianTime, TimeInStages};
use crate::answer::Answer;
use crate::clocks::api_types::Days;
use crate::error::{ApiError, ErrorBody};
use crate::identity::Caller;
use crate::moments::now;
use crate::staff::Permission;
use crate::technician_names::TechnicianNames;

const MINUTE_MS: i64 = 60_000;

/// By which retention counts the orders that it deletes.
const ORDERS_CLOSED: &str = "orders-closed";

/// Where the shop's cars waited: hours in each stage by day, by technician and by advisor, how long stays were, and how many
/// were too long. Counted from the events of orders.
#[utoipa::path(
    operation_id = "time_in_stages",
    tag = "stages",
    params(Days),
    responses(
        (status = 200, body = Answer<TimeInStages>),
        (status = 400, body = ErrorBody, description = "`invalid-request`: no days, or more than 100"),
        (status = 403, body = ErrorBody),
        (status = 409, body = ErrorBody, description = "`stages-off`"),
    )
)]
#[get("/api/stages/totals")]
pub async fn time_in_stages(
    caller: Caller,
    state: web::Data<StagesState>,
    days: web::Query<Days>,
) -> Result<web::Json<Answer<TimeInStages>>, ApiError> {
    caller.require(Permission::SeeAllTechnicians)?;
    if !state.store.stage_rules().is_on() {
        return Err((&Failure::Refused(Refusal::StagesOff)).into());
    }
    let zone = state.shop.time_zone();
    let (from, to) = state
        .clocks
        .days(days.from.as_deref(), days.to.as_deref())?;
    let days = days_between(from, to, &zone);
    let borders: Result<Vec<Timestamp>, jiff::Error> = days
        .iter()
        .map(|day| Ok(day.to_zoned(zone.clone())?.timestamp()))
        .collect();
    let mut borders = borders.map_err(|error| {
        tracing::error!(%error, "a day of the shop does not begin");
        ApiError::unavailable()
    })?;
    borders.push(to);
    let _turn = state.adding_up.lock().await;
    let result = add_up(&state, days, &borders, &zone).await?;
    Ok(web::Json(Answer::new(result)))
}

/// From midnight to midnight.
fn days_between(from: Timestamp, to: Timestamp, zone: &TimeZone) -> Vec<Date> {
    let first = from.to_zoned(zone.clone()).date();
    let end = to.to_zoned(zone.clone()).date();
    let days = first.series(1.day());
    days.take_while(|day| *day < end).collect()
}

async fn add_up(
    state: &StagesState,
    days: Vec<Date>,
    borders: &[Timestamp],
    zone: &TimeZone,
) -> Result<TimeInStages, ApiError> {
    let (Some(&from), Some(&to)) = (borders.first(), borders.last()) else {
        return Err(ApiError::unavailable());
    };
    let now = now();
    let known = first_known_day(state, (from, to), zone).await?;
    let known = known.filter(|(_, begins)| *begins > from);
    let begins = known.map_or(from, |(_, begins)| begins);
    let shop = state.stages.shop().await?;
    let counted = DayBorders::new(borders, Some(begins), now);
    let mut totals = StageTotals::new(counted, limits(&shop.stages));
    if begins < to {
        let store = &state.store;
        store
            .each_open_between(begins, to, |order| totals.add(order))
            .await?;
    }
    let places = StagePlaces::new(shop.stages.iter().map(|stage| &stage.id));
    let totals = totals.finish();
    Ok(TimeInStages {
        days,
        known_from: known.map(|(day, _)| day),
        until: to.min(now),
        cars: totals.cars,
        stages: stages(totals.stages, &places),
        technicians: technicians(totals.technicians, &places, &state.names),
        advisors: advisors(totals.advisors, &places),
    })
}

/// The first day from which on everything is kept, and when it begins; none where nothing was deleted. What retention deleted,
/// it counted by the day of the closing; of orders that stay without their events, that day is their own.
async fn first_known_day(
    state: &StagesState,
    (from, to): (Timestamp, Timestamp),
    zone: &TimeZone,
) -> Result<Option<(Date, Timestamp)>, StoreError> {
    let of_orders = last_day_of_deleted_orders(&state.store).await?;
    let of_events = state.store.last_closing_without_events(from, to).await?;
    let of_events = of_events.map(|at| at.to_zoned(zone.clone()).date());
    let known = of_orders.max(of_events).and_then(|day| {
        let day = day.tomorrow().ok()?;
        Some((day, day.to_zoned(zone.clone()).ok()?.timestamp()))
    });
    Ok(known)
}

/// The day of the latest closing of an order that is not kept any more.
async fn last_day_of_deleted_orders(store: &Store) -> Result<Option<Date>, DbErr> {
    let latest = Query::select()
        .expr_as(Expr::col("day").max(), "latest")
        .from("daily_totals")
        .and_where(Expr::col("kind").eq(ORDERS_CLOSED))
        .to_owned();
    let row = store.reader().query_one(&latest).await?;
    let day: Option<String> = row
        .map(|row| row.try_get("", "latest"))
        .transpose()?
        .flatten();
    Ok(day.and_then(|day| day.parse().ok()))
}

/// After how many milliseconds a stay is too long.
fn limits(stages: &[Stage]) -> BTreeMap<StageId, i64> {
    let limit = |stage: &Stage| {
        let minutes = i64::from(stage.too_long_minutes?);
        Some((StageId::from(&*stage.id), minutes * MINUTE_MS))
    };
    stages.iter().filter_map(limit).collect()
}

fn stages(totals: BTreeMap<Option<StageId>, StageTotal>, places: &StagePlaces) -> Vec<StageTime> {
    let totals = totals.into_iter();
    let mut stages: Vec<StageTime> = totals
        .map(|(stage, total)| StageTime::new(stage, total))
        .collect();
    stages.sort_by_key(|stage| places.of(stage.stage()));
    stages
}

fn technicians(
    totals: BTreeMap<Option<TechnicianId>, GroupTotal>,
    places: &StagePlaces,
    names: &TechnicianNames,
) -> Vec<TechnicianTime> {
    let totals = totals.into_iter();
    let mut technicians: Vec<TechnicianTime> = totals
        .map(|(id, total)| {
            TechnicianTime::new(id.map(|id| (id, names.of(id, None))), total, places)
        })
        .collect();
    technicians.sort_by_cached_key(TechnicianTime::place);
    technicians
}

fn advisors(totals: BTreeMap<String, AdvisorTotal>, places: &StagePlaces) -> Vec<AdvisorTime> {
    // By name already.
    let totals = totals.into_values();
    let mut advisors: Vec<AdvisorTime> = totals
        .map(|advisor| AdvisorTime::new(advisor.name, advisor.total, places))
        .collect();
    advisors.sort_by_key(AdvisorTime::is_nobody);
    advisors
}
