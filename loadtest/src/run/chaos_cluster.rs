//! The scenario `chaos_cluster` on a cluster of its own.

use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, value_parser};
use tokio::process::Command;

use super::children::{Binaries, output_of};
use super::shop::{OWNER, ShopMaker, technicians_in};
use super::torture::random_seed;
use crate::error::LoadTestError;
use crate::example_cluster::ExampleCluster;
use crate::scenarios::chaos_cluster::{self, Technician};
use crate::target::SignIn;
use crate::work_folder::WorkFolder;

const PASSWORD: &str = "dispatch-demo";
const TECHNICIAN: &str = "technician@example.com";

/// Open repair orders.
const ORDERS: u64 = 200;

#[derive(Clone, Debug, Args)]
pub struct Options {
    /// Folder of the binaries `dispatch` and `loadtest`
    #[arg(value_name = "FOLDER")]
    binaries: PathBuf,

    /// Servers
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = value_parser!(u8).range(2..=8))]
    servers: u8,

    /// Servers that are killed
    #[arg(long, value_name = "N", env = "TORTURE_KILLS", default_value_t = 100)]
    kills: u32,

    /// Failovers; each time the former primary is made a standby again
    #[arg(
        long,
        value_name = "N",
        env = "TORTURE_FAILOVERS",
        default_value_t = 20
    )]
    failovers: u32,

    /// Readers that come back each time, at all servers together
    #[arg(long, value_name = "N", default_value_t = 60, value_parser = value_parser!(u32).range(1..=1_000))]
    readers: u32,

    /// Writers that work at the same time, each on repair orders of its own
    #[arg(long, value_name = "N", default_value_t = 16, value_parser = value_parser!(u32).range(1..=100))]
    writers: u32,

    /// Changes a second that all writers make together, while they can
    #[arg(long, value_name = "N", default_value_t = 50)]
    rate: u32,

    /// Makes the same faults again [default: another one each time]
    #[arg(long, value_name = "N", env = "TORTURE_SEED")]
    seed: Option<u64>,

    /// How long a screen that says it is live may be without an acknowledged change
    #[arg(long, value_name = "SECONDS", env = "TORTURE_GRACE", default_value_t = 5, value_parser = value_parser!(u64).range(1..=600))]
    grace_seconds: u64,

    /// Keep the logs of servers and databases in that folder
    #[arg(long, value_name = "FOLDER", env = "TORTURE_LOG")]
    log: Option<PathBuf>,
}

/// Whether every promise was kept.
pub async fn run(options: &Options) -> Result<bool, LoadTestError> {
    let seed = options.seed.unwrap_or_else(random_seed);
    println!(
        "TORTURE_SEED={seed} TORTURE_KILLS={} TORTURE_FAILOVERS={}",
        options.kills, options.failovers
    );
    let work = WorkFolder::create("chaos-cluster")?;
    let folder = work.path();
    let binaries = Binaries::in_folder(&options.binaries)?;
    println!("{}", binaries.version().await?);
    let cluster =
        ExampleCluster::start(&binaries.dispatch, &folder.join("cluster"), options.servers).await?;
    let maker = ShopMaker {
        binaries: &binaries,
        folder,
        password: PASSWORD,
    };
    let technician = fill(&cluster, &maker).await?;
    let scenario = chaos_cluster::Options {
        owner: account(OWNER),
        technician: Technician {
            number: technician,
            account: account(TECHNICIAN),
        },
        kills: options.kills,
        failovers: options.failovers,
        readers: options.readers,
        writers: options.writers,
        rate: f64::from(options.rate),
        grace: Duration::from_secs(options.grace_seconds),
        seed,
    };
    let report = chaos_cluster::run(&cluster, &scenario).await;
    if let Some(kept) = &options.log {
        let logs = "mkdir -p \"$1\" && cp \"$2\"/*.log \"$1\"";
        let mut copy = Command::new("bash");
        copy.args(["-c", logs, "bash"]).arg(kept);
        output_of(copy.arg(folder.join("cluster"))).await?;
    }
    let report = report?;
    // A closed pipe is the reader's wish.
    let _ = std::io::stdout().write_all(report.table().as_bytes());
    for fault in &report.faults {
        eprintln!("loadtest: {fault}");
    }
    Ok(report.faults.is_empty())
}

fn account(email: &str) -> SignIn {
    SignIn {
        email: email.to_owned(),
        password: PASSWORD.to_owned(),
    }
}

/// Orders, an owner, and the technician whose number is returned.
async fn fill(cluster: &ExampleCluster, maker: &ShopMaker<'_>) -> Result<i64, LoadTestError> {
    let (database, data_dir) = (cluster.database_url(), cluster.data_dir());
    let orders = maker.write_orders(ORDERS, 0, &[]).await?;
    let mut import = Command::new(&maker.binaries.dispatch);
    import.arg("import").arg(&orders);
    import.args(["--database-url", &database]);
    output_of(import.arg("--data-dir").arg(&data_dir)).await?;
    let owner = ["--role", "Owner", "--database-url", &database];
    maker.add_user(&data_dir, OWNER, &owner).await?;
    let technicians = technicians_in(&orders)?;
    let first = technicians.first().cloned().unwrap_or_default();
    let technician = ["--role", "Technician", "--technician", &first];
    let technician = [&technician[..], &["--database-url", &database]].concat();
    maker.add_user(&data_dir, TECHNICIAN, &technician).await?;
    first
        .parse()
        .map_err(|_| LoadTestError::Machine("no order names a technician".to_owned()))
}
