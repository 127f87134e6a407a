//! What the command line asks about a customer, and what it is told.

use std::fmt;
use std::path::PathBuf;

use dispatch_actors::store::OrderOfCustomer;
use serde::{Deserialize, Serialize};
use serde_json::Value;

#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CustomerAction {
    /// Only says what there is.
    Find,
    Export,
    Erase,
}

/// Orders that have all of what is given: the customer's whole name, the VIN, one of the numbers.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CustomerRequest {
    pub action: CustomerAction,
    pub name: Option<String>,
    pub vin: Option<String>,
    pub numbers: Vec<i64>,
    /// Where taken files are kept, where no server says it.
    pub intake_dir: Option<PathBuf>,
    /// Who is signed in to the machine.
    pub requested_by: String,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CustomerAnswer {
    pub orders: Vec<FoundOrder>,
    /// Other orders whose texts name the customer or the car.
    pub also_mentioned_in: Vec<i64>,
    /// Taken files that name the customer, the car or one of the orders.
    pub files: Vec<String>,
    /// Taken files that could not be read as text, so that somebody has to look into them.
    pub unread_files: Vec<String>,
    pub export: Option<Value>,
    pub erased: Option<ErasedCounts>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FoundOrder {
    pub number: i64,
    pub customer: String,
    pub vin: String,
    pub vehicle: String,
    pub is_open: bool,
}

impl From<&OrderOfCustomer> for FoundOrder {
    fn from(order: &OrderOfCustomer) -> Self {
        Self {
            number: order.number.get(),
            customer: order.customer.clone(),
            vin: order.vin.clone(),
            vehicle: order.vehicle.clone(),
            is_open: order.is_open,
        }
    }
}

/// What was erased, or what it was erased from.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ErasedCounts {
    pub orders: u64,
    /// Events of these orders.
    pub events: u64,
    pub interviews: u64,
    /// Corrections of clocks on these orders.
    pub corrections: u64,
    pub views: u64,
    /// Deleted files of the intake folder, by their paths.
    pub files: Vec<String>,
    /// Files of it that stay and could not be read as text.
    pub unread_files: Vec<String>,
    /// Whether SQLite's log could be written back; if not, it has what was erased until that is done.
    pub is_log_written_back: bool,
}

impl fmt::Display for ErasedCounts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} repair orders with {} events, {} interviews, {} corrections of clocks, {} named views, {} \
             files",
            self.orders,
            self.events,
            self.interviews,
            self.corrections,
            self.views,
            self.files.len()
        )?;
        match self.unread_files.len() {
            0 => Ok(()),
            unread => write!(f, "; {unread} files could not be read as text"),
        }
    }
}
