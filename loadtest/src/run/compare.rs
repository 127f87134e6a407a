//! What the same work costs two builds of the server. Each runs on a copy of one database; they are asked in turn, some
//! hundred requests each, so that a machine whose speed drifts is as slow for the one as for the other. A process may be
//! faster or slower than another of the same build for as long as it lives: both are started anew several times.

use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::{Args, value_parser};
use tokio::process::Command;
use tokio::time::sleep;

use super::children::{Binaries, RunningServer};
use super::shop::{OWNER, ShopMaker, copy_data};
use crate::bench::list::ListWork;
use crate::desk::Desk;
use crate::error::LoadTestError;
use crate::process::{Process, Ran};
use crate::target::{BadAddress, SignIn};
use crate::work_folder::WorkFolder;

const PASSWORD: &str = "dispatch-demo";

/// Open repair orders at the start.
const ORDERS: u64 = 3_000;

/// Of one import.
const IMPORTED: u64 = 500;

/// Numbers that no order has at the start.
const FIRST_IMPORTED: u64 = 500_000;

/// What a server does once after its start is over by then.
const SETTLED: Duration = Duration::from_secs(15);

const IDLE: Duration = Duration::from_secs(60);

/// Rounds that nobody measures: the first requests fill caches.
const WARM_UP: u32 = 2;

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

    /// Rounds of each kind of work after a start; of imports a fifth as many
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = value_parser!(u32).range(5..=1_000))]
    rounds: u32,
}

/// What a server is asked for in a round.
#[derive(Clone, Copy)]
enum Work {
    Changes,
    ChangesWithLists,
    UnchangedLists,
}

/// One build of the server, running.
struct Build<'a> {
    binaries: &'a Binaries,
    data_dir: PathBuf,
    server: RunningServer,
    desk: Desk,
}

/// Microseconds of processor time for one request: the build before, and the other.
type Costs = [f64; 2];

/// Those of each round after one start.
#[derive(Default)]
struct Rounds(Vec<Costs>);

/// The rounds of each start.
#[derive(Default)]
struct Starts(Vec<Rounds>);

/// Always true: a slow build is no failure.
pub async fn run(options: &Options) -> Result<bool, LoadTestError> {
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
    let orders = maker.write_orders(ORDERS, 0, &[]).await?;
    maker.import(&orders, &made).await?;
    maker.add_owner(&made).await?;
    println!("processor time of the server: before, after, how much more after");
    let mut found: [Starts; 4] = Default::default();
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
            let shares = idle(pair).await?;
            println!(
                "  {:<38} {:>8.2} % {:>8.2} %",
                "idle, of a core", shares[0], shares[1]
            );
        }
        let [changes, lists, unchanged, imported] = &mut found;
        for (work, starts) in WORK.into_iter().zip([changes, lists, unchanged]) {
            starts.0.push(in_turn(pair, work, options.rounds).await?);
        }
        let rounds = imports(pair, &maker, options.rounds / 5).await?;
        imported.0.push(rounds);
    }
    let imported = format!("an order of an import of {IMPORTED}");
    let names = WORK.map(Work::name).into_iter().chain([&*imported]);
    for (name, starts) in names.zip(&found) {
        println!("  {name:<38} {starts}");
    }
    Ok(true)
}

const WORK: [Work; 3] = [Work::Changes, Work::ChangesWithLists, Work::UnchangedLists];

impl Work {
    fn name(self) -> &'static str {
        match self {
            Self::Changes => "a change",
            Self::ChangesWithLists => "a change and the list after it",
            Self::UnchangedLists => "an unchanged list",
        }
    }

    /// As many requests as take a tenth of a second or so.
    fn count(self) -> u32 {
        match self {
            Self::Changes | Self::UnchangedLists => 100,
            Self::ChangesWithLists => 50,
        }
    }

    async fn once(self, desk: &mut ListWork<'_>) -> Result<(), LoadTestError> {
        if matches!(self, Self::Changes | Self::ChangesWithLists) {
            desk.change().await?;
        }
        if matches!(self, Self::UnchangedLists | Self::ChangesWithLists) {
            desk.fetch().await?;
        }
        Ok(())
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
        let url = server.url.parse().map_err(|error: BadAddress| {
            LoadTestError::Machine(format!("{}: {error}", server.url))
        })?;
        let desk = Desk::sign_in(&url, &sign_in).await?;
        Ok(Self {
            binaries,
            data_dir,
            server,
            desk,
        })
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

async fn in_turn(pair: [&Build<'_>; 2], work: Work, count: u32) -> Result<Rounds, LoadTestError> {
    let [one, other] = pair;
    let mut desks = [
        ListWork::begin(&one.desk).await?,
        ListWork::begin(&other.desk).await?,
    ];
    let mut rounds = Rounds::default();
    for round in 0..count + WARM_UP {
        let mut costs = [0.0; 2];
        for place in order_of(round) {
            let (process, before) = pair[place].ran()?;
            for _ in 0..work.count() {
                work.once(&mut desks[place]).await?;
            }
            costs[place] = microseconds(process.ran()?.since(&before)) / f64::from(work.count());
        }
        if round >= WARM_UP {
            rounds.0.push(costs);
        }
    }
    Ok(rounds)
}

async fn imports(
    pair: [&Build<'_>; 2],
    maker: &ShopMaker<'_>,
    count: u32,
) -> Result<Rounds, LoadTestError> {
    let mut rounds = Rounds::default();
    for round in 0..count + WARM_UP {
        let first = (FIRST_IMPORTED + u64::from(round) * IMPORTED).to_string();
        let orders = maker
            .write_orders(IMPORTED, 0, &["--first", &first])
            .await?;
        let mut costs = [0.0; 2];
        for place in order_of(round) {
            let build = pair[place];
            let (process, before) = build.ran()?;
            let own = ShopMaker {
                binaries: build.binaries,
                ..*maker
            };
            own.import(&orders, &build.data_dir).await?;
            costs[place] = microseconds(process.ran()?.since(&before)) / IMPORTED as f64;
        }
        if round >= WARM_UP {
            rounds.0.push(costs);
        }
    }
    Ok(rounds)
}

/// Who is asked first changes from round to round.
fn order_of(round: u32) -> [usize; 2] {
    if round.is_multiple_of(2) {
        [0, 1]
    } else {
        [1, 0]
    }
}

fn microseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1_000_000.0
}

impl Rounds {
    /// The logarithm of how many times as much the build after takes: a slow round counts for no more than a fast one.
    fn ratio(&self) -> f64 {
        mean(self.0.iter().map(|[before, after]| (after / before).ln()))
    }

    fn cost(&self, place: usize) -> f64 {
        mean(self.0.iter().map(|costs| costs[place]))
    }
}

impl Starts {
    /// How much more the build after takes, in percent, and the standard error of that.
    fn difference(&self) -> (f64, f64) {
        let count = self.0.len() as f64;
        let ratio = mean(self.0.iter().map(Rounds::ratio));
        let squares = self
            .0
            .iter()
            .map(|rounds| (rounds.ratio() - ratio).powi(2))
            .sum::<f64>();
        let error = (squares / (count - 1.0) / count).sqrt();
        ((ratio.exp() - 1.0) * 100.0, error * 100.0)
    }
}

fn mean(values: impl ExactSizeIterator<Item = f64>) -> f64 {
    let count = values.len() as f64;
    values.sum::<f64>() / count
}

impl fmt::Display for Starts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (more, error) = self.difference();
        let [before, after] = [0, 1].map(|place| mean(self.0.iter().map(|it| it.cost(place))));
        write!(
            f,
            "{before:>7.1} us {after:>7.1} us  {more:+.1} % (standard error {error:.1}, {} starts)",
            self.0.len()
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn starts(all: &[&[Costs]]) -> Starts {
        Starts(all.iter().map(|rounds| Rounds(rounds.to_vec())).collect())
    }

    #[test]
    fn a_build_that_takes_a_tenth_more_in_each_round_takes_a_tenth_more() {
        let costs = [100.0, 200.0, 150.0].map(|before| [before, before * 1.1]);
        let (more, error) = starts(&[&costs, &costs]).difference();
        assert!((more - 10.0).abs() < 1e-6, "{more}");
        assert!(error < 1e-6, "{error}");
    }

    #[test]
    fn starts_that_say_the_opposite_cancel_out_however_sure_each_is() {
        let one = [[100.0, 120.0]; 9];
        let other = [[120.0, 100.0]; 9];
        let (more, error) = starts(&[&one, &other]).difference();
        assert!(more.abs() < 1e-6, "{more}");
        assert!(error > 10.0, "{error}");
    }
}
