//! Technicians: who there is, where they stand, what they can do, what they are called, what they
//! have to do, and who of them could take an order.
//!
//! - The list: `technician` (one of them), `routes`, `api_types`, `store`, `rows`,
//!   `technician_skills`, `set_up`, `state` (what the calls work with), `announcements` (to every
//!   session).
//! - The levels of the workshop: `organisation`, `organisation_routes`.
//! - What they have to do: `workload`. Who should get an order: `suggestion`. Who got how much this week: `fairness`.

mod announcements;
mod api_types;
pub mod fairness;
pub mod organisation;
pub mod organisation_routes;
pub mod routes;
mod rows;
mod set_up;
mod state;
mod store;
pub mod suggestion;
mod technician;
mod technician_skills;
pub mod workload;

pub use announcements::{TechniciansChangedEvent, follow};
pub use fairness::Fairness;
pub use organisation::Organisation;
pub use set_up::{NewSkill, NewTechnician};
pub use state::TechniciansState;
pub use store::Technicians;
pub use technician::{DailyMinutes, Technician, TechnicianSkill};
pub(crate) use technician_skills::{count_having, counts_by_skill};
