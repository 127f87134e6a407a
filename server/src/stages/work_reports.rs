//! What the job clocks know of a repair order is told to it, by which it moves to another stage.
//!
//! A tap is committed by the clocks, the move by the order. What is told is the state of the clocks, not the tap: an
//! order that knows it already does not change, and one that was not told, because a server died in between, is told
//! by whichever server leads. The version that was read before the clocks were is the one that the order must still
//! have, so that nobody's older reading comes last.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use dispatch_actors::repair_order::{Command, RepairOrder, RoNumber, WorkFacts};
use dispatch_actors::store::{Author, Channel};
use dispatch_actors::supervisor::{Execute, Failure};
use futures_util::stream::{self, StreamExt};
use tokio::sync::{mpsc, watch};
use tokio::time::timeout;

use super::state::StagesState;
use crate::error::ApiError;

/// From one look at all open orders to the next: what a server that died left untold.
const LOOK_INTERVAL: Duration = Duration::from_secs(60);

/// Orders that are told at once, so that they share their commits.
const CONCURRENCY: usize = 32;

/// Orders whose clocks are read at once.
const BATCH_SIZE: usize = 500;

/// Times that an order is told which changes all the while.
const MAX_ATTEMPTS: usize = 5;

/// Follows the clocks for as long as the server runs.
pub async fn follow(state: StagesState) {
    let (sender, changed) = mpsc::unbounded_channel();
    let rules = state.store.stage_rules().clone();
    state.clocks.changes().subscribe(move |change| {
        if rules.is_on() {
            // Nobody hears it while the server stops; the next start looks at all.
            let _ = sender.send((change.technician, change.orders.clone()));
        }
    });
    tokio::join!(follow_taps(&state, changed), lead(&state));
}

async fn follow_taps(
    state: &StagesState,
    mut changed: mpsc::UnboundedReceiver<(i64, Vec<RoNumber>)>,
) {
    while let Some((technician, orders)) = changed.recv().await {
        let by = author(state.names.of(technician, None));
        let orders: BTreeSet<RoNumber> = orders.into_iter().collect();
        let orders = orders
            .into_iter()
            .filter_map(|order| state.snapshot.get(order));
        log_failure(report(state, &by, orders.collect()).await);
    }
}

/// While the shop uses stages, one server looks at all orders: when it begins to lead, when stages changed, and every
/// now and then. Without them none leads, which on PostgreSQL takes a connection.
async fn lead(state: &StagesState) {
    let mut changes = state.stages.changes().subscribe();
    loop {
        if are_on(state).await {
            tokio::select! {
                () = state.store.lead("stages", async || look(state).await) => {}
                () = until_off(state, &mut changes) => {}
            }
        } else if changes.changed().await.is_err() {
            return;
        }
    }
}

async fn look(state: &StagesState) {
    let mut changes = state.stages.changes().subscribe();
    loop {
        log_failure(report_all(state).await);
        let _ = timeout(LOOK_INTERVAL, changes.changed()).await;
    }
}

async fn until_off(state: &StagesState, changes: &mut watch::Receiver<()>) {
    while changes.changed().await.is_ok() && are_on(state).await {}
}

/// Turned on or off a moment ago, perhaps, and not yet known here.
async fn are_on(state: &StagesState) -> bool {
    if let Err(error) = state.stages.reload().await {
        tracing::warn!(%error, "the shop's stages could not be read; they are as they were");
    }
    state.store.stage_rules().is_on()
}

fn log_failure(reported: Result<(), ApiError>) {
    if let Err(error) = reported {
        tracing::warn!(%error, "repair orders were not told what the clocks know; they are in a minute");
    }
}

async fn report_all(state: &StagesState) -> Result<(), ApiError> {
    if !are_on(state).await {
        return Ok(());
    }
    let orders: Vec<Arc<RepairOrder>> = state
        .snapshot
        .read(|open| open.orders.values().cloned().collect());
    let by = author("Job clock".to_owned());
    for some in orders.chunks(BATCH_SIZE) {
        report(state, &by, some.to_vec()).await?;
    }
    Ok(())
}

fn author(name: String) -> Author {
    Author {
        uid: "clock".to_owned(),
        name,
        channel: Channel::Clock,
    }
}

/// `orders`: as they were before this call reads the clocks.
async fn report(
    state: &StagesState,
    by: &Author,
    orders: Vec<Arc<RepairOrder>>,
) -> Result<(), ApiError> {
    let numbers: Vec<RoNumber> = orders.iter().map(|order| order.number).collect();
    let mut facts = state.clocks.work_on(&numbers).await?;
    let mut untold = Vec::new();
    for order in orders {
        let facts = facts.remove(&order.number).unwrap_or_default();
        if order.progress.work != facts || order.progress.placement.stage.is_none() {
            untold.push((order, facts));
        }
    }
    let told = stream::iter(untold)
        .map(|(order, facts)| report_one(state, by, order, facts))
        .buffer_unordered(CONCURRENCY);
    let told: Vec<Result<(), ApiError>> = told.collect().await;
    told.into_iter().collect()
}

async fn report_one(
    state: &StagesState,
    by: &Author,
    order: Arc<RepairOrder>,
    facts: WorkFacts,
) -> Result<(), ApiError> {
    let (mut order, mut facts) = (order, facts);
    for _ in 0..MAX_ATTEMPTS {
        let request = Execute {
            expected_version: Some(order.version),
            ..Execute::new(Command::ReportWork(facts), by.clone())
        };
        match state.orders.execute(order.number, request).await {
            // Closed meanwhile, or turned off.
            Ok(_) | Err(Failure::Refused(_) | Failure::Unknown(_)) => return Ok(()),
            Err(Failure::Stale(stale)) => order = stale.order,
            Err(failure) => return Err(ApiError::from(&failure)),
        }
        let mut known = state.clocks.work_on(&[order.number]).await?;
        facts = known.remove(&order.number).unwrap_or_default();
    }
    Err(ApiError::unavailable())
}
