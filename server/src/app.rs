//! The server put together: what `main` and the tests start.
//!
//! Starting goes from the inside out: lock the data folder, open and migrate the database, start
//! the actors, fill a demo shop, then listen. Once an address is printed everything works.

use std::io;
use std::net::{SocketAddr, TcpListener};

use actix::{Actor, Addr, Arbiter};
use actix_web::dev::{Server, ServerHandle};
use actix_web::middleware::{Compress, NormalizePath, TrailingSlash, from_fn};
use actix_web::{App as ActixApp, HttpServer, web};
use dispatch_actors::broadcaster::Broadcaster;
use dispatch_actors::committer::Committer;
use dispatch_actors::dispatch::RepairOrders;
use dispatch_actors::store::{Store, StoreError, Unreachable};
use jiff::tz::TimeZone;
use tracing_actix_web::TracingLogger;

use crate::config::{BadConfig, Config, Shop};
use crate::error::ApiError;
use crate::identity::{Identity, Unusable};
use crate::lock::{DataLock, Locked};
use crate::page::ShopFacts;
use crate::socket::{Frames, LiveSockets};
use crate::staff::StaffDocuments;
use crate::technicians::{TechnicianNames, Technicians};
use crate::{control, demo, limits, routes, socket};

/// What the routes work with.
#[derive(Clone)]
pub struct Services {
    pub store: Store,
    pub orders: RepairOrders,
    pub broadcaster: Addr<Broadcaster>,
    pub identity: Identity,
    pub staff: StaffDocuments,
    pub technicians: Technicians,
    pub names: TechnicianNames,
    pub sockets: LiveSockets,
    pub time_zone: TimeZone,
}

/// Why the server did not start; each is one line for the person at the keyboard.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    #[error(transparent)]
    Config(#[from] BadConfig),
    #[error(transparent)]
    Locked(#[from] Locked),
    #[error(transparent)]
    Database(#[from] Unreachable),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Identity(#[from] Unusable),
    #[error("cannot listen on {address}: {why}")]
    Listen { address: String, why: io::Error },
    #[error("{0}")]
    Demo(#[from] crate::demo::NotDemo),
    #[error("{0}")]
    Service(#[from] ApiError),
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
    lock: DataLock,
}

impl Services {
    /// Opens the shop's database and starts the actors on this thread's arbiter.
    pub async fn start(shop: &Shop) -> Result<Self, StartError> {
        let store = Store::open(&shop.database).await?;
        store.migrate(&shop.database).await?;
        let identity = Identity::open(store.clone(), false).await?;
        let staff = StaffDocuments::new(store.clone());
        let names = TechnicianNames::default();
        names.reload(&store, &staff).await?;
        let frames = Frames::new(names.clone());
        let top = store.top().await?;
        // A thread of its own: encoding and handing out frames must not slow the writers down.
        let broadcaster = Broadcaster::start_in_arbiter(&Arbiter::new().handle(), move |_| {
            Broadcaster::new(frames, top)
        });
        let committer = Committer::start(store.clone(), broadcaster.clone(), top);
        let orders = RepairOrders::start(store.clone(), committer);
        let services = Self {
            technicians: Technicians::new(store.clone()),
            sockets: LiveSockets::default(),
            time_zone: shop.time_zone.clone(),
            store,
            orders,
            broadcaster,
            identity,
            staff,
            names,
        };
        actix::spawn(socket::follow_sign_ins(services.clone()));
        Ok(services)
    }
}

impl App {
    /// Everything up to listening.
    pub async fn build(config: Config) -> Result<Self, StartError> {
        let lock = DataLock::take(&config.shop.data_dir)?;
        let services = Services::start(&config.shop).await?;
        if let Some(demo) = config.demo {
            demo::start(&services, demo).await?;
        } else if !config.listen.ip().is_loopback() && demo::is_demo(&services).await? {
            return Err(BadConfig::PublicDemo(config.listen).into());
        }

        let listen_error = |why| StartError::Listen {
            address: config.listen.to_string(),
            why,
        };
        let listener = TcpListener::bind(config.listen).map_err(listen_error)?;
        let address = listener.local_addr().map_err(listen_error)?;
        let facts = ShopFacts {
            brand_name: config.brand_name.clone(),
            support_email: config.support_email.clone(),
            time_zone: config.shop.time_zone_name().to_owned(),
        };
        let server = serve(listener, services.clone(), facts).map_err(listen_error)?;
        let control = control::listen(&config.shop.data_dir, services.clone())?;
        Ok(Self {
            address,
            services,
            server,
            control,
            lock,
        })
    }

    pub fn handle(&self) -> ServerHandle {
        self.server.handle()
    }

    /// Serves until the process is told to stop. The data folder is given free last, when nothing
    /// writes to it any more.
    pub async fn run(self) -> io::Result<()> {
        let served = self.server.await;
        self.control.stop(true).await;
        self.services.store.close().await;
        drop(self.lock);
        served
    }
}

fn serve(listener: TcpListener, services: Services, facts: ShopFacts) -> io::Result<Server> {
    let identity = web::Data::new(services.identity.clone());
    let services = web::Data::new(services);
    let facts = web::Data::new(facts);
    let server = HttpServer::new(move || {
        ActixApp::new()
            .app_data(services.clone())
            .app_data(identity.clone())
            .app_data(facts.clone())
            .app_data(limits::json())
            .app_data(limits::query())
            .app_data(limits::path())
            .wrap(from_fn(routes::known_methods))
            .wrap(Compress::default())
            .wrap(NormalizePath::new(TrailingSlash::MergeOnly))
            .wrap(TracingLogger::default())
            .configure(routes::configure)
    })
    // Small frames must leave at once; actix-web leaves Nagle's algorithm on.
    .tcp_nodelay(true)
    .on_connect(socket::on_connect)
    // Open sockets never end by themselves, and nothing acknowledged is in them.
    .shutdown_timeout(1)
    .listen(listener)?
    .run();
    Ok(server)
}
