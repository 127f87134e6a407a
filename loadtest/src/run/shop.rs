//! A data folder with orders and an owner, made by the binaries that are measured.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use super::children::{Binaries, output_of};
use crate::trouble::Trouble;

pub const OWNER: &str = "owner@example.com";

/// Technicians with an account, to whom a scenario gives orders.
const TECHNICIANS: usize = 5;

pub struct ShopMaker<'a> {
    pub binaries: &'a Binaries,
    /// Where files of orders are written.
    pub folder: &'a Path,
    pub password: &'a str,
}

impl ShopMaker<'_> {
    /// Orders as `loadtest year` makes them.
    pub fn write_orders(&self, open: u64, closed: u64) -> Result<PathBuf, Trouble> {
        let file = self.folder.join("orders.ndjson");
        let counts = [("--open", open), ("--closed", closed)];
        let mut command = Command::new(&self.binaries.loadtest);
        command.arg("year").arg("--out").arg(&file);
        for (name, count) in counts {
            command.args([name, &count.to_string()]);
        }
        output_of(&mut command)?;
        Ok(file)
    }

    /// How long the import took.
    pub fn import(&self, orders: &Path, data_dir: &Path) -> Result<Duration, Trouble> {
        let started = Instant::now();
        let mut command = Command::new(&self.binaries.dispatch);
        output_of(
            command
                .arg("import")
                .arg(orders)
                .arg("--data-dir")
                .arg(data_dir),
        )?;
        Ok(started.elapsed())
    }

    pub fn add_user(&self, data_dir: &Path, email: &str, more: &[&str]) -> Result<(), Trouble> {
        let failed = |why: String| Trouble::Machine(format!("dispatch user add {email}: {why}"));
        let mut child = Command::new(&self.binaries.dispatch)
            .args(["user", "add", email, "--password-stdin", "--data-dir"])
            .arg(data_dir)
            .args(more)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .spawn()
            .map_err(|error| failed(error.to_string()))?;
        if let Some(mut stdin) = child.stdin.take() {
            writeln!(stdin, "{}", self.password).map_err(|error| failed(error.to_string()))?;
        }
        let status = child.wait().map_err(|error| failed(error.to_string()))?;
        match status.success() {
            true => Ok(()),
            false => Err(failed(status.to_string())),
        }
    }

    pub fn add_owner(&self, data_dir: &Path) -> Result<(), Trouble> {
        self.add_user(data_dir, OWNER, &["--role", "Owner"])
    }

    /// Some of those that the orders name can be given more.
    pub fn add_technicians(&self, orders: &Path, data_dir: &Path) -> Result<(), Trouble> {
        for technician in technicians_in(orders)?.into_iter().take(TECHNICIANS) {
            let email = format!("tech{technician}@example.com");
            let more = ["--role", "Technician", "--technician", &technician];
            self.add_user(data_dir, &email, &more)?;
        }
        Ok(())
    }
}

/// In the order of their texts, each once.
fn technicians_in(orders: &Path) -> Result<BTreeSet<String>, Trouble> {
    let unreadable =
        |error: &dyn std::fmt::Display| Trouble::Machine(format!("{}: {error}", orders.display()));
    let text = fs::read_to_string(orders).map_err(|error| unreadable(&error))?;
    let mut technicians = BTreeSet::new();
    for line in text.lines() {
        let order: Value = serde_json::from_str(line).map_err(|error| unreadable(&error))?;
        collect_technicians(&order, &mut technicians);
    }
    Ok(technicians)
}

fn collect_technicians(value: &Value, technicians: &mut BTreeSet<String>) {
    match value {
        Value::Object(fields) => {
            if let Some(number) = fields.get("regularIdTechnician").and_then(Value::as_u64) {
                technicians.insert(number.to_string());
            }
            fields
                .values()
                .for_each(|value| collect_technicians(value, technicians));
        }
        Value::Array(entries) => {
            entries
                .iter()
                .for_each(|value| collect_technicians(value, technicians));
        }
        _ => {}
    }
}

/// A copy of a data folder whose server is stopped.
pub fn copy_data(from: &Path, to: &Path) -> Result<(), Trouble> {
    let _ = fs::remove_dir_all(to);
    let copied = output_of(Command::new("cp").arg("-r").arg(from).arg(to));
    copied.map(|_| ())
}

pub fn create_file(path: &Path) -> Result<File, Trouble> {
    File::create(path).map_err(|error| Trouble::Machine(format!("{}: {error}", path.display())))
}
