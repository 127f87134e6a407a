//! Boards on the walls: what they cost while nothing happens, and whether all show what they should
//! once something did.

use std::rc::Rc;
use std::time::Duration;

use clap::{Args, value_parser};
use serde_json::json;
use tokio::sync::watch;
use tokio::task::spawn_local;
use tokio::time::{Instant, sleep};

use super::{Run, Running, orders};
use crate::board::{State, Token, Wall, link};
use crate::process::Process;
use crate::report::Report;
use crate::trouble::Trouble;
use crate::writer::{Manner, Turns, write_together};

/// From the first to the last of them.
const JOIN: Duration = Duration::from_secs(60);

/// Until what joining cost is over.
const SETTLE: Duration = Duration::from_secs(10);

/// Until all have heard of the last change: two ticks.
const HEARD: Duration = Duration::from_secs(12);

#[derive(Clone, Debug, Args)]
pub struct Options {
    #[command(flatten)]
    pub running: Running,

    /// Boards, of the four layouts in turn
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = value_parser!(u32).range(1..=480))]
    pub boards: u32,

    /// How long nothing happens: two minutes have two checks of each board
    #[arg(long, value_name = "SECONDS", default_value_t = 120, value_parser = value_parser!(u64).range(5..=3_600))]
    pub idle: u64,

    /// Changes after that
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = value_parser!(u32).range(..=100_000))]
    pub changes: u32,

    /// Changes a second
    #[arg(long, value_name = "N", default_value = "20", value_parser = super::rate)]
    pub rate: f64,

    /// More than this share of a core while nothing happens is a fault; needs --pid
    #[arg(long, value_name = "PERCENT", value_parser = value_parser!(u32).range(1..=400))]
    pub most: Option<u32>,
}

pub async fn run(options: &Options) -> Result<Report, Trouble> {
    let Running {
        target,
        pid,
        telling,
    } = &options.running;
    let run = Run::begin(&target.url, &target.who, telling.seed).await?;
    let mut report = Report::new(format!("{}: {} boards", run.address, options.boards));
    let start = run.desk.list().await?;

    let wall = Wall::new(&run.address)?;
    let (leave, gone) = watch::channel(false);
    let mut boards: Vec<(Token, Rc<State>)> = Vec::new();
    for number in 0..options.boards {
        let layout = ["shop-floor", "queue", "used-pdi", "lounge"][number as usize % 4];
        let about = json!({ "name": format!("Load test {number}"), "layout": layout });
        let token = link::hang(&run.desk, &about).await?;
        let board = wall.board(token.clone(), gone.clone());
        boards.push((token, Rc::clone(&board.state)));
        spawn_local(board.hang());
    }
    let outcome = watch_them(options, &run, *pid, &wall, &boards, &mut report).await;
    // Also where something went wrong: they are somebody's list.
    leave.send_replace(true);
    for (token, _) in &boards {
        link::take_down(&run.desk, token).await?;
    }
    outcome?;
    let acknowledged = run.desk.list().await?.seq - start.seq;
    report.value("events", "events", acknowledged);
    Ok(report)
}

async fn watch_them(
    options: &Options,
    run: &Run,
    pid: Option<u32>,
    wall: &Wall,
    boards: &[(Token, Rc<State>)],
    report: &mut Report,
) -> Result<(), Trouble> {
    let states = || boards.iter().map(|(_, state)| state);
    wait(JOIN, || states().all(|state| state.live.get())).await;
    let live = states().filter(|state| state.live.get()).count();
    report.value("boards", "boards", live);
    if live < boards.len() {
        let fault = format!("{} boards did not come", boards.len() - live);
        report.faults.push(fault);
    }

    sleep(SETTLE).await;
    let frames = || states().map(|state| state.frames.get()).sum::<u64>();
    let before = (frames(), Instant::now(), ran(pid)?);
    sleep(Duration::from_secs(options.idle)).await;
    report.value(
        "idleFrames",
        "messages while nothing happened",
        frames() - before.0,
    );
    if let (Some(now), Some(then)) = (ran(pid)?, before.2) {
        let share = now.since(&then).as_secs_f64() / before.1.elapsed().as_secs_f64() * 100.0;
        report.value(
            "idleCorePercent",
            "server CPU meanwhile, percent of a core",
            share,
        );
        if let Some(most) = options.most.filter(|most| share > f64::from(*most)) {
            let fault = format!("{share:.2} % of a core for nothing, at most {most} % are allowed");
            report.faults.push(fault);
        }
    }

    if options.changes > 0 {
        let turns = Turns::new(
            options.changes,
            Some(options.rate),
            Duration::from_secs(3_000),
        );
        let manner = Manner {
            together: 1,
            insists: false,
        };
        let list = run.desk.list().await?;
        let writing = orders(&list, None, 4)?.into_iter();
        let then = ran(pid)?;
        let written = write_together(&run.desk, run.clock, &turns, writing, 4, manner).await;
        report.written(&written, Some(options.changes));
        let top = run.desk.list().await?.seq;
        wait(HEARD, || states().all(|state| state.seq.get() >= top)).await;
        if let (Some(now), Some(then)) = (ran(pid)?, then) {
            let spent = now.since(&then).as_secs_f64();
            report.value(
                "changesCpuSeconds",
                "server CPU for the changes, seconds",
                spent,
            );
        }
    }
    let mut wrong = 0;
    for (token, state) in boards {
        let picture = wall.picture(token).await;
        wrong += usize::from(!picture.is_ok_and(|picture| state.shows(&picture)));
        report.faults.extend(state.faults.borrow().iter().cloned());
    }
    let checks: u64 = states().map(|state| state.checks.get()).sum();
    report.value("checks", "checks", checks);
    report.value("picturesWrong", "wrong pictures", wrong);
    if wrong > 0 {
        let fault = format!("{wrong} boards show something else than they should");
        report.faults.push(fault);
    }
    Ok(())
}

fn ran(pid: Option<u32>) -> Result<Option<crate::process::Ran>, Trouble> {
    pid.map(|pid| Process(pid).ran()).transpose()
}

async fn wait(most: Duration, until: impl Fn() -> bool) {
    let end = Instant::now() + most;
    while !until() && Instant::now() < end {
        sleep(Duration::from_millis(50)).await;
    }
}
