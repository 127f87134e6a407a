//! The server put together: what `main` and the tests start.
//!
//! Starting goes from the inside out: lock the data folder, open and migrate the database, start
//! the actors, fill a demo shop, then listen. Once an address is printed everything works.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use actix::{Actor, Addr, Arbiter};
use actix_web::dev::{Server, ServerHandle};
use actix_web::web;
use dispatch_actors::broadcaster::Broadcaster;
use dispatch_actors::committer::Committer;
use dispatch_actors::dispatch::RepairOrders;
use dispatch_actors::snapshot::Snapshot;
use dispatch_actors::store::{Store, StoreError};
use jiff::tz::TimeZone;
use tokio::sync::{oneshot, watch};
use tokio::task::JoinHandle;
use utoipa_actix_web::service_config::ServiceConfig;

use crate::address::TrustedProxies;
use crate::announcer::Announcer;
use crate::audit::AuditTrail;
use crate::boards::{self, Boards, BoardsState, LiveViews};
use crate::cli::{IdentityName, StaffName};
use crate::clocks::{self, Clocks, ClocksState};
use crate::config::{BadConfig, Config, Shop, is_elsewhere};
use crate::control::ControlState;
use crate::cross_site::OwnOrigins;
use crate::database::{self, DatabaseError};
use crate::demo::{DemoError, DemoShop};
use crate::desk_figures::DeskFigures;
use crate::error::ApiError;
use crate::host_check::AnsweredHosts;
use crate::hosted::{self, HostedError};
use crate::hosted_import::HostedImport;
use crate::identity::oidc::OpenIdConnect;
use crate::identity::passwords;
use crate::identity::{
    Embedded, Identity, IdentityError, IdentityProvider, MailDelivery, MailQueue, PasswordPolicy,
};
use crate::intake::IntakeState;
use crate::intake::folder::{self, IntakeFolder};
use crate::intake::keys::IntakeKeys;
use crate::intake::matching::Matching;
use crate::intake::watch::watch;
use crate::live_sockets::LiveSockets;
use crate::lock::{DataLock, Locked};
use crate::log_generation::{self, Reloads};
use crate::log_mark::LogMark;
use crate::mail::Mailer;
use crate::open_files::{OpenFiles, TooFewFiles};
use crate::page::ShopFacts;
use crate::proxy_notices::ProxyNotices;
use crate::public_url::PublicUrl;
use crate::push::{Push, PushOptions, PushSetupError, PushState};
use crate::receipts::{Receipts, ReceiptsState};
use crate::repair_orders::{List, OrderWriter, RepairOrdersState};
use crate::server_status::DiskWatch;
use crate::skills::{OpcodeRules, Skills, SkillsState};
use crate::socket::{Archive, Frames, Origin, Pids, SocketState};
use crate::staff::{StaffCollection, StaffDocuments, StaffError};
use crate::tech_story::{StoryOptions, TechStories, TechStoryState};
use crate::technician_names::TechnicianDirectory;
use crate::technicians::{Organisation, Technicians, TechniciansState};
use crate::users::{Invitations, UsersState};
use crate::{
    control, demo, folder_retention, http, limits, mail, openapi, receipts, routes, server_status,
    socket, technicians, users,
};

/// The areas' states, put together.
#[derive(Clone)]
pub struct Assembly {
    store: Store,
    broadcaster: Addr<Broadcaster>,
    announcer: Announcer,
    identity: Identity,
    oidc: Option<OpenIdConnect>,
    public_url: PublicUrl,
    time_zone: TimeZone,
    users: UsersState,
    technicians: TechniciansState,
    boards: BoardsState,
    receipts: ReceiptsState,
    push: PushState,
    tech_story: TechStoryState,
    intake: IntakeState,
    socket: SocketState,
    control: ControlState,
    demo: DemoShop,
    desk_figures: DeskFigures,
    clocks: ClocksState,
    skills: SkillsState,
    repair_orders: RepairOrdersState,
}

/// Why the server did not start; each is one line for the person at the keyboard.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    #[error(transparent)]
    Config(#[from] BadConfig),
    #[error(transparent)]
    TooFewFiles(#[from] TooFewFiles),
    #[error(transparent)]
    Locked(#[from] Locked),
    #[error(transparent)]
    Database(#[from] DatabaseError),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Identity(#[from] IdentityError),
    #[error(transparent)]
    Intake(#[from] folder::Unusable),
    #[error("cannot listen on {address}: {why}")]
    Listen { address: String, why: io::Error },
    #[error(transparent)]
    Demo(#[from] DemoError),
    #[error("{0}")]
    Service(#[from] ApiError),
    #[error(transparent)]
    Staff(#[from] StaffError),
    #[error(transparent)]
    Hosted(#[from] HostedError),
    #[error(transparent)]
    Push(#[from] PushSetupError),
    #[error("no HTTPS connection can be made: {0}")]
    Http(#[from] reqwest::Error),
}

impl From<sea_orm::DbErr> for StartError {
    fn from(error: sea_orm::DbErr) -> Self {
        StoreError::from(error).into()
    }
}

/// A server that listens.
pub struct App {
    pub address: SocketAddr,
    assembly: Assembly,
    server: Server,
    control: ServerHandle,
    watch: Option<JoinHandle<()>>,
    /// Also beside a hosted provider, which mails links but not what happened here.
    mail: MailTask,
    /// Writes the mark for as long as the server runs.
    mark: JoinHandle<()>,
    last_mark: LogMark,
    lock: DataLock,
}

/// Sends mails until it is told to stop.
struct MailTask {
    stop: oneshot::Sender<()>,
    task: JoinHandle<()>,
}

/// For which the end of the process waits for whoever sends mails, who waits a shorter time for those
/// under way: a little more, for the database.
const MAIL_STOP_TIMEOUT: Duration = Duration::from_secs(5);

impl MailTask {
    fn start(delivery: MailDelivery) -> Self {
        let (stop, stopped) = oneshot::channel();
        let task = tokio::spawn(delivery.run(async {
            // An error says the same: nobody is there to tell it.
            let _ = stopped.await;
        }));
        Self { stop, task }
    }

    async fn stop(self) {
        drop(self.stop);
        if tokio::time::timeout(MAIL_STOP_TIMEOUT, self.task)
            .await
            .is_err()
        {
            tracing::warn!("the database did not answer whoever sends mails in time");
        }
    }
}

impl Assembly {
    /// Opens the shop's database and starts the actors on this thread's arbiter.
    /// `commit_group`: decisions in one transaction at most. `here`: where browsers reach it unless
    /// the shop's configuration says so.
    pub async fn start(
        shop: &Shop,
        commit_group: usize,
        here: &str,
        push: PushOptions,
        stories: &StoryOptions,
    ) -> Result<Self, StartError> {
        let store = database::open(shop).await?;
        let people = &shop.people;
        let staff: Arc<dyn StaffCollection> = match people.staff {
            StaffName::Embedded => Arc::new(StaffDocuments::new(store.clone())),
            StaffName::Firestore => hosted::staff_collection(&people.google).await?,
        };
        let public_url = people.public_url.as_ref();
        let public_url = PublicUrl::new(public_url.map_or(here, |url| url.as_str()));
        let policy = PasswordPolicy {
            min_length: people.password_min_length,
            max_length: passwords::LONGEST_BYTES as u32,
            refuses_common: people.refuse_common_passwords,
        };
        let mail_queue = MailQueue::new(store.clone());
        let provider: Arc<dyn IdentityProvider> = match people.identity {
            IdentityName::Embedded => {
                Arc::new(Embedded::new(store.clone(), policy, mail_queue.clone()))
            }
            IdentityName::Firebase => hosted::identity_provider(&people.google, &public_url)?,
        };
        let secure = public_url.is_https();
        let identity = Identity::open_with(
            store.clone(),
            provider,
            Arc::clone(&staff),
            secure,
            people.sign_in_limit,
        )
        .await?;
        let oidc = match &people.oidc {
            Some(options) => Some(OpenIdConnect::open(&store, options.clone(), &public_url).await?),
            None => None,
        };
        let directory = TechnicianDirectory::open(store.clone(), Arc::clone(&staff)).await?;
        let names = directory.names().clone();
        let snapshot = Snapshot::load(&store).await?;
        let top = snapshot.position();
        let board_keys = boards::Keys::open(&store).await?;
        let cards = board_keys.derived("cards");
        let views = LiveViews::new(boards::Shop::new(snapshot.clone(), names.clone(), &cards));
        let frames = Frames::new(names.clone(), views.clone(), store.status().clone());
        let archive = Archive::new(store.clone(), snapshot.clone(), frames.clone());
        // A thread of its own: encoding and handing out frames must not slow the writers down.
        let (wake, assigned) = watch::channel(top.seq);
        let status = store.status().clone();
        let broadcaster = Broadcaster::start_in_arbiter(&Arbiter::new().handle(), move |_| {
            Broadcaster::new(frames, top, status).waking(wake)
        });
        let announcer = Announcer::new(broadcaster.clone());
        let committer = Committer::start(
            store.clone(),
            snapshot.clone(),
            broadcaster.clone(),
            commit_group,
        );
        let orders = RepairOrders::start(store.clone(), committer);
        let time_zone = shop.time_zone.clone();
        let audit = identity.audit().clone();
        let sockets = LiveSockets::default();
        let order_writer = OrderWriter {
            store: store.clone(),
            orders: orders.clone(),
            names: names.clone(),
        };
        let clocks = Clocks::open(
            store.clone(),
            snapshot.clone(),
            time_zone.clone(),
            announcer.clone(),
        )
        .await?;
        let technicians = Technicians::new(store.clone());
        let changes = technicians.changes();
        let technicians = TechniciansState {
            store: store.clone(),
            snapshot: snapshot.clone(),
            organisation: Organisation::new(store.clone(), changes.clone()),
            opcode_rules: OpcodeRules::new(store.clone(), changes.clone()),
            directory: directory.clone(),
            staff: Arc::clone(&staff),
            clocks: clocks.clone(),
            announcer: announcer.clone(),
            technicians,
        };
        let users = UsersState {
            staff,
            identity: identity.clone(),
            mail_queue,
            invitations: Invitations::default(),
            technicians: technicians.technicians.clone(),
            directory: directory.clone(),
            skills: Skills::new(store.clone(), technicians.technicians.changes().clone()),
            announcer: announcer.clone(),
        };
        let boards = BoardsState {
            store: store.clone(),
            boards: Boards::open(store.clone(), board_keys, views).await?,
            snapshot: snapshot.clone(),
            names: names.clone(),
            clocks: clocks.clone(),
            sockets: sockets.clone(),
            identity: identity.clone(),
            audit: audit.clone(),
            announcer: announcer.clone(),
            broadcaster: broadcaster.clone(),
            time_zone: time_zone.clone(),
        };
        boards.subscribe_to_clocks();
        let receipts = ReceiptsState {
            store: store.clone(),
            snapshot: snapshot.clone(),
            receipts: Receipts::new(store.clone(), assigned),
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
            stories: TechStories::new(store.clone(), stories)?,
            orders: order_writer.clone(),
        };
        let intake = IntakeState {
            store: store.clone(),
            snapshot: snapshot.clone(),
            orders: orders.clone(),
            broadcaster: broadcaster.clone(),
            keys: IntakeKeys::new(store.clone()),
            matching: Matching::open(
                store.clone(),
                technicians.technicians.clone(),
                names.clone(),
            )
            .await?,
            directory: directory.clone(),
            audit: audit.clone(),
            time_zone: time_zone.clone(),
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
        };
        let hosted_import = HostedImport {
            identity: identity.clone(),
            staff: Arc::clone(&users.staff),
            technicians: technicians.technicians.clone(),
            directory: directory.clone(),
        };
        let control = ControlState {
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
            time_zone: time_zone.clone(),
        };
        let desk_figures = DeskFigures::new(
            store.clone(),
            snapshot.clone(),
            clocks.clone(),
            time_zone.clone(),
        );
        let skills = SkillsState {
            store: store.clone(),
            skills: users.skills.clone(),
            opcode_rules: technicians.opcode_rules.clone(),
            technicians: technicians.technicians.clone(),
        };
        let repair_orders = RepairOrdersState {
            store: store.clone(),
            snapshot: snapshot.clone(),
            orders: order_writer,
            list: List::new(snapshot.clone(), names.clone()),
            names,
            directory: directory.clone(),
        };
        let clocks = ClocksState {
            store: store.clone(),
            snapshot,
            clocks,
            directory,
            time_zone: time_zone.clone(),
        };
        actix::spawn(socket::follow_sign_ins(sockets, identity.clone()));
        Ok(Self {
            store,
            broadcaster,
            announcer,
            identity,
            oidc,
            public_url,
            time_zone,
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
            clocks,
            skills,
            repair_orders,
        })
    }

    /// What a command works with that runs without a server.
    pub fn control(&self) -> &ControlState {
        &self.control
    }

    /// To be called at the end, so that the database is left as one file.
    pub async fn close(&self) {
        self.store.close().await;
    }

    fn audit(&self) -> &AuditTrail {
        self.identity.audit()
    }
}

/// How often answers that are no longer needed are deleted.
const SWEEP: Duration = Duration::from_secs(60 * 60);

async fn sweep(store: Store, identity: Identity, stories: TechStories) {
    let mut again = tokio::time::interval(SWEEP);
    loop {
        again.tick().await;
        if let Err(error) = store.sweep_idempotency_records().await {
            tracing::warn!(%error, "old answers were not deleted");
        }
        if let Err(error) = identity.sweep().await {
            tracing::warn!(%error, "old sessions were not deleted");
        }
        if let Err(error) = stories.sweep().await {
            tracing::warn!(%error, "old interviews were not deleted");
        }
    }
}

impl App {
    /// Everything up to listening.
    pub async fn build(config: Config) -> Result<Self, StartError> {
        let safety_options = config.safety_options();
        let files = OpenFiles::raise_limit()?;
        files.warn_if_few();
        let lock = DataLock::take(&config.shop.data_dir)?;
        let listen_error = |why| StartError::Listen {
            address: config.listen.to_string(),
            why,
        };
        // Bound before anything is started, since mailed links name the port; connections wait.
        let listener = http::bind(config.listen).map_err(listen_error)?;
        let address = listener.local_addr().map_err(listen_error)?;
        let here = format!("http://{address}");
        let push = PushOptions {
            services: config.push_services.clone(),
            contact: config.support_email.clone(),
        };
        let (shop, group) = (&config.shop, config.commit_group);
        let intake = config.intake_dir.as_deref();
        let intake = intake.map(IntakeFolder::open).transpose()?;
        if let Some(folder) = &intake {
            folder.warn_if_within(&config.shop.data_dir);
        }
        let assembly = Assembly::start(shop, group, &here, push, &config.stories).await?;
        assembly.audit().note_log_generation().await?;
        let people = &config.shop.people;
        if let Some(demo) = config.demo {
            demo::start(&assembly.demo, demo).await?;
        } else if demo::is_demo(&assembly.store).await? {
            config.refuse_demo_elsewhere()?;
        }
        // Only what the server was started with: where it is refused, nothing changed.
        assembly.audit().note_configuration(&safety_options).await?;

        let facts = ShopFacts {
            brand_name: config.brand_name.clone(),
            support_email: config.support_email.clone(),
            time_zone: config.shop.time_zone_name().to_owned(),
            test_page: config.test_page,
            sign_in_with: people.oidc.as_ref().map(|oidc| oidc.name.clone()),
        };
        if people.public_url.is_none() && !config.listen.ip().is_loopback() {
            tracing::warn!(
                address = &*assembly.public_url,
                "without --public-url, mailed links lead to the address listened on, and the sign-in \
                 cookie is not Secure"
            );
        }
        if let Some(oidc) = assembly.oidc.clone() {
            actix::spawn(oidc.get_ready());
        }
        actix::spawn(assembly.audit().clone().follow());
        actix::spawn(users::follow(assembly.users.clone()));
        // After a demo shop is filled: what happened in its past is nobody's news.
        actix::spawn(receipts::follow(assembly.receipts.clone()));
        actix::spawn(technicians::follow(assembly.technicians.clone()));
        actix::spawn(clocks::follow(assembly.clocks.clocks.clone()));
        actix::spawn(boards::follow(assembly.boards.clone()));
        let reloads = Reloads {
            users: assembly.users.clone(),
            audit: assembly.audit().clone(),
            boards: assembly.boards.clone(),
        };
        actix::spawn(log_generation::follow(reloads));
        let identity = assembly.identity.clone();
        let stories = assembly.tech_story.stories.clone();
        actix::spawn(sweep(assembly.store.clone(), identity, stories));
        let log_mark = || LogMark::new(assembly.store.clone(), &config.shop.data_dir);
        let mark = actix::spawn(log_mark().follow());
        let last_mark = log_mark();
        let mailer = Mailer::new(&people.mail, &config.shop.data_dir);
        mailer.warn_if_unusable();
        let delivery = MailDelivery::new(
            assembly.users.mail_queue.clone(),
            mailer,
            Arc::from(&*assembly.public_url),
        )
        .with_time_zone(assembly.time_zone.clone());
        let mut folders = vec![mail::retention::limited_folder(
            &config.shop.data_dir,
            config.retention,
        )];
        let filed = intake.as_ref();
        folders.extend(
            filed
                .map(|folder| folder.limited_folders(config.retention))
                .into_iter()
                .flatten(),
        );
        actix::spawn(folder_retention::follow(folders));
        let disks = DiskWatch::new(
            &config.shop.data_dir,
            &config.shop.database,
            config.intake_dir.as_deref(),
            config.low_disk,
        );
        disks.measure();
        actix::spawn(server_status::follow(
            assembly.announcer.clone(),
            disks.clone(),
        ));
        let own_origins = own_origins(&assembly.public_url, config.allowed_origins);
        let trusted = TrustedProxies::new(config.trusted_proxies);
        let origins = own_origins.clone();
        let stream = socket::stream(&assembly.socket, origins, trusted.clone(), files.sessions());
        if trusted.is_empty()
            && config.listen.ip().is_loopback()
            && assembly
                .public_url
                .parse()
                .is_ok_and(|url| is_elsewhere(&url))
        {
            tracing::warn!(
                "--public-url is not on this machine, so there is a proxy in front, and none is trusted: \
                 limits count everybody as one. Start the server with --trusted-proxy and its address, \
                 such as --trusted-proxy 127.0.0.1"
            );
        }
        let proxies = trusted.clone();
        let configure = configure(&assembly, disks, facts, OwnOrigins(own_origins), trusted);
        let hosts = AnsweredHosts::new(&assembly.public_url, &config.allowed_hosts);
        hosts.log();
        let server = http::serve(listener, vec![stream], (files, proxies), hosts, configure)
            .map_err(listen_error)?;
        let control =
            control::listen(&config.shop.data_dir, assembly.control.clone()).map_err(|why| {
                StartError::Listen {
                    address: control::socket_path(&config.shop.data_dir)
                        .display()
                        .to_string(),
                    why,
                }
            })?;
        let watch = intake.map(|folder| watch(folder, assembly.intake.clone()));
        let mail = MailTask::start(delivery);
        Ok(Self {
            address,
            assembly,
            server,
            control,
            mark,
            last_mark,
            watch,
            mail,
            lock,
        })
    }

    /// How many people can sign in.
    pub async fn count_accounts(&self) -> Result<u64, ApiError> {
        self.assembly.identity.count_accounts().await
    }

    pub fn handle(&self) -> ServerHandle {
        self.server.handle()
    }

    /// Serves until the process is told to stop. The data folder is given free last, when nothing
    /// writes to it any more.
    pub async fn run(mut self) -> io::Result<()> {
        let served = self.server.await;
        self.control.stop(true).await;
        // Its file stays where it is and is taken again at the next start.
        if let Some(watch) = self.watch {
            watch.abort();
            // That it was told to end is no fault.
            let _ = watch.await;
        }
        self.mail.stop().await;
        self.mark.abort();
        // It was aborted, which is no fault.
        let _ = self.mark.await;
        self.last_mark.update().await;
        self.assembly.audit().close().await;
        self.assembly.store.close().await;
        drop(self.lock);
        served
    }
}

/// Pages of other addresses than the one a browser asks at that moment.
fn own_origins(public_url: &str, mut allowed: Vec<Origin>) -> Vec<Origin> {
    // A proxy need not hand the Host header on.
    allowed.extend(public_url.parse::<Origin>());
    allowed
}

/// What every thread of the server has.
fn configure(
    assembly: &Assembly,
    disks: DiskWatch,
    facts: ShopFacts,
    own_origins: OwnOrigins,
    trusted: TrustedProxies,
) -> impl Fn(&mut web::ServiceConfig) + Clone + Send + 'static {
    let oidc = assembly.oidc.clone().map(web::Data::new);
    let store = web::Data::new(assembly.store.clone());
    let broadcaster = web::Data::new(assembly.broadcaster.clone());
    let public_url = web::Data::new(assembly.public_url.clone());
    let identity = web::Data::new(assembly.identity.clone());
    let audit = web::Data::new(assembly.audit().clone());
    let users = web::Data::new(assembly.users.clone());
    let technicians = web::Data::new(assembly.technicians.clone());
    let boards = web::Data::new(assembly.boards.clone());
    let receipts = web::Data::new(assembly.receipts.clone());
    let push = web::Data::new(assembly.push.clone());
    let tech_story = web::Data::new(assembly.tech_story.clone());
    let intake = web::Data::new(assembly.intake.clone());
    let desk_figures = web::Data::new(assembly.desk_figures.clone());
    let clocks = web::Data::new(assembly.clocks.clone());
    let skills = web::Data::new(assembly.skills.clone());
    let repair_orders = web::Data::new(assembly.repair_orders.clone());
    let disks = web::Data::new(disks);
    let facts = web::Data::new(facts);
    let own_origins = web::Data::new(own_origins);
    let trusted = web::Data::new(trusted);
    let proxy_notices = web::Data::new(ProxyNotices::new(&assembly.public_url));
    move |config| {
        if facts.test_page {
            users::test_page::configure(&mut ServiceConfig::new(config));
        }
        if let Some(oidc) = &oidc {
            config.app_data(oidc.clone());
        }
        config
            .app_data(store.clone())
            .app_data(broadcaster.clone())
            .app_data(public_url.clone())
            .app_data(users.clone())
            .app_data(technicians.clone())
            .app_data(boards.clone())
            .app_data(receipts.clone())
            .app_data(push.clone())
            .app_data(tech_story.clone())
            .app_data(intake.clone())
            .app_data(desk_figures.clone())
            .app_data(clocks.clone())
            .app_data(skills.clone())
            .app_data(repair_orders.clone())
            .app_data(identity.clone())
            .app_data(audit.clone())
            .app_data(disks.clone())
            .app_data(facts.clone())
            .app_data(own_origins.clone())
            .app_data(trusted.clone())
            .app_data(proxy_notices.clone())
            .app_data(limits::json())
            .app_data(limits::body())
            .app_data(limits::query())
            .app_data(limits::path());
        routes::configure(&mut ServiceConfig::new(config));
        // The document does not describe itself.
        openapi::configure(config);
    }
}
