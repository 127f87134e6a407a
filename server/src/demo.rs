//! The demo shop: fills an empty database with a believable day, and what was closed before it, and
//! keeps it moving.

mod clocks;

use std::time::Duration;

use dispatch_actors::dispatch::RepairOrders;
use dispatch_actors::repair_order::{Command, RoNumber, TechnicianId};
use dispatch_actors::sample_shop::{Movement, PastOrder, Person, SampleShop};
use dispatch_actors::snapshot::Snapshot;
use dispatch_actors::store::{Author, Channel, Chronicle, Past, Store, StoreError};
use dispatch_actors::supervisor::Execute;
use futures_util::{StreamExt, TryStreamExt, stream};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use rand::Rng;
use uuid::Uuid;

use crate::cli::Demo;
use crate::clocks::Clocks;
use crate::error::ApiError;
use crate::identity::{Identity, passwords};
use crate::receipts::{Reached, Receipts};
use crate::settings;
use crate::skills::OpcodeRules;
use crate::staff::{Role, StaffError};
use crate::technician_names::TechnicianDirectory;
use crate::technicians::{DailyMinutes, NewSkill, NewTechnician, Organisation, Technicians};

const PASSWORD: &str = "dispatch-demo";
const ORDERS: usize = 420;
const SEED: u64 = 4389;

/// Marks a database as a demo's, so that the well-known passwords never meet a real shop's data.
const MARK: &str = "demo-shop";

/// Says that the shop was filled to the end.
const FILLED: &str = "demo-filled";

struct DemoUser {
    email: &'static str,
    name: &'static str,
    role: Role,
    /// Whose account it is, as the place in the shop's list of technicians.
    technician: Option<usize>,
}

const USERS: [DemoUser; 7] = [
    DemoUser {
        email: "owner@example.com",
        name: "Olivia Owens",
        role: Role::Owner,
        technician: None,
    },
    DemoUser {
        email: "admin@example.com",
        name: "Adam Admin",
        role: Role::Admin,
        technician: None,
    },
    DemoUser {
        email: "advisor@example.com",
        name: "Ada Visor",
        role: Role::Advisor,
        technician: None,
    },
    DemoUser {
        email: "manager@example.com",
        name: "Manuel Ager",
        role: Role::ServiceManager,
        technician: None,
    },
    DemoUser {
        email: "used@example.com",
        name: "Ursula Sedan",
        role: Role::Used,
        technician: None,
    },
    DemoUser {
        email: "tech@example.com",
        name: "",
        role: Role::Technician,
        technician: Some(0),
    },
    DemoUser {
        email: "tech2@example.com",
        name: "",
        role: Role::Technician,
        technician: Some(1),
    },
];

/// Why there is no demo shop.
#[derive(Debug, thiserror::Error)]
pub enum DemoError {
    #[error("this database holds a real shop; --demo needs an empty one: use another --data-dir")]
    RealShop,
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Staff(#[from] StaffError),
    #[error("{0}")]
    Service(#[from] ApiError),
}

impl From<sea_orm::DbErr> for DemoError {
    fn from(error: sea_orm::DbErr) -> Self {
        StoreError::from(error).into()
    }
}

/// What a demo shop is made with, and what moves it.
#[derive(Clone)]
pub struct DemoShop {
    pub store: Store,
    pub snapshot: Snapshot,
    pub orders: RepairOrders,
    pub identity: Identity,
    pub technicians: Technicians,
    pub organisation: Organisation,
    pub opcode_rules: OpcodeRules,
    pub directory: TechnicianDirectory,
    pub clocks: Clocks,
    pub receipts: Receipts,
    pub time_zone: TimeZone,
}

/// What to print so that a visitor can sign in.
pub fn sign_ins() -> String {
    let emails: Vec<&str> = USERS.iter().map(|user| user.email).collect();
    format!(
        "This is a demo shop. Sign in with the password {PASSWORD} as one of:\n  {}",
        emails.join("\n  ")
    )
}

/// Fills the database if it is empty, and starts the movement.
pub async fn start(state: &DemoShop, demo: Demo) -> Result<(), DemoError> {
    let now = Timestamp::now();
    let shop = SampleShop::in_zone(SEED, ORDERS, now, state.time_zone.clone());
    if !is_demo(&state.store).await? {
        let empty = state.store.is_empty().await? && state.identity.count_accounts().await? == 0;
        if !empty {
            return Err(DemoError::RealShop);
        }
        settings::get_or_set(&state.store, MARK, "yes".to_owned()).await?;
    }
    fill(state, &shop, now).await?;
    if demo == Demo::Moving {
        // Whose clock a visitor may be at is not moved by itself.
        let with_account = |place: &usize| USERS.iter().any(|user| user.technician == Some(*place));
        let technicians: Vec<TechnicianId> = (0..)
            .zip(&shop.technicians)
            .filter(|(place, _)| !with_account(place))
            .map(|(_, technician)| technician.id)
            .collect();
        let seed = SEED ^ now.as_second().unsigned_abs();
        actix::spawn(clocks::keep_moving(state.clone(), technicians, seed));
        actix::spawn(keep_moving(state.clone(), shop));
    }
    Ok(())
}

/// Whether this database was filled by a demo, and so has its well-known passwords.
pub async fn is_demo(store: &Store) -> Result<bool, sea_orm::DbErr> {
    Ok(settings::get(store, MARK).await?.is_some())
}

/// Safe to repeat: a fill that was interrupted is completed, a complete one is left alone.
async fn fill(state: &DemoShop, shop: &SampleShop, now: Timestamp) -> Result<(), DemoError> {
    if settings::get(&state.store, FILLED).await?.is_some() {
        return Ok(());
    }
    let skills = shop.skills.iter().map(|skill| NewSkill {
        id: skill.id,
        name: skill.name.clone(),
        level: skill.level,
    });
    // A new database has the six usual levels, from the top.
    let mut levels = state.organisation.levels().await?;
    levels.reverse();
    let sits_in = |level: i32| {
        let place = usize::try_from(level - 1).ok()?;
        Some(levels.get(place)?.id_level)
    };
    let technicians = shop.technicians.iter().map(|technician| NewTechnician {
        id: technician.id,
        display_name: technician.display_name.clone(),
        specialty: technician.specialty.clone(),
        skills: technician.skills.clone(),
        level: sits_in(technician.level),
        daily: DailyMinutes::of_hours(technician.daily_hours.into()),
    });
    state
        .technicians
        .set_up(skills.collect(), technicians.collect())
        .await?;
    let rules = shop.rules.iter();
    let rules = rules.map(|rule| (rule.pattern.clone(), rule.skill, rule.level));
    state.opcode_rules.set_up(rules.collect()).await?;

    // First of all, so that the log is in the order of time.
    let past = shop.past(SEED, now);
    let worked = shop.clocks(SEED, now, &past);
    let past: Vec<Chronicle> = past.into_iter().map(chronicle).collect();
    state.store.begin_with(&past).await?;

    let by = Author {
        uid: "import".to_owned(),
        name: "Import".to_owned(),
        channel: Channel::Import,
    };
    stream::iter(&shop.orders)
        .map(|(number, order)| {
            let command = Command::Import(Box::new(order.clone()));
            execute(state, *number, command, by.clone())
        })
        .buffer_unordered(64)
        .try_collect::<Vec<()>>()
        .await?;
    clocks::fill(state, &worked).await?;

    let hash = passwords::hash(PASSWORD.to_owned())
        .await
        .map_err(ApiError::from)?;
    for user in USERS {
        let technician = user
            .technician
            .and_then(|index| shop.technicians.get(index));
        let name = technician.map_or(user.name, |technician| &technician.display_name);
        let technician_id = technician.map(|technician| technician.id);
        let identity = &state.identity;
        if !identity.has_account(user.email).await? {
            identity
                .add_user_with_hash(user.email, name, &[user.role], technician_id, &hash)
                .await?;
        }
    }
    state.directory.reload().await?;
    settings::get_or_set(&state.store, FILLED, "yes".to_owned()).await?;
    Ok(())
}

/// Everything that people did is a request of theirs.
fn chronicle(order: PastOrder) -> Chronicle {
    let past = order.moves.into_iter().map(|one| {
        let by = author(&one.by);
        Past {
            at: one.at,
            request: request_of(&by),
            by,
            changes: one.changes,
        }
    });
    Chronicle {
        number: order.number,
        past: past.collect(),
    }
}

/// An import has none.
fn request_of(by: &Author) -> Option<String> {
    (by.channel != Channel::Import).then(|| Uuid::new_v4().to_string())
}

async fn execute(
    state: &DemoShop,
    number: RoNumber,
    command: Command,
    by: Author,
) -> Result<(), crate::error::ApiError> {
    let request = Execute {
        request: request_of(&by),
        ..Execute::new(command, by)
    };
    match state.orders.execute(number, request).await {
        Ok(_) => Ok(()),
        Err(failure) => Err((&failure).into()),
    }
}

/// The shop at work, until the server stops.
async fn keep_moving(state: DemoShop, shop: SampleShop) {
    let open = match state.store.open_orders().await {
        Ok(open) => open.orders,
        Err(error) => {
            tracing::error!(%error, "the demo shop stands still");
            return;
        }
    };
    // Another seed after every start, so that a restart does not repeat the same hour.
    let seed = SEED ^ Timestamp::now().as_second().unsigned_abs();
    let mut movement = Movement::new(seed, &shop, open);
    let visitors: Vec<TechnicianId> = USERS
        .iter()
        .filter_map(|user| Some(shop.technicians.get(user.technician?)?.id))
        .collect();
    loop {
        let local = Timestamp::now().to_zoned(state.time_zone.clone()).time();
        actix_web::rt::time::sleep(movement.pause(local)).await;
        for step in movement.next(Timestamp::now()) {
            let by = author(&step.by);
            let given_to = match &step.command {
                Command::Assign(technician) => Some(*technician),
                Command::Reassign { to, .. } => Some(*to),
                _ => None,
            };
            // Somebody may have closed or changed the order meanwhile; the shop goes on.
            if let Err(error) = execute(&state, step.number, step.command, by).await {
                tracing::debug!(%error, "a demo move was refused");
            } else if let Some(technician) = given_to
                && !visitors.contains(&technician)
            {
                actix::spawn(accept(state.clone(), step.number, technician));
            }
        }
    }
}

/// Technicians who are nobody's to sign in as accept what they are given, sooner or later, and now
/// and then not in time.
async fn accept(state: DemoShop, number: RoNumber, technician: TechnicianId) {
    for (reached, seconds) in [(Reached::Seen, 2..30), (Reached::Accepted, 2..220)] {
        let pause = rand::rng().random_range(seconds);
        actix_web::rt::time::sleep(Duration::from_secs(pause)).await;
        // It may have been taken back meanwhile.
        if let Err(error) = state.receipts.reach(technician, number, reached).await {
            tracing::debug!(%error, "a demo technician could not accept");
        }
    }
}

fn author(person: &Person) -> Author {
    let (uid, name, channel) = match person {
        Person::Advisor(name) => (format!("demo:{name}"), name.clone(), Channel::Desk),
        Person::Dispatcher(name) => (format!("demo:{name}"), name.clone(), Channel::Desk),
        Person::Technician { id, name } => (
            format!("demo:technician:{id}"),
            name.clone(),
            Channel::Portal,
        ),
        Person::DealerSystem => ("import".to_owned(), "Import".to_owned(), Channel::Import),
    };
    Author { uid, name, channel }
}
