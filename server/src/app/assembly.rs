//! The state of each area, put together.

use actix::Addr;
use dispatch_actors::broadcaster::Broadcaster;
use dispatch_actors::committer::CommitterWatch;
use dispatch_actors::store::Store;

use super::StartError;
use super::accounts::Accounts;
use super::order_actors::OrderActors;
use crate::audit::AuditTrail;
use crate::boards::{Boards, BoardsState};
use crate::clocks::{Clocks, ClocksState};
use crate::control::ControlState;
use crate::customers::Customers;
use crate::demo::DemoShop;
use crate::desk_figures::DeskFigures;
use crate::hosted_import::HostedImport;
use crate::identity::Identity;
use crate::identity::oidc::OpenIdConnect;
use crate::intake::IntakeState;
use crate::intake::dms_numbers::NumberMatches;
use crate::intake::keys::IntakeKeys;
use crate::options::config::Shop;
use crate::promises::{JudgedPromises, PromisesState};
use crate::public_url::PublicUrl;
use crate::push::{Push, PushOptions, PushState};
use crate::realtime::announcer::Announcer;
use crate::realtime::live_sockets::LiveSockets;
use crate::receipts::{Receipts, ReceiptsState};
use crate::repair_orders::{List, OrderWriter, RepairOrdersState};
use crate::shop_settings::{KeptSettings, ShopSettings};
use crate::skills::{OpcodeRules, Skills, SkillsState, WorkKinds};
use crate::socket::{Pids, SocketState};
use crate::stages::{Stages, StagesState};
use crate::tech_story::{StoryOptions, TechStories, TechStoryState};
use crate::technician_names::TechnicianDirectory;
use crate::technicians::{Fairness, Organisation, Technicians, TechniciansState};
use crate::users::{Invitations, UsersState};
use crate::{database, socket};

use std::sync::Arc;

/// The areas' states, put together.
#[derive(Clone)]
pub struct Assembly {
    pub(super) store: Store,
    pub(super) broadcaster: Addr<Broadcaster>,
    pub(super) announcer: Announcer,
    pub(super) commits: CommitterWatch,
    pub(super) identity: Identity,
    pub(super) oidc: Option<OpenIdConnect>,
    pub(super) public_url: PublicUrl,
    pub(super) shop: ShopSettings,
    pub(super) users: UsersState,
    pub(super) technicians: TechniciansState,
    pub(super) boards: BoardsState,
    pub(super) receipts: ReceiptsState,
    pub(super) push: PushState,
    pub(super) tech_story: TechStoryState,
    pub(super) intake: IntakeState,
    pub(super) socket: SocketState,
    pub(super) control: ControlState,
    pub(super) demo: DemoShop,
    pub(super) desk_figures: DeskFigures,
    pub(super) promises: PromisesState,
    pub(super) clocks: ClocksState,
    pub(super) skills: SkillsState,
    pub(super) stages: StagesState,
    pub(super) repair_orders: RepairOrdersState,
}

impl Assembly {
    /// Opens the shop's database and starts the actors on this thread's arbiter.
    /// `commit_group`: the most decisions in one transaction. `here`: the address at which browsers reach the
    /// server, unless the options have another.
    pub async fn start(
        shop: &Shop,
        commit_group: usize,
        here: &str,
        push: PushOptions,
        stories: &StoryOptions,
    ) -> Result<Self, StartError> {
        let store = database::open(shop).await?;
        let Accounts {
            staff,
            public_url,
            mail_queue,
            identity,
            oidc,
        } = Accounts::open(shop, &store, here).await?;
        let directory = TechnicianDirectory::open(store.clone(), Arc::clone(&staff)).await?;
        let names = directory.names().clone();
        let stages = Stages::open(store.clone()).await?;
        let OrderActors {
            snapshot,
            orders,
            commits,
            broadcaster,
            announcer,
            archive,
            board_keys,
            views,
            last_seq,
        } = OrderActors::start(&store, &names, stages.known(), commit_group).await?;
        let of_options = KeptSettings {
            name: shop.name.clone(),
            time_zone: shop.time_zone.clone(),
        };
        let hours = shop.hours.clone();
        let shop = ShopSettings::open(&store, of_options).await?;
        let audit = identity.audit().clone();
        let limits = identity.shared_limits();
        let sockets = LiveSockets::new(store.others());
        let order_writer = OrderWriter {
            store: store.clone(),
            orders: orders.clone(),
            names: names.clone(),
        };
        let clocks = Clocks::open(
            store.clone(),
            snapshot.clone(),
            shop.clone(),
            announcer.clone(),
        )
        .await?;
        let technicians = Technicians::new(store.clone());
        let changes = technicians.changes().clone();
        let work_kinds = WorkKinds::new(store.clone(), changes.clone());
        let technicians = TechniciansState {
            store: store.clone(),
            snapshot: snapshot.clone(),
            organisation: Organisation::new(store.clone(), changes.clone()),
            opcode_rules: OpcodeRules::new(store.clone(), changes.clone()),
            directory: directory.clone(),
            staff: Arc::clone(&staff),
            clocks: clocks.clone(),
            fairness: Fairness::new(
                store.clone(),
                snapshot.clone(),
                clocks.clone(),
                work_kinds.clone(),
            ),
            announcer: announcer.clone(),
            shop: shop.clone(),
            hours: hours.clone(),
            technicians,
        };
        let users = UsersState {
            staff,
            identity: identity.clone(),
            mail_queue,
            invitations: Invitations::new(limits),
            technicians: technicians.technicians.clone(),
            directory: directory.clone(),
            skills: Skills::new(store.clone(), technicians.technicians.changes().clone()),
            announcer: announcer.clone(),
        };
        let boards = BoardsState {
            store: store.clone(),
            boards: Boards::open(store.clone(), board_keys, views, limits).await?,
            snapshot: snapshot.clone(),
            names: names.clone(),
            clocks: clocks.clone(),
            sockets: sockets.clone(),
            identity: identity.clone(),
            audit: audit.clone(),
            announcer: announcer.clone(),
            broadcaster: broadcaster.clone(),
            shop: shop.clone(),
        };
        boards.subscribe_to_clocks();
        let receipts = ReceiptsState {
            store: store.clone(),
            snapshot: snapshot.clone(),
            receipts: Receipts::new(store.clone(), last_seq),
            orders: order_writer.clone(),
            names: names.clone(),
            sockets: sockets.clone(),
            announcer: announcer.clone(),
        };
        let push = PushState {
            push: Push::open(&store, push, &public_url).await?,
            receipts: receipts.receipts.clone(),
            clocks: clocks.clone(),
            snapshot: snapshot.clone(),
        };
        push.subscribe_to_receipts();
        let tech_story = TechStoryState {
            store: store.clone(),
            stories: TechStories::new(store.clone(), limits, stories)?,
            orders: order_writer.clone(),
            changes: changes.clone(),
        };
        let intake = IntakeState {
            store: store.clone(),
            snapshot: snapshot.clone(),
            orders: orders.clone(),
            broadcaster: broadcaster.clone(),
            keys: IntakeKeys::new(store.clone(), limits),
            matches: NumberMatches::open(
                store.clone(),
                technicians.technicians.clone(),
                names.clone(),
                stages.known().clone(),
            )
            .await?,
            directory: directory.clone(),
            audit: audit.clone(),
            shop: shop.clone(),
            counts: Arc::default(),
        };
        let socket = SocketState {
            store: store.clone(),
            snapshot: snapshot.clone(),
            broadcaster: broadcaster.clone(),
            identity: identity.clone(),
            audit,
            sockets: sockets.clone(),
            pids: Pids::open(&store).await?,
            archive,
            boards: boards.boards.clone(),
            counts: Arc::default(),
        };
        let hosted_import = HostedImport {
            identity: identity.clone(),
            staff: Arc::clone(&users.staff),
            technicians: technicians.technicians.clone(),
            directory: directory.clone(),
        };
        let customers = Customers {
            store: store.clone(),
            orders: orders.clone(),
            stories: tech_story.stories.clone(),
            intake_dir: None,
        };
        let control = ControlState {
            customers,
            identity: identity.clone(),
            technicians: technicians.technicians.clone(),
            directory: directory.clone(),
            intake: intake.clone(),
            hosted_import,
        };
        let demo = DemoShop {
            store: store.clone(),
            snapshot: snapshot.clone(),
            orders,
            identity: identity.clone(),
            technicians: technicians.technicians.clone(),
            organisation: technicians.organisation.clone(),
            opcode_rules: technicians.opcode_rules.clone(),
            directory: directory.clone(),
            clocks: clocks.clone(),
            receipts: receipts.receipts.clone(),
            boards: boards.clone(),
            shop: shop.clone(),
        };
        let desk_figures = DeskFigures::new(
            store.clone(),
            snapshot.clone(),
            clocks.clone(),
            shop.clone(),
        );
        let promises = PromisesState {
            stages: store.stage_rules().clone(),
            snapshot: snapshot.clone(),
            clocks: clocks.clone(),
            technicians: technicians.technicians.clone(),
            names: names.clone(),
            shop: shop.clone(),
            hours,
            judged: JudgedPromises::default(),
        };
        let skills = SkillsState {
            store: store.clone(),
            skills: users.skills.clone(),
            opcode_rules: technicians.opcode_rules.clone(),
            work_kinds,
            technicians: technicians.technicians.clone(),
        };
        let stages = StagesState {
            store: store.clone(),
            stages,
            snapshot: snapshot.clone(),
            orders: order_writer.orders.clone(),
            clocks: clocks.clone(),
            names: names.clone(),
            announcer: announcer.clone(),
            shop: shop.clone(),
            adding_up: Arc::default(),
        };
        let repair_orders = RepairOrdersState {
            store: store.clone(),
            snapshot: snapshot.clone(),
            orders: order_writer,
            list: List::new(snapshot.clone(), names.clone(), store.stage_rules().clone()),
            names,
            directory: directory.clone(),
        };
        let clocks = ClocksState {
            store: store.clone(),
            snapshot,
            clocks,
            directory,
            shop: shop.clone(),
        };
        actix::spawn(sockets.follow_other_servers());
        actix::spawn(socket::follow_sign_ins(sockets, identity.clone()));
        Ok(Self {
            store,
            broadcaster,
            announcer,
            commits,
            identity,
            oidc,
            public_url,
            shop,
            users,
            technicians,
            boards,
            receipts,
            push,
            tech_story,
            intake,
            socket,
            control,
            demo,
            desk_figures,
            promises,
            clocks,
            skills,
            stages,
            repair_orders,
        })
    }

    /// For a command that runs without a server.
    pub fn control(&self) -> &ControlState {
        &self.control
    }

    /// To be called at the end, so that the database is left as one file.
    pub async fn close(&self) {
        self.store.close().await;
    }

    pub(super) fn audit(&self) -> &AuditTrail {
        self.identity.audit()
    }
}
