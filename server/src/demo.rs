//! The demo shop: fills an empty database with a believable day, and what was closed before it, and
//! keeps it moving.

mod clocks;
mod fill;
mod movement;
mod users;

use dispatch_actors::registry::RepairOrderRegistry;
use dispatch_actors::repair_order::{Command, RoNumber, TechnicianId};
use dispatch_actors::sample_shop::{Person, SampleShop, Scripts};
use dispatch_actors::snapshot::Snapshot;
use dispatch_actors::store::{Author, Channel, Store, StoreError};
use dispatch_actors::supervisor::Execute;
use jiff::Timestamp;
use uuid::Uuid;

use crate::boards::BoardsState;
use crate::boards::layout::Layout;
use crate::clocks::Clocks;
use crate::error::ApiError;
use crate::identity::Identity;
use crate::options::cli::DemoMode;
use crate::receipts::Receipts;
use crate::repair_orders::api_types::By;
use crate::settings;
use crate::shop_settings::ShopSettings;
use crate::skills::OpcodeRules;
use crate::staff::StaffError;
use crate::technician_names::TechnicianDirectory;
use crate::technicians::{Organisation, Technicians};
use users::USERS;

pub use users::{OWNER, sign_ins};

/// A day's work for its technicians, and a little more.
const ORDERS: usize = 128;
const SEED: u64 = 4389;

/// The boards on its walls.
const BOARDS: [(&str, Layout); 4] = [
    ("Customer lounge", Layout::Lounge),
    ("Service lane", Layout::Queue),
    ("Shop floor", Layout::ShopFloor),
    ("Used and PDI", Layout::UsedPdi),
];

/// Marks a database as a demo's, so that the well-known passwords never meet a real shop's data.
const MARK: &str = "demo-shop";

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

/// What the demo works with.
#[derive(Clone)]
pub struct DemoShop {
    pub store: Store,
    pub snapshot: Snapshot,
    pub orders: RepairOrderRegistry,
    pub identity: Identity,
    pub technicians: Technicians,
    pub organisation: Organisation,
    pub opcode_rules: OpcodeRules,
    pub directory: TechnicianDirectory,
    pub clocks: Clocks,
    pub receipts: Receipts,
    pub boards: BoardsState,
    pub shop: ShopSettings,
}

/// Fills the database if it is empty, and starts the movement. Answers with the link that makes a browser its board on
/// the shop floor, to be put behind the server's address; none where an owner has removed the board.
pub async fn start(state: &DemoShop, demo: DemoMode) -> Result<Option<String>, DemoError> {
    let now = Timestamp::now();
    let shop = SampleShop::in_zone(SEED, ORDERS, now, state.shop.time_zone(), Scripts::Shipped);
    // Of several servers that start at once on an empty database the others wait, and find it filled.
    let mut filled = Ok(());
    let fill = async || filled = fill_if_empty(state, &shop, now).await;
    state.store.lead("demo shop fill", fill).await;
    filled?;
    if demo == DemoMode::Moving {
        // A visitor may use the clock of a technician with an account.
        let has_account = |place: &usize| USERS.iter().any(|user| user.technician == Some(*place));
        let technicians: Vec<TechnicianId> = (0..)
            .zip(&shop.technicians)
            .filter(|(place, _)| !has_account(place))
            .map(|(_, technician)| technician.id)
            .collect();
        actix::spawn(keep_moving(state.clone(), shop, technicians));
    }
    board_link(state).await
}

async fn fill_if_empty(
    state: &DemoShop,
    shop: &SampleShop,
    now: Timestamp,
) -> Result<(), DemoError> {
    if !is_demo(&state.store).await? {
        let empty = state.store.is_empty().await? && state.identity.count_accounts().await? == 0;
        if !empty {
            return Err(DemoError::RealShop);
        }
        settings::get_or_set(&state.store, MARK, "yes".to_owned()).await?;
    }
    fill::fill(state, shop, now).await
}

/// Of several servers one moves the shop.
async fn keep_moving(state: DemoShop, shop: SampleShop, technicians: Vec<TechnicianId>) {
    let move_shop = async || {
        // Another seed each time, so that the same hour is not repeated.
        let seed = SEED ^ Timestamp::now().as_second().unsigned_abs();
        tokio::join!(
            clocks::keep_moving(state.clone(), &technicians, seed),
            movement::keep_moving(state.clone(), &shop, seed)
        );
    };
    state.store.lead("demo shop", move_shop).await;
}

/// Made by the demo's owner: a link is good for as long as its author may manage boards.
async fn board_link(state: &DemoShop) -> Result<Option<String>, DemoError> {
    let owner = &USERS[0];
    let Some(uid) = state.identity.uid_of(owner.email).await? else {
        return Ok(None);
    };
    let by = By {
        uid,
        name: owner.name.to_owned(),
    };
    Ok(state.boards.link_to(Layout::ShopFloor, &by).await?)
}

/// Whether this database was filled by a demo, and so has its well-known passwords.
pub async fn is_demo(store: &Store) -> Result<bool, sea_orm::DbErr> {
    Ok(settings::get(store, MARK).await?.is_some())
}

/// A new request's id; an import has none.
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
