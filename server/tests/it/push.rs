//! Web Push: a technician's browser gets a message while no page is open, by a push service that
//! cannot read it.

use std::ops::Range;
use std::time::{Duration, Instant, SystemTime};

use dispatch_actors::testing::Throwaway;
use reqwest::Method;
use sea_orm::{ConnectionTrait, DbBackend, Statement};
use serde_json::{Value, json};

use crate::fixture::{Answer, Desk, Server, Shop, answer, plain_orders};
use crate::push_service::{Browser, Opened, PushService};
use crate::receipts::{receipts, receipts_become, technician};

const SUBSCRIPTION: &str = "/api/push/subscription";
const CLOCK: &str = "/api/technicians/11/clock";

/// A push service's answer after which there is time for something before the next attempt, also on a busy machine.
const COME_LATER: &str = "503 Service Unavailable\r\nRetry-After: 15";
const PAST_THE_RETRY: Duration = Duration::from_secs(17);

/// A message goes out when nothing was added to it for so long.
const QUIET_PERIOD: Duration = Duration::from_millis(300);

/// A shop whose technician 11 has a browser, no page of which is open.
struct Bay {
    server: Server,
    owner: Desk,
    ann: Desk,
    service: PushService,
    browser: Browser,
    key: String,
}

impl Bay {
    async fn new() -> Self {
        Self::in_shop(Shop::new()).await
    }

    async fn in_shop(shop: Shop) -> Self {
        let service = PushService::start().await;
        shop.hire_technicians().await;
        let options = ["--push-service", &service.origin];
        let server = Server::start_in(shop, &options).await;
        let owner = server.hire("owner@example.com", "Owner").await;
        server.shop.import(&plain_orders(60)).await;
        let ann = technician(&server, "ann@example.com", 11).await;
        clock(&ann, "clock-in").await;
        let browser = Browser::new(&service, "ann").await;
        ann.put(SUBSCRIPTION, browser.subscription()).await.good();
        let key = ann.get("/api/push/key").await.result();
        Self {
            key: key["publicKey"].as_str().unwrap().to_owned(),
            server,
            owner,
            ann,
            service,
            browser,
        }
    }

    /// The next message, opened.
    async fn next_message(&mut self) -> Opened {
        let pushed = self.service.pushed().await;
        self.browser.open(&pushed, &self.key).await
    }

    async fn arrived(&self, receipt: &Value) -> Answer {
        let body = json!({ "receipt": receipt });
        self.server.post("/api/push/delivered", body).await
    }
}

/// Assigns one order after the other and does something with it, until both were done before a message could go out,
/// which a busy machine may not manage the first time. Gives the order.
async fn done_at_once(bay: &mut Bay, orders: Range<i64>, deed: impl AsyncFn(&Bay, i64)) -> i64 {
    for number in orders {
        let begun = Instant::now();
        bay.owner.assign(number, 11).await.good();
        let shared: &Bay = bay;
        deed(shared, number).await;
        if begun.elapsed() < QUIET_PERIOD {
            return number;
        }
        bay.service.passes_over().await;
    }
    panic!("nothing is done at once");
}

/// Technician 11 clocks in or out.
async fn clock(desk: &Desk, action: &str) {
    let tap = json!({ "action": action });
    desk.post("/api/technicians/11/clock", tap).await.good();
}

#[tokio::test]
async fn an_assignment_reaches_a_closed_browser_and_no_intermediary_can_read_it() {
    let mut bay = Bay::new().await;
    let order = json!([{ "repairOrderNumber": "A0104218", "vehicle": "2021 Honda Accord", "customer": "Maria Sandoval" }]);
    bay.server.shop.import(&order).await;
    bay.owner.change_status(104_218, 11).await.good();
    bay.owner.assign(104_218, 11).await.good();

    let pushed = bay.service.pushed().await;
    assert_eq!(pushed.path, "/push/ann");
    let header = |name: &str| pushed.headers.get(name).map(String::as_str);
    assert_eq!(header("content-encoding"), Some("aes128gcm"));
    assert_eq!(header("urgency"), Some("high"));
    assert_eq!(header("topic"), Some("ro-104218"));
    let ttl: u64 = header("ttl").unwrap().parse().unwrap();
    assert!((1_800..=3_600).contains(&ttl), "{ttl}");
    let clear = String::from_utf8_lossy(&pushed.body);
    assert!(!clear.contains("Honda") && !clear.contains("104218"));

    let Opened { message, claims } = bay.browser.open(&pushed, &bay.key).await;
    assert_eq!(claims["aud"], bay.service.origin);
    assert!(claims["sub"].as_str().unwrap().starts_with("mailto:"));
    let now = SystemTime::UNIX_EPOCH.elapsed().unwrap().as_secs();
    let expires = claims["exp"].as_u64().unwrap();
    assert!((now..now + 24 * 60 * 60).contains(&expires), "{claims}");
    assert!(!message.to_string().contains("Sandoval"), "{message}");
    let expected = json!({
        "type": "TECH_ASSIGNED", "technicianId": 11, "roNumber": 104_218, "displayNumber": "A0104218",
        "vehicle": "2021 Honda Accord", "status": "Waiting", "priority": "Waiting", "count": 1,
        "roNumbers": [104_218], "url": "/technicians/11", "receipt": message["receipt"],
    });
    assert_eq!(message, expected);

    let sent = |receipts: &[Value]| receipts.len() == 1 && receipts[0]["sentAt"].is_string();
    let receipt = receipts_become(&bay.owner, sent).await.remove(0);
    assert_eq!(receipt["deliveredAt"], Value::Null);
    let done = bay.arrived(&message["receipt"]).await.good();
    assert_eq!(done, json!({ "ok": true, "result": null }));
    assert!(receipts(&bay.owner).await[0]["deliveredAt"].is_string());

    bay.owner.unassign(104_218, 11).await.good();
    let unassignment = bay.next_message().await.message;
    let expected = json!({
        "type": "TECH_UNASSIGNED", "technicianId": 11, "roNumber": 104_218, "count": 1, "roNumbers": [104_218],
    });
    assert_eq!(unassignment, expected);
    bay.arrived(&message["receipt"])
        .await
        .refused(409, "not-assigned");
    for made_up in ["", "11.1.9.AAAA", &"x".repeat(10_000)] {
        let answer = bay.arrived(&json!(made_up)).await;
        answer.refused(404, "unknown-receipt");
    }
}

#[tokio::test]
async fn many_orders_given_at_once_are_one_message() {
    let mut bay = Bay::new().await;
    let numbers: Vec<Value> = (1..=50)
        .map(|number| json!({ "repairOrderNumber": number }))
        .collect();
    let body = json!({ "idTechnician": 11, "data": numbers });
    bay.owner
        .post("/api/repair-orders/technicians/dispatch", body)
        .await
        .good();
    let pushed = bay.service.pushed().await;
    assert_eq!(pushed.headers.get("topic"), None);
    let message = bay.browser.open(&pushed, &bay.key).await.message;
    assert_eq!(message["count"], 50);
    assert_eq!(message["roNumbers"].as_array().unwrap().len(), 50);
    bay.arrived(&message["receipt"]).await.good();
    let receipts = receipts(&bay.owner).await;
    let delivered = |receipt: &Value| receipt["deliveredAt"].is_string();
    assert!(receipts.len() == 50 && receipts.iter().all(delivered));
    bay.service.stays_silent().await;
}

#[tokio::test]
async fn an_assignment_seen_at_once_is_not_pushed() {
    let mut bay = Bay::new().await;
    let seen = done_at_once(&mut bay, 11..31, async |bay: &Bay, number: i64| {
        let path = format!("/api/technicians/11/assignments/{number}/receipt");
        bay.ann.post(&path, json!({ "stage": "seen" })).await.good();
    });
    let seen = seen.await;
    bay.service.stays_silent().await;
    let taken_away = done_at_once(&mut bay, 31..51, async |bay: &Bay, number: i64| {
        bay.owner.unassign(number, 11).await.good();
    });
    taken_away.await;
    bay.service.stays_silent().await;
    // Nor what another technician is given.
    bay.owner.assign(3, 14).await.good();
    bay.service.stays_silent().await;
    // Nor that they gave it back themselves.
    let path = format!("/api/technicians/11/assignments/{seen}/hand-back");
    let reason = json!({ "reason": "The lift is taken" });
    bay.ann.post(&path, reason).await.good();
    bay.service.stays_silent().await;
}

#[tokio::test]
async fn a_browser_that_its_push_service_forgot_is_forgotten() {
    for status_line in ["410 Gone", "404 Not Found"] {
        let mut bay = Bay::new().await;
        bay.service.answer_next(status_line);
        bay.owner.assign(1, 11).await.good();
        bay.next_message().await;
        bay.owner.assign(2, 11).await.good();
        bay.service.stays_silent().await;
        let receipts = receipts(&bay.owner).await;
        assert!(
            receipts.iter().all(|receipt| receipt["sentAt"].is_null()),
            "nobody took them: {receipts:?}"
        );
        // Until it subscribes again.
        let subscription = bay.browser.subscription();
        bay.ann.put(SUBSCRIPTION, subscription).await.good();
        bay.owner.assign(3, 11).await.good();
        assert_eq!(bay.next_message().await.message["roNumber"], 3);
    }
}

#[tokio::test]
async fn a_push_that_a_service_cannot_accept_now_is_retried() {
    let mut bay = Bay::new().await;
    bay.service.answer_next("503 Service Unavailable");
    bay.service
        .answer_next("429 Too Many Requests\r\nRetry-After: 2");
    bay.owner.assign(1, 11).await.good();
    let first = bay.service.pushed().await;
    let second = bay.service.pushed().await;
    assert!(second.at - first.at > Duration::from_millis(500));
    let third = bay.service.pushed().await;
    assert!(third.at - second.at > Duration::from_millis(1_900));
    assert_ne!(
        second.body, third.body,
        "each is sealed with keys of its own"
    );
    let message = async |pushed| bay.browser.open(pushed, &bay.key).await.message;
    assert_eq!(message(&third).await, message(&first).await);
    let sent = |receipts: &[Value]| receipts[0]["sentAt"].is_string();
    receipts_become(&bay.owner, sent).await;

    // But not what is known by then.
    bay.service.answer_next(COME_LATER);
    bay.owner.assign(2, 11).await.good();
    bay.service.pushed().await;
    let path = "/api/technicians/11/assignments/2/receipt";
    let stage = json!({ "stage": "accepted" });
    bay.ann.post(path, stage).await.good();
    bay.service.stays_silent_for(PAST_THE_RETRY).await;
}

#[tokio::test]
async fn a_push_service_that_refuses_or_redirects_is_not_asked_again() {
    let mut bay = Bay::new().await;
    let mut elsewhere = PushService::start().await;
    for answer in [
        format!(
            "307 Temporary Redirect\r\nLocation: {}/stolen",
            elsewhere.origin
        ),
        "400 Bad Request".to_owned(),
        "413 Payload Too Large".to_owned(),
    ] {
        bay.service.answer_next(&answer);
        bay.owner.assign(1, 11).await.good();
        bay.next_message().await;
        bay.service.stays_silent().await;
        assert_eq!(receipts(&bay.owner).await[0]["sentAt"], Value::Null);
        bay.owner.unassign(1, 11).await.good();
    }
    elsewhere.stays_silent().await;
    let log = bay.server.shop.read("server.log");
    assert!(log.contains("a push service refused a message"), "{log}");
    assert!(
        !log.contains("/push/ann"),
        "who has it can write to her: {log}"
    );
}

#[tokio::test]
async fn only_push_services_can_be_subscribed_to() {
    let bay = Bay::new().await;
    let with = |endpoint: &str| {
        let mut subscription = bay.browser.subscription();
        subscription["endpoint"] = json!(endpoint);
        subscription
    };
    let elsewhere = PushService::start().await;
    for endpoint in [
        "https://push.example.com/ann",
        "https://127.0.0.1/ann",
        "https://fcm.googleapis.com.example.com/ann",
        "http://fcm.googleapis.com/ann",
        "http://169.254.169.254/latest/meta-data",
        "http://localhost:1/",
        &format!("{}/push/ann", elsewhere.origin),
    ] {
        let refused = bay.ann.put(SUBSCRIPTION, with(endpoint)).await;
        let sentence = refused.refused(409, "unknown-push-service");
        assert!(sentence.contains("--push-service"), "{sentence}");
    }
    for endpoint in ["", "ann", "ftp://127.0.0.1/", "file:///etc/passwd"] {
        let refused = bay.ann.put(SUBSCRIPTION, with(endpoint)).await;
        refused.refused(400, "invalid-request");
    }
    let well_known = "https://fcm.googleapis.com/fcm/send/ann";
    let mut without_keys = with(well_known);
    without_keys["keys"]["p256dh"] = json!(format!("B{}", "A".repeat(86)));
    let refused = bay.ann.put(SUBSCRIPTION, without_keys).await;
    refused.refused(400, "invalid-request");

    let advisor = bay.server.hire("bea@example.com", "Advisor").await;
    let newcomer = bay.server.hire("new@example.com", "Technician").await;
    let own = bay.browser.subscription();
    for desk in [&advisor, &bay.owner] {
        let refused = desk.put(SUBSCRIPTION, own.clone()).await;
        refused.refused(403, "forbidden");
    }
    let refused = newcomer.put(SUBSCRIPTION, own).await;
    refused.refused(409, "not-linked");

    for bad in ["push.example.com", "http://push.example.com"] {
        let ran = Shop::new().run(&["serve", "--push-service", bad]).await;
        assert_eq!(ran.code, Some(2), "{ran:?}");
        assert!(
            ran.err.contains("is not a push service's origin"),
            "{ran:?}"
        );
    }
}

#[tokio::test]
async fn a_subscription_that_was_ended_or_replaced_gets_no_push() {
    let mut bay = Bay::new().await;
    let unsubscribe = async |desk: &Desk, endpoint: &str| {
        let request = desk.request(Method::DELETE, SUBSCRIPTION);
        answer(request.json(&json!({ "endpoint": endpoint }))).await
    };
    // Somebody else cannot take it from her.
    let jean = technician(&bay.server, "jean@example.com", 14).await;
    unsubscribe(&jean, &bay.browser.endpoint).await.good();
    bay.owner.assign(1, 11).await.good();
    bay.next_message().await;

    let other = Browser::new(&bay.service, "anew").await;
    bay.ann.put(SUBSCRIPTION, other.subscription()).await.good();
    bay.owner.assign(2, 11).await.good();
    let pushed = bay.service.pushed().await;
    assert_eq!(pushed.path, "/push/anew");
    bay.service.stays_silent().await;

    for _ in 0..2 {
        unsubscribe(&bay.ann, &other.endpoint).await.good();
    }
    bay.owner.assign(3, 11).await.good();
    bay.service.stays_silent().await;
}

#[tokio::test]
async fn a_browser_that_changes_hands_is_taken_over_but_not_by_its_address_alone() {
    let mut bay = Bay::new().await;
    let jean = technician(&bay.server, "jean@example.com", 14).await;
    let elsewhere = Browser::new(&bay.service, "jean").await;
    let mut stolen = elsewhere.subscription();
    stolen["endpoint"] = json!(bay.browser.endpoint);
    let refused = jean.put(SUBSCRIPTION, stolen).await;
    refused.refused(400, "invalid-request");
    bay.owner.assign(1, 11).await.good();
    bay.next_message().await;
    // The tablet itself knows its keys.
    jean.put(SUBSCRIPTION, bay.browser.subscription())
        .await
        .good();
    bay.owner.assign(2, 11).await.good();
    bay.service.stays_silent().await;
}

#[tokio::test]
async fn clocking_out_stops_pushes_also_between_two_attempts() {
    let mut bay = Bay::new().await;
    clock(&bay.ann, "clock-out").await;
    bay.owner.assign(1, 11).await.good();
    bay.service.stays_silent().await;
    assert_eq!(receipts(&bay.owner).await[0]["sentAt"], Value::Null);
    clock(&bay.ann, "clock-in").await;
    bay.service.stays_silent().await;
    bay.owner.assign(2, 11).await.good();
    assert_eq!(bay.next_message().await.message["roNumber"], 2);

    // Between two tries, too.
    bay.service.answer_next(COME_LATER);
    bay.owner.assign(3, 11).await.good();
    bay.service.pushed().await;
    clock(&bay.ann, "clock-out").await;
    bay.service.stays_silent_for(PAST_THE_RETRY).await;
}

/// Every browser of hers gets the push, until it is signed out.
async fn signing_out_ends_a_push_subscription(shop: Shop) {
    let mut bay = Bay::in_shop(shop).await;
    let tablet = bay.server.sign_in("ann@example.com").await;
    let second = Browser::new(&bay.service, "tablet").await;
    tablet.put(SUBSCRIPTION, second.subscription()).await.good();
    bay.owner.assign(1, 11).await.good();
    let mut paths = [bay.service.pushed().await, bay.service.pushed().await].map(|it| it.path);
    paths.sort();
    assert_eq!(paths, ["/push/ann", "/push/tablet"]);
    tablet.sign_out().await.good();
    bay.owner.assign(2, 11).await.good();
    assert_eq!(bay.service.pushed().await.path, "/push/ann");
    bay.service.stays_silent().await;

    // Between two tries, too.
    bay.service.answer_next(COME_LATER);
    bay.owner.assign(3, 11).await.good();
    bay.service.pushed().await;
    bay.server
        .shop
        .run(&["user", "sign-out", "ann@example.com"])
        .await
        .good();
    bay.service.stays_silent_for(PAST_THE_RETRY).await;
    bay.owner.assign(4, 11).await.good();
    bay.service.stays_silent().await;
}

#[tokio::test]
async fn signing_out_ends_a_push_subscription_on_sqlite() {
    signing_out_ends_a_push_subscription(Shop::new()).await;
}

#[tokio::test]
async fn signing_out_ends_a_push_subscription_on_postgres() {
    let database = Throwaway::postgres().await;
    signing_out_ends_a_push_subscription(Shop::on(&database)).await;
}

#[tokio::test]
async fn keys_and_undelivered_pushes_survive_a_restart() {
    let mut bay = Bay::new().await;
    bay.service.answer_next(COME_LATER);
    bay.owner.assign(1, 11).await.good();
    let first = bay.service.pushed().await;
    bay.server.sigkill().await;
    bay.server.restart().await;
    let first = bay.browser.open(&first, &bay.key).await.message;
    let again = bay.next_message().await.message;
    assert_eq!(again, first, "the same key signed it");
    let owner = bay.server.sign_in("owner@example.com").await;
    let sent = |receipts: &[Value]| receipts[0]["sentAt"].is_string();
    receipts_become(&owner, sent).await;
    bay.arrived(&first["receipt"]).await.good();
    bay.server.sigterm().await;
    bay.server.restart().await;
    bay.service.stays_silent().await;
}

#[tokio::test]
async fn a_technician_off_the_clock_gets_no_push() {
    let mut bay = Bay::new().await;
    let tap = |action: &str| bay.ann.post(CLOCK, json!({ "action": action }));
    tap("clock-out").await.good();
    bay.owner.assign(1, 11).await.good();
    bay.service.stays_silent().await;
    tap("clock-in").await.good();
    bay.owner.assign(2, 11).await.good();
    assert_eq!(bay.next_message().await.message["roNumber"], 2);
}

#[tokio::test]
async fn what_a_server_that_dies_had_not_sent_another_one_sends_once() {
    let database = Throwaway::postgres().await;
    let mut bay = Bay::in_shop(Shop::on(&database)).await;
    bay.service
        .answer_next("503 Service Unavailable\r\nRetry-After: 300");
    bay.owner.assign(1, 11).await.good();
    bay.service.pushed().await;
    let origin = bay.service.origin.clone();
    let options = ["--push-service", &origin];
    let _second = Server::start_in(Shop::on(&database), &options).await;
    // Longer than a server that says nothing is waited for.
    bay.service.stays_silent_for(Duration::from_secs(17)).await;

    bay.server.sigkill().await;
    let message = bay.next_message().await.message;
    assert_eq!(message["roNumber"], 1);
    let _third = Server::start_in(Shop::on(&database), &options).await;
    bay.service.stays_silent_for(Duration::from_secs(17)).await;
    let store = database.store().await;
    let left = "SELECT 1 FROM pushes_under_way";
    let left = Statement::from_string(DbBackend::Postgres, left);
    assert!(store.reader().query_one_raw(left).await.unwrap().is_none());
}
