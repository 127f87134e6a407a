//! What the calls about skills and opcode rules work with.

use dispatch_actors::store::Store;

use super::{OpcodeRules, Skills, WorkKinds};
use crate::technicians::Technicians;

#[derive(Clone)]
pub struct SkillsState {
    pub store: Store,
    pub skills: Skills,
    pub opcode_rules: OpcodeRules,
    pub work_kinds: WorkKinds,
    pub technicians: Technicians,
}
