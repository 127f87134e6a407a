//! The database schema, step by step. Runs at start and as `dispatch migrate`; the same steps on
//! SQLite and PostgreSQL. Points in time are milliseconds since 1970 (UTC) in BIGINT columns.

pub use sea_orm_migration::MigratorTrait;
use sea_orm_migration::prelude::*;

mod m0001_repair_orders;
mod m0002_staff;
mod m0003_changes;
mod m0004_intake;
mod m0005_identity;
mod m0006_sold_hours;
mod m0007_clocks;
mod m0008_receipts;
mod m0009_organisation;
mod m0010_tech_stories;
mod m0011_boards;
mod m0012_board_links;
mod m0013_log_generation;
mod m0014_mail_queue;
mod m0015_known_devices;
mod m0016_audit_events;
mod m0017_tag_number;
mod m0018_order_search;
mod m0019_preferences;
mod m0020_named_views;
mod m0021_ended_sessions;
mod m0022_order_search_joined;
mod m0023_retention;
mod m0024_clock_proposals;
mod m0025_story_kinds;
mod m0026_skill_kinds;
mod m0027_pushes_under_way;
mod m0028_stages;
mod m0029_stage_limits;

/// Steps beside which a server of the version before goes on, and starts: they add tables, or columns that need no value,
/// and change nothing that it reads or writes. Every step from here on is to be one; another one is an update for which
/// all servers stop. On PostgreSQL none holds a lock that others wait for while it reads a large table.
pub const ADDITIVE_STEPS: [&str; 3] = [
    "m0027_pushes_under_way",
    "m0028_stages",
    "m0029_stage_limits",
];

pub struct Migrator;

#[async_trait::async_trait]
impl MigratorTrait for Migrator {
    fn migrations() -> Vec<Box<dyn MigrationTrait>> {
        vec![
            Box::new(m0001_repair_orders::Migration),
            Box::new(m0002_staff::Migration),
            Box::new(m0003_changes::Migration),
            Box::new(m0004_intake::Migration),
            Box::new(m0005_identity::Migration),
            Box::new(m0006_sold_hours::Migration),
            Box::new(m0007_clocks::Migration),
            Box::new(m0008_receipts::Migration),
            Box::new(m0009_organisation::Migration),
            Box::new(m0010_tech_stories::Migration),
            Box::new(m0011_boards::Migration),
            Box::new(m0012_board_links::Migration),
            Box::new(m0013_log_generation::Migration),
            Box::new(m0014_mail_queue::Migration),
            Box::new(m0015_known_devices::Migration),
            Box::new(m0016_audit_events::Migration),
            Box::new(m0017_tag_number::Migration),
            Box::new(m0018_order_search::Migration),
            Box::new(m0019_preferences::Migration),
            Box::new(m0020_named_views::Migration),
            Box::new(m0021_ended_sessions::Migration),
            Box::new(m0022_order_search_joined::Migration),
            Box::new(m0023_retention::Migration),
            Box::new(m0024_clock_proposals::Migration),
            Box::new(m0025_story_kinds::Migration),
            Box::new(m0026_skill_kinds::Migration),
            Box::new(m0027_pushes_under_way::Migration),
            Box::new(m0028_stages::Migration),
            Box::new(m0029_stage_limits::Migration),
        ]
    }
}
