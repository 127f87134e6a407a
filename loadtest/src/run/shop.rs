//! A data folder with orders and an owner, made by the binaries that are measured.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};

use serde_json::Value;
use tokio::io::AsyncWriteExt;
use tokio::process::Command;

use super::children::{Binaries, output_of};
use crate::error::LoadTestError;

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
    /// Orders as `loadtest year` makes them with these options, in place of those written before.
    pub async fn write_orders(
        &self,
        open: u64,
        closed: u64,
        more: &[&str],
    ) -> Result<PathBuf, LoadTestError> {
        let file = self.folder.join("orders.ndjson");
        let counts = [("--open", open), ("--closed", closed)];
        let mut command = Command::new(&self.binaries.loadtest);
        command.arg("year").arg("--out").arg(&file).args(more);
        for (name, count) in counts {
            command.args([name, &count.to_string()]);
        }
        output_of(&mut command).await?;
        Ok(file)
    }

    /// How long the import took.
    pub async fn import(&self, orders: &Path, data_dir: &Path) -> Result<Duration, LoadTestError> {
        let started = Instant::now();
        let mut command = Command::new(&self.binaries.dispatch);
        output_of(
            command
                .arg("import")
                .arg(orders)
                .arg("--data-dir")
                .arg(data_dir),
        )
        .await?;
        Ok(started.elapsed())
    }

    /// Somebody with the password of this shop. `more` are options of `dispatch user add`.
    pub async fn add_user(
        &self,
        data_dir: &Path,
        email: &str,
        more: &[&str],
    ) -> Result<(), LoadTestError> {
        let failed =
            |why: String| LoadTestError::Machine(format!("dispatch user add {email}: {why}"));
        let mut child = Command::new(&self.binaries.dispatch)
            .args(["user", "add", email, "--password-stdin", "--data-dir"])
            .arg(data_dir)
            .args(more)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .kill_on_drop(true)
            .spawn()
            .map_err(|error| failed(error.to_string()))?;
        if let Some(mut stdin) = child.stdin.take() {
            let line = format!("{}\n", self.password);
            let written = stdin.write_all(line.as_bytes()).await;
            written.map_err(|error| failed(error.to_string()))?;
        }
        let ended = child.wait().await;
        let status = ended.map_err(|error| failed(error.to_string()))?;
        match status.success() {
            true => Ok(()),
            false => Err(failed(status.to_string())),
        }
    }

    pub async fn add_owner(&self, data_dir: &Path) -> Result<(), LoadTestError> {
        let more = ["--role", "Owner"];
        self.add_user(data_dir, OWNER, &more).await
    }

    /// Some of those that the orders name can be given more.
    pub async fn add_technicians(
        &self,
        orders: &Path,
        data_dir: &Path,
    ) -> Result<(), LoadTestError> {
        for technician in technicians_in(orders)?.into_iter().take(TECHNICIANS) {
            let email = format!("tech{technician}@example.com");
            let more = ["--role", "Technician", "--technician", &technician];
            self.add_user(data_dir, &email, &more).await?;
        }
        Ok(())
    }
}

/// In the order of their texts, each once.
pub fn technicians_in(orders: &Path) -> Result<BTreeSet<String>, LoadTestError> {
    let unreadable = |error: &dyn std::fmt::Display| {
        LoadTestError::Machine(format!("{}: {error}", orders.display()))
    };
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
pub async fn copy_data(from: &Path, to: &Path) -> Result<(), LoadTestError> {
    let _ = fs::remove_dir_all(to);
    let copied = output_of(Command::new("cp").arg("-r").arg(from).arg(to)).await;
    copied.map(drop)
}

pub fn create_file(path: &Path) -> Result<File, LoadTestError> {
    File::create(path)
        .map_err(|error| LoadTestError::Machine(format!("{}: {error}", path.display())))
}
