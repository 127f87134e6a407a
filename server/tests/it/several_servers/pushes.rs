//! A technician's browser, which two servers could tell of an assignment.

use dispatch_actors::testing::Throwaway;
use serde_json::json;
use tokio::time::{Duration, Instant, sleep};

use super::ANN;
use crate::fixture::{Desk, OWNER, Server, Shop, WAIT_TIMEOUT, plain_orders};
use crate::push_service::{Browser, PushService};
use crate::receipts::{portal, reach, technician};

/// A push goes out when nothing was added to it for so long.
const QUIET_PERIOD: Duration = Duration::from_millis(300);

/// Two servers, and technician 11 on the clock with a browser.
struct TwoServers {
    _database: Throwaway,
    servers: [Server; 2],
    owner: [Desk; 2],
    ann: [Desk; 2],
    service: PushService,
    browser: Browser,
    key: String,
}

impl TwoServers {
    async fn open() -> Self {
        let service = PushService::start().await;
        let database = Throwaway::postgres().await;
        let options = ["--push-service", &service.origin];
        let shop = Shop::on(&database);
        shop.hire_technicians().await;
        let first = Server::start_in(shop, &options).await;
        first.shop.import(&plain_orders(40)).await;
        let second = Server::start_in(Shop::on(&database), &options).await;
        let owner = first.hire(OWNER, "Owner").await;
        let ann = technician(&first, "ann@shop.example", ANN).await;
        let clock_in = json!({ "action": "clock-in" });
        let clock = format!("/api/technicians/{ANN}/clock");
        ann.post(&clock, clock_in).await.good();
        let browser = Browser::new(&service, "ann").await;
        let subscription = browser.subscription();
        ann.put("/api/push/subscription", subscription).await.good();
        let key = ann.get("/api/push/key").await.result();
        let two = Self {
            key: key["publicKey"].as_str().unwrap().to_owned(),
            owner: [
                owner.moved_to(first.address),
                owner.moved_to(second.address),
            ],
            ann: [ann.moved_to(first.address), ann.moved_to(second.address)],
            servers: [first, second],
            _database: database,
            service,
            browser,
        };
        two.until_on_the_clock_at_both().await;
        two
    }

    async fn until_on_the_clock_at_both(&self) {
        let deadline = Instant::now() + WAIT_TIMEOUT;
        for desk in &self.owner {
            let is_on = async || {
                let clocks = desk.get("/api/clocks").await.result();
                let mut clocks = clocks["clocks"].as_array().unwrap().iter();
                clocks.any(|clock| clock["technicianId"] == ANN && clock["running"].is_object())
            };
            while !is_on().await {
                assert!(Instant::now() < deadline);
                sleep(Duration::from_millis(50)).await;
            }
        }
    }
}

#[tokio::test]
async fn of_two_servers_one_tells_a_technicians_browser_whichever_was_asked() {
    let mut two = TwoServers::open().await;
    for number in 1..=4 {
        let desk = &two.owner[number as usize % 2];
        desk.assign(number, ANN).await.good();
        let pushed = two.service.pushed().await;
        let opened = two.browser.open(&pushed, &two.key).await;
        assert_eq!(opened.message["roNumbers"], json!([number]));
    }
    two.service.stays_silent().await;
}

#[tokio::test]
async fn an_assignment_that_its_technician_has_seen_at_another_server_is_not_pushed() {
    let mut two = TwoServers::open().await;
    let [_, there] = &two.ann;
    let mut page = portal(&two.servers[1], there, ANN).await;
    // Until both were done before a message could go out, which a busy machine may not manage the first time.
    for number in 1..=40 {
        let begun = Instant::now();
        two.owner[0].assign(number, ANN).await.good();
        while page.modified().await["roNumber"] != number {}
        reach(there, number, "seen").await.good();
        if begun.elapsed() < QUIET_PERIOD {
            two.service.stays_silent().await;
            return;
        }
        two.service.passes_over().await;
    }
    panic!("nothing is seen at once");
}
