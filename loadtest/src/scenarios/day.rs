//! A shop's day at speed: desks that change, dispatch and look, technicians that listen, boards on
//! the walls, files that come in, and connections that end in between. Before it a night, in which
//! nothing happens.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::time::Duration;

use clap::{Args, value_parser};
use dispatch_actors::sample_shop::SampleShop;
use jiff::Timestamp;
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::time::{Instant, sleep};

use super::{Meter, RETURN, Recovery, Run, ServerOptions, changes, orders, ran, returning};
use crate::bench::year;
use crate::crowd::Group;
use crate::desk::Desk;
use crate::error::LoadTestError;
use crate::order::List;
use crate::reader::Role;
use crate::reader_context::ReaderContext;
use crate::report::Report;
use crate::wall::Wall;
use crate::writer::{WritePolicy, WriteSchedule, write_together};

/// Files that come in a day, and how often one kind of screen loses its connection.
const FILES: u32 = 8;
const BREAKS: usize = 6;

/// Until what it costs boards to come is over.
const SETTLE: Duration = Duration::from_secs(10);

/// Seconds of a night in which every board asks whether it is right.
const ASKED: u64 = 70;

/// Orders in a file: some are known from the file before, and come again as they were.
const NEW: i64 = 40;
const RESENT_ORDERS: i64 = 10;

/// Orders that are dispatched together.
const DISPATCHED: usize = 6;

#[derive(Clone, Debug, Args)]
pub struct Options {
    #[command(flatten)]
    pub server: ServerOptions,

    #[command(flatten)]
    pub recovery: Recovery,

    /// Desks: they listen to everything, change and dispatch, and open orders
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = value_parser!(u32).range(1..=200))]
    pub desks: u32,

    /// Technicians: they listen to what concerns them
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = value_parser!(u32).range(..=2_000))]
    pub technicians: u32,

    /// Boards on the walls, of the four layouts in turn
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = value_parser!(u32).range(..=480))]
    pub boards: u32,

    /// How long nothing happens before the day: two minutes have two checks of each board
    #[arg(long, value_name = "SECONDS", default_value_t = 0, value_parser = value_parser!(u64).range(..=1_800))]
    pub night: u64,

    /// Changes of status and priority a second, of all desks
    #[arg(long, value_name = "N", default_value = "20", value_parser = super::rate)]
    pub rate: f64,

    /// Length of the day
    #[arg(long, value_name = "SECONDS", default_value_t = 30, value_parser = value_parser!(u64).range(2..=3_600))]
    pub seconds: u64,
}

/// Besides changes of status and priority.
#[derive(Default)]
struct Done {
    dispatched: Cell<usize>,
    refused: Cell<usize>,
    files: Cell<usize>,
    taken_in: Cell<usize>,
    breaks: Cell<usize>,
    faults: RefCell<Vec<String>>,
}

pub async fn run(options: &Options) -> Result<Report, LoadTestError> {
    let ServerOptions { target, common, .. } = &options.server;
    let run = Run::begin(&target.url, &target.sign_in, common.seed).await?;
    let mut report = Report::new(format!(
        "{}: a day of {} s, {} desks, {} technicians, {} boards",
        run.address, options.seconds, options.desks, options.technicians, options.boards
    ));
    let desk = Rc::clone(&run.desk);
    let key = IntakeKey::make(&desk).await?;
    let wall = Wall::start(&run.context, options.boards, &mut report.faults).await;
    let outcome = match &wall {
        Ok(wall) => night_and_day(options, run, wall, &key.secret, &mut report).await,
        Err(_) => Ok(()),
    };
    // Also where something went wrong: they are on somebody's lists.
    let key = key.revoke(&desk).await;
    wall?.stop().await?;
    key.and(outcome)?;
    Ok(report)
}

async fn night_and_day(
    options: &Options,
    mut run: Run,
    wall: &Wall,
    intake_key: &str,
    report: &mut Report,
) -> Result<(), LoadTestError> {
    if options.night > 0 {
        night(options, &run.context, report).await?;
    }
    let seed = options.server.common.seed;
    let groups = join(options, &mut run).await?;
    let start = run.open(&mut report.faults).await?;

    let meter = Meter::start(options.server.pid, &run.context)?;
    let day = Duration::from_secs(options.seconds);
    let schedule = WriteSchedule::new(u32::MAX, Some(options.rate), day);
    let policy = WritePolicy {
        batch_size: 1,
        retries_until_answered: true,
    };
    let (writing, writers) = (orders(&start, None, options.desks)?, options.desks as usize);
    let writing = writing.into_iter();
    let done = Done::default();
    let rng = StdRng::seed_from_u64(seed);
    let (written, (), (), ()) = tokio::join!(
        write_together(&run.desk, run.clock, &schedule, writing, writers, policy),
        dispatch(&run.desk, &start, day, rng, &done),
        post_new_orders(&run.desk, intake_key, &start, day, seed, &done),
        break_off(&run, &groups, wall, day, &done),
    );
    run.crowd.all_back(RETURN).await;
    if let Some(meter) = meter {
        meter.stop(&run.context, changes(&written), report)?;
    }
    report.written(&written, None);
    report.value("dispatched", "orders dispatched", done.dispatched.get());
    report.value("dispatchRefused", "dispatches refused", done.refused.get());
    report.value("files", "files taken in", done.files.get());
    report.value("takenIn", "orders taken in", done.taken_in.get());
    report.value("breaks", "groups cut off", done.breaks.get());
    report.faults.extend(done.faults.take());
    let (context, desk) = (run.context.clone(), Rc::clone(&run.desk));
    run.end(report, &written, &start).await?;
    let top = desk.list().await?.seq;
    wall.judge(top, options.night >= ASKED, report).await;
    report.came_back(&context.tallies, options.recovery.must_recover);
    report.latency(
        "commitToDeliveryMs",
        "commit to delivery",
        &context.next_phase(),
    );
    report.latency("awayMs", "away", &context.returns.borrow());
    Ok(())
}

/// The boards hang there, and nothing happens.
async fn night(
    options: &Options,
    context: &ReaderContext,
    report: &mut Report,
) -> Result<(), LoadTestError> {
    let pid = options.server.pid;
    sleep(SETTLE).await;
    let (frames, since, then) = (context.frames.get(), Instant::now(), ran(pid)?);
    sleep(Duration::from_secs(options.night)).await;
    report.value(
        "nightFrames",
        "messages at night",
        context.frames.get() - frames,
    );
    if let (Some(now), Some(then)) = (ran(pid)?, then) {
        let share = now.since(&then).as_secs_f64() / since.elapsed().as_secs_f64() * 100.0;
        report.value(
            "nightCorePercent",
            "server CPU at night, percent of a core",
            share,
        );
    }
    Ok(())
}

/// Desks and technicians.
async fn join(options: &Options, run: &mut Run) -> Result<[Vec<Group>; 2], LoadTestError> {
    let desks = Role {
        opens: true,
        ..returning()
    };
    let desks = vec![run.crowd.join(options.desks, &desks).await?];
    let mut portals = Vec::new();
    let theirs = run.desk.list().await?.technicians();
    // Somebody who has nothing may listen, too.
    let theirs: Vec<i64> = theirs.into_iter().chain([0]).collect();
    let screens = options.technicians as usize;
    for (place, technician) in theirs.iter().enumerate().take(screens) {
        let of = screens / theirs.len() + usize::from(place < screens % theirs.len());
        let role = Role {
            technician: Some(*technician),
            ..returning()
        };
        portals.push(run.crowd.join(of as u32, &role).await?);
    }
    Ok([desks, portals])
}

/// Batches of orders go to technicians.
async fn dispatch(desk: &Desk, start: &List, day: Duration, mut rng: StdRng, done: &Done) {
    let numbers: Vec<i64> = start.orders.keys().copied().collect();
    let technicians: Vec<i64> = start.technicians().into_iter().collect();
    let until = Instant::now() + day;
    while let Some(technician) = technicians.choose(&mut rng) {
        sleep(Duration::from_secs_f64(rng.random_range(0.2..1.0))).await;
        if Instant::now() > until {
            return;
        }
        let orders = numbers.choose_multiple(&mut rng, DISPATCHED);
        let orders: Vec<Value> = orders
            .map(|number| json!({ "repairOrderNumber": number }))
            .collect();
        let body = json!({ "idTechnician": technician, "data": orders }).to_string();
        let answer = desk
            .post("/api/repair-orders/technicians/dispatch", None, &body)
            .await;
        match answer {
            Ok(answer) if answer.status == 200 => add(&done.dispatched, orders.len()),
            // A technician whom only a file knows cannot be given anything.
            Ok(answer) if answer.status < 500 => add(&done.refused, 1),
            Ok(answer) => done.fault(format!("a dispatch was answered {}", answer.status)),
            Err(why) => done.fault(format!("a dispatch was not answered: {why}")),
        }
    }
}

#[derive(Deserialize)]
struct Made {
    result: IntakeKey,
}

#[derive(Deserialize)]
struct IntakeKey {
    id: String,
    #[serde(rename = "key")]
    secret: String,
}

impl IntakeKey {
    async fn make(desk: &Desk) -> Result<Self, LoadTestError> {
        const WHAT: &str = "a key for the intake";
        let name = json!({ "name": "load test" }).to_string();
        let answer = desk.post("/api/intake/keys", None, &name).await;
        let answer = answer.map_err(|why| LoadTestError::Unexpected { what: WHAT, why })?;
        match serde_json::from_slice(&answer.body) {
            Ok(Made { result }) => Ok(result),
            Err(_) => Err(LoadTestError::Refused {
                what: WHAT,
                answer: answer.status.to_string(),
            }),
        }
    }

    async fn revoke(self, desk: &Desk) -> Result<(), LoadTestError> {
        desk.delete(&format!("/api/intake/keys/{}", self.id)).await
    }
}

/// Files with new orders, and a few of the file before as they were.
async fn post_new_orders(
    desk: &Desk,
    key: &str,
    start: &List,
    day: Duration,
    seed: u64,
    done: &Done,
) {
    let shop = SampleShop::new(seed, (NEW as usize) * FILES as usize, Timestamp::now());
    let first = start.orders.keys().max().map_or(1, |number| number + 1);
    for file in 0..i64::from(FILES) {
        sleep(day / (FILES + 1)).await;
        let from = (file * NEW - RESENT_ORDERS).max(0);
        let mut lines = String::new();
        for place in from..(file + 1) * NEW {
            let (_, order) = &shop.orders[place as usize];
            for row in year::rows(first + place, order) {
                lines.push_str(&row.to_string());
                lines.push('\n');
            }
        }
        match desk.post_intake(key, lines.as_bytes()).await {
            Ok(answer) if answer.status == 200 => {
                add(&done.files, 1);
                add(&done.taken_in, NEW as usize);
            }
            Ok(answer) => done.fault(format!("a file was answered {}", answer.status)),
            Err(why) => done.fault(format!("a file was not answered: {why}")),
        }
    }
}

/// Now desks, now technicians, now boards lose their connections.
async fn break_off(run: &Run, groups: &[Vec<Group>], wall: &Wall, day: Duration, done: &Done) {
    for place in 0..BREAKS {
        sleep(day / (BREAKS as u32 + 1)).await;
        match groups.get(place % (groups.len() + 1)) {
            Some(groups) => {
                for group in groups {
                    run.crowd.tell(*group, |control| control.drops += 1);
                }
            }
            None => wall.tell(|control| control.drops += 1),
        }
        add(&done.breaks, 1);
    }
}

impl Done {
    fn fault(&self, fault: String) {
        self.faults.borrow_mut().push(fault);
    }
}

fn add(to: &Cell<usize>, count: usize) {
    to.set(to.get() + count);
}
