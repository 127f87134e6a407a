//! Who has what to do: every technician with their open repair orders, counted and in the order in
//! which they are to be done.

use std::collections::HashMap;
use std::sync::Arc;

use actix_web::{get, web};
use dispatch_actors::repair_order::{RepairOrder, StageRules, TechnicianId};
use dispatch_actors::store::Seq;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::super::state::TechniciansState;
use super::super::{DailyMinutes, Technician, store};
use super::attendance::DaysLeft;
use super::load::{ClockNow, ClockTimes, Load, is_promised_before, loads, technicians_on};
use super::order_counts::OrderCounts;
use crate::clocks::api_types::FinishedJob;
use crate::error::{ApiError, ErrorBody};
use crate::identity::{Caller, Path, Visibility};
use crate::ids::TechnicianIdInPath;
use crate::repair_orders::api_types::{Row, rows};
use crate::technician_names::TechnicianNames;
use crate::text::name_order;

/// A technician and the open orders they are on, for the desk or for the dealer's system.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TechnicianAssignments {
    pub technician_id: i64,
    pub full_name: String,
    /// Empty when it is not known.
    pub specialty: String,
    /// Whether an account with the role Technician is linked to this technician.
    pub portal_enabled: bool,
    /// The level of the organisation they sit in, if any.
    #[schema(required)]
    pub id_level: Option<i64>,
    #[schema(required)]
    pub level_name: Option<String>,
    /// Hours they work a day; 8 for technicians who are not on the shop's list.
    #[serde(rename = "dailyHours")]
    #[schema(value_type = f64)]
    pub daily: DailyMinutes,
    /// Hours for which the jobs that are still to be done on their open orders are sold, as far as
    /// they are known; where several technicians are on an order, each has an equal share of it.
    pub assigned_hours: f64,
    /// Jobs still to be done whose hours are not known.
    pub jobs_without_hours: u32,
    /// Of the assigned hours, those of orders that are promised by the end of the shop's today, late ones included.
    pub due_today_hours: f64,
    /// Jobs still to be done on such orders whose hours are not known.
    pub due_today_jobs_without_hours: u32,
    /// Hours that they can still work today: those of their day that they have not been on the clock yet, up to the
    /// shop's closing time. After it, and while the shop is closed, only for those who are on the clock.
    pub hours_left_today: f64,
    pub clock: ClockNow,
    pub counts: OrderCounts,
    /// Finished jobs of the open orders this technician is on, also those that others finished.
    pub finished_jobs: Vec<FinishedJob>,
    /// The rows that name this technician: Waiting, Drop by priority, Used, PDI; then by RO number.
    /// An order that names them twice, for the desk and for the dealer's system, has two rows.
    /// None where they were not asked for.
    pub assignments: Vec<Row>,
}

#[derive(Serialize, ToSchema)]
pub struct TechnicianAssignmentsAnswer {
    /// Always true.
    ok: bool,
    result: Vec<TechnicianAssignments>,
    /// The number of the newest event that is in it.
    seq: i64,
    /// The log that has this event, as in `hello` and `tick`.
    #[schema(value_type = String)]
    generation: Arc<str>,
}

#[derive(Serialize, ToSchema)]
pub struct OneTechnicianAnswer {
    /// Always true.
    ok: bool,
    result: TechnicianAssignments,
    /// The number of the newest event that is in it.
    seq: i64,
    /// The log that has this event, as in `hello` and `tick`.
    #[schema(value_type = String)]
    generation: Arc<str>,
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ListOptions {
    /// Whether `assignments` has rows; the counts are there either way.
    #[serde(default = "yes")]
    #[param(required = false, default = true)]
    rows: bool,
}

fn yes() -> bool {
    true
}

/// Every technician by name, also without orders, also one whom only an order knows. A technician
/// who is neither Admin nor Owner sees only themselves.
#[utoipa::path(
    operation_id = "technician_assignments",
    tag = "technicians",
    params(ListOptions),
    responses(
        (status = 200, body = TechnicianAssignmentsAnswer),
        (status = 403, body = ErrorBody),
    )
)]
#[get("/api/repair-orders/technician-assignments")]
pub async fn list(
    caller: Caller,
    state: web::Data<TechniciansState>,
    show: web::Query<ListOptions>,
) -> Result<web::Json<TechnicianAssignmentsAnswer>, ApiError> {
    let visible = caller.visible_technicians()?;
    let (result, seq, generation) = load_assignments(&state, visible, show.rows).await?;
    Ok(web::Json(TechnicianAssignmentsAnswer {
        ok: true,
        result,
        seq,
        generation,
    }))
}

/// One technician and the open orders they are on. A technician who is neither Admin nor Owner sees
/// only themselves.
#[utoipa::path(
    operation_id = "technician",
    tag = "technicians",
    params(("id" = inline(TechnicianIdInPath), Path)),
    responses(
        (status = 200, body = OneTechnicianAnswer),
        (status = 403, body = ErrorBody),
        (status = 404, body = ErrorBody, description = "`unknown-technician`: neither on the shop's list nor on an open order nor anybody's account"),
    )
)]
#[get("/api/technicians/{id}")]
pub async fn one(
    caller: Caller,
    state: web::Data<TechniciansState>,
    Path(id): Path<TechnicianId>,
) -> Result<web::Json<OneTechnicianAnswer>, ApiError> {
    caller.require_sight_of(id)?;
    let visible = Visibility::Own(Some(id));
    let (mut all, seq, generation) = load_assignments(&state, visible, true).await?;
    let result = all.pop().ok_or_else(|| store::unknown(id))?;
    Ok(web::Json(OneTechnicianAnswer {
        ok: true,
        result,
        seq,
        generation,
    }))
}

async fn load_assignments(
    state: &TechniciansState,
    visible: Visibility,
    with_rows: bool,
) -> Result<(Vec<TechnicianAssignments>, Seq, Arc<str>), ApiError> {
    let listed = state.technicians.all(state.directory.names()).await?;
    let accounts = state.directory.portal_names().await?;
    // Held, not looked at: counting takes longer than changes should wait.
    let (seq, generation, open) = state.snapshot.read(|open| {
        let orders: Vec<_> = open.orders.values().cloned().collect();
        (open.position.seq, Arc::clone(open.generation), orders)
    });
    let assigned = open.iter().filter(|order| match visible {
        Visibility::Shop => !technicians_on(order).is_empty(),
        Visibility::Own(own) => own.is_some_and(|own| order.has_technician(own)),
    });
    let shop = Shop {
        days: state.days_left(&listed).await?,
        clocks: ClockTimes::now(&state.clocks, assigned.map(|order| order.number)).await?,
        listed: listed
            .into_iter()
            .map(|technician| (technician.id_technician, technician))
            .collect(),
        portals: accounts.into_keys().collect(),
        tomorrow: state.clocks.end_of_today()?,
        stages: state.store.stage_rules().current(),
    };
    let open = || open.iter().map(|order| &**order);
    let technicians = shop.at_work(open, state.directory.names(), visible, with_rows);
    Ok((technicians, seq, generation))
}

/// What is known of the technicians besides their orders.
struct Shop {
    /// Those on the shop's list.
    listed: HashMap<TechnicianId, Technician>,
    /// The technicians to whom an account is linked.
    portals: Vec<TechnicianId>,
    clocks: ClockTimes,
    days: DaysLeft,
    /// Where the shop's today ends.
    tomorrow: Timestamp,
    stages: Arc<StageRules>,
}

#[derive(Default)]
struct Work<'a> {
    /// The name that came with an order.
    name: Option<&'a str>,
    orders: Vec<&'a RepairOrder>,
    load: Load,
    /// What of it is promised by the end of today.
    due_today: Load,
}

impl Shop {
    fn at_work<'a, I: Iterator<Item = &'a RepairOrder>>(
        &self,
        open: impl Fn() -> I,
        names: &TechnicianNames,
        visible: Visibility,
        with_rows: bool,
    ) -> Vec<TechnicianAssignments> {
        let technician_ids = self.listed.keys().chain(&self.portals);
        let mut at_work: HashMap<TechnicianId, Work> = technician_ids
            .filter(|id| visible.shows_technician(**id))
            .map(|id| (*id, Work::default()))
            .collect();
        for order in open() {
            let assigned = order.regular_technicians.iter();
            for assigned in assigned.chain(&order.etl_technicians) {
                if !visible.shows_technician(assigned.technician) {
                    continue;
                }
                let work = at_work.entry(assigned.technician).or_default();
                work.name = work.name.or(assigned.name.as_deref());
                let counted = work.orders.last().map(|last| last.number);
                if counted != Some(order.number) {
                    work.orders.push(order);
                }
            }
        }
        for (id, load) in loads(open(), &self.clocks) {
            if let Some(work) = at_work.get_mut(&id) {
                work.load = load;
            }
        }
        let is_due = |order: &&RepairOrder| is_promised_before(order, self.tomorrow);
        for (id, due_today) in loads(open().filter(is_due), &self.clocks) {
            if let Some(work) = at_work.get_mut(&id) {
                work.due_today = due_today;
            }
        }
        let mut technicians: Vec<_> = at_work
            .into_iter()
            .map(|(id, work)| self.technician(id, work, names, with_rows))
            .collect();
        technicians.sort_by_cached_key(|technician| {
            (name_order(&technician.full_name), technician.technician_id)
        });
        technicians
    }

    fn technician(
        &self,
        id: TechnicianId,
        mut work: Work,
        names: &TechnicianNames,
        with_rows: bool,
    ) -> TechnicianAssignments {
        let listed = self.listed.get(&id);
        let daily = listed.map_or(DailyMinutes::DEFAULT, |listed| listed.daily);
        TechnicianAssignments {
            technician_id: id,
            full_name: names.of(id, work.name),
            specialty: listed.map_or_else(String::new, |listed| listed.specialty.clone()),
            portal_enabled: self.portals.contains(&id),
            id_level: listed.and_then(|listed| listed.id_level),
            level_name: listed.and_then(|listed| listed.level_name.clone()),
            daily,
            assigned_hours: work.load.assigned_hours(),
            jobs_without_hours: work.load.jobs_without_hours,
            due_today_hours: work.due_today.assigned_hours(),
            due_today_jobs_without_hours: work.due_today.jobs_without_hours,
            hours_left_today: self.days.of(id),
            clock: self.clocks.of(id),
            counts: OrderCounts::of(&work.orders),
            finished_jobs: self.finished_jobs(&work.orders),
            assignments: if with_rows {
                work.orders.sort_unstable_by_key(|order| {
                    (
                        order.displayed_status().urgency(order.priority),
                        order.number,
                    )
                });
                rows_of(id, &work.orders, names, &self.stages)
            } else {
                vec![]
            },
        }
    }

    fn finished_jobs(&self, orders: &[&RepairOrder]) -> Vec<FinishedJob> {
        let finished = orders.iter().flat_map(|order| self.clocks.finished(order));
        finished.map(FinishedJob::from).collect()
    }
}

/// The rows that name the technician.
fn rows_of(
    id: TechnicianId,
    orders: &[&RepairOrder],
    names: &TechnicianNames,
    stages: &StageRules,
) -> Vec<Row> {
    let rows = orders.iter().flat_map(|order| rows(order, names, stages));
    let theirs =
        |row: &Row| row.regular_id_technician == Some(id) || row.etl_id_technician == Some(id);
    rows.filter(theirs).collect()
}

#[cfg(test)]
mod tests;
