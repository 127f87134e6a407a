//! Requests that an earlier build answered and that are sent again to this one: each gets the answer
//! that was kept of it, in whichever shape that build kept it.

use sea_orm::ConnectionTrait;
use serde_json::{Value, json};

use crate::clocks::{ANN, a_shop, clock_of};
use crate::fixture::{Answer, Desk, FAULT, Server, Shop};

/// Sends a request, puts `kept` in the place of what this build kept of its entries, and sends it
/// again.
async fn send_again_after(
    (server, desk): &(Server, Desk),
    path: &str,
    body: &Value,
    kept: &[(i32, &str)],
) -> (Answer, Answer) {
    let first = desk.post_with_key(path, body.clone(), path).await;
    let store = server.shop.store().await;
    let run = async |sql: String| store.writer().execute_unprepared(&sql).await.unwrap();
    run(format!(
        "CREATE TABLE requests AS SELECT DISTINCT uid, key, request_hash, created_at FROM receipts WHERE key = '{path}'"
    ))
    .await;
    run(format!("DELETE FROM receipts WHERE key = '{path}'")).await;
    for (entry, answer) in kept {
        run(format!(
            "INSERT INTO receipts (uid, key, entry, request_hash, answer, created_at) \
             SELECT uid, key, {entry}, request_hash, '{answer}', max(created_at) FROM requests \
             GROUP BY uid, key, request_hash"
        ))
        .await;
    }
    run("DROP TABLE requests".to_owned()).await;
    store.close().await;
    let again = desk.post_with_key(path, body.clone(), path).await;
    (first, again)
}

#[tokio::test]
async fn a_single_change_gets_the_whole_answer_that_was_kept() {
    let shop = a_shop(Shop::new()).await;
    let level = json!({ "idLevel": 9, "name": "Kept", "position": 2 });
    let answer = json!({ "ok": true, "result": level });
    let kept = answer.to_string();
    let body = json!({ "name": "Apprentice" });
    let path = "/api/organisation/levels";
    let (first, again) = send_again_after(&shop, path, &body, &[(0, &kept)]).await;
    assert_eq!(first.status, 200);
    assert_eq!((again.status, again.body), (200, answer));
}

#[tokio::test]
async fn a_tap_and_a_skill_get_the_bare_results_that_were_kept() {
    let shop = a_shop(Shop::new()).await;
    let clock = json!({ "technicianId": ANN, "running": null });
    let kept = clock.to_string();
    let body = json!({ "action": "clock-in" });
    let (first, again) = send_again_after(&shop, &clock_of(ANN), &body, &[(0, &kept)]).await;
    assert!(first.result()["running"].is_object());
    assert_eq!(again.result(), clock);

    let skill = json!({ "ok": true, "idSkill": 7, "skillName": "Kept", "skillLevel": 1 });
    let kept = skill.to_string();
    let body = json!({ "data": [{ "skillName": "Tow truck", "skillLevel": 3 }] });
    let path = "/api/repair-orders/skills";
    let (first, again) = send_again_after(&shop, path, &body, &[(0, &kept)]).await;
    assert_eq!(first.result()[0]["skillName"], "Tow truck");
    assert_eq!(again.result(), json!([skill]));
}

#[tokio::test]
async fn the_desks_entries_get_the_changes_and_refusals_that_were_kept() {
    let shop = a_shop(Shop::new()).await;
    let changed = json!({ "roNumber": 71, "ok": true, "version": 77, "seq": 78, "rows": [] });
    let refused = json!({ "refused": {
        "roNumber": 72,
        "status": 409,
        "code": "stale-version",
        "error": "Kept",
        "more": { "current": { "version": 79 } },
    } });
    let kept = [json!({ "changed": changed }), refused].map(|kept| kept.to_string());
    let body = json!({ "data": [
        { "repairOrderNumber": 71, "idStatus": 12 },
        { "repairOrderNumber": 72, "idStatus": 12 },
    ] });
    let path = "/api/repair-orders/update-status";
    let kept = [(0, &*kept[0]), (1, &*kept[1])];
    let (first, again) = send_again_after(&shop, path, &body, &kept).await;
    assert_eq!(first.body["ok"], true);
    assert_eq!(
        (again.status, &again.body["result"]),
        (
            200,
            &json!([changed, {
                "roNumber": 72,
                "ok": false,
                "error": "Kept",
                "code": "stale-version",
                "current": { "version": 79 },
            }])
        )
    );
}

#[tokio::test]
async fn an_undo_is_about_the_request_that_was_kept() {
    let shop = a_shop(Shop::new()).await;
    let (server, boss) = &shop;
    boss.change_status(71, 12).await.good();
    let store = server.shop.store().await;
    let sql = "SELECT request FROM events WHERE seq = (SELECT max(seq) FROM events)";
    let statement = sea_orm::Statement::from_string(sea_orm::DbBackend::Sqlite, sql);
    let newest = store.reader().query_one_raw(statement).await.unwrap();
    let request: String = newest.unwrap().try_get("", "request").unwrap();
    store.close().await;

    let changed = json!({ "roNumber": 71, "ok": true, "version": 77, "seq": 78, "rows": [] });
    let kept = json!({ "changed": changed }).to_string();
    let kept = [(-1, &*request), (0, &*kept)];
    let path = "/api/repair-orders/71/undo";
    let (first, again) = send_again_after(&shop, path, &json!({}), &kept).await;
    assert_eq!(first.result()[0]["roNumber"], 71);
    assert_eq!(again.result(), json!([changed]));
}

#[tokio::test]
async fn an_undo_that_broke_off_needs_what_it_needs_now_when_it_is_sent_again() {
    let (server, boss) = a_shop(Shop::new()).await;
    let ann = server.hire("ann@example.com", "Admin").await;
    boss.change_status(71, 12).await.good();
    let path = "/api/repair-orders/71/undo";
    let store = server.shop.store().await;
    let run = async |sql: &str| store.writer().execute_unprepared(sql).await.unwrap();
    run(FAULT).await;
    let broke_off = ann.post_with_key(path, json!({}), "undo").await;
    broke_off.refused(503, "unavailable");
    run("DROP TRIGGER fault").await;
    store.close().await;

    let now = json!({ "roles": ["Advisor"] });
    boss.patch("/api/users/ann@example.com", now).await.good();
    let ann = server.sign_in("ann@example.com").await;
    let again = ann.post_with_key(path, json!({}), "undo").await;
    again.refused(403, "forbidden");
    let order = boss.get("/api/repair-orders/71").await.result();
    assert_eq!(order["appCustomerStatus"], "Used");
}
