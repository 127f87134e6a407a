//! The connection to the database is interrupted: every screen shows that it may be stale, and
//! recovers by itself.

use dispatch_actors::testing::Throwaway;
use serde_json::Value;

use super::{catches_up, hears, readiness, tick_with, until_readiness};
use crate::fixture::{Cut, Desk, Ledger, OwnNetwork, Proxy, Server, Shop, Socket, plain_orders};

const ORDERS: i64 = 4;

/// What is between a server and its database.
enum Way {
    Proxy { proxy: Proxy, fails: fn(&Proxy) },
    OwnNetwork(OwnNetwork),
}

impl Way {
    async fn that(database: &Throwaway, fails: fn(&Proxy)) -> Self {
        let proxy = Proxy::to(database.address()).await;
        Self::Proxy { proxy, fails }
    }

    async fn start(&self, database: &Throwaway) -> Server {
        match self {
            Self::Proxy { proxy, .. } => {
                Server::start_in(Shop::on_by_way_of(database, proxy.address), &[]).await
            }
            Self::OwnNetwork(network) => {
                let shop = Shop::in_own_network(database, network);
                let arguments = ["serve", "--listen", OwnNetwork::server()];
                let mut server = Server::start_as(shop, &arguments).await;
                server.address = network.address;
                server
            }
        }
    }

    fn interrupt(&mut self) {
        match self {
            Self::Proxy { proxy, fails } => fails(proxy),
            Self::OwnNetwork(network) => network.pull_cable_out(),
        }
    }

    fn restore(&mut self) {
        match self {
            Self::Proxy { proxy, .. } => proxy.pass(),
            Self::OwnNetwork(network) => network.put_cable_in(),
        }
    }
}

/// A server whose way to the database can be interrupted, and one that has the database beside it.
struct TwoWays {
    way: Way,
    server: Server,
    owner: Desk,
    socket: Socket,
    direct: Server,
    elsewhere: Desk,
    ledger: Ledger,
}

impl TwoWays {
    async fn open(database: &Throwaway, way: Way) -> Self {
        let direct = Server::start_in(Shop::on(database), &[]).await;
        direct.shop.import(&plain_orders(ORDERS)).await;
        let elsewhere = direct.hire("owner@example.com", "Owner").await;
        let server = way.start(database).await;
        let owner = Desk::at(&server, &elsewhere);
        let socket = owner.listen(&server).await;
        let mut two = Self {
            way,
            server,
            owner,
            socket,
            direct,
            elsewhere,
            ledger: Ledger::default(),
        };
        for number in 1..=ORDERS {
            two.ledger.change(&two.owner, number).await.good();
        }
        two
    }
}

async fn screens_are_told_of_an_interruption(database: Throwaway, way: Way) {
    let mut two = TwoWays::open(&database, way).await;
    two.way.interrupt();
    let tick = tick_with(&mut two.socket, "notReadSince", true).await;
    assert_eq!(readiness(&two.server).await, 503);
    until_readiness(&two.direct, 200).await;
    let refused = two.ledger.change(&two.owner, 1).await;
    refused.refused(503, "unavailable");
    assert!(refused.headers.contains_key("retry-after"), "{refused:?}");
    let mut missed = Value::Null;
    for number in 1..=ORDERS {
        let changed = two.ledger.change(&two.elsewhere, number).await;
        missed = changed.result()[0]["seq"].clone();
    }
    // For as long as it lasts, with the moment since when.
    let later = tick_with(&mut two.socket, "notReadSince", true).await;
    assert_eq!(later["notReadSince"], tick["notReadSince"]);

    two.way.restore();
    hears(&mut two.socket, &missed).await;
    let tick = tick_with(&mut two.socket, "notReadSince", false).await;
    assert!(tick["seq"].as_i64() >= missed.as_i64(), "{tick}");
    until_readiness(&two.server, 200).await;
    tick_with(&mut two.socket, "notSavingSince", false).await;
    for number in 1..=ORDERS {
        two.ledger.change(&two.owner, number).await.good();
        two.ledger.change(&two.elsewhere, number).await.good();
    }
    for desk in [&two.owner, &two.elsewhere] {
        catches_up(desk, &two.ledger).await;
        two.ledger.is_kept(desk).await;
    }
}

async fn screens_are_told_while(fails: fn(&Proxy)) {
    let database = Throwaway::postgres().await;
    let way = Way::that(&database, fails).await;
    screens_are_told_of_an_interruption(database, way).await;
}

#[tokio::test]
async fn every_screen_shows_that_the_database_stopped_answering() {
    screens_are_told_while(Proxy::fall_silent).await;
}

#[tokio::test]
async fn every_screen_shows_that_the_database_cannot_be_reached() {
    screens_are_told_while(|proxy| proxy.refuse(Cut::Reset)).await;
}

#[tokio::test]
async fn every_screen_shows_that_nothing_arrives_at_the_database_or_from_it() {
    screens_are_told_while(Proxy::lose_packets).await;
}

#[tokio::test]
async fn every_screen_shows_that_the_cable_to_the_database_was_pulled_out() {
    let database = Throwaway::postgres().await;
    let way = Way::OwnNetwork(OwnNetwork::with_cable_to(database.address()));
    screens_are_told_of_an_interruption(database, way).await;
}
