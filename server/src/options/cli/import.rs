//! `dispatch import`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use dispatch_intake::FormatChoice;

use super::DataOptions;

#[derive(Clone, Debug, Args)]
pub struct Import {
    #[command(flatten)]
    pub data: DataOptions,

    /// Files to take, in this order; - is standard input
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// How the files are written
    #[arg(long, value_enum, default_value = "auto")]
    pub format: FormatName,

    /// Say what would be created, changed, left and refused, and do nothing
    #[arg(long)]
    pub dry_run: bool,

    /// Write refused rows, whole and with the reason, to this file
    /// [default: FILE.rejects.ndjson beside each file]
    #[arg(long, value_name = "FILE")]
    pub rejects: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum FormatName {
    /// By the file's name, else by its first characters.
    Auto,
    /// An array, an object with `data`, or an object a line; ours, CDK's or STAR's.
    Json,
    /// Comma, semicolon or tab, with a header line.
    Csv,
    /// CDK Drive's service repair orders.
    Cdk,
    /// STAR 5's names, as JSON or CSV.
    Star,
}

impl From<FormatName> for FormatChoice {
    fn from(name: FormatName) -> Self {
        match name {
            FormatName::Auto => FormatChoice::Auto,
            FormatName::Json => FormatChoice::Json,
            FormatName::Csv => FormatChoice::Csv,
            FormatName::Cdk => FormatChoice::Cdk,
            FormatName::Star => FormatChoice::Star,
        }
    }
}
