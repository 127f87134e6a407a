//! The list of repair orders as the server answers it, in a file: what a peer is started with, so
//! that all are measured on the same rows.

use std::path::PathBuf;

use clap::Args;

use crate::bench::Figures;
use crate::desk::Desk;
use crate::error::LoadTestError;
use crate::target::Target;

#[derive(Clone, Debug, Args)]
pub struct Options {
    #[command(flatten)]
    pub target: Target,

    /// The JSON file to write; replaced if it is there
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
}

pub async fn run(options: &Options) -> Result<Figures, LoadTestError> {
    let desk = Desk::sign_in(&options.target.url, &options.target.sign_in).await?;
    let rows = desk.raw_list().await?;
    std::fs::write(&options.out, &rows)
        .map_err(|error| LoadTestError::Machine(format!("{}: {error}", options.out.display())))?;
    let mut figures = Figures::new(format!("rows: {}", options.out.display()));
    figures.value("bytes", rows.len().to_string());
    Ok(figures)
}
