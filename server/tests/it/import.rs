//! `dispatch import`: beside a running server and without one, for the first time and again.

use std::path::Path;

use dispatch_actors::testing::Throwaway;
use serde_json::{Value, json};

use crate::fixture::{Desk, Ran, Server, Shop};

/// Five good rows, one without RO number (line 4), one with a date that does not exist (line 6).
const CSV: &str = include_str!("../../intake/tests/samples/ours.csv");
/// Three orders.
const JSON: &str = include_str!("../../intake/tests/samples/ours.json");
/// One of every other format, and how many orders it has.
const OTHERS: [(&str, &str, usize); 4] = [
    (
        "cdk.json",
        include_str!("../../intake/tests/samples/cdk.json"),
        4,
    ),
    (
        "star.json",
        include_str!("../../intake/tests/samples/star.json"),
        3,
    ),
    (
        "star.csv",
        include_str!("../../intake/tests/samples/star.csv"),
        3,
    ),
    (
        "aliases.csv",
        include_str!("../../intake/tests/samples/aliases.csv"),
        3,
    ),
];

fn lines(text: &str) -> Vec<&str> {
    text.lines().collect()
}

fn shop_with_samples() -> Shop {
    let shop = Shop::new();
    shop.write("ours.csv", CSV);
    shop.write("ours.json", JSON);
    shop
}

/// With an owner at the desk.
async fn running(shop: Shop) -> (Server, Desk) {
    let server = Server::start_in(shop, &[]).await;
    let owner = server.hire("owner@example.com", "Owner").await;
    (server, owner)
}

/// The numbers of the list's orders.
async fn numbers(desk: &Desk) -> Vec<i64> {
    let list = desk.list().await;
    let rows = list["result"].as_array().unwrap();
    let mut numbers: Vec<i64> = rows
        .iter()
        .map(|row| row["repairOrderNumber"].as_i64().unwrap())
        .collect();
    numbers.dedup();
    numbers
}

const GOOD: [i64; 5] = [104301, 104302, 104304, 104306, 104307];

fn assert_two_rows_were_refused(ran: &Ran, summary: &str, rejects: &str) {
    assert_eq!((ran.code, ran.err.as_str()), (Some(1), ""), "{ran:?}");
    assert_eq!(
        lines(&ran.out),
        [
            summary,
            "  ours.csv, line 4: repairOrderNumber: The RO number is missing: fill it in",
            "  ours.csv, line 6: promisedDateTime: '2026-02-30' is not a date that exists, or not in a form we know: \
             write it like 2026-07-14T08:30 or 07/14/2026 8:30 AM",
            &format!("The refused rows are in {rejects}"),
        ]
    );
}

#[tokio::test]
async fn valid_rows_are_imported_and_refused_ones_are_reported_by_line_and_kept_whole() {
    let shop = shop_with_samples();
    let ran = shop.run(&["import", "ours.csv"]).await;
    let summary = "ours.csv: 5 created, 0 changed, 0 unchanged, 2 refused";
    assert_two_rows_were_refused(&ran, summary, "ours.csv.rejects.ndjson");

    let rejects: Vec<Value> = lines(&shop.read("ours.csv.rejects.ndjson"))
        .into_iter()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let rows = lines(CSV);
    assert_eq!(
        rejects,
        [
            json!({
                "file": "ours.csv",
                "place": "line 4",
                "field": "repairOrderNumber",
                "reason": "The RO number is missing: fill it in",
                "row": rows[3],
            }),
            json!({
                "file": "ours.csv",
                "place": "line 6",
                "field": "promisedDateTime",
                "reason": "'2026-02-30' is not a date that exists, or not in a form we know: \
                    write it like 2026-07-14T08:30 or 07/14/2026 8:30 AM",
                "row": rows[5],
            }),
        ]
    );

    // The orders are there once a server runs.
    let (_server, owner) = running(shop).await;
    assert_eq!(numbers(&owner).await, GOOD);
    let first = owner
        .get("/api/repair-orders/specific/104301")
        .await
        .result();
    assert_eq!(first[0]["customer"], "O'Neill, Siobhán");
    assert_eq!(
        (&first[0]["ETLIdTechnician"], &first[0]["ETLTechFullName"]),
        (&json!(31), &json!("Marcus Bell"))
    );
    assert_eq!(
        first[0]["jobs"],
        json!([{
            "jobNumber": 1,
            "concern": "Oil change due",
            "operations": [{ "operationCode": "LOF", "operationDesciption": "Lube, oil and filter", "soldHours": null }],
        }])
    );
    let second = owner
        .get("/api/repair-orders/specific/104302")
        .await
        .result();
    assert_eq!(
        second[0]["createDateTime"], "2026-02-24T14:05:00Z",
        "a time without zone is the shop's"
    );
}

#[tokio::test]
async fn beside_a_running_server_orders_arrive_on_an_open_socket() {
    let (server, owner) = running(shop_with_samples()).await;
    let mut socket = owner.listen(&server).await;
    let ran = server.shop.run(&["import", "ours.csv"]).await;
    let summary = "ours.csv: 5 created, 0 changed, 0 unchanged, 2 refused";
    assert_two_rows_were_refused(&ran, summary, "ours.csv.rejects.ndjson");
    let log = server.shop.read("server.log");
    let line = format!("{summary}; by dispatch import");
    assert_eq!(log.matches(&line).count(), 1, "{log}");
    let mut arrived = Vec::new();
    for seq in 1..=5 {
        let heard = socket.modified().await;
        assert_eq!(
            (&heard["action"], &heard["seq"]),
            (&json!("CREATED"), &json!(seq))
        );
        assert_eq!(heard["rows"].as_array().unwrap().len(), 1);
        arrived.push(heard["roNumber"].as_i64().unwrap());
    }
    arrived.sort_unstable();
    assert_eq!(arrived, GOOD);

    // The same file again: nothing in the log, nothing announced.
    let list = owner.list().await;
    let again = server.shop.run(&["import", "ours.csv"]).await;
    let summary = "ours.csv: 0 created, 0 changed, 5 unchanged, 2 refused";
    assert_two_rows_were_refused(&again, summary, "ours.csv.rejects.ndjson");
    assert_eq!(owner.list().await, list);
    let next = owner.make_one_change(104301).await;
    assert_eq!(next, 6);
    assert_eq!(socket.modified().await["seq"], next);
}

#[tokio::test]
async fn without_a_server_the_same_file_again_leaves_nothing_in_the_log() {
    let shop = shop_with_samples();
    let out = shop.run(&["import", "ours.json"]).await.good();
    assert_eq!(
        out,
        "ours.json: 3 created, 0 changed, 0 unchanged, 0 refused\n"
    );
    let again = shop.run(&["import", "ours.json", "ours.json"]).await.good();
    let unchanged = "ours.json: 0 created, 0 changed, 3 unchanged, 0 refused\n";
    assert_eq!(again, unchanged.repeat(2));
    assert!(!shop.path("ours.json.rejects.ndjson").exists());
    let log = shop.store().await.events_after(0, 100).await.unwrap();
    assert_eq!(log.len(), 3);
    assert!(log.iter().all(|event| event.version == 1));
}

#[tokio::test]
async fn a_dry_run_says_what_would_happen_and_does_nothing() {
    for with_server in [false, true] {
        let shop = shop_with_samples();
        shop.import(&json!([
            { "repairOrderNumber": 104217, "customer": "Before" },
            { "repairOrderNumber": "B104218" },
        ]))
        .await;
        let server = if with_server {
            Err(running(shop).await)
        } else {
            Ok(shop)
        };
        let shop = match &server {
            Ok(shop) => shop,
            Err((server, _)) => &server.shop,
        };
        let ran = shop.run(&["import", "--dry-run", "ours.json"]).await;
        assert_eq!((ran.code, ran.err.as_str()), (Some(1), ""));
        assert_eq!(
            lines(&ran.out),
            [
                "ours.json: 1 would be created, 1 would be changed, 0 unchanged, 1 would be refused",
                "  ours.json, entry 2: repairOrderNumber: RO number 'A0104218' has the same digits as 'B104218', \
                 which is another repair order",
            ]
        );
        assert!(!shop.path("ours.json.rejects.ndjson").exists());
        let store = shop.store().await;
        assert_eq!(store.top().await.unwrap(), 2, "nothing changed");
    }
}

#[tokio::test]
async fn an_import_never_undoes_the_desks_work() {
    let shop = shop_with_samples();
    shop.hire_technicians().await;
    let (server, owner) = running(shop).await;
    server.shop.run(&["import", "ours.json"]).await.good();
    owner.change_status(104217, 13).await.good();
    owner.change_priority(104217, 3).await.good();
    owner.assign(104217, 23).await.good();
    owner.unassign(104217, 11).await.good();
    let before = owner.get("/api/repair-orders/104217").await.result();

    // The dealer's system knows nothing of that, and has news.
    let mut orders: Value = serde_json::from_str(JSON).unwrap();
    let accord = &mut orders[0];
    accord["customer"] = json!("O'Neill-Byrne, Siobhán");
    accord["advisor"] = json!("Mei Tan");
    accord["promisedDateTime"] = json!("2026-07-14T13:00:00-05:00");
    accord["customerStatus"] = json!("Drop");
    accord["priorityName"] = json!("Low");
    accord["appCustomerStatus"] = json!("Used");
    accord["ETLIdTechnician"] = json!(32);
    accord["ETLTechFullName"] = json!("Nora Lind");
    accord["jobs"][0]["concern"] = json!("Brakes grind");
    accord["jobs"][0]["cause"] = json!("not theirs to say");
    accord["jobs"][0]["techStory"] = json!("not theirs to say");
    accord["jobs"]
        .as_array_mut()
        .unwrap()
        .push(json!({ "jobNumber": 3, "concern": "Wipers streak" }));
    let printed = server.shop.import(&orders).await;
    assert_eq!(printed, "-: 0 created, 1 changed, 2 unchanged, 0 refused\n");

    let rows = owner
        .get("/api/repair-orders/specific/104217")
        .await
        .result();
    let field = |row: usize, name: &str| rows[row][name].clone();
    assert_eq!(rows.as_array().unwrap().len(), 2);
    assert_eq!(
        (
            field(0, "regularIdTechnician"),
            field(0, "regularTechFullName")
        ),
        (json!(23), json!("Zoë Quist"))
    );
    assert_eq!(
        (field(1, "ETLIdTechnician"), field(1, "ETLTechFullName")),
        (json!(32), json!("Nora Lind"))
    );
    let after = owner.get("/api/repair-orders/104217").await.result();
    for theirs in ["customer", "advisor", "customerStatus"] {
        assert_eq!(after[theirs], orders[0][theirs], "{theirs} is theirs");
    }
    assert_eq!(after["promisedDateTime"], "2026-07-14T18:00:00Z");
    for ours in ["priorityName", "appCustomerStatus", "createDateTime"] {
        assert_eq!(after[ours], before[ours], "{ours} is ours");
    }
    assert_eq!(
        (&after["priorityName"], &after["appCustomerStatus"]),
        (&json!("High"), &json!("PDI"))
    );
    assert_eq!(after["jobs"][0]["concern"], "Brakes grind");
    for ours in ["cause", "briefTechNotes", "techStory"] {
        assert_eq!(
            after["jobs"][0][ours], before["jobs"][0][ours],
            "{ours} is ours"
        );
    }
    assert_eq!(after["jobs"][2]["concern"], "Wipers streak");

    // A job that a file leaves out is still there.
    let fewer = json!([{ "repairOrderNumber": 104217, "jobs": [{ "jobNumber": 2, "concern": "Oil change due" }] }]);
    assert_eq!(
        server.shop.import(&fewer).await,
        "-: 0 created, 0 changed, 1 unchanged, 0 refused\n"
    );
}

#[tokio::test]
async fn another_text_with_the_same_digits_is_another_order_and_refused() {
    let shop = shop_with_samples();
    shop.run(&["import", "ours.json"]).await.good();
    for (text, collides) in [
        ("A0104218", false),
        ("104218", true),
        ("B104218", true),
        ("A104218", true),
    ] {
        let order = json!([{ "repairOrderNumber": text, "customer": "Müller & Sons Plumbing" }])
            .to_string();
        let ran = shop
            .run_with(&["import", "-", "--format", "json"], &order)
            .await;
        if collides {
            assert_eq!((ran.code, ran.err.as_str()), (Some(1), ""), "{ran:?}");
            assert_eq!(
                lines(&ran.out),
                [
                    "-: 0 created, 0 changed, 0 unchanged, 1 refused",
                    &format!(
                        "  -, entry 1: repairOrderNumber: RO number '{text}' has the same digits as 'A0104218', \
                         which is another repair order"
                    ),
                    "The refused rows are in stdin.rejects.ndjson",
                ]
            );
            let reject: Value = serde_json::from_str(&shop.read("stdin.rejects.ndjson")).unwrap();
            assert_eq!(reject["row"], order.trim_matches(['[', ']']));
        } else {
            assert_eq!(
                ran.good(),
                "-: 0 created, 0 changed, 1 unchanged, 0 refused\n"
            );
        }
    }
}

#[tokio::test]
async fn an_existing_file_is_not_overwritten_with_the_refused_rows() {
    use std::os::unix::fs::PermissionsExt;

    let shop = shop_with_samples();
    shop.write("victim", "theirs");
    let refused = "ours.csv.rejects.ndjson";
    for name in [refused, "stdin.rejects.ndjson", "named.ndjson"] {
        std::os::unix::fs::symlink(shop.path("victim"), shop.path(name)).unwrap();
    }
    let file = ["import", "ours.csv"];
    let named = ["import", "ours.csv", "--rejects", "named.ndjson"];
    let pipe = shop.program("mkfifo", &["pipe"]).status().await;
    assert!(pipe.unwrap().success());
    let piped = ["import", "ours.csv", "--rejects", "pipe"];
    let printed = ["import", "ours.csv", "--rejects", "/dev/stdout"];
    for command in [&file[..], &["import", "-"], &named, &piped, &printed] {
        let sentence = shop.run_with(command, CSV).await.refused();
        let what_to_do = "written to a plain file alone: name one with --rejects";
        assert!(sentence.ends_with(what_to_do), "{sentence}");
    }
    let store = shop.store().await;
    assert_eq!(
        store.head().await.unwrap().position.seq,
        0,
        "nothing was taken"
    );
    assert_eq!(shop.read("victim"), "theirs");

    // A file from before is replaced by a private one, whatever its permissions.
    std::fs::remove_file(shop.path(refused)).unwrap();
    shop.write(refused, "from before");
    shop.run(&["import", "ours.csv"]).await;
    assert_eq!(lines(&shop.read(refused)).len(), 2);
    let made = shop.path(refused).metadata().unwrap().permissions();
    assert_eq!(made.mode() & 0o777, 0o600);
    let names = std::fs::read_dir(shop.path("")).unwrap();
    let mut names = names.map(|entry| entry.unwrap().file_name());
    assert!(!names.any(|name| name.to_string_lossy().starts_with(".rejects-")));
}

#[tokio::test]
async fn the_output_of_an_import_is_plain_text_to_the_terminal() {
    let shop = Shop::new();
    let name = "a\u{202e}\u{1b}[2J.csv";
    shop.write(name, "number\n\u{ad}x\u{202e}\n");
    let ran = shop.run(&["import", name]).await;
    let hidden = ['\u{202e}', '\u{1b}', '\u{ad}'];
    assert!(ran.out.contains(r"a\u{202e}\u{1b}[2J.csv: "), "{ran:?}");
    assert!(!ran.out.contains(hidden), "{ran:?}");
}

#[tokio::test]
async fn standard_input_is_a_file_like_any_other() {
    let (server, owner) = running(shop_with_samples()).await;
    let ran = server.shop.run_with(&["import", "-"], CSV).await;
    assert_eq!(ran.code, Some(1));
    assert_eq!(
        lines(&ran.out)[0],
        "-: 5 created, 0 changed, 0 unchanged, 2 refused"
    );
    assert_eq!(numbers(&owner).await, GOOD);

    // Several files, the refused rows of all of them in one.
    let arguments = [
        "import",
        "ours.json",
        "-",
        "ours.csv",
        "--rejects",
        "refused.ndjson",
    ];
    let ran = server.shop.run_with(&arguments, CSV).await;
    assert_eq!(ran.code, Some(1));
    let printed = lines(&ran.out);
    assert_eq!(
        printed.first(),
        Some(&"ours.json: 3 created, 0 changed, 0 unchanged, 0 refused")
    );
    assert_eq!(
        printed.last(),
        Some(&"The refused rows are in refused.ndjson")
    );
    assert_eq!(lines(&server.shop.read("refused.ndjson")).len(), 4);
    assert!(!server.shop.path("ours.csv.rejects.ndjson").exists());
}

#[tokio::test]
async fn an_unreadable_file_is_reported_in_one_line() {
    let shop = shop_with_samples();
    shop.write("empty.csv", "");
    shop.write("latin.csv", b"RO Number,Customer\n1,Jos\xe9\n");
    shop.write("headless.csv", "Customer,Vehicle\nAnn,Honda\n");
    shop.write("broken.json", "[{\"repairOrderNumber\": 1");
    for (file, sentence) in [
        (
            "missing.csv",
            "cannot read missing.csv: No such file or directory (os error 2)",
        ),
        (".", "cannot read .: Is a directory (os error 21)"),
        ("empty.csv", "empty.csv: The file is empty"),
        (
            "latin.csv",
            "latin.csv: The file is not UTF-8: byte 6 of line 2 is no character. \
             Save it as UTF-8 (a spreadsheet calls it 'CSV UTF-8')",
        ),
        (
            "headless.csv",
            "headless.csv: The header has no column for the RO number: \
             name it one of repairOrderNumber, roNumber, roNo, ro#, ro, number",
        ),
        (
            "broken.json",
            "broken.json: The JSON is broken in line 1, before any repair order: \
             The file ends within this entry, or a quote or bracket of it is not closed: export it again",
        ),
    ] {
        assert_eq!(shop.run(&["import", file]).await.refused(), sentence);
    }
    let server = Server::start_in(shop, &[]).await;
    assert_eq!(
        server.shop.run(&["import", "empty.csv"]).await.refused(),
        "empty.csv: The file is empty"
    );
    let store = server.shop.store().await;
    assert_eq!(store.top().await.unwrap(), 0);
}

#[tokio::test]
async fn a_large_file_is_imported_while_the_desk_works() {
    let (server, owner) = running(Shop::new()).await;
    server
        .shop
        .import(&json!([{ "repairOrderNumber": 999_999, "customer": "Ann" }]))
        .await;
    let mut socket = owner.listen(&server).await;
    let orders = crate::fixture::plain_orders(200);
    let import = server.shop.import(&orders);
    let desk = async {
        for _ in 0..20 {
            owner.make_one_change(999_999).await;
        }
    };
    let (printed, ()) = tokio::join!(import, desk);
    assert_eq!(
        printed,
        "-: 200 created, 0 changed, 0 unchanged, 0 refused\n"
    );
    for seq in 2..=221 {
        assert_eq!(socket.modified().await["seq"], seq);
    }
    assert_eq!(numbers(&owner).await.len(), 201);
}

#[tokio::test]
async fn a_file_that_is_not_there_loses_nothing_of_those_before_it() {
    let shop = shop_with_samples();
    let ran = shop
        .run(&[
            "import",
            "ours.csv",
            "missing.csv",
            "--rejects",
            "refused.ndjson",
        ])
        .await;
    assert_eq!(ran.code, Some(2), "{ran:?}");
    assert!(ran.out.starts_with("ours.csv: 5 created, "), "{ran:?}");
    assert!(
        ran.err.starts_with("dispatch: cannot read missing.csv: "),
        "{ran:?}"
    );
    assert_eq!(lines(&shop.read("refused.ndjson")).len(), 2);
    assert!(
        !shop.data_dir().join("dispatch.sqlite-wal").exists(),
        "the database is one file again"
    );
}

#[tokio::test]
async fn every_format_is_imported_once_and_a_second_import_changes_nothing() {
    let shop = Shop::new();
    let (server, owner) = running(shop).await;
    let technician_t9 = "  entry 4: Technician 'T9' is no whole number: \
        assigned where the shop has matched it, else listed as unmatched";
    for (name, content, count) in OTHERS {
        server.shop.write(name, content);
        let warnings = if name == "cdk.json" {
            vec![technician_t9]
        } else {
            vec![]
        };
        let out = server.shop.run(&["import", name]).await.good();
        let summary = format!("{name}: {count} created, 0 changed, 0 unchanged, 0 refused");
        assert_eq!(lines(&out), [&[summary.as_str()], &warnings[..]].concat());
    }
    let list = owner.list().await;
    let created = numbers(&owner).await;
    let open = [
        204_501, 204_502, 204_504, 305_101, 305_102, 305_201, 305_202, 406_101, 406_102,
    ];
    assert_eq!(created, open, "one of each format is closed");

    let mut socket = owner.listen(&server).await;
    for (name, _, count) in OTHERS {
        let format = name.split_once('.').unwrap().0;
        let arguments: &[&str] = match format {
            "cdk" | "star" => &["import", name, "--format", format],
            _ => &["import", name],
        };
        let out = server.shop.run(arguments).await.good();
        let summary = format!("{name}: 0 created, 0 changed, {count} unchanged, 0 refused");
        assert_eq!(lines(&out)[0], summary);
    }
    assert_eq!(owner.list().await, list);
    let next = owner.make_one_change(204_502).await;
    assert_eq!(next, list["seq"].as_i64().unwrap() + 1);
    assert_eq!(
        socket.modified().await["seq"],
        next,
        "nothing was announced"
    );
}

#[tokio::test]
async fn a_tag_number_comes_in_every_format_and_a_later_file_changes_it() {
    for database in [Throwaway::sqlite(), Throwaway::postgres().await] {
        let (server, owner) = running(Shop::on(&database)).await;
        for (name, content, _) in OTHERS {
            server.shop.write(name, content);
            server.shop.run(&["import", name]).await.good();
        }
        let row = async |number: i64| {
            let path = format!("/api/repair-orders/specific/{number}");
            owner.get(&path).await.result()[0].clone()
        };
        for (number, tag_number) in [(204_501, "T118"), (305_101, "T305"), (406_101, "T118")] {
            assert_eq!(row(number).await["tagNumber"], tag_number, "{number}");
        }
        assert_eq!(row(406_102).await.get("tagNumber"), None);

        let printed = |order: Value| json!([order]);
        let tagged = printed(json!({ "repairOrderNumber": 406_102, "tagNumber": "Yellow 7" }));
        let silent = printed(json!({ "repairOrderNumber": 406_102, "advisor": "498" }));
        for (orders, changed) in [(tagged, 1), (silent, 0)] {
            assert_eq!(
                server.shop.import(&orders).await,
                format!(
                    "-: 0 created, {changed} changed, {} unchanged, 0 refused\n",
                    1 - changed
                )
            );
        }
        let path = "/api/repair-orders/406102";
        let details = owner.get(path).await.result();
        assert_eq!(details["tagNumber"], "Yellow 7");
        let history = owner.get(&format!("{path}/history")).await.result();
        assert_eq!(
            history[0]["changes"],
            json!([{ "field": "tagNumber", "from": "", "to": "Yellow 7" }])
        );
    }
}

#[tokio::test]
async fn other_formats_do_not_undo_the_desks_work_either() {
    for (name, content, number) in [
        ("cdk.json", OTHERS[0].1, 204_501),
        ("star.json", OTHERS[1].1, 305_101),
        ("star.csv", OTHERS[2].1, 305_201),
    ] {
        let shop = Shop::new();
        shop.hire_technicians().await;
        shop.write(name, content);
        shop.run(&["import", name]).await.good();
        let (server, owner) = running(shop).await;
        owner.change_status(number, 13).await.good();
        owner.change_priority(number, 3).await.good();
        owner.assign(number, 23).await.good();
        let path = format!("/api/repair-orders/specific/{number}");
        let before = owner.get(&path).await.result();

        // The dealer's system says the brakes grind now.
        let new_content = content
            .replace("RAKES SQUEAK", "RAKES GRIND")
            .replace("rakes squeak", "rakes grind");
        assert_ne!(new_content, content);
        server.shop.write(name, new_content);
        let out = server.shop.run(&["import", name]).await.good();
        assert!(
            out.starts_with(&format!("{name}: 0 created, 1 changed, ")),
            "{out}"
        );
        let after = owner.get(&path).await.result();
        assert_ne!(
            after[0]["jobs"][0]["concern"],
            before[0]["jobs"][0]["concern"]
        );
        assert_eq!(
            before.as_array().unwrap().len(),
            after.as_array().unwrap().len()
        );
        for ours in ["appCustomerStatus", "priorityName", "regularIdTechnician"] {
            assert_eq!(after[0][ours], before[0][ours], "{name}: {ours}");
        }
        assert_eq!(
            (
                &after[0]["appCustomerStatus"],
                &after[0]["priorityName"],
                &after[0]["regularIdTechnician"]
            ),
            (&json!("PDI"), &json!("High"), &json!(23))
        );
    }
}

/// A row for each of `orders` orders' three jobs, job by job: an order's rows are together where
/// `together`, else as far apart as they can be.
fn three_jobs_each(orders: usize, together: bool) -> String {
    let mut rows = "RO Number,Customer,Job Number,Concern,Opcode,ETL Id Technician\n".to_owned();
    for row in 0..orders * 3 {
        let (order, job) = if together {
            (row / 3, row % 3)
        } else {
            (row % orders, row / orders)
        };
        rows.push_str(&format!(
            "{},Customer {order},{},Concern of job {job},OP{job},{}\n",
            order + 1,
            job + 1,
            job + 11
        ));
    }
    rows
}

#[tokio::test]
async fn ten_thousand_orders_are_imported_beside_a_server() {
    let (server, owner) = running(Shop::new()).await;
    let mut rows = three_jobs_each(10_000, true);
    rows.push_str("none,Nobody,1,,,\n");
    server.shop.write("year.csv", &rows);
    let import = server.shop.command(&["import", "year.csv"]).output();
    let ran = import.await.unwrap();
    let out = String::from_utf8(ran.stdout).unwrap();
    assert_eq!(
        lines(&out)[0],
        "year.csv: 10000 created, 0 changed, 0 unchanged, 1 refused"
    );
    assert_eq!((ran.status.code(), ran.stderr.len()), (Some(1), 0), "{out}");
    let store = server.shop.store().await;
    assert_eq!(
        store.top().await.unwrap(),
        10_000,
        "each was created by one event"
    );
    let last = owner.get("/api/repair-orders/10000").await.result();
    assert_eq!(last["jobs"].as_array().unwrap().len(), 3);
    assert_eq!(lines(&server.shop.read("year.csv.rejects.ndjson")).len(), 1);
}

#[tokio::test]
async fn rows_far_apart_still_come_to_one_order() {
    let (server, owner) = running(Shop::new()).await;
    server
        .shop
        .write("sorted.csv", three_jobs_each(1_100, false));
    for dry_run in [true, false] {
        let arguments: &[&str] = if dry_run {
            &["import", "sorted.csv", "--dry-run"]
        } else {
            &["import", "sorted.csv"]
        };
        let out = server.shop.run(arguments).await.good();
        let counts = if dry_run {
            "1100 would be created, 0 would be changed"
        } else {
            "1100 created, 2200 changed"
        };
        assert!(out.contains(counts), "{out}");
    }
    let rows = owner.get("/api/repair-orders/specific/7").await.result();
    let technicians: Vec<i64> = rows
        .as_array()
        .unwrap()
        .iter()
        .map(|row| row["ETLIdTechnician"].as_i64().unwrap())
        .collect();
    assert_eq!(
        technicians,
        [11, 12, 13],
        "none of the earlier rows is gone"
    );
    assert_eq!(rows[0]["jobs"].as_array().unwrap().len(), 3);
}

#[tokio::test]
async fn the_local_socket_reports_the_result_of_an_import_line_by_line() {
    let (server, _owner) = running(Shop::new()).await;
    let socket = reqwest::Client::builder()
        .tls_certs_only([])
        .unix_socket(server.shop.data_dir().join("dispatch.sock"))
        .build()
        .unwrap();
    let ask = async |file: &'static str| {
        let address = "http://dispatch/import?file_name=a.csv&format=auto&dry_run=false";
        let answer = socket.post(address).body(file).send().await.unwrap();
        let text = answer.text().await.unwrap();
        let new_rows = lines(&text)
            .into_iter()
            .map(|line| serde_json::from_str::<Value>(line).unwrap());
        // How far it is, is said of an import that takes a second.
        let said = new_rows.filter(|row| row.get("progress").is_none());
        said.collect::<Vec<Value>>()
    };
    assert_eq!(
        ask("ro,technicianId\n1,T9\nx,\n").await,
        [
            json!({ "reject": {
                "place": "line 3",
                "field": "repairOrderNumber",
                "reason": "'x' is not an RO number: it has no digits. Correct it",
                "raw": "x,",
            } }),
            json!({ "warning": "line 2: Technician 'T9' is no whole number: \
                assigned where the shop has matched it, else listed as unmatched" }),
            json!({ "summary": { "created": 1, "changed": 0, "unchanged": 0, "refused": 1 } }),
        ]
    );
    assert_eq!(ask(" \n").await, [json!({ "error": "The file is empty" })]);
}

#[tokio::test]
async fn a_reopened_order_stays_open_until_a_file_has_a_later_closing() {
    let (server, owner) = running(Shop::new()).await;
    let bring = async |members: Value| {
        let mut order = json!({ "repairOrderNumber": 7, "ETLIdTechnician": 11 });
        order
            .as_object_mut()
            .unwrap()
            .extend(members.as_object().unwrap().clone());
        server.shop.import(&json!([order])).await
    };
    bring(json!({})).await;
    let call = async |what: &str| {
        let path = format!("/api/repair-orders/7/{what}");
        owner.post(&path, json!({})).await.good();
    };
    call("close").await;
    bring(json!({ "status": "Closed" })).await;
    call("reopen").await;
    let unchanged = "-: 0 created, 0 changed, 1 unchanged, 0 refused\n";
    for closed in [
        json!({ "status": "Closed" }),
        json!({ "closedDateTime": "2020-01-02T10:00:00Z" }),
    ] {
        assert_eq!(bring(closed).await, unchanged);
    }
    assert_eq!(numbers(&owner).await, [7]);

    // A file that has the technician's column and nobody in it takes them off.
    bring(json!({ "ETLIdTechnician": null })).await;
    let rows = owner.get("/api/repair-orders/specific/7").await.result();
    assert_eq!(rows[0]["ETLIdTechnician"], Value::Null);

    bring(json!({ "closedDateTime": "2199-01-02T10:00:00Z" })).await;
    assert_eq!(numbers(&owner).await, [0_i64; 0]);
}

/// Of the document, each with the name of a file that has it.
fn documented_samples() -> Vec<(String, String)> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/intake.md");
    let document = std::fs::read_to_string(path).unwrap();
    let mut samples = Vec::new();
    for block in document.split("```").skip(1).step_by(2) {
        let (language, sample) = block.split_once('\n').unwrap();
        if ["json", "csv"].contains(&language) {
            samples.push((format!("{}.{language}", samples.len()), sample.to_owned()));
        }
    }
    samples
}

#[tokio::test]
async fn the_samples_of_the_document_are_taken_whole() {
    let samples = documented_samples();
    assert_eq!(samples.len(), 3);
    let shop = Shop::new();
    for (name, sample) in samples {
        shop.write(&name, sample);
        let path = shop.path(&name).display().to_string();
        let ran = shop.run(&["import", &path]).await;
        assert_eq!(ran.code, Some(0), "{name}: {ran:?}");
        let again = shop.run(&["import", &path]).await;
        assert!(again.out.contains(" 0 created, 0 changed"), "{again:?}");
    }
}
