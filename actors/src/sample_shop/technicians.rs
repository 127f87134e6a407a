//! The people of the shop: who works there, in which trade, at which level, and how busy each is.

use std::collections::HashMap;

use rand::Rng;
use rand::rngs::StdRng;

use super::{SampleRule, SampleSkill, SampleTechnician, Scripts};
use crate::repair_order::TechnicianId;

/// What a line of work asks for, and what a technician is best at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Trade {
    Engine,
    Transmission,
    Electrical,
    Diesel,
    Alignment,
    AirConditioning,
    QuickService,
    Pdi,
}

impl Trade {
    fn specialty(self) -> &'static str {
        match self {
            Trade::Engine => "Engine",
            Trade::Transmission => "Transmission",
            Trade::Electrical => "Electrical",
            Trade::Diesel => "Diesel",
            Trade::Alignment => "Alignment",
            Trade::AirConditioning => "A/C",
            Trade::QuickService => "Quick Service",
            Trade::Pdi => "PDI",
        }
    }
}

pub(super) fn advisors() -> Vec<String> {
    ADVISORS.iter().map(ToString::to_string).collect()
}

pub(super) fn skills() -> Vec<SampleSkill> {
    (1..)
        .zip(SKILLS)
        .map(|(id, (name, level, kind))| SampleSkill {
            id,
            name: name.to_string(),
            level,
            kind: kind.map(str::to_owned),
        })
        .collect()
}

pub(super) fn technicians(scripts: Scripts) -> Vec<SampleTechnician> {
    TECHNICIANS
        .iter()
        .map(|(id, name, trade, skills)| SampleTechnician {
            id: *id,
            display_name: name_in(scripts, *id, name).to_owned(),
            specialty: trade.specialty().to_owned(),
            skills: skills
                .iter()
                .map(|skill| (*skill, own_skill_level(*id, *skill)))
                .collect(),
            level: skills
                .iter()
                .map(|skill| level_of(*skill))
                .max()
                .unwrap_or(1),
            daily_hours: hours_of(*id),
        })
        .collect()
}

pub(super) fn rules() -> Vec<SampleRule> {
    RULES
        .iter()
        .map(|(pattern, skill, level)| SampleRule {
            pattern: pattern.to_string(),
            skill: *skill,
            level: *level,
        })
        .collect()
}

fn name_in(scripts: Scripts, technician: TechnicianId, name: &'static str) -> &'static str {
    let mut spellings = LATIN_NAMES.iter();
    match scripts {
        Scripts::All => name,
        Scripts::Shipped => spellings
            .find(|(id, _)| *id == technician)
            .map_or(name, |(_, latin)| latin),
    }
}

fn level_of(skill: i64) -> i32 {
    let place = usize::try_from(skill - 1).ok();
    let skill = place.and_then(|place| SKILLS.get(place));
    skill.map_or(1, |(_, level, _)| *level)
}

fn own_skill_level(technician: TechnicianId, skill: i64) -> Option<i32> {
    let mut own = OWN_LEVELS.iter();
    own.find(|(holder, what, _)| (*holder, *what) == (technician, skill))
        .map(|(.., level)| *level)
}

fn hours_of(technician: TechnicianId) -> u8 {
    let mut other = OTHER_HOURS.iter();
    other
        .find(|(id, _)| *id == technician)
        .map_or(8, |(_, hours)| *hours)
}

/// What an opcode asks for, by the shop's rules: a skill and its least level.
fn skill_for(opcode: &str) -> Option<(i64, i32)> {
    let exact = RULES.iter().find(|(pattern, ..)| *pattern == opcode);
    let beginning = |pattern: &str| {
        pattern
            .strip_suffix('*')
            .is_some_and(|begin| opcode.starts_with(begin))
    };
    let by_beginning = RULES.iter().filter(|(pattern, ..)| beginning(pattern));
    let rule = exact.or_else(|| by_beginning.max_by_key(|(pattern, ..)| pattern.len()));
    rule.map(|(_, skill, level)| (*skill, *level))
}

/// What an order asks of whoever does it.
#[derive(Clone, Debug)]
pub(super) struct Demand {
    pub(super) trade: Trade,
    /// Each skill once, at the highest level that is asked for.
    skills: Vec<(i64, i32)>,
}

impl Demand {
    pub(super) fn new<'a>(trade: Trade, opcodes: impl Iterator<Item = &'a str>) -> Self {
        let mut skills: Vec<(i64, i32)> = Vec::new();
        for (skill, level) in opcodes.filter_map(skill_for) {
            match skills.iter_mut().find(|(known, _)| *known == skill) {
                Some((_, highest)) => *highest = level.max(*highest),
                None => skills.push((skill, level)),
            }
        }
        Self { trade, skills }
    }

    /// How many of its skills somebody lacks, and how many they have at a lower level.
    fn gaps(&self, technician: &SampleTechnician) -> (i64, i64) {
        let (mut lacks, mut below) = (0, 0);
        for (skill, wanted) in &self.skills {
            let mut theirs = technician.skills.iter();
            match theirs.find(|(known, _)| known == skill) {
                None => lacks += 1,
                Some((_, own)) => below += i64::from(own.unwrap_or(level_of(*skill)) < *wanted),
            }
        }
        (lacks, below)
    }

    #[cfg(test)]
    pub(super) fn is_met_by(&self, technician: &SampleTechnician) -> bool {
        self.gaps(technician) == (0, 0)
    }
}

/// The shop floor: the technicians and how much each has to do.
#[derive(Clone, Debug)]
pub(super) struct Floor {
    technicians: Vec<SampleTechnician>,
    /// In hundredths of an hour.
    to_do: HashMap<TechnicianId, i64>,
}

impl Floor {
    pub(super) fn new(technicians: Vec<SampleTechnician>) -> Self {
        Self {
            technicians,
            to_do: HashMap::new(),
        }
    }

    /// `hundredths` of an hour are theirs, in equal shares, and an order to look after.
    pub(super) fn takes(&mut self, technicians: &[TechnicianId], hundredths: i64) {
        for technician in technicians {
            *self.to_do.entry(*technician).or_default() += share(technicians, hundredths);
        }
    }

    pub(super) fn releases(&mut self, technicians: &[TechnicianId], hundredths: i64) {
        for technician in technicians {
            *self.to_do.entry(*technician).or_default() -= share(technicians, hundredths);
        }
    }

    /// Whom the desk would give it to, of those who are not among `excluded`: somebody who can do it and has time, and
    /// rather of its trade; a swamped specialist has it done by others. Not always the best one.
    pub(super) fn available_technician(
        &self,
        rng: &mut StdRng,
        demand: &Demand,
        excluded: &[TechnicianId],
    ) -> Option<TechnicianId> {
        // All in hundredths of a day's work.
        const LACKING: i64 = 90;
        const BELOW: i64 = 60;
        const OTHER_TRADE: i64 = 12;
        const MOOD: i64 = 10;
        let reluctance = |technician: &SampleTechnician, mood: i64| {
            let to_do = self.to_do.get(&technician.id).copied().unwrap_or(0);
            let (lacks, below) = demand.gaps(technician);
            let other_trade = i64::from(technician.specialty != demand.trade.specialty());
            let busy = to_do / i64::from(technician.daily_hours.max(1));
            busy + lacks * LACKING + below * BELOW + other_trade * OTHER_TRADE + mood
        };
        let free = self
            .technicians
            .iter()
            .filter(|t| !excluded.contains(&t.id));
        free.map(|technician| {
            (
                reluctance(technician, rng.random_range(0..MOOD)),
                technician.id,
            )
        })
        .min()
        .map(|(_, id)| id)
    }

    /// What the dealer's system writes on a job's line.
    pub(super) fn first_name(&self, technician: TechnicianId) -> Option<&str> {
        let technician = self.technicians.iter().find(|t| t.id == technician)?;
        technician.display_name.split_whitespace().next()
    }

    pub(super) fn name(&self, technician: TechnicianId) -> Option<&str> {
        let technician = self.technicians.iter().find(|t| t.id == technician)?;
        Some(&technician.display_name)
    }
}

/// Each one's part of an order's work, and what an order costs whoever has it.
fn share(technicians: &[TechnicianId], hundredths: i64) -> i64 {
    const EACH_ORDER: i64 = 30;
    let parts = i64::try_from(technicians.len().max(1)).unwrap_or(1);
    hundredths / parts + EACH_ORDER
}

/// Who may dispatch beside the owner: the people at the desk.
pub(super) const DISPATCHERS: &[&str] = &["Gloria Hutchins", "Ray Tucker"];

const ADVISORS: [&str; 12] = [
    "Maria Santos",
    "Kevin O'Brien",
    "Jennifer Castellanos",
    "Dmitri Volkov",
    "Aisha Rahman",
    "Bob Lindqvist",
    "Tamika Jones-Baptiste",
    "Hiroshi Tanaka",
    "Renée Beaumont",
    "Chuck Wozniak",
    "Luz Elena Peña",
    "Sam Ng",
];

/// Name, level and kind; a skill's id is its place, from 1. The levels are those of the shop's ladder:
/// lube-tech 1, wrenchman 2, craftsman 3, tradesman 4, master 5, foreman 6.
const SKILLS: [(&str, i32, Option<&str>); 14] = [
    ("Lube-tech", 1, Some("Service")),
    ("PDI Inspector", 1, None),
    ("Wrenchman", 2, Some("Service")),
    ("Alignment Craftsman", 3, None),
    ("A/C Craftsman", 3, None),
    ("Brake Craftsman", 3, None),
    ("Electrical Tradesman", 4, Some("Electrical")),
    ("Engine Tradesman", 4, Some("Engine")),
    ("Transmission Tradesman", 4, Some("Transmission")),
    ("Electrical Master", 5, Some("Electrical")),
    ("Engine Master", 5, Some("Engine")),
    ("Transmission Master", 5, Some("Transmission")),
    ("Diesel Master", 5, None),
    ("Foreman", 6, Some("Service")),
];

/// Number in the dealer's system, name, trade, skills. No one has two skills at their top level,
/// so that "highest skill" has one answer.
#[rustfmt::skip] // a table reads as rows
const TECHNICIANS: [(TechnicianId, &str, Trade, &[i64]); 28] = [
    (1104, "Tyler Brandt", Trade::QuickService, &[1]),
    (1107, "Keisha Washington", Trade::QuickService, &[1, 3, 6]),
    (1112, "Bo Li", Trade::QuickService, &[1]),
    (1118, "José Ángel Ramírez", Trade::QuickService, &[1, 3, 6]),
    (1121, "D'Andre Whitfield", Trade::QuickService, &[1]),
    (1125, "Priya Venkataraman", Trade::QuickService, &[1, 3, 6]),
    (1126, "Zoë St. Clair", Trade::QuickService, &[1]),
    (1131, "Hank Mueller", Trade::Pdi, &[1, 2, 3]),
    (1133, "Tuyết Nhung Đặng", Trade::Pdi, &[1, 2, 3]),
    (1138, "Ibrahim Al-Sayed", Trade::Pdi, &[2]),
    (1202, "Conor O'Sullivan", Trade::Alignment, &[1, 3, 4, 6]),
    (1205, "Luis Fernando Castañeda-Ruiz", Trade::Alignment, &[1, 3, 4, 6]),
    (1209, "Svetlana Petrova", Trade::Alignment, &[1, 3, 4, 6]),
    (1214, "Marguerite Thibodeaux", Trade::AirConditioning, &[1, 3, 5]),
    (1216, "Ömer Yıldız", Trade::AirConditioning, &[1, 3, 5]),
    (1301, "Min-jun Kim", Trade::Electrical, &[1, 5, 7, 10]),
    (1304, "Андрей Коваленко", Trade::Electrical, &[1, 7]),
    (1308, "Rachel Goldberg", Trade::Electrical, &[1, 3, 6, 7]),
    (1311, "李伟", Trade::Electrical, &[1, 7, 10]),
    (1402, "Mike Kowalczyk", Trade::Engine, &[1, 3, 6, 8, 11]),
    (1405, "Siobhán Ní Dhomhnaill", Trade::Engine, &[1, 3, 6, 8]),
    (1406, "Terrell Jefferson III", Trade::Engine, &[1, 3, 8]),
    (1410, "Maximilian Alexander von Hohenberg-Schwarzenfels", Trade::Engine, &[1, 8, 11, 14]),
    (1501, "Frank DeLuca", Trade::Transmission, &[1, 9, 12]),
    (1503, "Anahí Quispe Mamani", Trade::Transmission, &[1, 3, 9]),
    (1507, "Dale 'Skip' Hargrove", Trade::Transmission, &[1, 8, 9, 12]),
    (1601, "Wyatt McCoy", Trade::Diesel, &[1, 8, 13]),
    (1604, "يوسف حداد", Trade::Diesel, &[1, 3, 6, 13]),
];

/// Of technicians whose own spelling no shipped font can draw.
const LATIN_NAMES: [(TechnicianId, &str); 2] = [(1311, "Wei Li"), (1604, "Youssef Haddad")];

/// Who is better or not yet as good at something as its name says: technician, skill, level.
const OWN_LEVELS: [(TechnicianId, i64, i32); 8] = [
    (1202, 4, 4),
    (1205, 6, 4),
    (1209, 4, 4),
    (1304, 7, 3),
    (1405, 8, 5),
    (1406, 8, 3),
    (1410, 8, 5),
    (1503, 9, 3),
];

/// Hours a day of those who do not work eight.
const OTHER_HOURS: [(TechnicianId, u8); 6] = [
    (1121, 6),
    (1138, 6),
    (1216, 6),
    (1301, 10),
    (1410, 10),
    (1601, 10),
];

/// What the opcodes ask for: pattern, skill, level. Washing, detailing and recalls anybody does.
const RULES: [(&str, i64, i32); 34] = [
    ("LOF", 1, 1),
    ("MPI", 1, 1),
    ("ROT", 1, 1),
    ("TIRE*", 1, 1),
    ("UTIRE", 1, 1),
    ("BATT", 1, 1),
    ("WIPER", 1, 1),
    ("PDI", 2, 1),
    ("ACC-*", 2, 1),
    ("BRK*", 6, 3),
    ("UBRK", 6, 3),
    ("ALIGN", 4, 3),
    ("SUSP", 4, 3),
    ("AC*", 5, 3),
    ("HEAT", 5, 3),
    ("UCI", 3, 2),
    ("CEL", 8, 4),
    ("OILLK", 8, 4),
    ("OVRHT", 8, 4),
    ("SPARK", 8, 4),
    ("FUELSYS", 8, 4),
    ("ENGRR", 11, 5),
    ("TRFL", 9, 3),
    ("TR*", 9, 4),
    ("TRANSRR", 12, 5),
    ("4WD", 9, 4),
    ("SWUPD", 7, 3),
    ("ELEC", 7, 4),
    ("ALT", 7, 4),
    ("ADAS", 10, 5),
    ("HV*", 10, 5),
    ("DSL*", 13, 5),
    ("DPF", 13, 5),
    ("TURBO", 13, 5),
];
