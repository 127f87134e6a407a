//! The people and stages that the dealer system's numbers and names stand for. A number without a match loses no row: it stays
//! on its order and is noted for the desk. When the desk has matched it, every later import uses that
//! match.
//!
//! Matches and technicians are in memory, so that an import does not ask the database while every number has
//! a match. An import holds the table ([`ResolvedNumbers`]) until its command is executed and its numbers are
//! noted, and a new match waits for that. So each order is either resolved with the match, or noted without it
//! and corrected later. Other servers read the table again when they hear of the match: an order that one of them
//! imported in that moment is corrected when the new match has been known everywhere for a while.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Instant;

use dispatch_actors::repair_order::{
    AssignedTechnician, ImportedOrder, RepairOrder, RoNumber, StageId,
};
use dispatch_actors::store::{Store, StoreError};
use dispatch_intake::DmsTechnician;
use sea_orm::DbErr;
use tokio::sync::{OwnedRwLockReadGuard, RwLock, RwLockWriteGuard};

use super::dms_number::{DmsNumber, NumberKind, NumberMeaning};
use super::match_table::{MatchTable, NamedStage, TABLE_TTL, Unmatched};
use super::notes::{Note, Notes};
use super::store;
use crate::stages::KnownStages;
use crate::technician_names::TechnicianNames;
use crate::technicians::Technicians;

/// What other servers hear.
const TOPIC: &str = "intake-matches";

#[derive(Clone)]
pub struct NumberMatches {
    store: Store,
    technicians: Technicians,
    names: TechnicianNames,
    stages: KnownStages,
    table: Arc<RwLock<MatchTable>>,
    notes: Arc<Notes>,
}

/// Holds the table. To be kept until the order's command is executed, and then
/// [`save_notes`](Self::save_notes).
#[must_use = "a match that is made before the command is executed would miss the order"]
pub struct ResolvedNumbers {
    _table: OwnedRwLockReadGuard<MatchTable>,
    notes: Arc<Notes>,
    unmatched: Unmatched,
    named_stage: NamedStage,
}

impl ResolvedNumbers {
    /// What became of the stage that the record names.
    pub fn named_stage(&self) -> &NamedStage {
        &self.named_stage
    }

    /// Notes the unmatched numbers for the desk, in place of the order's earlier notes. `is_new`: the record
    /// created the order. `continues`: it has only the rest of an earlier record's lists. A closed order has
    /// no notes.
    pub async fn save_notes(self, order: &RepairOrder, is_new: bool, continues: bool) {
        let Unmatched {
            dealer_owned: mut current,
            regular,
            has_technicians,
            has_advisor,
            has_stage,
        } = self.unmatched;
        let mut noted = self.notes.numbers_of(order.number);
        if order.closed_at.is_some() {
            self.notes.clear(order.number, &noted).await;
            return;
        }
        let is_on = |list: &[AssignedTechnician], number: &DmsNumber| {
            let technician = number.technician_id();
            list.iter().any(|on| Some(on.technician) == technician)
        };
        // What the desk took off the order stays off. A number that is on it is noted whoever created the order: a server
        // that broke off after that has noted nothing.
        current.extend(regular.into_iter().filter(|note| match note.source {
            Some(_) => is_new || noted.contains(&note.number),
            None => is_on(&order.regular_technicians, &note.number),
        }));
        noted.retain(|number| {
            let is_mentioned = match number.kind {
                NumberKind::Technician => has_technicians,
                NumberKind::Advisor => has_advisor,
                NumberKind::Stage => has_stage,
            };
            let stands = current.iter().any(|note| note.number == *number)
                || is_on(&order.regular_technicians, number)
                || is_on(&order.etl_technicians, number);
            is_mentioned && !continues && !stands
        });
        self.notes.clear(order.number, &noted).await;
        self.notes.save(current).await;
    }
}

impl NumberMatches {
    pub async fn open(
        store: Store,
        technicians: Technicians,
        names: TechnicianNames,
        stages: KnownStages,
    ) -> Result<Self, DbErr> {
        let notes = Notes::open(store.clone()).await?;
        let matches = Self {
            store,
            technicians,
            names,
            stages,
            table: Arc::default(),
            notes: Arc::new(notes),
        };
        let mut table = matches.table.write().await;
        matches.load(&mut table).await?;
        drop(table);
        Ok(matches)
    }

    /// Replaces an order's numbers by the people they stand for, and the name of its stage by the stage, before it is
    /// imported. `unnumbered` are its technicians who came without a number that an order can hold.
    pub async fn resolve(
        &self,
        number: RoNumber,
        order: &mut ImportedOrder,
        unnumbered: &[DmsTechnician],
        stage: Option<&str>,
    ) -> ResolvedNumbers {
        self.refresh_if_stale().await;
        let table = self.table.clone().read_owned().await;
        let mut unmatched = table.resolve(number, order, unnumbered);
        let named_stage = table.resolve_stage(number, (order, stage), &self.stages, &mut unmatched);
        ResolvedNumbers {
            _table: table,
            notes: self.notes.clone(),
            unmatched,
            named_stage,
        }
    }

    /// Every match, by kind and number.
    pub async fn list(&self) -> Result<Vec<(DmsNumber, NumberMeaning)>, DbErr> {
        store::matches(&self.store).await
    }

    /// The numbers that mean nobody now, one note for each order they came with. The desk may have closed orders
    /// meanwhile: only open ones need anybody, and the others' notes go. `is_known_open` saves asking the database; an
    /// order that another server has just imported is not known here yet.
    pub async fn unmatched(
        &self,
        is_known_open: impl Fn(RoNumber) -> bool,
    ) -> Result<Vec<Note>, StoreError> {
        self.load(&mut self.table.write().await).await?;
        let table = self.table.read().await;
        self.notes.write().await?;
        let all = store::notes(&self.store).await?;
        let orders = all.iter().map(|note| note.order);
        let unknown: BTreeSet<RoNumber> = orders.filter(|order| !is_known_open(*order)).collect();
        // Read after the notes, which are written after their orders.
        let open = self.store.open_among(&unknown).await?;
        let is_open = |order: &RoNumber| !unknown.contains(order) || open.contains(order);
        let (mut notes, closed): (Vec<Note>, Vec<Note>) =
            all.into_iter().partition(|note| is_open(&note.order));
        for note in closed {
            self.notes.clear(note.order, &[note.number]).await;
        }
        // A technician hired under a number is known by it from then on, and a stage by a name that the shop gave it.
        notes.retain(|note| match note.number.kind {
            NumberKind::Stage => {
                self.stages.file_owns_stage() && table.stage(&note.number, &self.stages).is_none()
            }
            NumberKind::Technician | NumberKind::Advisor => {
                let hired = note.number.technician_id();
                !hired.is_some_and(|id| table.technicians.contains(&id))
            }
        });
        Ok(notes)
    }

    /// Saves a match. Gives the notes of the orders that the number came with until then.
    pub async fn add(
        &self,
        number: &DmsNumber,
        meaning: &NumberMeaning,
    ) -> Result<Vec<Note>, DbErr> {
        let mut table = self.table.write().await;
        store::put_match(&self.store, number, meaning).await?;
        self.store.others().notify(TOPIC, "");
        self.load(&mut table).await?;
        self.notes_to_correct(number).await
    }

    /// Where the desk owns the stage, no order is corrected.
    async fn notes_to_correct(&self, number: &DmsNumber) -> Result<Vec<Note>, DbErr> {
        if number.kind == NumberKind::Stage && !self.stages.file_owns_stage() {
            return Ok(Vec::new());
        }
        store::notes_of(&self.store, number).await
    }

    /// The stage of this id, if orders can be moved there.
    pub fn stage(&self, id: &str) -> Option<StageId> {
        self.stages.named(id).filter(|stage| stage.as_str() == id)
    }

    /// Whether the shop itself calls a stage so.
    pub fn is_name_of_stage(&self, name: &DmsNumber) -> bool {
        self.stages.named(&name.text).is_some()
    }

    /// Forgets a match. False when there was none.
    pub async fn remove(&self, number: &DmsNumber) -> Result<bool, DbErr> {
        let mut table = self.table.write().await;
        let is_known = store::delete_match(&self.store, number).await?;
        self.store.others().notify(TOPIC, "");
        self.load(&mut table).await?;
        Ok(is_known)
    }

    /// What another server noted of a number meanwhile, before it heard that the number means this; none where it means
    /// something else by now, or there is no other server.
    pub async fn noted_elsewhere(
        &self,
        number: &DmsNumber,
        meaning: &NumberMeaning,
    ) -> Result<Option<Vec<Note>>, DbErr> {
        if !self.store.others().may_exist() {
            return Ok(None);
        }
        tokio::time::sleep(2 * TABLE_TTL).await;
        let matches = store::matches(&self.store).await?;
        match matches.iter().any(|(of, is)| of == number && is == meaning) {
            true => self.notes_to_correct(number).await.map(Some),
            false => Ok(None),
        }
    }

    /// Reads matches and notes again that other servers write, for as long as this one runs, from this call on.
    pub fn follow_other_servers(self) -> impl Future<Output = ()> {
        let mut listener = self.store.others().listen(TOPIC);
        let notes = Arc::clone(&self.notes).follow_other_servers();
        let matches = async move {
            loop {
                listener.changed().await;
                let mut table = self.table.write().await;
                if let Err(error) = self.load(&mut table).await {
                    tracing::error!(%error, "matches of another server could not be read");
                }
            }
        };
        async move {
            tokio::join!(matches, notes);
        }
    }

    /// Deletes the notes of orders that have been corrected.
    pub async fn clear_notes(&self, number: &DmsNumber, orders: &[RoNumber]) -> Result<(), DbErr> {
        self.notes.delete(number, orders).await
    }

    /// When the database does not answer, an import continues with the table it has: its command will fail
    /// anyway.
    async fn refresh_if_stale(&self) {
        if !self.table.read().await.is_stale() {
            return;
        }
        let mut table = self.table.write().await;
        if table.is_stale()
            && let Err(error) = self.load(&mut table).await
        {
            tracing::warn!(%error, "the matches of numbers could not be read");
        }
    }

    async fn load(&self, table: &mut RwLockWriteGuard<'_, MatchTable>) -> Result<(), DbErr> {
        let technicians = self.technicians.all(&self.names).await?;
        let matches = store::matches(&self.store).await?;
        **table = MatchTable {
            technicians: technicians.iter().map(|row| row.id_technician).collect(),
            meanings: matches.into_iter().collect(),
            loaded: Some(Instant::now()),
        };
        Ok(())
    }
}

#[cfg(test)]
mod tests;
