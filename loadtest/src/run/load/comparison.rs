//! The server and its peers in turn, with the same calls, on the same orders.

use std::path::Path;
use std::time::Instant;

use serde_json::Value;
use tokio::process::Command;

use super::{Load, LoadScenario, SIDES};
use crate::error::LoadTestError;
use crate::run::children::{RunningServer, output_of};

/// Messages a second in all.
const MESSAGES_PER_SECOND: u64 = 20_000;

impl Load<'_> {
    /// What the peers answer with.
    pub(super) async fn write_rows(&self) -> Result<(), LoadTestError> {
        let server = self.start("dispatch").await?;
        let mut command = self.loadtest(&["rows", "--url", &server.url, "--out"]);
        output_of(command.arg(self.folder.join("rows.json")))
            .await
            .map(drop)
    }

    /// Those that can be built here; the others are reported, and left out of the comparison.
    pub(super) async fn find_peers(&self) -> Vec<&'static str> {
        let [ours, peers @ ..] = SIDES;
        let mut sides = vec![ours];
        for side in peers {
            match build_peer(&self.options.peers.join(side)).await {
                Ok(()) => sides.push(side),
                Err(error) => eprintln!("{error}: measured without {side}"),
            }
        }
        sides
    }

    pub(super) async fn compare(&mut self, scenarios: &[LoadScenario], sides: &[&'static str]) {
        let rounds = self.options.rounds;
        for round in 1..=rounds {
            for side in sides {
                let started = Instant::now();
                let server = match self.start(side).await {
                    Ok(server) => server,
                    Err(error) => {
                        self.failures.push(format!("{side} did not start: {error}"));
                        continue;
                    }
                };
                for scenario in scenarios {
                    match scenario {
                        LoadScenario::Write => self.write_round(side, &server).await,
                        _ => self.fanout_round(side, &server).await,
                    }
                }
                let seconds = started.elapsed().as_secs();
                eprintln!("round {round} of {rounds}, {side}: {seconds} s");
            }
        }
        self.print_table();
    }

    async fn fanout_round(&mut self, side: &'static str, server: &RunningServer) {
        // The many first: memory is looked at while the server is fresh.
        for sessions in [5_000, 1_000] {
            let rate = MESSAGES_PER_SECOND / sessions;
            let changes = rate * self.part(10);
            let settle = if sessions == 5_000 { 4 } else { 0 };
            let common = format!(
                "fanout --readers {} --writers 4 --rate {rate} --changes {changes}",
                self.part(sessions)
            );
            let arguments = format!("{common} --settle {settle}");
            let fanout = self.report("fanout", server, &arguments).await;
            let arguments = format!("{common} --burst 12 --settle 0");
            let burst = self.report("burst", server, &arguments).await;
            let mut note = |row: &str, report: &Value, pointer: &str| {
                let value = report.pointer(pointer).and_then(Value::as_f64);
                self.figures.note(&format!("{row}-{sessions}"), side, value);
            };
            note("cpu", &fanout, "/serverCpuPerDeliveryMicros");
            note("load", &fanout, "/loadShareOfCore");
            note("p99", &fanout, "/commitToDeliveryMs/p99");
            note("request-p50", &fanout, "/requestMs/p50");
            note("request-p99", &fanout, "/requestMs/p99");
            note("bytes", &fanout, "/bytesPerSession");
            note("burst", &burst, "/serverCpuPerDeliveryMicros");
        }
    }

    async fn write_round(&mut self, side: &'static str, server: &RunningServer) {
        let arguments = format!("write --writers 64 --seconds {}", self.part(6));
        let report = self.report("write", server, &arguments).await;
        for (row, pointer) in [
            ("changes", "/changesPerSecond"),
            ("each", "/serverCpuPerChangeMicros"),
            ("request-p50", "/requestMs/p50"),
            ("request-p99", "/requestMs/p99"),
        ] {
            let value = report.pointer(pointer).and_then(Value::as_f64);
            self.figures.note(row, side, value);
        }
    }

    fn print_table(&self) {
        let rounds = self.options.rounds;
        println!("\nMedians of {rounds} rounds in turn, 1,000 ROs, SQLite on disk:\n");
        println!("| | Dispatch | Node socket.io | socketioxide | of Node's | of socketioxide's |");
        println!("|---|---|---|---|---|---|");
        let row = |name: &str, text: String, digits: usize| {
            if let Some(row) = self.figures.row(name, &text, digits, SIDES) {
                println!("{row}");
            }
        };
        let at = |sessions: u64| {
            let (part, rate) = (self.part(sessions), MESSAGES_PER_SECOND / sessions);
            format!("{part} sessions x {rate} changes/s")
        };
        let both = [1_000, 5_000];
        for sessions in both {
            let text = format!("server CPU per message, {}, us", at(sessions));
            row(&format!("cpu-{sessions}"), text, 2);
        }
        for sessions in both {
            let part = self.part(sessions);
            let text = format!("the same, 12 changes in a request, {part} sessions, us");
            row(&format!("burst-{sessions}"), text, 2);
        }
        row("bytes-5000", "bytes per idle session".to_owned(), 0);
        row(
            "changes",
            "durable changes a second, 64 writers".to_owned(),
            0,
        );
        row("each", "server CPU per change, us".to_owned(), 0);
        for percentile in ["p50", "p99"] {
            let text = format!("request {percentile}, 64 writers, ms");
            row(&format!("request-{percentile}"), text, 1);
        }
        for sessions in both {
            for percentile in ["p50", "p99"] {
                let text = format!("request {percentile}, {}, ms", at(sessions));
                row(&format!("request-{percentile}-{sessions}"), text, 1);
            }
        }
        for sessions in [5_000, 1_000] {
            let text = format!("commit to delivery p99, {}, ms", at(sessions));
            row(&format!("p99-{sessions}"), text, 1);
        }
        let many = self.part(5_000);
        let text = format!("the load's share of its core meanwhile, {many} sessions");
        row("load-5000", text, 2);
    }
}

async fn build_peer(folder: &Path) -> Result<(), String> {
    if !folder.join("run").exists() {
        return Err(format!("no {}/run", folder.display()));
    }
    let build = folder.join("build");
    if build.exists()
        && let Err(error) = output_of(&mut Command::new(build)).await
    {
        return Err(format!("{error}\n{} cannot be built", folder.display()));
    }
    Ok(())
}
