//! The clocks, as boards show them: whose clock began or ended, and how far the work is.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use dispatch_actors::broadcaster::{Audience, ShowAgain};
use dispatch_actors::repair_order::{RoNumber, TechnicianId};
use tokio::sync::Notify;

use super::layout::Layout;
use crate::boards::api_types::{BoardClockEvent, BoardTechnician};
use crate::boards::registry::Boards;
use crate::boards::state::BoardsState;
use crate::clocks::ClockChange;
use crate::error::ApiError;
use crate::moments::now;

/// Orders that are shown again between two events.
const BATCH_SIZE: usize = 100;

/// Technicians whose clocks, and orders on which work, moved a moment ago.
#[derive(Clone, Default)]
pub(in crate::boards) struct PendingClockChanges {
    changes: Arc<Mutex<ClockChanges>>,
    wake: Arc<Notify>,
}

type ClockChanges = (BTreeSet<TechnicianId>, BTreeSet<RoNumber>);

impl PendingClockChanges {
    fn changes(&self) -> MutexGuard<'_, ClockChanges> {
        self.changes.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Boards {
    /// What the clocks publish; the boards get it in a moment.
    pub(in crate::boards) fn note_clock_change(&self, change: &ClockChange) {
        self.note_change();
        let mut changes = self.clocks.changes();
        changes.0.insert(change.technician);
        changes.1.extend(&change.orders);
        drop(changes);
        self.clocks.wake.notify_one();
    }
}

impl BoardsState {
    /// Reads again how far the work on these orders is, and updates the boards that show it.
    pub(in crate::boards) async fn reload_work(&self, orders: &[RoNumber]) -> Result<(), ApiError> {
        let progress = &self.boards.shop().progress;
        let changed = progress.reload(&self.clocks, orders).await?;
        self.show_again(changed).await
    }

    pub(in crate::boards) async fn show_again(
        &self,
        orders: Vec<RoNumber>,
    ) -> Result<(), ApiError> {
        if orders.is_empty() || self.boards.views.is_empty() {
            return Ok(());
        }
        self.boards.note_change();
        // Not all at once: events wait meanwhile.
        for orders in orders.chunks(BATCH_SIZE) {
            let result = self.broadcaster.send(ShowAgain(orders.to_vec())).await;
            result.map_err(|_| ApiError::unavailable())?;
        }
        Ok(())
    }

    pub(in crate::boards) async fn send_clock(
        &self,
        technician: TechnicianId,
    ) -> Result<(), ApiError> {
        let running = self.clocks.running().remove(&technician);
        for (id, view) in self.boards.views.live() {
            if view.layout != Layout::ShopFloor || !view.is_about(technician) {
                continue;
            }
            let clock = BoardClockEvent {
                technician: BoardTechnician {
                    id: technician,
                    name: self.names.of(technician, None),
                    running: running
                        .as_ref()
                        .map(|running| self.on_board(&view, running)),
                },
                at: now(),
            };
            self.announcer
                .announce("BOARD_CLOCK", &clock, Audience::View(id))
                .await?;
        }
        Ok(())
    }
}

pub(in crate::boards) async fn follow_clocks(state: BoardsState) {
    loop {
        state.boards.clocks.wake.notified().await;
        let (technicians, orders) = std::mem::take(&mut *state.boards.clocks.changes());
        let orders: Vec<RoNumber> = orders.into_iter().collect();
        if let Err(error) = state.reload_work(&orders).await {
            // It is looked at again within the minute.
            tracing::error!(%error, "how far work is could not be read");
        }
        for technician in technicians {
            if let Err(error) = state.send_clock(technician).await {
                tracing::error!(%error, "a clock could not be told to boards");
            }
        }
    }
}
