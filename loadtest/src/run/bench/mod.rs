//! The product's figures, each with data folders and servers of its own.
//!
//! - `measurements`: what each figure is measured with.
//! - `accounts`: accounts that are written into a database, where making them would take too long.

mod accounts;
mod measurements;

use std::fs;
use std::path::PathBuf;
use std::time::Instant;

use clap::{Args, ValueEnum, value_parser};

use self::measurements::Bench;
use super::children::Binaries;
use super::machine;
use crate::error::LoadTestError;
use crate::work_folder::WorkFolder;

#[derive(Clone, Copy, Debug, PartialEq, ValueEnum)]
pub enum Figure {
    Changes,
    List,
    Year,
    Search,
    Import,
    Desk,
    Portal,
    SignIn,
    Admission,
    Pruning,
}

/// Those that need neither Chromium nor another goal than speed.
const DEFAULT_FIGURES: [Figure; 5] = [
    Figure::Changes,
    Figure::List,
    Figure::Year,
    Figure::Search,
    Figure::Import,
];

#[derive(Clone, Debug, Args)]
pub struct Options {
    /// Folder of the binaries `dispatch` and `loadtest`
    #[arg(value_name = "FOLDER")]
    pub binaries: PathBuf,

    /// What is measured [default: changes, list, year, search and import]
    #[arg(value_name = "FIGURE")]
    pub figures: Vec<Figure>,

    /// 10 takes a tenth of the orders and of the time, to try the measurement itself
    #[arg(long, value_name = "N", env = "BENCH_SCALE", default_value_t = 1, value_parser = value_parser!(u64).range(1..))]
    pub scale: u64,

    /// Technicians' portals that are open; BENCH_PAGES and BENCH_SECONDS make portal smaller, too, and
    /// BENCH_ROUNDS desk
    #[arg(long, value_name = "N", env = "BENCH_PORTALS", default_value_t = 50)]
    pub portals: u32,
}

impl Options {
    fn figures(&self) -> &[Figure] {
        match self.figures.is_empty() {
            true => &DEFAULT_FIGURES,
            false => &self.figures,
        }
    }

    /// What measures this figure alone.
    fn command(&self, name: &str) -> String {
        format!("loadtest run bench {} {name}", self.binaries.display())
    }
}

/// Whether every figure was measured and admission met its goals.
pub async fn run(options: &Options) -> Result<bool, LoadTestError> {
    let binaries = Binaries::in_folder(&options.binaries)?;
    let machine = machine::describe_disk(WorkFolder::create("bench")?.path(), &binaries).await?;
    println!("{machine}");
    let mut table = String::new();
    let mut failed = Vec::new();
    for figure in options.figures() {
        let value = figure.to_possible_value();
        let name = value.as_ref().map_or("", |value| value.get_name());
        let command = options.command(name);
        println!("\n== {name}: {command}");
        let started = Instant::now();
        let folder = WorkFolder::create("bench")?;
        let bench = Bench {
            options,
            binaries: &binaries,
            folder: folder.path(),
        };
        if let Err(error) = bench.measure(*figure).await {
            eprintln!("{error}");
            failed.push(name.to_owned());
        }
        // Nothing was noted where nothing was measured.
        let rows = fs::read_to_string(bench.rows_file()).unwrap_or_default();
        table.push_str(&with_command(&rows, &command));
        println!("== {name} took {} s", started.elapsed().as_secs());
    }

    println!("\n{machine}\n");
    println!("| figure | measured | goal | command |");
    println!("|---|---|---|---|");
    print!("{table}");
    if !failed.is_empty() {
        let failed = failed.join(" ");
        eprintln!("not measured, or a goal was missed: {failed}");
        return Ok(false);
    }
    Ok(true)
}

/// Rows of a Markdown table, with one cell more.
fn with_command(rows: &str, command: &str) -> String {
    rows.lines()
        .map(|row| format!("{row} `{command}` |\n"))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_row_names_the_command_that_measured_it() {
        assert_eq!(
            with_command("| a | 1 |  |\n| b | 2 | 3: met |\n", "x y"),
            "| a | 1 |  | `x y` |\n| b | 2 | 3: met | `x y` |\n"
        );
        assert_eq!(with_command("", "x y"), "");
    }
}
