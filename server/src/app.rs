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
use dispatch_actors::broadcaster::{Audience, Broadcast, Broadcaster};
use dispatch_actors::committer::Committer;
use dispatch_actors::dispatch::RepairOrders;
use dispatch_actors::snapshot::Snapshot;
use dispatch_actors::store::{Store, StoreError};
use jiff::tz::TimeZone;
use serde::Serialize;
use tokio::sync::{oneshot, watch};
use tokio::task::JoinHandle;
use utoipa_actix_web::service_config::ServiceConfig;

use crate::address::TrustedProxies;
use crate::audit::{AuditTrail, SafetyOptions};
use crate::boards::{self, Boards, LiveViews};
use crate::cli::{IdentityName, StaffName};
use crate::clocks::{self, Clocks};
use crate::config::{BadConfig, Config, Shop, is_elsewhere};
use crate::cross_site::OwnOrigins;
use crate::database::{self, DatabaseError};
use crate::error::ApiError;
use crate::host_check::AnsweredHosts;
use crate::hosted::{self, HostedError};
use crate::identity::oidc::OpenIdConnect;
use crate::identity::passwords;
use crate::identity::{
    Embedded, Identity, IdentityError, IdentityProvider, MailDelivery, MailQueue, PasswordPolicy,
};
use crate::intake::folder::{self, IntakeFolder};
use crate::intake::keys::IntakeKeys;
use crate::intake::matching::Matching;
use crate::intake::watch::watch;
use crate::lock::{DataLock, Locked};
use crate::log_generation;
use crate::log_mark::LogMark;
use crate::mail::Mailer;
use crate::open_files::{OpenFiles, TooFewFiles};
use crate::page::ShopFacts;
use crate::proxy_notices::ProxyNotices;
use crate::push::{Push, PushOptions};
use crate::receipts::Receipts;
use crate::repair_orders::List;
use crate::repair_orders::figures::DeskFigures;
use crate::server_status::DiskWatch;
use crate::skills::{OpcodeRules, Skills};
use crate::socket::{Archive, Frames, LiveSockets, Origin, Pids};
use crate::staff::{Invitations, StaffCollection, StaffDocuments, StaffError};
use crate::tech_story::{StoryOptions, TechStories};
use crate::technicians::{Organisation, TechnicianNames, Technicians};
use crate::{
    control, demo, folder_retention, http, limits, mail, receipts, routes, server_status, socket,
    staff, technicians,
};

/// What the routes work with.
#[derive(Clone)]
pub struct Services {
    pub store: Store,
    pub orders: RepairOrders,
    pub snapshot: Snapshot,
    pub list: List,
    pub figures: DeskFigures,
    pub broadcaster: Addr<Broadcaster>,
    pub identity: Identity,
    pub audit: AuditTrail,
    pub mail_queue: MailQueue,
    pub staff: Arc<dyn StaffCollection>,
    pub invitations: Invitations,
    pub technicians: Technicians,
    pub organisation: Organisation,
    pub skills: Skills,
    pub opcode_rules: OpcodeRules,
    pub clocks: Clocks,
    pub boards: Boards,
    pub names: TechnicianNames,
    pub intake_keys: IntakeKeys,
    pub matching: Matching,
    pub sockets: LiveSockets,
    pub pids: Pids,
    pub archive: Archive,
    pub receipts: Receipts,
    pub push: Push,
    pub tech_stories: TechStories,
    pub time_zone: TimeZone,
    /// Where browsers reach this server, without a slash at the end.
    pub public_url: Arc<str>,
    pub oidc: Option<OpenIdConnect>,
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
    #[error("{0}")]
    Demo(#[from] crate::demo::NotDemo),
    #[error("{0}")]
    Service(#[from] ApiError),
    #[error(transparent)]
    Staff(#[from] StaffError),
    #[error(transparent)]
    Hosted(#[from] HostedError),
    #[error("the keys for pushes cannot be used: {0}")]
    PushKey(String),
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
    pub services: Services,
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

impl Services {
    /// Opens the shop's database and starts the actors on this thread's arbiter.
    /// `commit_group`: decisions in one transaction at most. `public_url`: where browsers reach it
    /// unless the shop's configuration says so.
    pub async fn start(
        shop: &Shop,
        commit_group: usize,
        public_url: &str,
        push: PushOptions,
        stories: &StoryOptions,
    ) -> Result<Self, StartError> {
        let store = database::open(shop).await?;
        let people = &shop.people;
        let staff: Arc<dyn StaffCollection> = match people.staff {
            StaffName::Embedded => Arc::new(StaffDocuments::new(store.clone())),
            StaffName::Firestore => hosted::staff_collection(&people.google).await?,
        };
        let public_url: Arc<str> = people
            .public_url
            .as_ref()
            .map_or(public_url, |url| url.as_str())
            .trim_end_matches('/')
            .into();
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
        let secure = public_url.starts_with("https:");
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
        let names = TechnicianNames::default();
        names.reload(&store, &*staff).await?;
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
        let committer = Committer::start(
            store.clone(),
            snapshot.clone(),
            broadcaster.clone(),
            commit_group,
        );
        let orders = RepairOrders::start(store.clone(), committer);
        let technicians = Technicians::new(store.clone());
        let services = Self {
            intake_keys: IntakeKeys::new(store.clone()),
            matching: Matching::open(store.clone(), technicians.clone(), names.clone()).await?,
            organisation: Organisation::new(store.clone(), technicians.changes().clone()),
            skills: Skills::new(store.clone(), technicians.changes().clone()),
            opcode_rules: OpcodeRules::new(store.clone(), technicians.changes().clone()),
            technicians,
            clocks: Clocks::open(store.clone(), snapshot.clone(), shop.time_zone.clone()).await?,
            boards: Boards::open(store.clone(), board_keys, views).await?,
            invitations: Invitations::default(),
            sockets: LiveSockets::default(),
            pids: Pids::open(&store).await?,
            archive,
            receipts: Receipts::new(store.clone(), assigned),
            push: Push::open(&store, push, &public_url).await?,
            tech_stories: TechStories::new(store.clone(), stories)?,
            time_zone: shop.time_zone.clone(),
            list: List::new(snapshot.clone(), names.clone()),
            figures: DeskFigures::default(),
            snapshot,
            store,
            orders,
            broadcaster,
            audit: identity.audit().clone(),
            identity,
            mail_queue,
            staff,
            names,
            public_url,
            oidc,
        };
        actix::spawn(socket::follow_sign_ins(services.clone()));
        Ok(services)
    }

    /// What technicians are called, after staff or technicians changed.
    pub async fn reload_names(&self) -> Result<(), StaffError> {
        self.names.reload(&self.store, &*self.staff).await
    }

    /// Tells the sessions whom it concerns that something besides the orders changed. It has no
    /// offset and is not replayed: whoever connects asks for what it shows.
    pub async fn tell(
        &self,
        name: &'static str,
        payload: &impl Serialize,
        audience: Audience,
    ) -> Result<(), ApiError> {
        let payload = serde_json::to_value(payload).map_err(|error| {
            // Our own types always serialise; this is for the compiler.
            tracing::error!(%error, name, "a message could not be encoded");
            ApiError::unavailable()
        })?;
        let broadcast = Broadcast {
            name,
            payload,
            audience,
        };
        let told = self.broadcaster.send(broadcast).await;
        told.map_err(|_| ApiError::unavailable())
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
        let safety_options = SafetyOptions::of(&config);
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
        let services = Services::start(shop, group, &here, push, &config.stories).await?;
        services.audit.note_log_generation().await?;
        let people = &config.shop.people;
        if let Some(demo) = config.demo {
            demo::start(&services, demo).await?;
        } else if demo::is_demo(&services).await? {
            config.refuse_demo_elsewhere()?;
        }
        // Only what the server was started with: where it is refused, nothing changed.
        services.audit.note_configuration(&safety_options).await?;

        let facts = ShopFacts {
            brand_name: config.brand_name.clone(),
            support_email: config.support_email.clone(),
            time_zone: config.shop.time_zone_name().to_owned(),
            test_page: config.test_page,
            sign_in_with: people.oidc.as_ref().map(|oidc| oidc.name.clone()),
        };
        if people.public_url.is_none() && !config.listen.ip().is_loopback() {
            tracing::warn!(
                address = &*services.public_url,
                "without --public-url, mailed links lead to the address listened on, and the sign-in \
                 cookie is not Secure"
            );
        }
        if let Some(oidc) = services.oidc.clone() {
            actix::spawn(oidc.get_ready());
        }
        actix::spawn(services.audit.clone().follow());
        actix::spawn(staff::follow(services.clone()));
        // After a demo shop is filled: what happened in its past is nobody's news.
        actix::spawn(receipts::follow(services.clone()));
        actix::spawn(technicians::follow(services.clone()));
        actix::spawn(clocks::follow(services.clone()));
        actix::spawn(boards::follow(services.clone()));
        actix::spawn(log_generation::follow(services.clone()));
        let identity = services.identity.clone();
        let stories = services.tech_stories.clone();
        actix::spawn(sweep(services.store.clone(), identity, stories));
        let log_mark = || LogMark::new(services.store.clone(), &config.shop.data_dir);
        let mark = actix::spawn(log_mark().follow());
        let last_mark = log_mark();
        let mailer = Mailer::new(&people.mail, &config.shop.data_dir);
        mailer.warn_if_unusable();
        let public_url = Arc::clone(&services.public_url);
        let delivery = MailDelivery::new(services.mail_queue.clone(), mailer, public_url)
            .with_time_zone(services.time_zone.clone());
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
        let disks = DiskWatch::new(&config.shop, config.intake_dir.as_deref(), config.low_disk);
        disks.measure();
        actix::spawn(server_status::follow(services.clone(), disks.clone()));
        let own_origins = own_origins(&services.public_url, config.allowed_origins);
        let trusted = TrustedProxies::new(config.trusted_proxies);
        let origins = own_origins.clone();
        let stream = socket::stream(&services, origins, trusted.clone(), files.sessions());
        if trusted.is_empty()
            && config.listen.ip().is_loopback()
            && services
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
        let configure = configure(&services, disks, facts, OwnOrigins(own_origins), trusted);
        let hosts = AnsweredHosts::new(&services.public_url, &config.allowed_hosts);
        hosts.log();
        let server = http::serve(listener, vec![stream], (files, proxies), hosts, configure)
            .map_err(listen_error)?;
        let control = control::listen(&config.shop.data_dir, services.clone())?;
        let watch = intake.map(|folder| watch(folder, services.clone()));
        let mail = MailTask::start(delivery);
        Ok(Self {
            address,
            services,
            server,
            control,
            mark,
            last_mark,
            watch,
            mail,
            lock,
        })
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
        self.services.audit.close().await;
        self.services.store.close().await;
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
    services: &Services,
    disks: DiskWatch,
    facts: ShopFacts,
    own_origins: OwnOrigins,
    trusted: TrustedProxies,
) -> impl Fn(&mut web::ServiceConfig) + Clone + Send + 'static {
    let identity = web::Data::new(services.identity.clone());
    let oidc = services.oidc.clone().map(web::Data::new);
    let audit = web::Data::new(services.audit.clone());
    let services = web::Data::new(services.clone());
    let disks = web::Data::new(disks);
    let facts = web::Data::new(facts);
    let own_origins = web::Data::new(own_origins);
    let trusted = web::Data::new(trusted);
    let proxy_notices = web::Data::new(ProxyNotices::new(&services.public_url));
    move |config| {
        if facts.test_page {
            staff::test_page::configure(&mut ServiceConfig::new(config));
        }
        if let Some(oidc) = &oidc {
            config.app_data(oidc.clone());
        }
        config
            .app_data(services.clone())
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
    }
}
