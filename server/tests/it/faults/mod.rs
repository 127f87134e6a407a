//! What breaks below the server: disk, database, network. Nothing acknowledged is lost, no screen
//! is wrong and says that it is live, and it is right again by itself.

mod backups;
mod clocks_apart;
mod cut_off;
pub mod damaged_database;
mod failover;
mod full_disk;
mod locked_row;
mod log_went_back;
mod lost_file;
mod offsite_backups;
mod own_backups;
mod stuck_database;
mod sync;
mod two_servers;

use std::time::Duration;

use reqwest::Method;
use serde_json::Value;
use tokio::time::timeout;

use crate::fixture::{Desk, Event, Ledger, Server, Socket, WAIT_TIMEOUT, answer};

async fn readiness(server: &Server) -> u16 {
    let ready = answer(server.request(Method::GET, "/readyz"));
    let ready = timeout(WAIT_TIMEOUT, ready).await;
    ready.expect("/readyz answers").status
}

/// Waits until `/readyz` answers with this status.
async fn until_readiness(server: &Server, status: u16) {
    let turned = async {
        while readiness(server).await != status {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    let turned = timeout(WAIT_TIMEOUT, turned).await;
    turned.unwrap_or_else(|_| panic!("/readyz answers {status} in time"));
}

/// The next tick that says this, or no longer does: `notSavingSince` or `notReadSince`. What comes
/// before it is passed over.
async fn tick_with(socket: &mut Socket, trouble: &str, is_there: bool) -> Value {
    let tick = async {
        loop {
            let event = socket.next().await;
            if event.name == "tick" && event.payload[trouble].is_string() == is_there {
                return event.payload;
            }
        }
    };
    let tick = timeout(WAIT_TIMEOUT, tick).await;
    let not = if is_there { "" } else { "no " };
    tick.unwrap_or_else(|_| panic!("a tick comes with {not}{trouble}"))
}

/// The next tick that says that changes cannot be saved, and does not say that nothing can be read, as
/// one may where the machine stood still.
async fn tick_of_one_who_can_read(socket: &mut Socket) -> Value {
    let tick = async {
        loop {
            let tick = tick_with(socket, "notSavingSince", true).await;
            if tick["notReadSince"].is_null() {
                return tick;
            }
        }
    };
    let tick = timeout(WAIT_TIMEOUT, tick).await;
    tick.expect("a tick comes that says that nothing is saved and everything is read")
}

/// Waits for an announced change.
async fn hears(socket: &mut Socket, seq: &Value) {
    let is_it = |event: Event| event.name == "RO_MODIFIED" && event.payload["seq"] == *seq;
    let heard = async { while !is_it(socket.event().await) {} };
    let heard = timeout(WAIT_TIMEOUT, heard).await;
    heard.unwrap_or_else(|_| panic!("event {seq} is announced"));
}

/// Waits until a server has announced what was acknowledged by another one.
async fn catches_up(desk: &Desk, ledger: &Ledger) {
    let caught_up = async {
        while desk.seq().await < ledger.newest() {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    let caught_up = timeout(WAIT_TIMEOUT, caught_up).await;
    caught_up.expect("what happened at one server is announced by the other");
}

/// The version of an order on the list.
async fn version(desk: &Desk, number: i64) -> i64 {
    let list = desk.list().await;
    let mut rows = list["result"].as_array().unwrap().iter();
    let row = rows.find(|row| row["repairOrderNumber"] == number);
    row.unwrap()["version"].as_i64().unwrap()
}

/// Lines of the server's log that complain.
fn complaints(server: &Server) -> Vec<String> {
    let log = server.shop.read("server.log");
    let complains = |line: &&str| line.contains("ERROR") || line.contains("WARN");
    log.lines().filter(complains).map(str::to_owned).collect()
}
