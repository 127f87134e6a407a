//! What handlers get as `web::Data`, and the routes.

use actix_web::web;

use super::Assembly;
use super::machine_watch::MachineWatch;
use crate::calls::Calls;
use crate::http::address::TrustedProxies;
use crate::http::cross_site::OwnOrigins;
use crate::http::health::Leaving;
use crate::http::page::ShopFacts;
use crate::http::proxy_notices::ProxyNotices;
use crate::server_status::RunningServer;
use crate::{limits, openapi, routes, users};

/// Sets up each thread of the server.
pub(super) fn configure(
    assembly: &Assembly,
    (server, machine, leaving): (RunningServer, MachineWatch, Leaving),
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
    let promises = web::Data::new(assembly.promises.clone());
    let clocks = web::Data::new(assembly.clocks.clone());
    let skills = web::Data::new(assembly.skills.clone());
    let stages = web::Data::new(assembly.stages.clone());
    let repair_orders = web::Data::new(assembly.repair_orders.clone());
    let server = web::Data::new(server);
    let disks = web::Data::new(machine.disks);
    let backups = web::Data::new(machine.backups);
    let shop = web::Data::new(assembly.shop.clone());
    let facts = web::Data::new(facts);
    let own_origins = web::Data::new(own_origins);
    let trusted = web::Data::new(trusted);
    let leaving = web::Data::new(leaving);
    let proxy_notices = web::Data::new(ProxyNotices::new(&assembly.public_url));
    move |config| {
        if facts.test_page {
            users::test_page::configure(&mut Calls::routed(config));
        }
        if let Some(oidc) = &oidc {
            config.app_data(oidc.clone());
        }
        config
            .app_data(store.clone())
            .app_data(broadcaster.clone())
            .app_data(public_url.clone())
            .app_data(users.clone())
            .app_data(backups.clone())
            .app_data(technicians.clone())
            .app_data(boards.clone())
            .app_data(receipts.clone())
            .app_data(push.clone())
            .app_data(tech_story.clone())
            .app_data(intake.clone())
            .app_data(desk_figures.clone())
            .app_data(promises.clone())
            .app_data(clocks.clone())
            .app_data(skills.clone())
            .app_data(stages.clone())
            .app_data(repair_orders.clone())
            .app_data(identity.clone())
            .app_data(audit.clone())
            .app_data(server.clone())
            .app_data(disks.clone())
            .app_data(shop.clone())
            .app_data(facts.clone())
            .app_data(own_origins.clone())
            .app_data(trusted.clone())
            .app_data(proxy_notices.clone())
            .app_data(leaving.clone())
            .app_data(limits::json())
            .app_data(limits::body())
            .app_data(limits::query())
            .app_data(limits::path());
        routes::configure(&mut Calls::routed(config));
        // The document does not describe itself.
        openapi::configure(config);
        config.default_service(web::to(routes::everything_else));
    }
}
