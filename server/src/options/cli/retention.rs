//! For how long the server keeps what is over.

use clap::Args;
use serde::Deserialize;

use crate::retention::KeepDays;

/// For how long old rows are kept. Each is a number of days, or `forever`.
#[derive(Clone, Debug, Default, Args, Deserialize)]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
#[command(next_help_heading = "Retention")]
pub struct RetentionOptions {
    /// Days for which a closed repair order is kept after its closing, with its jobs and stories; 62 at
    /// least, or forever [default: 1826, which is five years]
    #[arg(long, value_name = "DAYS", env = "DISPATCH_KEEP_CLOSED_ORDERS_DAYS")]
    pub keep_closed_orders_days: Option<KeepDays>,

    /// Days for which the history of a closed repair order is kept after its closing, earlier versions of
    /// stories among it; 62 at least, or forever [default: as long as the order]
    #[arg(long, value_name = "DAYS", env = "DISPATCH_KEEP_EVENTS_DAYS")]
    pub keep_events_days: Option<KeepDays>,

    /// Days for which it is kept who knew of an assignment, once the order is closed; 7 at least, or
    /// forever [default: 90]
    #[arg(long, value_name = "DAYS", env = "DISPATCH_KEEP_RECEIPTS_DAYS")]
    pub keep_receipts_days: Option<KeepDays>,

    /// Days for which technicians' clock entries are kept; 62 at least, or forever [default: 1096, which is
    /// three years]
    #[arg(long, value_name = "DAYS", env = "DISPATCH_KEEP_CLOCKS_DAYS")]
    pub keep_clocks_days: Option<KeepDays>,

    /// Days for which the audit trail keeps what is done from now on; 30 at least, or forever [default: 400]
    #[arg(long, value_name = "DAYS", env = "DISPATCH_KEEP_AUDIT_DAYS")]
    pub keep_audit_days: Option<KeepDays>,

    /// Days for which an interview is kept that ended in no saved story; 2 at least, or forever [default: 2]
    #[arg(long, value_name = "DAYS", env = "DISPATCH_KEEP_CONVERSATIONS_DAYS")]
    pub keep_conversations_days: Option<KeepDays>,
}
