//! What an import beside the server does to a desk that goes on working.

use std::path::PathBuf;
use std::process::Stdio;
use std::time::Duration;

use clap::{Args, value_parser};
use tokio::process::Command;
use tokio::time::sleep;

use super::Output;
use super::audience::Audience;
use super::figures::{Figures, megabytes, milliseconds, seconds};
use crate::clock::{Clock, Micros};
use crate::desk::Desk;
use crate::error::LoadTestError;
use crate::process::Process;
use crate::spread::Spread;
use crate::target::Target;
use crate::writer::{Acknowledged, PLAIN_WRITES, WriteSchedule, write_together};

const DELAY_MS: f64 = 100.0;

/// Enough that a change is sent when it is due although those before are not answered: a desk that
/// waits must not hide how long.
const WRITERS: usize = 20;

/// Screens that have heard nothing for so long have heard all.
const QUIET: Duration = Duration::from_secs(1);

/// The desk works until the import is over, but not for ever.
const IMPORT_TIMEOUT: Duration = Duration::from_secs(3_600);

#[derive(Clone, Debug, Args)]
pub struct Options {
    #[command(flatten)]
    pub target: Target,

    /// The server's process
    #[arg(long, value_name = "PID")]
    pub pid: u32,

    /// The server's binary, which imports
    #[arg(long, value_name = "FILE")]
    pub server: PathBuf,

    /// The server's data folder
    #[arg(long, value_name = "DIR")]
    pub data_dir: PathBuf,

    /// The file to import
    #[arg(long, value_name = "FILE")]
    pub file: PathBuf,

    /// Open screens
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = value_parser!(u32).range(..=10_000))]
    pub readers: u32,

    /// Changes a second that the desk makes
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = value_parser!(u32).range(1..=1_000))]
    pub rate: u32,

    /// How long the desk works before the import
    #[arg(long, value_name = "SECONDS", default_value_t = 10, value_parser = value_parser!(u64).range(1..=600))]
    pub before: u64,

    #[command(flatten)]
    pub output: Output,
}

/// The import: when it ran, and how many orders it made.
struct Imported {
    from: Micros,
    until: Micros,
    created: u32,
    /// The server's meanwhile, which takes the file from the command and imports it.
    processor_time: Duration,
}

pub async fn run(options: &Options) -> Result<Figures, LoadTestError> {
    let clock = Clock::start();
    let address = &options.target.url;
    let desk = Desk::sign_in(address, &options.target.sign_in).await?;
    let orders = desk.list().await?.orders;
    if orders.len() < WRITERS {
        return Err(LoadTestError::Options(format!(
            "the desk needs {WRITERS} open repair orders, and {} are open",
            orders.len()
        )));
    }
    let screens = Audience::join(address, desk.token(), options.readers).await?;
    let server = Process(options.pid);
    let memory_before = server.memory()?;

    let schedule = WriteSchedule::new(u32::MAX, Some(f64::from(options.rate)), IMPORT_TIMEOUT);
    let writing = write_together(
        &desk,
        clock,
        &schedule,
        orders.into_values(),
        WRITERS,
        PLAIN_WRITES,
    );
    let importing = async {
        sleep(Duration::from_secs(options.before)).await;
        let imported = import(options, clock).await;
        schedule.stop();
        imported
    };
    let (written, imported) = tokio::join!(writing, importing);
    let imported = imported?;
    if let Some(why) = written.iter().find_map(|written| written.failures.first()) {
        return Err(LoadTestError::Unexpected {
            what: "a change beside the import",
            why: why.clone(),
        });
    }
    let heard = screens.leave(QUIET).await?;
    let memory = server.memory()?;

    let done: Vec<Acknowledged> = written
        .into_iter()
        .flat_map(|written| written.acknowledged)
        .collect();
    let took = seconds(imported.until - imported.from);
    let mut figures = Figures::new(format!(
        "import: {} ROs, {} screens, a desk with {} changes a second",
        imported.created, options.readers, options.rate
    ));
    let of = format!("import of {} ROs", imported.created);
    figures.value(
        &of,
        format!(
            "{took:.1} s, {:.0} a second",
            f64::from(imported.created) / took.max(0.001)
        ),
    );
    let orders = u128::from(imported.created.max(1));
    figures.value(
        format!("{of}: server's processor time for one"),
        format!("{} µs", imported.processor_time.as_micros() / orders),
    );
    let before = requests(&done, Micros::MIN, imported.from)?;
    let during = requests(&done, imported.from, imported.until)?;
    for (spread, when) in [(before, "before"), (during, "during")] {
        figures.value(
            format!("{of}: a desk's request {when} it: p50, p99, most"),
            [spread.p50, spread.p99, spread.max]
                .map(milliseconds)
                .join(", "),
        );
    }
    let delay = during.max - before.p50;
    figures.goal(
        format!("{of}: most that a desk's change was delayed"),
        milliseconds(delay),
        format!("at most {DELAY_MS} ms"),
        delay <= DELAY_MS,
    );
    figures.value(
        format!(
            "{of}: changes heard by {} screens, and screens cut",
            options.readers
        ),
        format!("{} and {}", heard.changes, heard.lost.len()),
    );
    figures.value(
        format!("{of}: server's memory before, and at most"),
        format!(
            "{} and {}",
            megabytes(memory_before.resident),
            megabytes(memory.peak)
        ),
    );
    Ok(figures)
}

async fn import(options: &Options, clock: Clock) -> Result<Imported, LoadTestError> {
    let server = Process(options.pid);
    let cpu_before = server.cpu()?;
    let from = clock.now();
    let output = Command::new(&options.server)
        .arg("import")
        .arg(&options.file)
        .arg("--data-dir")
        .arg(&options.data_dir)
        .stdin(Stdio::null())
        .kill_on_drop(true)
        .output()
        .await
        .map_err(|error| {
            LoadTestError::Machine(format!("{}: {error}", options.server.display()))
        })?;
    let until = clock.now();
    let cpu_after = server.cpu()?;
    let output_text = String::from_utf8_lossy(&output.stdout);
    let refused = |answer: String| LoadTestError::Refused {
        what: "the import",
        answer,
    };
    if !output.status.success() {
        let errors = String::from_utf8_lossy(&output.stderr);
        let line = errors.lines().chain(output_text.lines()).next();
        return Err(refused(line.unwrap_or("without a word").to_owned()));
    }
    let created =
        created(&output_text).ok_or_else(|| refused(output_text.lines().take(1).collect()))?;
    Ok(Imported {
        from,
        until,
        created,
        processor_time: cpu_after.saturating_sub(cpu_before),
    })
}

/// The number in `FILE: 10000 created, 0 changed, ..`; more words than it may follow.
fn created(output_text: &str) -> Option<u32> {
    let (before, _) = output_text.split_once(" created")?;
    before.split_whitespace().next_back()?.parse().ok()
}

/// Of the changes that were sent in this time.
fn requests(done: &[Acknowledged], from: Micros, until: Micros) -> Result<Spread, LoadTestError> {
    let took: Vec<Micros> = done
        .iter()
        .filter(|ack| (from..until).contains(&ack.sent))
        .map(|ack| ack.answered - ack.sent)
        .collect();
    if took.is_empty() {
        return Err(LoadTestError::Options(
            "no change was due before, or none during the import: take a larger file or more seconds".to_owned(),
        ));
    }
    Ok(Spread::of(took))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_summary_of_an_import_has_the_number_of_created_orders() {
        let output_text =
            "/tmp/a b: 10000 created, 0 changed, 0 unchanged, 0 refused\n  a warning\n";
        assert_eq!(created(output_text), Some(10_000));
        assert_eq!(created("nothing"), None);
    }
}
