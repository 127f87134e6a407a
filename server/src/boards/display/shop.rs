//! What boards show of the shop: the cards of a view, made of the open orders as they are now.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, PoisonError};

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use dispatch_actors::repair_order::{RepairOrder, RoNumber, StageKind, TechnicianId, shipped};
use dispatch_actors::snapshot::Snapshot;
use dispatch_actors::store::{LogPosition, Seq};
use hmac::{Hmac, Mac};
use serde::Serialize;
use serde_json::value::RawValue;
use sha2::Sha256;

use super::cards::{Card, LoungeCard, QueueCard, ShopFloorCard, Stage, UsedPdiCard};
use super::checksum::Checksum;
use super::customer_names;
use super::layout::{Layout, View};
use super::progress::{Progress, WorkProgress};
use crate::stages::{KnownStages, StageNames};
use crate::technician_names::TechnicianNames;

/// Bytes of a card's key: enough that no two orders of a shop have the same.
const KEY_BYTES: usize = 9;

/// Pictures that are kept: a shop has a handful of views.
const MAX_PICTURES: usize = 64;

#[derive(Clone)]
pub struct Shop {
    pub snapshot: Snapshot,
    pub names: TechnicianNames,
    pub progress: Progress,
    pub stages: KnownStages,
    /// Makes the cards' keys.
    key: Hmac<Sha256>,
    pictures: Arc<Mutex<HashMap<View, Arc<Picture>>>>,
}

/// Of what a picture is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct State {
    position: LogPosition,
    names: u64,
    progress: u64,
    stages: u64,
}

/// All cards of a view.
pub struct Picture {
    state: State,
    /// As JSON, a list sorted by key.
    pub cards: Box<RawValue>,
    /// Of the cards.
    pub checksum: Checksum,
    /// The technicians on a card.
    pub technicians: Vec<TechnicianId>,
}

impl Picture {
    pub fn seq(&self) -> Seq {
        self.state.position.seq
    }
}

impl Shop {
    /// Of a shop that uses no stages of work.
    pub fn new(snapshot: Snapshot, names: TechnicianNames, key: &[u8]) -> Self {
        // HMAC takes a key of any length.
        let key = Hmac::new_from_slice(key).unwrap_or_else(|_| Hmac::new(&Default::default()));
        Self {
            snapshot,
            names,
            progress: Progress::default(),
            stages: KnownStages::default(),
            key,
            pictures: Arc::default(),
        }
    }

    pub fn with_stages(self, stages: KnownStages) -> Self {
        Self { stages, ..self }
    }

    /// The id of an order's card. It reveals nothing of the order, and differs between layouts.
    pub fn key(&self, layout: Layout, number: RoNumber) -> String {
        let mut mac = self.key.clone();
        mac.update(layout.name().as_bytes());
        mac.update(&number.get().to_be_bytes());
        URL_SAFE_NO_PAD.encode(&mac.finalize().into_bytes()[..KEY_BYTES])
    }

    /// None where the view does not show it.
    pub fn card(&self, view: &View, order: &RepairOrder) -> Option<Card> {
        let category = order.displayed_status();
        if order.closed_at.is_some() || !view.has(category) {
            return None;
        }
        let technicians = technicians(order);
        let theirs = technicians.iter().any(|id| view.is_about(*id));
        if !theirs && !view.is_about_all() {
            return None;
        }
        let key = self.key(view.layout, order.number);
        let ro_number = || {
            let digits = || order.number.get().to_string();
            order.dms_number.clone().unwrap_or_else(digits)
        };
        let promised = order.promised_at;
        let opened = order.opened_at;
        let placed = self.stages.of(order);
        let (kind, stage_name) = placed.unzip();
        let stage_name = match kind {
            Some(StageKind::Queue | StageKind::Active) if is_on_hold(order) => Some(on_hold()),
            _ => stage_name.filter(|_| !is_shown_by_layout(order)),
        };
        let worked = self.progress.of(order.number);
        let stage = stage(order, kind, &technicians, &worked);
        Some(match view.layout {
            Layout::ShopFloor => {
                let mut technician_ids = technicians;
                technician_ids.retain(|id| view.is_about(*id));
                if technician_ids.is_empty() {
                    return None;
                }
                Card::ShopFloor(ShopFloorCard {
                    key,
                    ro_number: ro_number(),
                    customer: customer_names::family_name(&order.header.customer),
                    vehicle: order.header.vehicle.clone(),
                    tag_number: order.header.tag_number.clone(),
                    status: category,
                    priority: order.priority,
                    technician_ids,
                    promised,
                    opened,
                    jobs: order.jobs.len() as i64,
                    done: worked.finished_of(order) as i64,
                    stage: kind.map(|_| stage),
                    stage_name,
                })
            }
            Layout::Queue => Card::Queue(QueueCard {
                key,
                ro_number: ro_number(),
                customer: customer_names::family_name(&order.header.customer),
                vehicle: order.header.vehicle.clone(),
                status: category,
                priority: order.priority,
                promised,
                opened,
                advisor: order.header.advisor.clone(),
                technician: self.first_technician(order),
                stage_name,
            }),
            Layout::UsedPdi => Card::UsedPdi(UsedPdiCard {
                key,
                ro_number: ro_number(),
                vehicle: order.header.vehicle.clone(),
                status: category,
                opened,
                technician: self.first_technician(order),
                stage,
            }),
            Layout::Lounge => Card::Lounge(LoungeCard {
                key,
                who: customer_names::first_name_and_initial(&order.header.customer),
                stage,
                promised,
            }),
        })
    }

    fn first_technician(&self, order: &RepairOrder) -> Option<String> {
        let mut assigned = order.regular_technicians.iter();
        let first = assigned.next().or_else(|| order.etl_technicians.first())?;
        Some(self.names.of(first.technician, first.name.as_deref()))
    }

    /// Everything that boards of this view show, as it is now.
    pub fn picture(&self, view: &View) -> Arc<Picture> {
        let pictures = || self.pictures.lock().unwrap_or_else(PoisonError::into_inner);
        // Before the orders: what is newer than it says is looked at again.
        let (names, progress) = (self.names.generation(), self.progress.generation());
        let stages = self.stages.generation();
        let state = |position| State {
            position,
            names,
            progress,
            stages,
        };
        let cached = pictures().get(view).cloned();
        if let Some(cached) =
            cached.filter(|cached| cached.state == state(self.snapshot.position()))
        {
            return cached;
        }
        // No change waits while cards are made.
        let (position, open): (LogPosition, Vec<Arc<RepairOrder>>) = self
            .snapshot
            .read(|open| (open.position, open.orders.values().cloned().collect()));
        let mut cards = BTreeMap::new();
        let mut on_cards = Vec::new();
        for order in &open {
            if let Some(card) = self.card(view, order) {
                on_cards.extend(technicians(order));
                cards.insert(self.key(view.layout, order.number), encoded(&card));
            }
        }
        on_cards.sort_unstable();
        on_cards.dedup();
        let list: Vec<&str> = cards.values().map(String::as_str).collect();
        let picture = Arc::new(Picture {
            state: state(position),
            checksum: Checksum::default().and(list.iter().copied()),
            cards: RawValue::from_string(format!("[{}]", list.join(","))).unwrap_or_default(),
            technicians: on_cards,
        });
        let mut pictures = pictures();
        if pictures.len() >= MAX_PICTURES {
            pictures.clear();
        }
        pictures.insert(view.clone(), Arc::clone(&picture));
        picture
    }
}

/// A card, or a technician, as it is sent.
pub fn encoded(shown: &impl Serialize) -> String {
    serde_json::to_string(shown).unwrap_or_else(|error| {
        // Texts and numbers always serialise; this is for the compiler.
        tracing::error!(%error, "what boards show could not be encoded");
        "null".to_owned()
    })
}

/// The technicians on an order, each once, the desk's first.
fn technicians(order: &RepairOrder) -> Vec<TechnicianId> {
    let assigned = order
        .regular_technicians
        .iter()
        .chain(&order.etl_technicians);
    let mut technicians = Vec::new();
    for assigned in assigned {
        if !technicians.contains(&assigned.technician) {
            technicians.push(assigned.technician);
        }
    }
    technicians
}

/// Whether it waits for something that has no stage of its own; a stage of the kind hold says itself what for.
fn is_on_hold(order: &RepairOrder) -> bool {
    order.progress.is_on_hold(&order.jobs)
}

fn on_hold() -> StageNames {
    StageNames {
        en: "On hold".to_owned(),
        es: "En espera".to_owned(),
        de: "Zurückgestellt".to_owned(),
    }
}

/// A technician's column and a queue show who has it, and so whether it is dispatched.
fn is_shown_by_layout(order: &RepairOrder) -> bool {
    let stage = order.progress.placement.stage.as_ref();
    stage.is_some_and(|stage| {
        [shipped::TO_BE_DISPATCHED, shipped::DISPATCHED].contains(&stage.as_str())
    })
}

/// `kind`: of the stage of work, in a shop that uses them. There a car is ready once somebody said so, and not when
/// the last job is finished.
fn stage(
    order: &RepairOrder,
    kind: Option<StageKind>,
    technicians: &[TechnicianId],
    worked: &WorkProgress,
) -> Stage {
    let (jobs, done) = (order.jobs.len(), worked.finished_of(order));
    let is_finished = jobs > 0 && done == jobs;
    let is_ready = kind.map_or(is_finished, |kind| kind == StageKind::Done);
    if is_ready {
        Stage::Ready
    } else if is_finished || done > 0 && jobs - done == 1 {
        Stage::AlmostDone
    } else if done > 0 || worked.begun {
        Stage::InWork
    } else if technicians.is_empty() {
        Stage::CheckedIn
    } else {
        Stage::InLine
    }
}
