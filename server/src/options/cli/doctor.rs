//! `dispatch doctor`.

use clap::Args;

use super::Serve;

/// Looks at everything that a server with these options needs. Exit code 0: nothing is wrong; 1: there are warnings; 2:
/// something is wrong.
#[derive(Clone, Debug, Args)]
pub struct Doctor {
    /// Print JSON, for scripts
    #[arg(long)]
    pub json: bool,

    #[command(flatten)]
    pub serve: Serve,
}
