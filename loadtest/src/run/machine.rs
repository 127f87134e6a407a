//! The line above a measurement that says where it was made.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;
use std::time::{Duration, Instant};

use tokio::process::Command;

use super::children::{Binaries, output_of};
use crate::error::LoadTestError;

/// In bytes.
const BLOCK: usize = 4_096;
const DURABLE_WRITES: u32 = 200;

/// As `2026-07-14, CPU, 2 cores (...), Linux 6.1, load 0.10 before, dispatch 0.1.0`.
pub async fn describe_cores(cores: &str, binaries: &Binaries) -> Result<String, LoadTestError> {
    Ok(format!(
        "{}, {}, {} cores ({cores}), Linux {}, load {} before, {}",
        today(),
        processor(),
        core_count(),
        kernel().await?,
        load_average(),
        binaries.version().await?
    ))
}

/// As `2026-07-14, CPU, 2 cores, 24 GB, Linux 6.1, ext4 (a durable 4 kB write takes 0.20 ms), load 0.10 before,
/// dispatch 0.1.0`, of the disk that this folder is on.
pub async fn describe_disk(folder: &Path, binaries: &Binaries) -> Result<String, LoadTestError> {
    let mut stat = Command::new("stat");
    let file_system = output_of(stat.args(["-f", "-c", "%T"]).arg(folder)).await?;
    let write_time = durable_write_time(folder)
        .map_err(|error| LoadTestError::Machine(format!("{}: {error}", folder.display())))?;
    Ok(format!(
        "{}, {}, {} cores, {}, Linux {}, {} (a durable 4 kB write takes {:.2} ms), load {} before, {}",
        today(),
        processor(),
        core_count(),
        memory(),
        kernel().await?,
        file_system.trim(),
        write_time.as_secs_f64() * 1_000.0,
        load_average(),
        binaries.version().await?
    ))
}

/// The mean of many.
fn durable_write_time(folder: &Path) -> io::Result<Duration> {
    let path = folder.join("durable-writes");
    let mut file = File::create(&path)?;
    let started = Instant::now();
    for _ in 0..DURABLE_WRITES {
        file.write_all(&[0; BLOCK])?;
        file.sync_data()?;
    }
    let took = started.elapsed();
    fs::remove_file(path)?;
    Ok(took / DURABLE_WRITES)
}

fn today() -> String {
    jiff::Timestamp::now().strftime("%F").to_string()
}

fn core_count() -> usize {
    std::thread::available_parallelism().map_or(1, |count| count.get())
}

async fn kernel() -> Result<String, LoadTestError> {
    let release = output_of(Command::new("uname").arg("-r")).await?;
    Ok(release.trim().to_owned())
}

fn load_average() -> String {
    let averages = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let latest = averages.split_whitespace().next();
    latest.unwrap_or("unknown").to_owned()
}

fn processor() -> String {
    let model = proc_value("/proc/cpuinfo", "model name");
    model.unwrap_or_else(|| std::env::consts::ARCH.to_owned())
}

fn memory() -> String {
    let total = proc_value("/proc/meminfo", "MemTotal").unwrap_or_default();
    let kilobytes: Option<f64> = total.trim_end_matches(" kB").parse().ok();
    kilobytes.map_or("unknown memory".to_owned(), |it| {
        format!("{:.0} GB", it / 1_048_576.0)
    })
}

/// Of a file whose lines are `name: value`, the first.
fn proc_value(path: &str, wanted: &str) -> Option<String> {
    let text = fs::read_to_string(path).ok()?;
    text.lines().find_map(|line| {
        let (name, value) = line.split_once(':')?;
        (name.trim() == wanted).then(|| value.trim().to_owned())
    })
}
