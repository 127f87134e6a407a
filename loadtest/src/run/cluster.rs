//! Three servers on one PostgreSQL of their own: what they cost while nobody uses them, when a change at one is at the
//! others, and how many changes a second one, two and three of them make durable.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, value_parser};
use tokio::process::Command;
use tokio::time::sleep;

use super::children::{Binaries, RunningServer, keeps_promises, output_of};
use super::postgres_cluster::PostgresCluster;
use super::shop::{OWNER, ShopMaker};
use crate::error::LoadTestError;
use crate::work_folder::WorkFolder;

const PASSWORD: &str = "dispatch-demo";

/// Open repair orders.
const ORDERS: u64 = 500;

#[derive(Clone, Debug, Args)]
pub struct Options {
    /// The folder with the binaries dispatch and loadtest
    #[arg(value_name = "FOLDER")]
    binaries: PathBuf,

    /// Servers
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = value_parser!(u8).range(2..=8))]
    servers: u8,

    /// Readers at each server
    #[arg(long, value_name = "N", default_value_t = 300)]
    readers: u32,

    /// Changes a second
    #[arg(long, value_name = "N", default_value_t = 50)]
    rate: u32,

    /// Changes
    #[arg(long, value_name = "N", default_value_t = 1_500)]
    changes: u32,
}

/// What a server does once after its start is over by then.
const SETTLED: Duration = Duration::from_secs(15);

const IDLE: Duration = Duration::from_secs(30);

/// Whether every reader heard everything once, nothing acknowledged was lost, and the servers agree in the end.
pub async fn run(options: &Options) -> Result<bool, LoadTestError> {
    let work = WorkFolder::create("cluster")?;
    let folder = work.path();
    let binaries = Binaries::in_folder(&options.binaries)?;
    println!("{}", binaries.version().await?);
    let cluster = PostgresCluster::start(folder).await?;
    let database = cluster.url();
    let maker = ShopMaker {
        binaries: &binaries,
        folder,
        password: PASSWORD,
    };
    let orders = maker.write_orders(ORDERS, 0, &[]).await?;
    let data_dir = |number: u8| folder.join(format!("data-{number}"));
    let mut import = Command::new(&binaries.dispatch);
    import.arg("import").arg(&orders);
    import.args(["--database-url", &database]);
    output_of(import.arg("--data-dir").arg(data_dir(1))).await?;
    let owner = ["--role", "Owner", "--database-url", &database];
    maker.add_user(&data_dir(1), OWNER, &owner).await?;

    let mut servers = Vec::new();
    for number in 1..=options.servers {
        let mut command = Command::new(&binaries.dispatch);
        command.args(["serve", "--listen", "127.0.0.1:0"]);
        command.args(["--database-url", &database]);
        command.arg("--data-dir").arg(data_dir(number));
        let log = folder.join(format!("server-{number}.log"));
        servers.push(RunningServer::start(command, &log).await?);
    }
    print_idle_cost(&servers).await?;
    let [first, others @ ..] = &servers[..] else {
        return Ok(false);
    };
    let scenario = |name: &str| {
        let mut scenario = Command::new(&binaries.loadtest);
        scenario.args([name, "--url", &first.url, "--pid", &first.pid()]);
        scenario.args(["--email", OWNER, "--password", PASSWORD]);
        scenario
    };
    let mut heard = scenario("cluster");
    for other in others {
        heard.args(["--other", &other.url]);
    }
    for (name, value) in [
        ("--readers", options.readers),
        ("--rate", options.rate),
        ("--changes", options.changes),
    ] {
        heard.args([name, &value.to_string()]);
    }
    let mut is_good = keeps_promises(&mut heard).await?;
    for count in 0..=others.len() {
        let mut written = scenario("cluster-write");
        for other in &others[..count] {
            written.args(["--other", &other.url, "--pid", &other.pid()]);
        }
        written.args(["--postgres", &cluster.pid().to_string()]);
        is_good &= keeps_promises(&mut written).await?;
    }
    Ok(is_good)
}

/// What a server costs that nobody uses, beside the others.
async fn print_idle_cost(servers: &[RunningServer]) -> Result<(), LoadTestError> {
    sleep(SETTLED).await;
    let used = || -> Result<Vec<Duration>, LoadTestError> {
        servers
            .iter()
            .map(|server| server.process()?.cpu())
            .collect()
    };
    let before = used()?;
    sleep(IDLE).await;
    println!("\nidle for {} s, of a core:", IDLE.as_secs());
    for (server, (now, before)) in servers.iter().zip(used()?.into_iter().zip(before)) {
        let share = (now - before).as_secs_f64() / IDLE.as_secs_f64();
        println!("  {}  {:.2} %", server.url, share * 100.0);
    }
    Ok(())
}
