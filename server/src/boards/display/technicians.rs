//! The columns of a shop floor, and the checksum of everything that a board shows.

use dispatch_actors::repair_order::TechnicianId;

use super::layout::{Layout, View};
use super::shop::{Picture, encoded};
use crate::boards::api_types::{BoardRunning, BoardTechnician};
use crate::boards::state::BoardsState;
use crate::clocks::Running;
use crate::text::name_order;

impl BoardsState {
    /// The columns of a shop floor, and every other technician on one of its cards, by name.
    pub(in crate::boards) fn board_technicians(
        &self,
        view: &View,
        on_cards: &[TechnicianId],
    ) -> Vec<BoardTechnician> {
        if view.layout != Layout::ShopFloor {
            return Vec::new();
        }
        let mut everybody = self.names.all();
        let running = self.clocks.running();
        for id in on_cards.iter().chain(running.keys()) {
            if !everybody.iter().any(|(listed, _)| listed == id) {
                everybody.push((*id, self.names.of(*id, None)));
            }
        }
        everybody.retain(|(id, _)| view.is_about(*id));
        everybody.sort_by_cached_key(|(id, name)| (name_order(name), *id));
        let technicians = everybody.into_iter().map(|(id, name)| BoardTechnician {
            id,
            name,
            running: running.get(&id).map(|running| self.on_board(view, running)),
        });
        technicians.collect()
    }

    /// Of everything that boards of a view show.
    pub(in crate::boards) fn board_checksum(
        &self,
        picture: &Picture,
        technicians: &[BoardTechnician],
    ) -> String {
        let shown = technicians.iter().filter(|technician| {
            technician.running.is_some() || picture.technicians.contains(&technician.id)
        });
        let mut shown: Vec<&BoardTechnician> = shown.collect();
        shown.sort_unstable_by_key(|technician| technician.id);
        let lines: Vec<String> = shown.into_iter().map(encoded).collect();
        let lines = lines.iter().map(String::as_str);
        picture.checksum.and(lines).to_string()
    }

    /// A clock as boards of a view show it.
    pub(in crate::boards) fn on_board(&self, view: &View, running: &Running) -> BoardRunning {
        let key = |order| self.boards.shop().key(view.layout, order);
        BoardRunning {
            // Whether or not the order is on the board now: it may come to it while the clock runs.
            key: running.entry.work.map(|work| key(work.order)),
            since: running.entry.started_at,
        }
    }
}
