//! The cards of a board as the server sends them, and as they are compared with the server's.

use std::collections::{BTreeMap, BTreeSet};

use crc32fast::Hasher;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

/// Everything a board shows.
#[derive(Deserialize)]
pub struct BoardPicture {
    pub seq: i64,
    cards: Vec<Box<RawValue>>,
    technicians: Vec<Technician>,
}

/// What counts of a card.
#[derive(Deserialize)]
struct CardFields {
    key: String,
    #[serde(default, rename = "technicianIds")]
    technicians: Vec<i64>,
}

#[derive(Clone, Deserialize, Serialize)]
pub struct Technician {
    pub id: i64,
    name: String,
    running: Option<RunningClock>,
}

#[derive(Clone, Deserialize, Serialize)]
struct RunningClock {
    key: Option<String>,
    since: String,
}

#[derive(Deserialize)]
pub struct CardEvent {
    key: String,
    card: Option<Box<RawValue>>,
    pub seq: i64,
}

/// What is on a board.
#[derive(Default)]
pub struct ShownCards {
    /// By key, each as it came.
    pub cards: BTreeMap<String, Box<RawValue>>,
    pub technicians: BTreeMap<i64, Technician>,
}

impl BoardPicture {
    pub fn shown(&self) -> ShownCards {
        let cards = self.cards.iter().filter_map(|card| {
            let CardFields { key, .. } = serde_json::from_str(card.get()).ok()?;
            Some((key, card.clone()))
        });
        let technicians = self.technicians.iter().cloned();
        ShownCards {
            cards: cards.collect(),
            technicians: technicians
                .map(|technician| (technician.id, technician))
                .collect(),
        }
    }
}

impl ShownCards {
    /// Whether somebody is on the card who is not known.
    pub fn put(&mut self, card: &CardEvent) -> bool {
        let Some(new) = &card.card else {
            self.cards.remove(&card.key);
            return false;
        };
        self.cards.insert(card.key.clone(), new.clone());
        let is_listed = |id: &i64| self.technicians.contains_key(id);
        !technicians(new).iter().all(is_listed)
    }

    /// Cards by key, then the technicians who are on a card or on the clock.
    pub fn lines(&self) -> Vec<String> {
        let cards = self.cards.values();
        let on_cards: BTreeSet<i64> = cards.flat_map(|card| technicians(card)).collect();
        let technicians = self
            .technicians
            .values()
            .filter(|one| one.running.is_some() || on_cards.contains(&one.id));
        let cards = self.cards.values().map(|card| card.get().to_owned());
        cards
            .chain(technicians.map(|one| serde_json::to_string(one).unwrap_or_default()))
            .collect()
    }

    pub fn checksum(&self) -> String {
        let mut hasher = Hasher::new();
        for line in self.lines() {
            hasher.update(line.as_bytes());
            hasher.update(b"\n");
        }
        format!("{:08x}", hasher.finalize())
    }
}

fn technicians(card: &RawValue) -> Vec<i64> {
    serde_json::from_str(card.get())
        .map_or_else(|_| Vec::new(), |CardFields { technicians, .. }| technicians)
}
