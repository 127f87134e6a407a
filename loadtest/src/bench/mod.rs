//! The product's figures, one module each: how many changes it takes, what its list costs, how long
//! a search takes, how rightly the promise risk warns, how it starts with a year behind it, what an import and what deleting
//! old rows does to whoever works beside it, whether a refused
//! sign-in takes the same time for everybody, and whether an owner gets in while everybody wants to. They
//! measure, and say whether a goal was met; to miss one is a failure of the last alone. What broke a
//! promise cannot be measured.

pub mod admission;
pub mod audience;
pub mod changes;
mod figures;
pub mod import;
pub mod list;
pub mod promise;
pub mod pruning;
pub mod search;
pub mod sign_in;
pub mod start;
pub mod year;

pub use figures::Figures;

use std::path::PathBuf;

use clap::Args;

#[derive(Clone, Debug, Args)]
pub struct Output {
    /// Also append the figures to this file, as rows of a Markdown table
    #[arg(long, value_name = "FILE")]
    pub markdown: Option<PathBuf>,
}
