//! `dispatch customer`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::DataOptions;

#[derive(Debug, Subcommand)]
pub enum Customer {
    /// Write all that is kept of a customer to one JSON file.
    Export(ExportCustomer),
    /// Erase a customer from their repair orders for good; hours and counts stay.
    Erase(EraseCustomer),
}

/// Whom: repair orders that have all of what is given.
#[derive(Clone, Debug, Args)]
#[group(id = "whom", required = true, multiple = true, args = ["name", "vin", "numbers"])]
pub struct CustomerOrders {
    /// The customer's whole name, as the orders have it
    #[arg(long, value_name = "NAME")]
    pub name: Option<String>,

    /// The car's VIN
    #[arg(long, value_name = "VIN")]
    pub vin: Option<String>,

    /// An RO number; may be given several times, or with commas
    #[arg(long = "ro", value_name = "NUMBER", value_delimiter = ',')]
    pub numbers: Vec<i64>,
}

#[derive(Clone, Debug, Args)]
pub struct ExportCustomer {
    #[command(flatten)]
    pub orders: CustomerOrders,

    /// The file to write, which must not be there yet
    #[arg(long, value_name = "FILE")]
    pub to: PathBuf,

    #[command(flatten)]
    pub data: DataOptions,
}

#[derive(Clone, Debug, Args)]
pub struct EraseCustomer {
    #[command(flatten)]
    pub orders: CustomerOrders,

    /// Say what would be erased, and do nothing
    #[arg(long)]
    pub dry_run: bool,

    /// Do not ask whether it is meant
    #[arg(long, conflicts_with = "dry_run")]
    pub yes: bool,

    /// The intake folder, whose kept files that name the customer are deleted; a server that is running
    /// knows its own
    #[arg(long, value_name = "DIR", env = "DISPATCH_INTAKE_DIR")]
    pub intake_dir: Option<PathBuf>,

    #[command(flatten)]
    pub data: DataOptions,
}
