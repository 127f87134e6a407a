//! The server put together: what `main` and the tests start.
//!
//! Starting goes from the inside out: lock the data folder, open and migrate the database, start
//! the actors, fill a demo shop, then listen. Once an address is printed everything works.

mod accounts;
mod app_data;
mod assembly;
mod machine_watch;
mod mail_task;
mod metric_sources;
mod order_actors;
mod set_up_link;
mod start_error;
mod stopping;
mod sweep;
mod warnings;

use std::io;
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;

use actix_web::dev::ServerHandle;
use tokio::task::JoinHandle;

use crate::capacity::open_files::OpenFiles;
use crate::error::ApiError;
use crate::files::folder_retention;
use crate::files::lock::DataLock;
use crate::files::log_mark::LogMark;
use crate::http::address::TrustedProxies;
use crate::http::cross_site::OwnOrigins;
use crate::http::health::Leaving;
use crate::http::host_check::AnsweredHosts;
use crate::http::page::ShopFacts;
use crate::http::request_counts::RequestCounts;
use crate::http::request_observer::RequestsUnderWay;
use crate::identity::MailDelivery;
use crate::intake::watched_folder::{FolderHealth, IntakeFolder, watch};
use crate::log_generation::{self, Reloads};
use crate::mail::Mailer;
use crate::options::config::Config;
use crate::public_url::OwnAddresses;
use crate::push::PushOptions;
use crate::retention::{KeepDays, Pruning};
use crate::server_status::{RunningServer, follow_intake};
use crate::socket::Origin;
use crate::{
    audit, boards, clocks, control, demo, http, mail, metrics, receipts, socket, stages,
    technicians, users,
};
use app_data::configure;
use machine_watch::MachineWatch;
use mail_task::MailTask;
use metric_sources::metric_sources;
use stopping::{Drain, StopRequest, StopSignals};
use sweep::sweep;
use warnings::{warn_without_public_url, warn_without_trusted_proxy};

pub use assembly::Assembly;
pub use start_error::StartError;

/// A server that listens.
pub struct App {
    pub address: SocketAddr,
    /// Where Prometheus asks, and what answers there.
    metrics: Option<(SocketAddr, ServerHandle)>,
    /// Each makes the first owner; none where there is no need of one.
    set_up_links: Vec<String>,
    demo_board_link: Option<String>,
    assembly: Assembly,
    serving: JoinHandle<io::Result<()>>,
    handle: ServerHandle,
    signals: StopSignals,
    drain: Drain,
    control: ServerHandle,
    watch: Option<JoinHandle<()>>,
    /// Runs beside a hosted provider, too, which sends links but no notices of this server.
    mail: MailTask,
    /// Updates the mark while the server runs.
    mark: JoinHandle<()>,
    last_mark: LogMark,
    lock: DataLock,
}

impl App {
    /// Everything up to listening.
    pub async fn build(config: Config) -> Result<Self, StartError> {
        let safety_options = config.safety_options();
        let files = OpenFiles::raise_limit()?;
        files.warn_if_few();
        let lock = DataLock::take_after_command(&config.shop.data_dir).await?;
        let listen_error = |why| StartError::Listen {
            address: config.listen,
            why,
        };
        // Bound before anything is started, since mailed links name the port; connections wait.
        let listener = http::bind(config.listen).map_err(listen_error)?;
        let address = listener.local_addr().map_err(listen_error)?;
        let metrics_listener = config.metrics_listen.map(bind_for_metrics).transpose()?;
        let addresses = OwnAddresses::new(address);
        let push = PushOptions {
            services: config.push_services.clone(),
            contact: config.support_email.clone(),
        };
        let (shop, group) = (&config.shop, config.commit_group);
        let intake = config.intake_dir.as_deref();
        let own = config.own_folders();
        let intake = intake.map(|path| IntakeFolder::open(path, &own));
        let intake = intake.transpose()?;
        if let Some(folder) = &intake {
            folder.warn_if_within(&config.shop.data_dir);
        }
        if let KeepDays::Days(days) = config.keep.audit {
            audit::keep_changes_for(days);
        } else {
            audit::keep_changes_for_good();
        }
        let mut assembly =
            Assembly::start(shop, group, &addresses.elsewhere, push, &config.stories).await?;
        assembly
            .control
            .customers
            .intake_dir
            .clone_from(&config.intake_dir);
        assembly.audit().note_log_generation().await?;
        let people = &config.shop.identity;
        let mut demo_board_link = None;
        if let Some(demo) = config.demo {
            let link = demo::start(&assembly.demo, demo).await?;
            demo_board_link = link.map(|link| format!("{}{link}", addresses.here));
        } else if demo::is_demo(&assembly.store).await? {
            config.refuse_demo_elsewhere()?;
        }
        let set_up_links = set_up_link::offer(&assembly, people, &addresses).await?;
        // Not before: a server that does not start changes nothing.
        assembly.audit().note_configuration(&safety_options).await?;

        // Where everybody is made up, so is who helps.
        let made_up_help = config.demo.map(|_| demo::OWNER.to_owned());
        let facts = ShopFacts {
            shop: assembly.shop.clone(),
            support_email: config.support_email.clone().or(made_up_help),
            test_page: config.test_page,
            sign_in_with: people.oidc.as_ref().map(|oidc| oidc.name.clone()),
        };
        warn_without_public_url(&config, &assembly.public_url);
        if let Some(oidc) = assembly.oidc.clone() {
            actix::spawn(oidc.get_ready());
        }
        follow_changes(&assembly, config.keep.conversations);
        let shop = assembly.shop.clone();
        let zone = move || shop.time_zone();
        let pruning = Pruning::new(assembly.store.clone(), zone, config.keep).await?;
        let pruned = Arc::clone(pruning.counts());
        actix::spawn(pruning.follow());
        actix::spawn(assembly.control.customers.clone().finish_erasures());
        let log_mark = || LogMark::new(assembly.store.clone(), &config.shop.data_dir);
        let mark = actix::spawn(log_mark().follow());
        let last_mark = log_mark();
        let mailer = Mailer::new(&people.mail, &config.shop.data_dir);
        mailer.warn_if_unusable();
        let mail_folder = mailer.folder().map(std::path::Path::to_owned);
        let delivery = MailDelivery::new(
            assembly.users.mail_queue.clone(),
            mailer,
            Arc::from(&*assembly.public_url),
        )
        .with_shop(assembly.shop.clone());
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
        let machine = MachineWatch::start(&assembly, &config, !set_up_links.is_empty());
        let own_origins = own_origins(&assembly.public_url, config.allowed_origins);
        let trusted = TrustedProxies::new(config.trusted_proxies);
        let origins = own_origins.clone();
        let stream = socket::stream(&assembly.socket, origins, trusted.clone(), files.sessions());
        warn_without_trusted_proxy(config.listen, &assembly.public_url, &trusted);
        let intake_health = intake.as_ref().map(FolderHealth::new);
        let running = RunningServer::new(
            &addresses.elsewhere,
            &config.shop.database,
            assembly.store.clone(),
            machine.database.clone(),
            Arc::clone(&assembly.socket.counts),
            mail_folder,
            people
                .mails_without_public_url()
                .then(|| assembly.public_url.clone()),
        )
        .with_intake(intake_health.clone());
        actix::spawn(running.clone().follow_other_servers());
        actix::spawn(follow_intake(running.clone(), assembly.announcer.clone()));
        let drain = Drain {
            time: config.drain_time,
            others: assembly.store.others().clone(),
            leaving: Leaving::default(),
            hubs: stream.hubs.clone(),
            requests: RequestsUnderWay::default(),
        };
        let requests = RequestCounts::default();
        let metric_sources = metric_sources(
            &assembly,
            &requests,
            stream.hubs.counts(),
            &machine,
            &running,
            &pruned,
        );
        let proxies = trusted.clone();
        let configure = configure(
            &assembly,
            (running, machine, drain.leaving.clone()),
            facts,
            OwnOrigins(own_origins),
            trusted,
        );
        let hosts = AnsweredHosts::new(&assembly.public_url, &config.allowed_hosts);
        hosts.log();
        let server = http::serve(
            listener,
            vec![stream],
            (files, proxies),
            hosts,
            (
                metrics_listener.is_some().then_some(requests),
                drain.requests.clone(),
            ),
            configure,
        )
        .map_err(listen_error)?;
        let metrics = match metrics_listener {
            Some((address, listener)) => {
                let handle = metrics::listen(listener, metric_sources).map_err(listen_error)?;
                Some((address, handle))
            }
            None => None,
        };
        let control =
            control::listen(&config.shop.data_dir, assembly.control.clone()).map_err(|why| {
                StartError::LocalSocket {
                    path: control::socket_path(&config.shop.data_dir),
                    why,
                }
            })?;
        let watch = intake
            .zip(intake_health)
            .map(|(folder, health)| watch(folder, health, assembly.intake.clone()));
        let mail = MailTask::start(delivery);
        let handle = server.handle();
        // Whoever is told that it is ready may tell it to stop.
        let signals = StopSignals::listen().map_err(listen_error)?;
        let serving = actix::spawn(server);
        Ok(Self {
            address,
            metrics,
            set_up_links,
            demo_board_link,
            assembly,
            serving,
            handle,
            signals,
            drain,
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

    /// The links by which the first owner is made, the one for a browser of this machine first; none where there is no
    /// need of one.
    pub fn set_up_links(&self) -> &[String] {
        &self.set_up_links
    }

    /// The link by which a browser becomes a board of the demo shop.
    pub fn demo_board_link(&self) -> Option<&str> {
        self.demo_board_link.as_deref()
    }

    pub fn handle(&self) -> ServerHandle {
        self.handle.clone()
    }

    /// Where Prometheus asks.
    pub fn metrics_address(&self) -> Option<SocketAddr> {
        self.metrics.as_ref().map(|(address, _)| *address)
    }

    /// Ends every connection; told to leave, not before sessions and requests had their time, unless it is told again.
    async fn stop(&mut self, request: StopRequest) {
        let mut is_graceful = request == StopRequest::Drain;
        if is_graceful {
            tokio::select! {
                () = self.drain.run() => {}
                again = self.signals.next() => is_graceful = again == StopRequest::Drain,
            }
        }
        self.handle.stop(is_graceful).await;
    }

    /// Serves until the process is told to stop, and tells `stopping` then. The data folder is unlocked last,
    /// when nothing writes to it any more.
    pub async fn run(mut self, stopping: impl FnOnce()) -> io::Result<()> {
        let served = tokio::select! {
            served = &mut self.serving => served,
            request = self.signals.next() => {
                stopping();
                self.stop(request).await;
                self.serving.await
            }
        };
        let served = served.unwrap_or_else(|error| Err(io::Error::other(error)));
        if let Some((_, metrics)) = self.metrics {
            metrics.stop(true).await;
        }
        self.control.stop(true).await;
        // The file that is being read stays in the folder, and the next start imports it again.
        if let Some(watch) = self.watch {
            watch.abort();
            // Cancelled, which is no error.
            let _ = watch.await;
        }
        self.mail.stop().await;
        self.mark.abort();
        // Cancelled, which is no error.
        let _ = self.mark.await;
        self.last_mark.update().await;
        self.assembly.audit().close().await;
        self.assembly.store.close().await;
        drop(self.lock);
        served
    }
}

/// Gives the address, whose port is known now.
fn bind_for_metrics(address: SocketAddr) -> Result<(SocketAddr, TcpListener), StartError> {
    let listener = http::bind(address).and_then(|listener| Ok((listener.local_addr()?, listener)));
    listener.map_err(|why| StartError::ListenForMetrics { address, why })
}

/// The origins of this server's pages, besides the one that a request names.
fn own_origins(public_url: &str, mut allowed: Vec<Origin>) -> Vec<Origin> {
    // A proxy need not hand the Host header on.
    allowed.extend(public_url.parse::<Origin>());
    allowed
}

/// Starts the tasks that react to events, and the sweep.
fn follow_changes(assembly: &Assembly, keep_stories: KeepDays) {
    actix::spawn(assembly.audit().clone().follow());
    actix::spawn(assembly.identity.shared_limits().clone().follow());
    actix::spawn(users::follow(assembly.users.clone()));
    // After a demo shop is filled: nobody is told of its past.
    actix::spawn(receipts::follow(assembly.receipts.clone()));
    actix::spawn(technicians::follow(assembly.technicians.clone()));
    actix::spawn(clocks::follow(assembly.clocks.clocks.clone()));
    actix::spawn(stages::follow(assembly.stages.clone()));
    actix::spawn(stages::follow_clocks(assembly.stages.clone()));
    actix::spawn(boards::follow(assembly.boards.clone()));
    let reloads = Reloads {
        users: assembly.users.clone(),
        audit: assembly.audit().clone(),
        boards: assembly.boards.clone(),
        stages: assembly.stages.stages.clone(),
    };
    actix::spawn(log_generation::follow(reloads));
    let identity = assembly.identity.clone();
    actix::spawn(assembly.intake.matches.clone().follow_other_servers());
    let stories = assembly.tech_story.stories.clone();
    actix::spawn(stories.clone().follow_other_servers());
    let sweep = sweep(assembly.store.clone(), identity, stories, keep_stories);
    actix::spawn(sweep);
}
