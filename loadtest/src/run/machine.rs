//! The line above a measurement that says where it was made.

use std::fs;
use std::process::Command;

use super::children::{Binaries, output_of};
use crate::trouble::Trouble;

/// As `2026-07-14, CPU, 2 cores (...), Linux 6.1, load 0.10 before, dispatch 0.1.0`.
pub fn description(cores: &str, binaries: &Binaries) -> Result<String, Trouble> {
    let date = jiff::Timestamp::now().strftime("%F").to_string();
    let count = std::thread::available_parallelism().map_or(1, |count| count.get());
    let kernel = output_of(Command::new("uname").arg("-r"))?;
    let load = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let load = load.split_whitespace().next().unwrap_or("unknown");
    Ok(format!(
        "{date}, {}, {count} cores ({cores}), Linux {}, load {load} before, {}",
        processor(),
        kernel.trim(),
        binaries.version()?
    ))
}

fn processor() -> String {
    let text = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = text.lines().find_map(|line| {
        let (name, value) = line.split_once(':')?;
        (name.trim() == "model name").then(|| value.trim().to_owned())
    });
    model.unwrap_or_else(|| std::env::consts::ARCH.to_owned())
}
