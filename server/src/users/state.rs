//! What the calls and the task about staff records work with.

use std::sync::Arc;

use super::Invitations;
use crate::identity::{Identity, MailQueue};
use crate::realtime::announcer::Announcer;
use crate::skills::Skills;
use crate::staff::StaffCollection;
use crate::technician_names::TechnicianDirectory;
use crate::technicians::Technicians;

#[derive(Clone)]
pub struct UsersState {
    pub staff: Arc<dyn StaffCollection>,
    pub identity: Identity,
    pub mail_queue: MailQueue,
    pub invitations: Invitations,
    pub technicians: Technicians,
    pub directory: TechnicianDirectory,
    pub skills: Skills,
    pub announcer: Announcer,
}
