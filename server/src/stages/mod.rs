//! The shop's stages of work: the list that owners edit, and whether the shop uses it. A deleted stage stays, since
//! histories name it.
//!
//! `stage`: what one is; `store`: the table and the setting, and the only SQL that changes them; `routes` and
//! `api_types`: the calls; `totals` and `totals_types`: the call about where cars waited; `work_reports`: what the job clocks tell repair orders; `announcements`: what sessions and
//! other servers hear; `known_stages`: what boards show of them; `state`: what all of them work with. How an order moves is decided by the order itself.

mod announcements;
pub mod api_types;
mod known_stages;
pub mod routes;
mod stage;
mod state;
mod store;
mod totals;
mod totals_types;
mod work_reports;

pub use announcements::{StagesChangedEvent, follow};
pub use known_stages::{KnownStages, folded_name};
pub use stage::{Stage, StageColour, StageNames};
pub use state::StagesState;
pub use store::Stages;
pub use work_reports::follow as follow_clocks;
