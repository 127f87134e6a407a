//! Whom the dealer system's numbers mean. A number that nobody is known by is never a lost row: it
//! stays on its order, is noted for the desk, and once the desk has said who it is, every later
//! import knows.
//!
//! Matches and technicians are in memory, so that an import asks the database nothing while every
//! number is known. An import holds the memory ([`Resolved`]) until its order is carried out and its
//! numbers are noted, and a new match waits for that: an order is either resolved with the match, or noted without it and
//! there to be corrected, never neither.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::time::{Duration, Instant};

use dispatch_actors::repair_order::{
    AssignedTechnician, ImportedOrder, RepairOrder, RoNumber, TechnicianId,
};
use dispatch_actors::store::Store;
use dispatch_intake::DmsTechnician;
pub(super) use dispatch_intake::TechnicianSource as Source;
use jiff::Timestamp;
use sea_orm::DbErr;
use serde::{Deserialize, Serialize};
use tokio::sync::{OwnedRwLockReadGuard, RwLock, RwLockWriteGuard};
use utoipa::ToSchema;

use super::match_rows as rows;
use super::notes::{Note, Notes};
use crate::limits::SHORT_TEXT;
use crate::technician_names::TechnicianNames;
use crate::technicians::Technicians;

/// How long a technician who was hired meanwhile, or another process's match, may go unnoticed.
const BOOK_TTL: Duration = Duration::from_secs(5);

/// Whose number it is.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, ToSchema,
)]
#[serde(rename_all = "kebab-case")]
#[schema(as = MatchKind)]
pub enum Kind {
    Technician,
    Advisor,
}

impl Kind {
    pub fn name(self) -> &'static str {
        match self {
            Kind::Technician => "technician",
            Kind::Advisor => "advisor",
        }
    }

    pub(super) fn from_name(name: &str) -> Option<Self> {
        [Kind::Technician, Kind::Advisor]
            .into_iter()
            .find(|kind| kind.name() == name)
    }
}

/// Somebody's number in the dealer's system; letters are allowed.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Number {
    pub kind: Kind,
    pub text: String,
}

impl Number {
    /// None where the text says nothing.
    pub fn of(kind: Kind, text: &str) -> Option<Self> {
        let text: String = text.chars().filter(|c| !c.is_control()).collect();
        let text: String = text.trim().chars().take(SHORT_TEXT).collect();
        let digits = text.bytes().all(|b| b.is_ascii_digit());
        let text = match (kind, text.parse::<TechnicianId>()) {
            // As orders hold it: 007 is 7.
            (Kind::Technician, Ok(id)) if digits => id.to_string(),
            _ => text,
        };
        (!text.is_empty()).then_some(Self { kind, text })
    }

    /// An advisor is named or numbered in the same field: digits, or letters and digits.
    pub(super) fn of_advisor(text: &str) -> Option<Self> {
        let number = text.bytes().all(|b| b.is_ascii_alphanumeric())
            && text.bytes().any(|b| b.is_ascii_digit());
        Self::of(Kind::Advisor, text).filter(|_| number)
    }

    /// The technician whom an order would hold it as.
    pub(super) fn technician(&self) -> Option<TechnicianId> {
        self.text
            .parse()
            .ok()
            .filter(|_| self.kind == Kind::Technician)
    }
}

/// Who a number means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Meaning {
    Technician(TechnicianId),
    /// By name.
    Advisor(String),
}

#[derive(Clone)]
pub struct Matching {
    store: Store,
    technicians: Technicians,
    names: TechnicianNames,
    book: Arc<RwLock<Book>>,
    notes: Arc<Notes>,
}

/// To be held until the order's command is carried out, and then [`carried_out`](Self::carried_out).
#[must_use = "a match that is made before the order is carried out would miss it"]
pub struct Resolved {
    _book: OwnedRwLockReadGuard<Book>,
    notes: Arc<Notes>,
    unmatched: Unmatched,
}

/// What of a record means nobody.
#[derive(Default)]
struct Unmatched {
    /// Of the dealer system's technicians and of the advisor.
    theirs: Vec<Note>,
    /// Of regular technicians, whom the desk owns once the order is there.
    regular: Vec<Note>,
    says_technicians: bool,
    says_advisor: bool,
}

impl Resolved {
    /// Notes for the desk the numbers that mean nobody, in place of those that the order was noted
    /// for. `is_new` when the record created the order, `continues` when it has only the rest of
    /// what was said. A closed order needs nobody.
    pub async fn carried_out(self, order: &RepairOrder, is_new: bool, continues: bool) {
        let Unmatched {
            theirs: mut current,
            regular,
            says_technicians,
            says_advisor,
        } = self.unmatched;
        let mut noted = self.notes.of(order.number);
        if order.closed_at.is_some() {
            self.notes.forget(order.number, &noted).await;
            return;
        }
        let is_on = |list: &[AssignedTechnician], number: &Number| {
            let technician = number.technician();
            list.iter().any(|on| Some(on.technician) == technician)
        };
        // What the desk took off the order stays off.
        current.extend(regular.into_iter().filter(|note| {
            let is_there = note.source.is_some() || is_on(&order.regular_technicians, &note.number);
            is_there && (is_new || noted.contains(&note.number))
        }));
        noted.retain(|number| {
            let is_said = match number.kind {
                Kind::Technician => says_technicians,
                Kind::Advisor => says_advisor,
            };
            let stands = current.iter().any(|note| note.number == *number)
                || is_on(&order.regular_technicians, number)
                || is_on(&order.etl_technicians, number);
            is_said && !continues && !stands
        });
        self.notes.forget(order.number, &noted).await;
        self.notes.keep(current).await;
    }
}

impl Matching {
    pub async fn open(
        store: Store,
        technicians: Technicians,
        names: TechnicianNames,
    ) -> Result<Self, DbErr> {
        let notes = Notes::open(store.clone()).await?;
        let matching = Self {
            store,
            technicians,
            names,
            book: Arc::default(),
            notes: Arc::new(notes),
        };
        let mut book = matching.book.write().await;
        matching.load(&mut book).await?;
        drop(book);
        Ok(matching)
    }

    /// Puts into an order, before it is imported, whom its numbers mean. `said` are its technicians
    /// who came without a number.
    pub async fn resolve(
        &self,
        number: RoNumber,
        order: &mut ImportedOrder,
        said: &[DmsTechnician],
    ) -> Resolved {
        self.refresh_if_stale().await;
        let book = self.book.clone().read_owned().await;
        let unmatched = book.resolve(number, order, said);
        Resolved {
            _book: book,
            notes: self.notes.clone(),
            unmatched,
        }
    }

    /// Every match, by kind and number.
    pub async fn all(&self) -> Result<Vec<(Number, Meaning)>, DbErr> {
        rows::matches(&self.store).await
    }

    /// The numbers that mean nobody now, one note for each order they came with. The desk may have
    /// closed orders meanwhile: only those that are `open` need anybody, and the others' notes go.
    pub async fn unmatched(&self, open: impl Fn(RoNumber) -> bool) -> Result<Vec<Note>, DbErr> {
        self.load(&mut self.book.write().await).await?;
        let book = self.book.read().await;
        self.notes.write().await?;
        let all = rows::notes(&self.store).await?;
        let (mut notes, closed): (Vec<Note>, Vec<Note>) =
            all.into_iter().partition(|note| open(note.order));
        for note in closed {
            self.notes.forget(note.order, &[note.number]).await;
        }
        // Whoever was hired under a number is known by it from then on.
        notes.retain(|note| {
            let hired = note.number.technician();
            !hired.is_some_and(|id| book.technicians.contains(&id))
        });
        Ok(notes)
    }

    /// From here on the number means this. Gives the orders it came with until then.
    pub async fn learn(&self, number: &Number, meaning: &Meaning) -> Result<Vec<Note>, DbErr> {
        let mut book = self.book.write().await;
        rows::put_match(&self.store, number, meaning).await?;
        self.load(&mut book).await?;
        rows::notes_of(&self.store, number).await
    }

    /// False when there was no such match.
    pub async fn unlearn(&self, number: &Number) -> Result<bool, DbErr> {
        let mut book = self.book.write().await;
        let known = rows::delete_match(&self.store, number).await?;
        self.load(&mut book).await?;
        Ok(known)
    }

    /// These orders are as the match says, and need the desk no more.
    pub async fn settle(&self, number: &Number, orders: &[RoNumber]) -> Result<(), DbErr> {
        self.notes.settle(number, orders).await
    }

    /// An import goes on with what is remembered when the database does not answer; its own
    /// command will say so.
    async fn refresh_if_stale(&self) {
        if !self.book.read().await.is_stale() {
            return;
        }
        let mut book = self.book.write().await;
        if book.is_stale()
            && let Err(error) = self.load(&mut book).await
        {
            tracing::warn!(%error, "the matches of numbers could not be read");
        }
    }

    async fn load(&self, book: &mut RwLockWriteGuard<'_, Book>) -> Result<(), DbErr> {
        let technicians = self.technicians.all(&self.names).await?;
        let matches = rows::matches(&self.store).await?;
        **book = Book {
            technicians: technicians.iter().map(|row| row.id_technician).collect(),
            meanings: matches.into_iter().collect(),
            loaded: Some(Instant::now()),
        };
        Ok(())
    }
}

#[derive(Default)]
struct Book {
    technicians: HashSet<TechnicianId>,
    meanings: HashMap<Number, Meaning>,
    loaded: Option<Instant>,
}

impl Book {
    fn is_stale(&self) -> bool {
        self.loaded
            .is_none_or(|loaded| loaded.elapsed() >= BOOK_TTL)
    }

    /// None, too, for a technician who has left.
    fn technician(&self, number: &Number) -> Option<TechnicianId> {
        match self.meanings.get(number) {
            Some(Meaning::Technician(id)) if self.technicians.contains(id) => Some(*id),
            _ => None,
        }
    }

    fn resolve(
        &self,
        number: RoNumber,
        order: &mut ImportedOrder,
        said: &[DmsTechnician],
    ) -> Unmatched {
        let note = |number_text, name, source| Note {
            number: number_text,
            order: number,
            name,
            source,
            seen_at: Timestamp::now(),
        };
        let mut unmatched = Unmatched {
            says_technicians: order.regular_technicians.is_some()
                || order.etl_technicians.is_some()
                || !said.is_empty(),
            says_advisor: order.header.advisor.is_some(),
            ..Unmatched::default()
        };
        for (list, unmatched) in [
            (&mut order.regular_technicians, &mut unmatched.regular),
            (&mut order.etl_technicians, &mut unmatched.theirs),
        ] {
            for technician in list.iter_mut().flatten() {
                let text = technician.technician.to_string();
                let Some(number) = Number::of(Kind::Technician, &text) else {
                    continue;
                };
                if let Some(meant) = self.technician(&number) {
                    *technician = known(meant);
                } else if !self.technicians.contains(&technician.technician) {
                    unmatched.push(note(number, technician.name.clone(), None));
                }
            }
            if let Some(list) = list {
                without_repeats(list);
            }
        }
        for said in said {
            let text = if said.id.trim().is_empty() {
                said.name.as_deref().unwrap_or_default()
            } else {
                &said.id
            };
            let Some(number) = Number::of(Kind::Technician, text) else {
                continue;
            };
            let Some(meant) = self.technician(&number) else {
                let note = note(number, said.name.clone(), Some(said.source));
                match said.source {
                    Source::Regular => unmatched.regular.push(note),
                    Source::Etl => unmatched.theirs.push(note),
                }
                continue;
            };
            let list = match said.source {
                Source::Regular => order.regular_technicians.get_or_insert_default(),
                Source::Etl => order.etl_technicians.get_or_insert_default(),
            };
            list.push(known(meant));
            without_repeats(list);
        }
        if let Some(advisor) = &mut order.header.advisor
            && let Some(number) = Number::of_advisor(advisor)
        {
            match self.meanings.get(&number) {
                Some(Meaning::Advisor(name)) => advisor.clone_from(name),
                _ => unmatched.theirs.push(note(number, None, None)),
            }
        }
        unmatched
    }
}

/// By the name the shop knows.
pub(super) fn known(technician: TechnicianId) -> AssignedTechnician {
    AssignedTechnician {
        technician,
        name: None,
    }
}

/// Two numbers may mean the same technician: the first stands.
pub(super) fn without_repeats(list: &mut Vec<AssignedTechnician>) {
    let mut seen = HashSet::new();
    list.retain(|technician| seen.insert(technician.technician));
}

#[cfg(test)]
mod tests;
