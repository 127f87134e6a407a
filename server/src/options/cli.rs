//! The command line: what can be asked of the binary, each option also from `DISPATCH_*` and from
//! a file of options.

mod backup;
mod customer;
mod data;
mod doctor;
mod identity;
mod import;
mod interviews;
mod retention;
mod scheduled_backups;
mod serve;
mod users;

use clap::{Parser, Subcommand};

use crate::version::version_line;

pub use backup::{Backup, Restore};
pub use customer::{Customer, CustomerOrders, EraseCustomer, ExportCustomer};
pub use data::{DataOptions, ShopOptions};
pub use doctor::Doctor;
pub use identity::{IdentityName, IdentityOptions, StaffName};
pub use import::{FormatName, Import};
pub use interviews::{InterviewOptions, InterviewerName};
pub use retention::RetentionOptions;
pub use scheduled_backups::ScheduledBackupOptions;
pub use serve::{DemoMode, Serve};
pub use users::{
    AddUser, NamedUser, RotateTokenKey, SetUserRoles, Staff, StaffImport, TokenKey, User,
};

/// Repair-order dispatch for a service department: the server behind the desk, the technicians'
/// portal and the boards.
#[derive(Debug, Parser)]
#[command(name = "dispatch", version = version_line(), max_term_width = 100)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Run the server.
    Serve(Box<Serve>),
    /// Look at everything that a server with these options needs, and say what to do; changes nothing.
    Doctor(Box<Doctor>),
    /// Bring the database's schema up to date and stop.
    Migrate(DataOptions),
    /// Write all of the shop's data to one file, beside a running server too.
    Backup(Backup),
    /// Bring a backup back into a data folder whose server is stopped.
    Restore(Restore),
    /// Take repair orders from files; beside a running server they appear on the open screens.
    Import(Import),
    /// Add a user, change a user's roles, or remove one.
    #[command(subcommand)]
    User(User),
    /// Export or erase what is kept of one customer.
    #[command(subcommand)]
    Customer(Customer),
    /// The key that signs ID tokens.
    #[command(subcommand)]
    TokenKey(TokenKey),
    /// Move accounts and staff records here from hosted services.
    #[command(subcommand)]
    Staff(Staff),
    /// Print the OpenAPI document.
    Openapi,
}
