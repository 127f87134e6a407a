//! Technicians: what they are called, what they can do, and who has what to do.

use dispatch_actors::testing::Throwaway;
use serde_json::{Value, json};

use crate::fixture::{AROUND_THE_CLOCK, Desk, PASSWORD, Server, Shop, without_generation};
use crate::sample::{accord_rows, sample_rows, sample_shop, sample_shop_at_noon};

async fn assignments(desk: &Desk) -> Value {
    let path = "/api/repair-orders/technician-assignments";
    desk.get(path).await.result()
}

/// A signed-in person who is a technician, if `technician` is there.
async fn hire(server: &Server, email: &str, roles: &[&str], technician: Option<&str>) -> Desk {
    let mut arguments = vec!["user", "add", email, "--name", "Pat Portal"];
    for role in roles {
        arguments.extend(["--role", role]);
    }
    if let Some(technician) = technician {
        arguments.extend(["--technician", technician]);
    }
    arguments.push("--password-stdin");
    server.shop.run_with(&arguments, PASSWORD).await.good();
    server.sign_in(email).await
}

#[tokio::test]
async fn every_technician_has_their_orders_counted_and_sorted() {
    let (_server, owner) = sample_shop_at_noon().await;
    let rows = sample_rows();
    let nothing = json!({
        "waiting": 0,
        "drop": { "total": 0, "high": 0, "medium": 0, "low": 0 },
        "pdi": 0,
        "used": 0,
        "total": 0,
    });
    let counts = |counted: Value| crate::sample::with(&nothing, counted);
    let one_high = json!({ "total": 1, "high": 1, "medium": 0, "low": 0 });
    // Of the accord's two jobs the oil change is sold for 0.3 hours, which its two technicians
    // share; of the others nobody says for how many.
    let technician = |id: i64, name: &str, specialty: &str, counts: Value, rows: Value| {
        let hours = match id {
            11 => (0.15, 3),
            14 => (0.0, 3),
            22 => (0.0, 2),
            31 => (0.15, 1),
            _ => (0.0, 0),
        };
        // The orders that are marked Used have no promise.
        let due_unknown = match id {
            11 | 31 => 1,
            14 => 3,
            _ => 0,
        };
        json!({
            "technicianId": id,
            "fullName": name,
            "specialty": specialty,
            "portalEnabled": id == 14,
            "idLevel": null,
            "levelName": null,
            "dailyHours": 8.0,
            "assignedHours": hours.0,
            "jobsWithoutHours": hours.1,
            "dueTodayHours": hours.0,
            "dueTodayJobsWithoutHours": due_unknown,
            "hoursLeftToday": 8.0,
            "clock": {
                "state": "off",
                "since": null,
                "roNumber": null,
                "jobNumber": null,
                "forgotten": false,
            },
            "counts": counts,
            "finishedJobs": [],
            "assignments": rows,
        })
    };
    let answer = owner.get("/api/repair-orders/technician-assignments").await;
    assert_eq!(
        without_generation(answer.good()),
        json!({
            "ok": true,
            "result": [
                technician(
                    11,
                    "Ann Kowalczyk",
                    "Brakes",
                    counts(json!({ "waiting": 1, "used": 1, "total": 2 })),
                    json!([rows[0], rows[3]]),
                ),
                technician(
                    22,
                    "Deepa R.",
                    "Electrical",
                    counts(json!({ "used": 1, "total": 1 })),
                    json!([rows[4]]),
                ),
                technician(
                    14,
                    "Jean-Luc F.",
                    "Engine",
                    counts(json!({ "drop": one_high, "total": 1 })),
                    json!([rows[2]]),
                ),
                technician(
                    31,
                    "Marcus Bell",
                    "",
                    counts(json!({ "waiting": 1, "total": 1 })),
                    json!([accord_rows()[1]]),
                ),
                technician(23, "Zoë Quist", "PDI", nothing.clone(), json!([])),
            ],
            "seq": 3,
        })
    );
}

#[tokio::test]
async fn a_change_is_in_the_counts_at_once() {
    let (_server, owner) = sample_shop().await;
    let of = |result: &Value, id: i64| {
        let all = result.as_array().unwrap().iter();
        let mut found = all.filter(|technician| technician["technicianId"] == id);
        found.next().unwrap()["counts"].clone()
    };
    // ENG is shown as Drop, and takes the priority Low with it.
    owner.change_status(104_219, 14).await.good();
    owner.change_priority(104_219, 2).await.good();
    let drop = json!({ "total": 1, "high": 0, "medium": 1, "low": 0 });
    assert_eq!(of(&assignments(&owner).await, 22)["drop"], drop);
    owner.change_status(104_219, 13).await.good();
    owner.unassign(104_219, 22).await.good();
    let result = assignments(&owner).await;
    assert_eq!(of(&result, 22)["total"], 0);
    assert_eq!(of(&result, 11)["pdi"], 1);
}

#[tokio::test]
async fn a_technician_sees_only_themselves_and_owner_and_admin_see_every_technician() {
    let (server, owner) = sample_shop().await;
    let all = assignments(&owner).await;
    let ids = |result: Value| -> Vec<i64> {
        let result = result.as_array().unwrap().iter();
        result
            .map(|technician| technician["technicianId"].as_i64().unwrap())
            .collect()
    };
    let jean_luc = server.sign_in("jl@example.com").await;
    assert_eq!(assignments(&jean_luc).await, json!([all[2]]));

    let not_linked = hire(&server, "new@example.com", &["Technician"], None).await;
    assert_eq!(assignments(&not_linked).await, json!([]));

    let both = ["Technician", "Advisor"];
    let advising = hire(&server, "both@example.com", &both, Some("22")).await;
    assert_eq!(ids(assignments(&advising).await), [22]);

    let both = ["Technician", "Admin"];
    let admin = hire(&server, "chief@example.com", &both, Some("23")).await;
    let everybody = ids(assignments(&owner).await);
    assert_eq!(everybody.len(), 5);
    assert_eq!(ids(assignments(&admin).await), everybody);
    for role in ["Advisor", "Service_Manager", "Used"] {
        let desk = server
            .hire(&format!("{role}@example.com").to_lowercase(), role)
            .await;
        let refused = desk.get("/api/repair-orders/technician-assignments").await;
        assert_eq!(
            refused.refused(403, "forbidden"),
            "Seeing all technicians needs one of the roles Admin, Owner"
        );
    }
}

#[tokio::test]
async fn one_technician_is_shown_as_among_all_and_rows_may_be_left_out() {
    let (_server, owner) = sample_shop_at_noon().await;
    let all = assignments(&owner).await;
    let path = "/api/repair-orders/technician-assignments";
    for (query, rows) in [("?rows=true", true), ("?rows=false", false)] {
        let shown = owner.get(&format!("{path}{query}")).await.result();
        let mut expected = all.clone();
        for technician in expected.as_array_mut().unwrap() {
            if !rows {
                technician["assignments"] = json!([]);
            }
        }
        assert_eq!(shown, expected, "{query}");
    }
    owner
        .get(&format!("{path}?rows=some"))
        .await
        .refused(400, "invalid-request");
    // On the list, on an order alone, and with nothing to do.
    for technician in [&all[0], &all[3], &all[4]] {
        let path = format!("/api/technicians/{}", technician["technicianId"]);
        let one = owner.get(&path).await.good();
        assert_eq!(&one["result"], technician);
        assert_eq!(one["seq"], 3);
    }
    let unknown = owner.get("/api/technicians/404").await;
    assert_eq!(
        unknown.refused(404, "unknown-technician"),
        "Technician 404 is not known"
    );
    owner
        .get("/api/technicians/ann")
        .await
        .refused(400, "invalid-request");
}

#[tokio::test]
async fn a_technician_opens_no_other_portal_and_the_desk_opens_any() {
    let (server, _) = sample_shop().await;
    let jean_luc = server.sign_in("jl@example.com").await;
    let own = jean_luc.get("/api/technicians/14").await.result();
    assert_eq!(own["fullName"], "Jean-Luc F.");
    assert_eq!(own["assignments"].as_array().unwrap().len(), 1);
    for other in ["11", "404"] {
        let refused = jean_luc.get(&format!("/api/technicians/{other}")).await;
        assert_eq!(
            refused.refused(403, "forbidden"),
            "A technician sees only their own orders, clock and receipts here"
        );
    }
    let both = ["Technician", "Advisor"];
    let advising = hire(&server, "both@example.com", &both, Some("22")).await;
    advising.get("/api/technicians/22").await.good();
    advising
        .get("/api/technicians/14")
        .await
        .refused(403, "forbidden");
    for role in ["Advisor", "Service_Manager", "Used", "Admin"] {
        let desk = server
            .hire(&format!("{role}@example.com").to_lowercase(), role)
            .await;
        desk.get("/api/technicians/14").await.good();
    }
}

#[tokio::test]
async fn the_technicians_on_an_order_share_its_hours() {
    let (server, owner) = Server::with_owner().await;
    let job = |number: i64, hours: &[Option<f64>]| {
        let operations: Value = hours
            .iter()
            .map(|hours| json!({ "operationCode": "LOF", "soldHours": hours }))
            .collect();
        json!({ "jobNumber": number, "operations": operations })
    };
    let order = |number: i64, technician: i64, etl: Option<i64>, jobs: Value| {
        json!({
            "repairOrderNumber": number,
            "regularIdTechnician": technician,
            "ETLIdTechnician": etl,
            "jobs": jobs,
        })
    };
    let orders = json!([
        order(
            1,
            11,
            None,
            json!([job(1, &[Some(1.5), Some(0.25), None]), job(2, &[None])])
        ),
        order(2, 11, Some(11), json!([job(1, &[Some(2.0)])])),
        order(3, 11, Some(22), json!([job(1, &[Some(1.0)]), job(2, &[])])),
    ]);
    server.shop.import(&orders).await;
    owner.assign(3, 23).await.good();
    let load = async |id: i64| {
        let path = format!("/api/technicians/{id}");
        let one = owner.get(&path).await.result();
        (
            one["assignedHours"].as_f64().unwrap(),
            one["jobsWithoutHours"].as_i64().unwrap(),
        )
    };
    assert_eq!(load(11).await, (4.08, 2));
    assert_eq!(load(22).await, (0.33, 1));
    assert_eq!(load(23).await, (0.33, 1));
    owner.unassign(3, 23).await.good();
    assert_eq!(load(11).await, (4.25, 2));
    owner
        .post("/api/repair-orders/2/close", json!({}))
        .await
        .good();
    assert_eq!(load(11).await, (2.25, 2));
    assert_eq!(load(14).await, (0.0, 0));
}

#[tokio::test]
async fn what_is_promised_today_stands_against_the_hours_that_are_left() {
    let mut shop = Shop::new().at_noon();
    let [_, hours] = AROUND_THE_CLOCK;
    let hours = ("DISPATCH_SHOP_HOURS", hours.to_owned());
    shop.environment.push(hours);
    shop.hire_technicians().await;
    let mut server = Server::start_in(shop, &[]).await;
    let owner = server.hire("owner@example.com", "Owner").await;
    let now = jiff::Timestamp::now();
    let in_hours = |hours: i64| Some(now + jiff::SignedDuration::from_hours(hours));
    let order = |number: i64, promised: Option<jiff::Timestamp>, hours: Option<f64>| {
        let operation = json!({ "operationCode": "LOF", "soldHours": hours });
        json!({
            "repairOrderNumber": number,
            "regularIdTechnician": 11,
            "promisedDateTime": promised.map(|at| at.to_string()),
            "jobs": [{ "jobNumber": 1, "operations": [operation] }],
        })
    };
    // Late, due tonight, due the day after tomorrow, and without a promise.
    let orders = json!([
        order(1, in_hours(-40), Some(0.5)),
        order(2, in_hours(6), Some(1.25)),
        order(3, in_hours(6), None),
        order(4, in_hours(40), Some(4.0)),
        order(5, None, Some(2.0)),
    ]);
    server.shop.import(&orders).await;
    let today = async |owner: &Desk| {
        let one = owner.get("/api/technicians/11").await.result();
        (
            one["assignedHours"].as_f64().unwrap(),
            one["dueTodayHours"].as_f64().unwrap(),
            one["dueTodayJobsWithoutHours"].as_i64().unwrap(),
            one["hoursLeftToday"].as_f64().unwrap(),
        )
    };
    assert_eq!(today(&owner).await, (7.75, 1.75, 1, 8.0));
    let clocked_in = json!({ "action": "clock-in", "at": (now - jiff::SignedDuration::from_mins(90)).to_string() });
    owner
        .post("/api/technicians/11/clock", clocked_in)
        .await
        .good();
    let (.., left) = today(&owner).await;
    assert!((6.0..=6.5).contains(&left), "{left}");
    let out = json!({ "action": "clock-out" });
    owner.post("/api/technicians/11/clock", out).await.good();
    let (.., left) = today(&owner).await;
    assert!((6.0..=6.5).contains(&left), "{left}");

    server.sigterm().await;
    let closes_at_one = ["--shop-hours", "Mon-Sun 00:00-13:00"];
    server.restart_with(&closes_at_one).await;
    let (.., left) = today(&owner).await;
    assert!(left <= 1.0, "{left}");
    // In the dialog that dispatches as on the screen of everybody's work.
    let asked = owner.get("/api/repair-orders/candidates?roNumbers=5").await;
    let ranked = asked.result();
    let theirs = ranked.as_array().unwrap().iter();
    let theirs: Vec<_> = theirs.filter(|one| one["idTechnician"] == 11).collect();
    let mut reasons = theirs[0]["reasons"].as_array().unwrap().iter();
    let load = reasons.find(|reason| reason["kind"] == "load").unwrap();
    assert_eq!(
        (&load["dueTodayHours"], &load["dueTodayJobsWithoutHours"]),
        (&json!(1.75), &json!(1))
    );
    assert!(load["hoursLeftToday"].as_f64().unwrap() <= 1.0, "{load}");
}

#[tokio::test]
async fn the_clock_is_shown_and_finished_work_is_no_load() {
    let (server, owner) = Server::with_owner().await;
    let job = |number: i64, hours: f64| {
        let operation = json!({ "operationCode": "LOF", "soldHours": hours });
        json!({ "jobNumber": number, "operations": [operation] })
    };
    let order = json!({
        "repairOrderNumber": 1,
        "regularIdTechnician": 11,
        "jobs": [job(1, 1.5), job(2, 0.5)],
    });
    server.shop.import(&json!([order])).await;
    let tap = async |action: &str, job: Value| {
        let body = json!({ "action": action, "roNumber": 1, "jobNumber": job });
        owner.post("/api/technicians/11/clock", body).await.good();
    };
    let shown = async || {
        let one = owner.get("/api/technicians/11").await.result();
        let path = "/api/repair-orders/technician-assignments?rows=false";
        let all = owner.get(path).await.result();
        assert_eq!(
            (&all[0]["clock"], &all[0]["technicianId"]),
            (&one["clock"], &json!(11))
        );
        let clock = &one["clock"];
        let state = clock["state"].as_str().unwrap().to_owned();
        assert_eq!(clock["since"].is_string(), state != "off");
        (
            state,
            clock["jobNumber"].as_i64(),
            one["assignedHours"].as_f64().unwrap(),
        )
    };
    let state = |state: &str, job, hours| (state.to_owned(), job, hours);
    assert_eq!(shown().await, state("off", None, 2.0));
    tap("start", json!(1)).await;
    assert_eq!(shown().await, state("on-job", Some(1), 2.0));
    tap("finish", json!(1)).await;
    assert_eq!(shown().await, state("idle", None, 0.5));
    // A technician on the clock comes before one off it, however busy either is.
    let path = "/api/repair-orders/candidates?roNumbers=2";
    server.shop.import(&crate::fixture::plain_orders(2)).await;
    let candidates = owner.get(path).await.result();
    assert_eq!(candidates[0]["idTechnician"], 11);
    assert_eq!(
        candidates[0]["reasons"][1],
        json!({ "kind": "clock", "state": "idle" })
    );
    tap("reopen", json!(1)).await;
    assert_eq!(shown().await, state("idle", None, 2.0));
    owner
        .post(
            "/api/technicians/11/clock",
            json!({ "action": "clock-out" }),
        )
        .await
        .good();
    assert_eq!(shown().await, state("off", None, 2.0));
}

#[tokio::test]
async fn a_finished_job_is_named_to_all_who_are_on_the_order() {
    finished_jobs_are_named(Shop::new()).await;
}

#[tokio::test]
async fn a_finished_job_is_named_to_all_who_are_on_the_order_on_postgres() {
    let database = Throwaway::postgres().await;
    finished_jobs_are_named(Shop::on(&database)).await;
}

async fn finished_jobs_are_named(shop: Shop) {
    shop.hire_technicians().await;
    let server = Server::start_in(shop, &[]).await;
    let owner = server.hire("owner@example.com", "Owner").await;
    let job = |number: i64| json!({ "jobNumber": number, "operations": [{ "soldHours": 1.0 }] });
    let order = |number: i64, technician: i64| {
        json!({
            "repairOrderNumber": number,
            "regularIdTechnician": technician,
            "promisedDateTime": jiff::Timestamp::now().to_string(),
            "jobs": [job(1), job(2)],
        })
    };
    let orders = json!([order(1, 11), order(2, 11), order(3, 23)]);
    server.shop.import(&orders).await;
    owner.assign(1, 22).await.good();
    let tap = async |action: &str, order: i64, job: i64| {
        let body = json!({ "action": action, "roNumber": order, "jobNumber": job });
        owner.post("/api/technicians/11/clock", body).await.good();
    };
    let shown = async |id: i64| {
        let one = owner.get(&format!("/api/technicians/{id}")).await.result();
        let finished = one["finishedJobs"].as_array().unwrap().iter();
        let jobs: Vec<_> = finished
            .map(|job| {
                assert_eq!(job["technicianId"], 11);
                assert!(job["finishedAt"].is_string());
                (
                    job["roNumber"].as_i64().unwrap(),
                    job["jobNumber"].as_i64().unwrap(),
                )
            })
            .collect();
        (jobs, one["dueTodayHours"].as_f64().unwrap())
    };
    assert_eq!(shown(11).await, (vec![], 3.0));
    for (order, job) in [(2, 1), (1, 2), (1, 1)] {
        tap("finish", order, job).await;
    }
    // What is done is not promised for today any more.
    assert_eq!(shown(11).await, (vec![(1, 1), (1, 2), (2, 1)], 1.0));
    assert_eq!(shown(22).await, (vec![(1, 1), (1, 2)], 0.0));
    assert_eq!(shown(23).await, (vec![], 2.0));
    tap("reopen", 1, 2).await;
    assert_eq!(shown(22).await, (vec![(1, 1)], 0.5));
}

#[tokio::test]
async fn the_name_is_the_portal_users_then_the_shops_then_the_orders() {
    let (server, owner) = sample_shop().await;
    let names = async || -> Vec<(i64, String)> {
        let all = assignments(&owner).await;
        let all = all.as_array().unwrap().iter();
        all.map(|technician| {
            let name = technician["fullName"].as_str().unwrap().to_owned();
            (technician["technicianId"].as_i64().unwrap(), name)
        })
        .collect()
    };
    let named = |id, name: &str| (id, name.to_owned());
    let before = names().await;
    assert!(before.contains(&named(14, "Jean-Luc F.")));
    assert!(before.contains(&named(22, "Deepa R.")));
    assert!(before.contains(&named(31, "Marcus Bell")));

    // Without the account, the shop's own list counts.
    let remove = ["user", "remove", "jl@example.com"];
    server.shop.run(&remove).await.good();
    hire(&server, "pat@example.com", &["Technician"], Some("31")).await;
    let after = names().await;
    assert!(after.contains(&named(14, "Jean-Luc Fournier")), "{after:?}");
    assert!(after.contains(&named(31, "Pat Portal")), "{after:?}");
    let technicians = owner.get("/api/repair-orders/technicians").await.result();
    let listed = technicians.as_array().unwrap().iter();
    for technician in listed {
        let id = technician["idTechnician"].as_i64().unwrap();
        let name = technician["displayName"].as_str().unwrap();
        assert!(after.contains(&named(id, name)), "{technician}");
    }
    let rows = owner
        .get("/api/repair-orders/specific/104217")
        .await
        .result();
    assert_eq!(rows[1]["ETLTechFullName"], "Pat Portal");
}

#[tokio::test]
async fn the_highest_skill_is_that_of_the_highest_level_now() {
    let (_server, owner) = Server::with_owner().await;
    let highest = async || -> Vec<Value> {
        let technicians = owner.get("/api/repair-orders/technicians").await.result();
        let technicians = technicians.as_array().unwrap().iter();
        technicians
            .map(|technician| technician["maxSkillName"].clone())
            .collect()
    };
    let change = async |body: Value| {
        let path = "/api/repair-orders/skills/1";
        let request = owner.request(reqwest::Method::PATCH, path);
        crate::fixture::answer(request.json(&body)).await.good();
    };
    // Ann has Oil change and Brakes, Deepa none, Jean-Luc Hybrid and Oil change, Zoë none.
    let none = Value::Null;
    let expected = |ann: &str, jean_luc: &str| {
        let (ann, jean_luc) = (json!(ann), json!(jean_luc));
        [ann, none.clone(), jean_luc, none.clone()]
    };
    assert_eq!(highest().await, expected("Brakes", "Hybrid"));
    change(json!({ "skillLevel": 4 })).await;
    assert_eq!(highest().await, expected("Oil change", "Hybrid"));
    change(json!({ "skillLevel": 6, "skillName": "Lube" })).await;
    assert_eq!(highest().await, expected("Lube", "Lube"));
    // On the same level the first by name.
    change(json!({ "skillLevel": 5, "skillName": "Zinc" })).await;
    assert_eq!(highest().await, expected("Zinc", "Hybrid"));
}
