//! Skills: what technicians can do. A skill has a name that no other has, also not in other case,
//! a level by which skills are ranked, and where the shop says so a kind, within which the higher includes the lower. Which technician has which is in `technicians`.
//!
//! `skill`: what one is; `routes`: the list, changing it, giving technicians theirs; `rules`,
//! `rule_book` and `rule_routes`: which skill an opcode asks for; `work_kinds`: which kind of work it is; `state`: what the calls work
//! with; `store`: the table; `api_types`: the shapes.

pub mod api_types;
pub mod routes;
mod rule_book;
pub mod rule_routes;
mod rules;
mod skill;
mod state;
mod store;
pub mod work_kinds;

pub use rule_book::{
    MAX_PATTERNS, OpcodePattern, OpcodePatternText, OpcodeRule, PatternMap, RuleBook,
    too_many_patterns,
};
pub use rules::OpcodeRules;
pub use skill::{ListedSkill, Skill, SkillKind, SkillLevel, SkillLevelInBody, SkillName, SkillUse};
pub use state::SkillsState;
pub use store::Skills;
pub(crate) use store::{find_locked, insert_missing, ranked};
pub use work_kinds::{CodeKind, WorkKindBook, WorkKinds};
