//! Skills: the list, adding to it, changing it, and giving technicians theirs.

use dispatch_actors::testing::Throwaway;
use futures_util::future::join_all;
use reqwest::Method;
use serde_json::{Value, json};

use crate::fixture::{Answer, Desk, Server, Shop, answer};

const SKILLS: &str = "/api/repair-orders/skills";

fn skill(id: i64, name: &str, level: i64) -> Value {
    json!({ "idSkill": id, "skillName": name, "skillLevel": level })
}

/// A skill as the list has it, with those who use it.
fn listed(id: i64, name: &str, level: i64, technicians: i64, rules: i64) -> Value {
    let used_by = json!({ "technicians": technicians, "rules": rules });
    crate::sample::with(&skill(id, name, level), json!({ "usedBy": used_by }))
}

fn added(id: i64, name: &str, level: i64) -> Value {
    json!({ "ok": true, "idSkill": id, "skillName": name, "skillLevel": level })
}

async fn add(desk: &Desk, name: impl Into<Value>, level: impl Into<Value>) -> Answer {
    let (name, level) = (name.into(), level.into());
    let entry = json!({ "skillName": name, "skillLevel": level });
    desk.post(SKILLS, json!({ "data": [entry] })).await
}

async fn change(desk: &Desk, id: &str, change: Value) -> Answer {
    let request = desk.request(Method::PATCH, &format!("{SKILLS}/{id}"));
    answer(request.json(&change)).await
}

async fn delete(desk: &Desk, id: &str) -> Answer {
    answer(desk.request(Method::DELETE, &format!("{SKILLS}/{id}"))).await
}

async fn give(desk: &Desk, entries: Value) -> Answer {
    let body = json!({ "data": entries });
    desk.post("/api/repair-orders/technician-skills", body)
        .await
}

async fn names(desk: &Desk) -> Vec<String> {
    let skills = desk.get(SKILLS).await.result();
    let skills = skills.as_array().unwrap().iter();
    skills
        .map(|skill| skill["skillName"].as_str().unwrap().to_owned())
        .collect()
}

/// The highest skill of a technician, as the list of technicians has it.
async fn skill_of(desk: &Desk, technician: i64) -> Value {
    let technicians = desk.get("/api/repair-orders/technicians").await.result();
    let technicians = technicians.as_array().unwrap().iter();
    let mut found = technicians.filter(|row| row["idTechnician"] == technician);
    found.next().unwrap()["maxSkillName"].clone()
}

#[tokio::test]
async fn skills_come_by_level_from_the_highest_and_then_by_name() {
    let (_server, owner) = Server::with_owner().await;
    add(&owner, "alignment", 3).await.good();
    add(&owner, "Zinc primer", "3").await.good();
    assert_eq!(
        owner.get(SKILLS).await.good(),
        json!({ "ok": true, "result": [
            listed(3, "Hybrid", 5, 1, 0),
            listed(4, "alignment", 3, 0, 0),
            listed(2, "Brakes", 3, 1, 0),
            listed(5, "Zinc primer", 3, 0, 0),
            listed(1, "Oil change", 1, 2, 0),
        ] })
    );
}

#[tokio::test]
async fn a_skill_is_added_with_the_next_number() {
    let (server, owner) = Server::with_owner().await;
    assert_eq!(
        add(&owner, "  Glass ", " 7 ").await.good(),
        json!({ "ok": true, "result": [added(4, "Glass", 7)] })
    );
    let admin = server.hire("admin@example.com", "Admin").await;
    assert_eq!(
        add(&admin, "Upholstery", 0).await.good(),
        json!({ "ok": true, "result": [added(5, "Upholstery", 0)] })
    );
    let advisor = server.hire("advisor@example.com", "Advisor").await;
    assert_eq!(
        add(&advisor, "Paint", 1).await.refused(403, "forbidden"),
        "Managing skills needs one of the roles Owner, Admin"
    );
    let skills = advisor.get(SKILLS).await.result();
    assert_eq!(skills[0], listed(4, "Glass", 7, 0, 0));
}

#[tokio::test]
async fn an_entry_without_name_or_level_is_refused_and_asks_for_both() {
    let (_server, owner) = Server::with_owner().await;
    for entry in [
        json!({}),
        json!({ "skillName": "Glass" }),
        json!({ "skillLevel": 3 }),
        json!({ "skillName": null, "skillLevel": 3 }),
        json!({ "skillName": "  ", "skillLevel": 3 }),
        json!({ "skillName": "Glass", "skillLevel": null }),
        json!({ "skillName": "Glass", "skillLevel": " " }),
    ] {
        let refused = owner.post(SKILLS, json!({ "data": [entry] })).await;
        assert_eq!(
            refused.refused(400, "incomplete-skill"),
            "Please fill in both skill name and level"
        );
    }
    assert_eq!(names(&owner).await.len(), 3);
}

#[tokio::test]
async fn a_name_or_level_that_cannot_be_is_refused_and_nothing_is_added() {
    let (_server, owner) = Server::with_owner().await;
    let level = "The skill level must be a whole number from 0 to 1000000";
    for value in [
        json!(-1),
        json!(1_000_001),
        json!("2.5"),
        json!(2.5),
        json!("high"),
    ] {
        let refused = add(&owner, "Glass", value).await;
        assert_eq!(refused.refused(400, "invalid-skill-level"), level);
    }
    let control = "The skill name has a line break or another control character; take it out";
    for (name, sentence) in [
        ("Gl\0ass", control),
        ("Gl\nass", control),
        ("Gl\u{7f}ass", control),
        (
            &"a".repeat(101),
            "The skill name has 101 characters; use at most 100",
        ),
    ] {
        let refused = add(&owner, name, 1).await;
        assert_eq!(refused.refused(400, "invalid-skill-name"), sentence);
    }
    for (body, sentence) in [
        (
            json!({ "data": [] }),
            "data is empty: send at least one entry",
        ),
        (
            json!({ "data": vec![json!({}); 501] }),
            "data has 501 entries; send at most 500 at once",
        ),
    ] {
        let refused = owner.post(SKILLS, body).await;
        assert_eq!(refused.refused(400, "invalid-request"), sentence);
    }
    for body in [
        json!({}),
        json!([]),
        json!({ "data": [7] }),
        json!({ "data": [["Brakes", 7]] }),
    ] {
        owner
            .post(SKILLS, body)
            .await
            .refused(400, "invalid-request");
    }
    let number = json!({ "data": [{ "skillName": 7, "skillLevel": 7 }] });
    owner
        .post(SKILLS, number)
        .await
        .refused(400, "invalid-skill-name");
    assert_eq!(names(&owner).await.len(), 3);
}

#[tokio::test]
async fn of_several_entries_each_has_its_own_result() {
    let (_server, owner) = Server::with_owner().await;
    let entries = json!([
        { "skillName": "Glass", "skillLevel": 2 },
        { "skillName": "GLASS", "skillLevel": 9 },
        { "skillName": "Paint" },
        { "skillName": "Paint", "skillLevel": "4" },
    ]);
    let answer = owner.post(SKILLS, json!({ "data": entries })).await;
    assert_eq!(answer.status, 200);
    assert_eq!(
        answer.body,
        json!({
            "ok": false,
            "error": "2 of 4 entries were refused",
            "code": "some-refused",
            "result": [
                added(4, "Glass", 2),
                {
                    "ok": false,
                    "error": "There is already a skill called Glass",
                    "code": "skill-exists",
                    "skillName": "GLASS",
                },
                {
                    "ok": false,
                    "error": "Please fill in both skill name and level",
                    "code": "incomplete-skill",
                    "skillName": "Paint",
                },
                added(5, "Paint", 4),
            ],
        })
    );
}

#[tokio::test]
async fn names_are_stored_and_given_back_as_they_are() {
    let (_server, owner) = Server::with_owner().await;
    let longest = "🔧".repeat(100);
    for name in [
        "'); DROP TABLE skills;--",
        "\" OR 1=1 --",
        "<script>alert('skill')</script>",
        "👩🏽‍🔧 Größe №5 ١٢",
        "100% {{7*7}} ${x} \\u0000",
        &longest,
    ] {
        add(&owner, name, 9).await.good();
        assert!(names(&owner).await.contains(&name.to_owned()), "{name}");
        let again = add(&owner, name.to_uppercase(), 9).await;
        again.refused(409, "skill-exists");
    }
}

/// The same on either database: what is unique, what is refused, what many do at once.
async fn skills_are_kept(shop: Shop) {
    shop.hire_technicians().await;
    let server = Server::start_in(shop, &[]).await;
    let owner = server.hire("owner@example.com", "Owner").await;

    add(&owner, "Größe", 1).await.good();
    assert_eq!(
        add(&owner, "GRÖßE", 2).await.refused(409, "skill-exists"),
        "There is already a skill called Größe"
    );

    // All clients add the same name, in different case: one succeeds, the others are refused.
    let spellings = ["glass", "GLASS", "Glass", "gLASS"].into_iter().cycle();
    let at_once = spellings.take(16).map(|name| add(&owner, name, 1));
    let answers = join_all(at_once).await;
    let (good, refused): (Vec<_>, Vec<_>) =
        answers.into_iter().partition(|answer| answer.status == 200);
    assert_eq!((good.len(), refused.len()), (1, 15));
    for answer in refused {
        answer.refused(409, "skill-exists");
    }

    // Everybody adds another: each has a number of its own.
    let at_once = (0..16).map(|n| {
        let (owner, name) = (&owner, format!("Skill {n}"));
        async move { add(owner, name, n).await.result()[0]["idSkill"].as_i64() }
    });
    let mut ids = join_all(at_once).await;
    ids.sort_unstable();
    assert_eq!(ids, (6..22).map(Some).collect::<Vec<_>>());

    // All clients rename their skill to the same name.
    let at_once = (6..22).map(|id| {
        let owner = &owner;
        async move { change(owner, &id.to_string(), json!({ "skillName": "Only one" })).await }
    });
    let statuses = join_all(at_once).await.into_iter().map(|it| it.status);
    let mut statuses: Vec<u16> = statuses.collect();
    statuses.sort_unstable();
    assert_eq!(statuses[0], 200);
    assert!(statuses[1..].iter().all(|status| *status == 409));

    // Everybody gives one technician another skill: one stands, also while some are deleted.
    let mixed = (6..22).map(|id| {
        let owner = &owner;
        async move {
            if id % 4 == 0 {
                delete(owner, &id.to_string()).await
            } else {
                let entry = json!([{ "idTechnician": "22", "idSkill": id }]);
                give(owner, entry).await
            }
        }
    });
    for answer in join_all(mixed).await {
        answer.good();
    }
    let store = server.shop.store().await;
    let query = "SELECT COUNT(*) AS n FROM technician_skills WHERE technician = 22";
    assert_eq!(count(&store, query).await, 1);
    let last = skill_of(&owner, 22).await;
    assert!(
        names(&owner)
            .await
            .contains(&last.as_str().unwrap().to_owned())
    );
}

async fn count(store: &dispatch_actors::store::Store, query: &str) -> i64 {
    use sea_orm::{ConnectionTrait, Statement};
    let reader = store.reader();
    let statement = Statement::from_string(reader.get_database_backend(), query);
    let row = reader.query_one_raw(statement).await.unwrap().unwrap();
    row.try_get("", "n").unwrap()
}

#[tokio::test]
async fn many_change_skills_at_once_on_sqlite() {
    skills_are_kept(Shop::new()).await;
}

#[tokio::test]
async fn many_change_skills_at_once_on_postgres() {
    let database = Throwaway::postgres().await;
    skills_are_kept(Shop::on(&database)).await;
}

#[tokio::test]
async fn a_skill_gets_another_name_or_level() {
    let (_server, owner) = Server::with_owner().await;
    for (body, result) in [
        (json!({ "skillName": " Oil " }), skill(1, "Oil", 1)),
        (json!({ "skillLevel": "9" }), skill(1, "Oil", 9)),
        // The same name in another case is still its own.
        (
            json!({ "skillName": "OIL", "skillLevel": 2 }),
            skill(1, "OIL", 2),
        ),
        (json!({ "skillLevel": 3 }), skill(1, "OIL", 3)),
    ] {
        assert_eq!(
            change(&owner, "1", body).await.good(),
            json!({ "ok": true, "result": result })
        );
    }
    let oil = listed(1, "OIL", 3, 2, 0);
    assert_eq!(owner.get(SKILLS).await.result()[2], oil);

    let refused = change(&owner, "1", json!({ "skillName": "brakes" })).await;
    assert_eq!(
        refused.refused(409, "skill-exists"),
        "There is already a skill called Brakes"
    );
    let refused = change(&owner, "404", json!({ "skillLevel": 3 })).await;
    assert_eq!(
        refused.refused(404, "unknown-skill"),
        "Skill 404 is not known"
    );
    for (id, body, code) in [
        ("one", json!({ "skillLevel": 3 }), "invalid-request"),
        ("1", json!({ "skillName": " " }), "invalid-skill-name"),
        ("1", json!({ "skillName": "a\0b" }), "invalid-skill-name"),
        ("1", json!({ "skillLevel": -3 }), "invalid-skill-level"),
        ("1", json!({ "skillLevel": null }), "invalid-skill-level"),
        ("1", json!({ "skillName": null }), "invalid-request"),
    ] {
        change(&owner, id, body).await.refused(400, code);
    }
    change(&owner, "1", json!({})).await.good();
    let oil = listed(1, "OIL", 3, 2, 0);
    assert_eq!(owner.get(SKILLS).await.result()[2], oil);
}

#[tokio::test]
async fn a_skill_is_of_a_kind_of_which_it_includes_the_lower_ones() {
    let (server, owner) = Server::with_owner().await;
    let entry = json!({ "skillName": "Hybrid master", "skillLevel": 7, "skillKind": " Hybrid " });
    let master = owner.post(SKILLS, json!({ "data": [entry] })).await.good();
    assert_eq!(master["result"][0]["skillKind"], "Hybrid");
    change(&owner, "3", json!({ "skillKind": "hybrid" }))
        .await
        .good();
    let kinds = async || {
        let skills = owner.get(SKILLS).await.result();
        let skills = skills.as_array().unwrap().iter();
        skills
            .map(|skill| skill["skillKind"].as_str().map(str::to_owned))
            .collect::<Vec<_>>()
    };
    let some = |kind: &str| Some(kind.to_owned());
    assert_eq!(kinds().await, [some("Hybrid"), some("hybrid"), None, None]);

    let rule = json!({ "pattern": "HV", "idSkill": 3, "level": 5 });
    owner.post("/api/opcode-rules", rule).await.good();
    give(&owner, json!([{ "idTechnician": 23, "idSkill": 4 }]))
        .await
        .good();
    let jobs = json!([{ "jobNumber": 1, "operations": [{ "operationCode": "HV" }] }]);
    let order = json!({ "repairOrderNumber": 1, "jobs": jobs });
    server.shop.import(&json!([order])).await;
    let reason = async |technician: i64| {
        let path = "/api/repair-orders/candidates?roNumbers=1";
        let candidates = owner.get(path).await.result();
        let mut candidates = candidates.as_array().unwrap().iter();
        let found = candidates.find(|one| one["idTechnician"] == technician);
        found.unwrap()["reasons"][0].clone()
    };
    assert_eq!(
        reason(23).await,
        json!({
            "kind": "skill",
            "skillName": "Hybrid",
            "wanted": 5,
            "level": 7,
            "includedIn": "Hybrid master",
            "state": "has",
        })
    );
    // Without a kind it is a skill for itself again.
    change(&owner, "3", json!({ "skillKind": "" })).await.good();
    assert_eq!(reason(23).await["state"], "lacks");
    for kind in [json!("a\nb"), json!("a".repeat(101))] {
        let refused = change(&owner, "3", json!({ "skillKind": kind })).await;
        refused.refused(400, "invalid-skill-name");
    }
    for kind in [json!(7), json!(null)] {
        let refused = change(&owner, "3", json!({ "skillKind": kind })).await;
        refused.refused(400, "invalid-request");
    }
}

#[tokio::test]
async fn a_deleted_skill_is_removed_from_every_technician() {
    let (_server, owner) = Server::with_owner().await;
    assert_eq!(skill_of(&owner, 14).await, "Hybrid");
    assert_eq!(
        delete(&owner, "3?evenIfUsed=true").await.good(),
        json!({ "ok": true, "result": null })
    );
    assert_eq!(skill_of(&owner, 14).await, "Oil change");
    assert_eq!(names(&owner).await, ["Brakes", "Oil change"]);
    assert_eq!(
        delete(&owner, "3").await.refused(404, "unknown-skill"),
        "Skill 3 is not known"
    );
    delete(&owner, "three")
        .await
        .refused(400, "invalid-request");
    // A technician who had the deleted skill does not have the next skill with its number.
    add(&owner, "Glass", 9).await.good();
    assert_eq!(skill_of(&owner, 14).await, "Oil change");
}

#[tokio::test]
async fn a_skill_in_use_is_deleted_only_when_the_caller_confirms() {
    let (_server, owner) = Server::with_owner().await;
    let rule = |pattern: &str| json!({ "pattern": pattern, "idSkill": 1, "level": 1 });
    for pattern in ["LOF", "OIL*"] {
        owner.post("/api/opcode-rules", rule(pattern)).await.good();
    }
    assert_eq!(
        owner.get(SKILLS).await.result()[2],
        listed(1, "Oil change", 1, 2, 2)
    );
    assert_eq!(
        delete(&owner, "1").await.refused(409, "skill-in-use"),
        "Oil change is in use: 2 technicians have it and 2 opcode rules ask for it"
    );
    assert_eq!(
        delete(&owner, "3?evenIfUsed=false")
            .await
            .refused(409, "skill-in-use"),
        "Hybrid is in use: 1 technician has it"
    );
    delete(&owner, "3?evenIfUsed=perhaps")
        .await
        .refused(400, "invalid-request");
    delete(&owner, "404?evenIfUsed=true")
        .await
        .refused(404, "unknown-skill");
    assert_eq!(names(&owner).await.len(), 3);
    assert_eq!(
        owner.get("/api/opcode-rules").await.result(),
        json!([
            { "idRule": 1, "pattern": "LOF", "idSkill": 1, "skillName": "Oil change", "level": 1 },
            { "idRule": 2, "pattern": "OIL*", "idSkill": 1, "skillName": "Oil change", "level": 1 },
        ])
    );
    delete(&owner, "1?evenIfUsed=true").await.good();
    assert_eq!(owner.get("/api/opcode-rules").await.result(), json!([]));
    // A skill that nobody uses is deleted without confirmation.
    let added = add(&owner, "Glass", 1).await.result()[0]["idSkill"].to_string();
    delete(&owner, &added).await.good();
}

#[tokio::test]
async fn a_technician_is_given_a_skill_in_place_of_theirs() {
    let (server, owner) = Server::with_owner().await;
    assert_eq!(
        give(&owner, json!([{ "idTechnician": "14", "idSkill": 1 }]))
            .await
            .good(),
        json!({ "ok": true, "result": [{
            "ok": true,
            "idTechnician": 14,
            "idSkill": 1,
            "skillName": "Oil change",
            "skillLevel": 1,
        }] })
    );
    assert_eq!(skill_of(&owner, 14).await, "Oil change");
    for _ in 0..2 {
        give(&owner, json!([{ "idTechnician": 22, "idSkill": "2" }]))
            .await
            .good();
        assert_eq!(skill_of(&owner, 22).await, "Brakes");
    }

    for (entry, status, code, sentence) in [
        (
            json!({ "idTechnician": 404, "idSkill": 1 }),
            404,
            "unknown-technician",
            "Technician 404 is not known",
        ),
        (
            json!({ "idTechnician": 14, "idSkill": 404 }),
            404,
            "unknown-skill",
            "Skill 404 is not known",
        ),
        (
            json!({ "idTechnician": "Ann", "idSkill": 1 }),
            400,
            "invalid-request",
            "'Ann' is not a technician's number",
        ),
        (
            json!({ "idTechnician": 14, "idSkill": "Oil" }),
            400,
            "invalid-request",
            "'Oil' is not a skill's number",
        ),
    ] {
        let refused = give(&owner, json!([entry])).await;
        assert_eq!(refused.refused(status, code), sentence);
    }
    for body in [
        json!([]),
        json!([{}]),
        json!([{ "idTechnician": 14, "idSkill": null }]),
    ] {
        give(&owner, body).await.refused(400, "invalid-request");
    }
    let admin = server.hire("admin@example.com", "Admin").await;
    let refused = give(&admin, json!([{ "idTechnician": 14, "idSkill": 3 }])).await;
    assert_eq!(
        refused.refused(403, "forbidden"),
        "Managing users needs the role Owner"
    );
    assert_eq!(skill_of(&owner, 14).await, "Oil change");
}

#[tokio::test]
async fn of_several_technicians_each_has_their_own_result() {
    let (_server, owner) = Server::with_owner().await;
    let entries = json!([
        { "idTechnician": 22, "idSkill": 3 },
        { "idTechnician": "404", "idSkill": 3 },
        { "idTechnician": "Ann", "idSkill": 3 },
    ]);
    let answer = give(&owner, entries).await;
    assert_eq!(answer.status, 200);
    assert_eq!(
        answer.body,
        json!({
            "ok": false,
            "error": "2 of 3 entries were refused",
            "code": "some-refused",
            "result": [
                {
                    "ok": true,
                    "idTechnician": 22,
                    "idSkill": 3,
                    "skillName": "Hybrid",
                    "skillLevel": 5,
                },
                {
                    "ok": false,
                    "error": "Technician 404 is not known",
                    "code": "unknown-technician",
                    "idTechnician": 404,
                },
                {
                    "ok": false,
                    "error": "'Ann' is not a technician's number",
                    "code": "invalid-request",
                },
            ],
        })
    );
    assert_eq!(skill_of(&owner, 22).await, "Hybrid");
}

#[tokio::test]
async fn skills_sent_again_with_their_key_get_their_first_answer() {
    let (_server, owner) = Server::with_owner().await;
    let body = json!({ "data": [
        { "skillName": "Tow truck", "skillLevel": 3 },
        { "skillName": "", "skillLevel": 3 },
    ] });
    let first = owner.post_with_key(SKILLS, body.clone(), "skills").await;
    let second = owner.post_with_key(SKILLS, body, "skills").await;
    assert_eq!(first.body["result"][0]["skillName"], "Tow truck");
    assert_eq!((first.status, first.body), (second.status, second.body));
    let skills = names(&owner).await;
    assert_eq!(skills.iter().filter(|name| *name == "Tow truck").count(), 1);
    let other = json!({ "data": [{ "skillName": "Tyres", "skillLevel": 1 }] });
    owner
        .post_with_key(SKILLS, other, "skills")
        .await
        .refused(409, "idempotency-key-reused");
}
