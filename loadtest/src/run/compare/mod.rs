//! What the same work costs two builds of the server. Each runs on a copy of one database; they are asked in turn, some
//! hundred requests each, so that a machine whose speed drifts is as slow for the one as for the other. A process may be
//! faster or slower than another of the same build for as long as it lives: both are started anew several times.

mod differences;
mod work;

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::{Args, value_parser};
use tokio::process::Command;
use tokio::time::sleep;

use self::differences::{Cost, Pair, Starts, WorkCosts};
use self::work::{ALONE, Asking, SCREENS, WITH_SCREENS, Work};
use super::children::{Binaries, RunningServer};
use super::shop::{OWNER, ShopMaker, copy_data};
use crate::bench::audience::Audience;
use crate::desk::Desk;
use crate::error::LoadTestError;
use crate::process::{Process, Ran};
use crate::target::{Address, BadAddress, SignIn};
use crate::work_folder::WorkFolder;

const PASSWORD: &str = "dispatch-demo";

/// Repair orders at the start.
const OPEN_ORDERS: u64 = 3_000;
const CLOSED_ORDERS: u64 = 20_000;

/// Of one import.
const IMPORTED: u64 = 10_000;

/// Numbers that no order has at the start.
const FIRST_IMPORTED: &str = "500000";

/// What a server does once after its start is over by then.
const SETTLED: Duration = Duration::from_secs(15);

const IDLE: Duration = Duration::from_secs(60);

/// Rounds that nobody measures: the first requests fill caches.
const WARM_UP: u32 = 2;

/// Nothing comes to the screens any more.
const SCREENS_LEAVE: Duration = Duration::from_millis(200);

#[derive(Clone, Debug, Args)]
pub struct Options {
    /// The folder with the binaries dispatch and loadtest of the build before
    #[arg(value_name = "BEFORE")]
    before: PathBuf,

    /// The same of the build that is compared with it
    #[arg(value_name = "AFTER")]
    after: PathBuf,

    /// How often both are started: the difference is the mean over these
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = value_parser!(u32).range(2..=100))]
    starts: u32,

    /// Rounds of each kind of work after a start; of imports there is one
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = value_parser!(u32).range(1..=1_000))]
    rounds: u32,
}

/// One build of the server, running.
struct Build<'a> {
    binaries: &'a Binaries,
    data_dir: PathBuf,
    server: RunningServer,
    address: Address,
    desk: Desk,
}

/// What the starts found.
#[derive(Default)]
struct Comparison {
    /// Of each kind of work that is asked for alone, of each that needs screens, and of imports.
    alone: [WorkCosts; ALONE.len()],
    with_screens: [WorkCosts; WITH_SCREENS.len()],
    imports: WorkCosts,
    /// In kilobytes, after the start.
    memory: Starts,
}

/// Always true: a slow build is no failure.
pub async fn run(options: &Options) -> Result<bool, LoadTestError> {
    // A screen is an open file on either side.
    rlimit::increase_nofile_limit(u64::MAX)
        .map_err(|error| LoadTestError::Machine(format!("the limit of open files: {error}")))?;
    let work = WorkFolder::create("compare")?;
    let before = Binaries::in_folder(&options.before)?;
    let after = Binaries::in_folder(&options.after)?;
    println!(
        "before  {}\nafter   {}\n",
        before.version().await?,
        after.version().await?
    );
    let maker = ShopMaker {
        binaries: &before,
        folder: work.path(),
        password: PASSWORD,
    };
    let made = work.path().join("data");
    let orders = maker.write_orders(OPEN_ORDERS, CLOSED_ORDERS, &[]).await?;
    maker.import(&orders, &made).await?;
    maker.add_owner(&made).await?;
    let imported = ["--first", FIRST_IMPORTED];
    let imported = maker.write_orders(IMPORTED, 0, &imported).await?;
    let mut comparison = Comparison::default();
    for start in 0..options.starts {
        let mut builds = Vec::new();
        // Who is started first changes, too.
        for place in order_of(start) {
            let (binaries, name) = [(&before, "before"), (&after, "after")][place];
            let data_dir = work.path().join(name);
            copy_data(&made, &data_dir).await?;
            builds.push(Build::start(binaries, data_dir, work.path(), name).await?);
        }
        if order_of(start) == [1, 0] {
            builds.reverse();
        }
        let [before, after] = &builds[..] else {
            return Ok(false);
        };
        let pair = [before, after];
        sleep(SETTLED).await;
        if start == 0 {
            let [before, after] = idle(pair).await?;
            println!("idle, percent of a core: before {before:.2}, after {after:.2}");
        }
        comparison
            .add_start(pair, order_of(start), options.rounds, &imported)
            .await?;
        println!("{} of {} starts measured", start + 1, options.starts);
    }
    comparison.print();
    Ok(true)
}

impl Comparison {
    async fn add_start(
        &mut self,
        pair: [&Build<'_>; 2],
        import_order: [usize; 2],
        rounds: u32,
        imported: &Path,
    ) -> Result<(), LoadTestError> {
        let [before, after] = pair;
        self.memory.add(resident(pair)?);
        for (work, costs) in ALONE.into_iter().zip(&mut self.alone) {
            let asking = [
                Asking::begin(before, None).await?,
                Asking::begin(after, None).await?,
            ];
            costs.add_start(&in_turn(asking, work, rounds).await?);
        }
        let screens = [before.join().await?, after.join().await?];
        for (work, costs) in WITH_SCREENS.into_iter().zip(&mut self.with_screens) {
            let asking = [
                Asking::begin(before, Some(&screens[0])).await?,
                Asking::begin(after, Some(&screens[1])).await?,
            ];
            costs.add_start(&in_turn(asking, work, rounds).await?);
        }
        for audience in screens {
            audience.leave(SCREENS_LEAVE).await?;
        }
        let mut costs = [Cost::default(); 2];
        for place in import_order {
            costs[place] = pair[place].import(imported).await?;
        }
        self.imports.add_start(&[costs]);
        Ok(())
    }

    fn print(&self) {
        println!(
            "\nmicroseconds of the server's processor time, and microseconds until it was done"
        );
        println!(
            "\n| of each | before | after | more (standard error) | waited: before | after | more (standard error) |"
        );
        println!("|---|---|---|---|---|---|---|");
        for (work, costs) in ALONE.into_iter().zip(&self.alone) {
            println!("| {} | {costs} |", work.name());
        }
        for (work, costs) in WITH_SCREENS.into_iter().zip(&self.with_screens) {
            println!("| {} | {costs} |", work.name());
        }
        println!("| an order of an import of {IMPORTED} | {} |", self.imports);
        println!("\nkilobytes of memory after the start: before | after | more (standard error)\n");
        println!("{}", self.memory);
    }
}

impl<'a> Build<'a> {
    async fn start(
        binaries: &'a Binaries,
        data_dir: PathBuf,
        folder: &Path,
        name: &str,
    ) -> Result<Self, LoadTestError> {
        let mut command = Command::new(&binaries.dispatch);
        command.args(["serve", "--listen", "127.0.0.1:0", "--data-dir"]);
        command.arg(&data_dir);
        let log = folder.join(format!("{name}.log"));
        let server = RunningServer::start(command, &log).await?;
        let sign_in = SignIn {
            email: OWNER.to_owned(),
            password: PASSWORD.to_owned(),
        };
        let address: Address = server.url.parse().map_err(|error: BadAddress| {
            LoadTestError::Machine(format!("{}: {error}", server.url))
        })?;
        let desk = Desk::sign_in(&address, &sign_in).await?;
        Ok(Self {
            binaries,
            data_dir,
            server,
            address,
            desk,
        })
    }

    async fn join(&self) -> Result<Audience, LoadTestError> {
        Audience::join(&self.address, self.desk.token(), SCREENS).await
    }

    async fn import(&self, orders: &Path) -> Result<Cost, LoadTestError> {
        let maker = ShopMaker {
            binaries: self.binaries,
            folder: &self.data_dir,
            password: PASSWORD,
        };
        let (process, before) = self.ran()?;
        let waited = maker.import(orders, &self.data_dir).await?;
        Ok(Cost::of(process.ran()?.since(&before), waited, IMPORTED))
    }

    fn ran(&self) -> Result<(Process, Ran), LoadTestError> {
        let process = self.server.process()?;
        Ok((process, process.ran()?))
    }
}

/// Percent of a core, of both at the same time.
async fn idle(pair: [&Build<'_>; 2]) -> Result<[f64; 2], LoadTestError> {
    let [one, other] = pair;
    let before = [one.ran()?, other.ran()?];
    sleep(IDLE).await;
    let mut shares = [0.0; 2];
    for (share, (process, before)) in shares.iter_mut().zip(&before) {
        *share = process.ran()?.since(before).as_secs_f64() / IDLE.as_secs_f64() * 100.0;
    }
    Ok(shares)
}

/// The rounds, but for the first.
async fn in_turn(
    mut asking: [Asking<'_>; 2],
    work: Work,
    count: u32,
) -> Result<Vec<[Cost; 2]>, LoadTestError> {
    let mut rounds = Vec::new();
    for round in 0..count + WARM_UP {
        let mut costs = [Cost::default(); 2];
        for place in order_of(round) {
            costs[place] = asking[place].measure(work).await?;
        }
        if round >= WARM_UP {
            rounds.push(costs);
        }
    }
    Ok(rounds)
}

/// Kilobytes.
fn resident(pair: [&Build<'_>; 2]) -> Result<Pair, LoadTestError> {
    let [before, after] = pair;
    let of = |build: &Build<'_>| {
        let bytes = build.server.process()?.resident_bytes()?;
        Ok::<f64, LoadTestError>(bytes as f64 / 1_024.0)
    };
    Ok([of(before)?, of(after)?])
}

/// Who is asked first changes from round to round.
fn order_of(round: u32) -> [usize; 2] {
    if round.is_multiple_of(2) {
        [0, 1]
    } else {
        [1, 0]
    }
}
