//! `dispatch customer`: all of one customer in a file, and erased so that nothing names them any more.

use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::time::Duration;

use dispatch_actors::store::Store;
use dispatch_actors::testing::Throwaway;
use flate2::Compression;
use flate2::write::GzEncoder;
use sea_orm::{ConnectionTrait, DbBackend, Statement};
use serde_json::{Value, json};
use tokio::time::{sleep, timeout};

use crate::fixture::{Desk, Server, Shop, WAIT_TIMEOUT, until};
use crate::receipts::receipts_become;

const NAME: &str = "Ann Millerova";
const VIN: &str = "1HGCM82633A004352";

/// Nothing that is Ann's alone may be left.
const TEXTS: [&str; 5] = [NAME, "Millerova", VIN, "hears a rattle", "T-4389"];

fn order(number: i64, name: &str, vin: &str) -> Value {
    json!({
        "repairOrderNumber": number,
        "customer": name,
        "vehicleVIN": vin,
        "vehicle": "2003 Honda Accord",
        "tagNumber": format!("T-{number}"),
        "advisor": "Dana",
        "jobs": [{
            "jobNumber": 1,
            "concern": format!("{name} hears a rattle"),
            "operations": [{ "operationCode": "BRK", "operationDesciption": "Brakes", "soldHours": 1.5 }],
        }],
    })
}

/// Two orders of Ann's, one of them closed, with every kind of text; and one of Bob's.
async fn shop_with_ann(shop: Shop) -> (Server, Desk) {
    shop.hire_technicians().await;
    let folder = shop.path("intake").display().to_string();
    let server = Server::start_in(shop, &["--intake-dir", &folder]).await;
    // A name that was corrected, so that events have two.
    server
        .shop
        .import(&json!([order(4389, "A. Millerova", VIN)]))
        .await;
    let orders = json!([
        order(4389, NAME, VIN),
        order(4390, NAME, VIN),
        order(4400, "Bob Ray", "")
    ]);
    server.shop.import(&orders).await;
    let owner = server.hire("owner@example.com", "Owner").await;
    owner.assign(4389, 11).await.good();
    // It follows the assignment.
    receipts_become(&owner, |receipts| receipts.len() == 1).await;
    let texts = json!({
        "cause": "worn pads",
        "briefTechNotes": format!("told {NAME} by phone"),
        "techStory": format!("{NAME} brought {VIN}: \"it hears a rattle\""),
    });
    owner
        .patch("/api/repair-orders/4389/jobs/1", texts)
        .await
        .good();
    let technician = server.shop.store().await;
    let view = json!({ "name": "Her cars", "query": "tab=pdi&q=ann+millerova", "shared": true });
    owner.post("/api/views", view).await.good();
    let correction = "INSERT INTO clock_corrections (entry, place, at, by_uid, by_name, reason) \
                      VALUES (1, 1, 1, 'x', 'Dana', 'Ann Millerova came late')";
    let entry = "INSERT INTO clock_entries (id, technician, started_at, ended_at, ro_number, job_number) \
                 VALUES (1, 11, 1784000000000, 1784003600000, 4389, 1)";
    let proposal = "INSERT INTO clock_proposals \
                    (entry, technician, proposed_at, by_uid, by_name, reason, started_at, ended_at) VALUES \
                    (1, 11, 1, 'x', 'Dana', 'Ann Millerova called', 1784000000000, 1784003600000)";
    let receipt =
        "UPDATE assignment_receipts SET reason = 'Ann Millerova is my aunt' WHERE ro_number = 4389";
    let interview = "INSERT INTO tech_story_conversations (id, uid, ro_number, job_number, interviewer, \
                     language, cause, brief_tech_notes, turns, reply, started_at) VALUES \
                     ('c', 'x', 4389, 1, 'built-in', 'en', 'worn', 'Ann Millerova', '[]', '{}', 9999999999999)";
    for sql in [correction, entry, proposal, receipt, interview] {
        technician.writer().execute_unprepared(sql).await.unwrap();
    }
    technician.close().await;
    owner
        .post("/api/repair-orders/4390/close", json!({}))
        .await
        .good();
    for (file, text) in [
        (
            "done/monday.csv",
            "number,customer\n4389,\"Millerova, Ann\"\n".to_owned(),
        ),
        ("rejected/tuesday.csv", format!("number,vin\n?,{VIN}\n")),
        (
            "done/others.csv",
            "number,customer\n4400,Bob Ray\n".to_owned(),
        ),
    ] {
        server.shop.write(&format!("intake/{file}"), text);
    }
    (server, owner)
}

async fn tables(store: &Store) -> Vec<String> {
    let (backend, sql) = match store.reader().get_database_backend() {
        DbBackend::Postgres => (
            DbBackend::Postgres,
            "SELECT CAST(tablename AS TEXT) FROM pg_tables WHERE schemaname = 'public'",
        ),
        backend => (
            backend,
            "SELECT name FROM sqlite_schema WHERE type = 'table'",
        ),
    };
    let rows = store
        .reader()
        .query_all_raw(Statement::from_string(backend, sql))
        .await
        .unwrap();
    rows.iter()
        .map(|row| row.try_get_by_index(0).unwrap())
        .collect()
}

/// Every row of every table, as text.
async fn everything(store: &Store) -> Vec<(String, String)> {
    let mut all = Vec::new();
    let backend = store.reader().get_database_backend();
    for table in tables(store).await {
        let sql = match backend {
            DbBackend::Postgres => format!("SELECT CAST(t AS TEXT) AS row FROM {table} t"),
            _ => {
                let columns = format!(
                    "SELECT group_concat('coalesce(\"' || name || '\", '''')', ' || ''|'' || ') FROM pragma_table_info('{table}')"
                );
                let columns = Statement::from_string(backend, columns);
                let row = store
                    .reader()
                    .query_one_raw(columns)
                    .await
                    .unwrap()
                    .unwrap();
                let columns: String = row.try_get_by_index(0).unwrap();
                format!("SELECT CAST({columns} AS TEXT) AS row FROM {table}")
            }
        };
        let rows = Statement::from_string(backend, sql);
        for row in store.reader().query_all_raw(rows).await.unwrap() {
            all.push((table.clone(), row.try_get_by_index(0).unwrap()));
        }
    }
    all
}

async fn rows_naming_ann(store: &Store) -> Vec<(String, String)> {
    let mut rows = everything(store).await;
    let lower = |text: &str| text.to_lowercase();
    rows.retain(|(_, row)| TEXTS.iter().any(|text| lower(row).contains(&lower(text))));
    // Bob hears one, too.
    rows.retain(|(_, row)| !row.contains("Bob Ray"));
    rows
}

async fn nothing_names_an_erased_customer(shop: Shop) {
    let (mut server, owner) = shop_with_ann(shop).await;
    let store = server.shop.store().await;
    assert!(rows_naming_ann(&store).await.len() > 10, "they are read");
    let mut screen = owner.listen(&server).await;
    let dry = ["customer", "erase", "--name", "ann MILLEROVA", "--dry-run"];
    let output = server.shop.run(&dry).await.good();
    assert!(
        output.contains("4389 (open)") && output.contains("4390 (closed)"),
        "{output}"
    );
    assert!(
        output.contains("monday.csv") && output.contains("tuesday.csv"),
        "{output}"
    );
    assert!(
        !output.contains("others.csv") && !output.contains("4400"),
        "{output}"
    );
    assert!(rows_naming_ann(&store).await.len() > 10, "nothing is done");
    let erase = ["customer", "erase", "--name", NAME];
    let refused = server.shop.run(&erase).await.refused();
    assert!(refused.contains("--yes"), "{refused}");

    let output = server
        .shop
        .run(&[&erase[..], &["--yes"]].concat())
        .await
        .good();
    assert!(
        output.starts_with("Erased: 2 repair orders with "),
        "{output}"
    );
    let heard = screen.modified().await;
    assert_eq!(
        (&heard["action"], &heard["rows"][0]["customer"]),
        (&json!("CUSTOMER_ERASED"), &json!(""))
    );
    assert_eq!(rows_naming_ann(&store).await, []);
    for (file, is_there) in [
        ("done/monday.csv", false),
        ("rejected/tuesday.csv", false),
        ("done/others.csv", true),
    ] {
        assert_eq!(
            server.shop.path(&format!("intake/{file}")).exists(),
            is_there,
            "{file}"
        );
    }
    // The shop's own figures stay.
    let erased = owner.get("/api/repair-orders/4389").await.result();
    let operation = &erased["jobs"][0]["operations"][0];
    assert_eq!(
        (&operation["operationCode"], &operation["soldHours"]),
        (&json!("BRK"), &json!(1.5))
    );
    assert_eq!(erased["advisor"], "Dana");
    let history = owner.get("/api/repair-orders/4389/history").await.result();
    assert!(history.as_array().unwrap().len() >= 5, "{history}");
    let trail = owner.get("/api/audit?kind=customer-erased").await.result();
    let event = &trail["events"][0];
    assert_eq!(event["actor"], "command-line", "{trail}");
    assert!(
        event["detail"]
            .as_str()
            .unwrap()
            .contains("2 repair orders"),
        "{trail}"
    );

    // The dealer's system does not know of it, and sends the order again.
    server.shop.import(&json!([order(4389, NAME, VIN)])).await;
    let again = server
        .shop
        .run(&[&erase[..], &["--yes"]].concat())
        .await
        .good();
    assert!(again.contains("Erased: 0 repair orders"), "{again}");
    assert_eq!(rows_naming_ann(&store).await, []);
    store.close().await;
    server.sigterm().await;
    let file = server.shop.data_dir().join("dispatch.sqlite");
    if file.exists() {
        is_in_no_byte_of(&file);
    }
}

/// Neither in the file's free places.
fn is_in_no_byte_of(path: &std::path::Path) {
    let bytes = std::fs::read(path).unwrap();
    let is_there = |text: &str| {
        bytes
            .windows(text.len())
            .any(|part| part == text.as_bytes())
    };
    assert!(is_there("Bob Ray"), "others' names are in the file");
    for text in [NAME, VIN, "millerova"] {
        assert!(!is_there(text), "{text} is in the file");
    }
}

#[tokio::test]
async fn nothing_names_an_erased_customer_on_sqlite() {
    nothing_names_an_erased_customer(Shop::new()).await;
}

#[tokio::test]
async fn nothing_names_an_erased_customer_on_postgres() {
    let database = Throwaway::postgres().await;
    nothing_names_an_erased_customer(Shop::on(&database)).await;
}

#[tokio::test]
async fn an_export_has_all_of_a_customer_and_nothing_of_another() {
    let (server, owner) = shop_with_ann(Shop::new()).await;
    let export = ["customer", "export", "--vin", VIN, "--to", "ann.json"];
    server.shop.run(&export).await.good();
    let text = server.shop.read("ann.json");
    for part in [
        "A. Millerova",
        "told Ann",
        "came late",
        "my aunt",
        "worn pads",
        "BRK",
    ] {
        assert!(text.contains(part), "{part} is not in {text}");
    }
    assert!(!text.contains("Bob"), "{text}");
    let exported: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(exported["repairOrders"].as_array().unwrap().len(), 2);
    let mode = std::fs::metadata(server.shop.path("ann.json"))
        .unwrap()
        .permissions()
        .mode();
    assert_eq!(mode & 0o777, 0o600);
    let refused = server.shop.run(&export).await.refused();
    assert!(refused.contains("is there already"), "{refused}");
    let nobody = [
        "customer",
        "export",
        "--name",
        "Nobody",
        "--to",
        "nobody.json",
    ];
    let refused = server.shop.run(&nobody).await.refused();
    assert!(refused.starts_with("No repair order has"), "{refused}");
    let trail = owner
        .get("/api/audit?kind=customer-exported")
        .await
        .result();
    assert!(!trail.to_string().contains("Millerova"), "{trail}");
    let events = trail["events"].as_array().unwrap();
    assert_eq!(events.len(), 1, "{trail}");
    assert_eq!(events[0]["kind"], "customer-exported");
    let whom = server
        .shop
        .run(&["customer", "export", "--to", "x.json"])
        .await;
    assert_eq!(whom.code, Some(2), "{whom:?}");
}

/// As a server leaves it that was killed when Ann's orders were to be erased, and none was.
async fn cut_off_erasure(store: &Store) {
    for sql in [
        "INSERT INTO pending_erasures (ro_number) VALUES (4389), (4390)",
        "DELETE FROM named_views",
    ] {
        store.writer().execute_unprepared(sql).await.unwrap();
    }
}

/// Waits until no row names her.
async fn ann_is_erased(store: &Store) {
    let erased = async {
        while !rows_naming_ann(store).await.is_empty() {
            sleep(Duration::from_millis(100)).await;
        }
    };
    let erased = timeout(WAIT_TIMEOUT, erased).await;
    assert!(erased.is_ok(), "{:?}", rows_naming_ann(store).await);
}

#[tokio::test]
async fn an_erasure_that_was_cut_off_is_finished_at_the_next_start() {
    let (mut server, _) = shop_with_ann(Shop::new()).await;
    server.sigkill().await;
    let store = server.shop.store().await;
    cut_off_erasure(&store).await;
    server.restart().await;
    ann_is_erased(&store).await;
    let recorded = async {
        while !server
            .shop
            .read("server.log")
            .contains("event=customer-erased")
        {
            sleep(Duration::from_millis(100)).await;
        }
    };
    let recorded = timeout(WAIT_TIMEOUT, recorded).await;
    assert!(recorded.is_ok(), "{}", server.shop.read("server.log"));
    store.close().await;
}

#[tokio::test]
async fn a_customer_is_erased_without_a_server_too() {
    let (mut server, _) = shop_with_ann(Shop::new()).await;
    server.sigterm().await;
    let intake = server.shop.path("intake").display().to_string();
    let erase = [
        "customer",
        "erase",
        "--ro",
        "4389,4390",
        "--intake-dir",
        &intake,
        "--yes",
    ];
    let output = server.shop.run(&erase).await.good();
    assert!(output.contains("monday.csv"), "{output}");
    let store = server.shop.store().await;
    assert_eq!(rows_naming_ann(&store).await, []);
    store.close().await;
}

#[tokio::test]
async fn an_erasure_that_an_error_stopped_is_tried_again_while_the_server_runs() {
    let (mut server, _) = shop_with_ann(Shop::new()).await;
    server.sigkill().await;
    let store = server.shop.store().await;
    cut_off_erasure(&store).await;
    let refuse = "CREATE TRIGGER erasures_do_not_end BEFORE DELETE ON pending_erasures \
                  BEGIN SELECT RAISE(ABORT, 'not now'); END";
    store.writer().execute_unprepared(refuse).await.unwrap();
    server.restart().await;
    until("the erasure fails", || {
        let log = server.shop.read("server.log");
        log.contains("an erasure that was cut off is not done")
    })
    .await;
    assert!(!rows_naming_ann(&store).await.is_empty());
    let allow = "DROP TRIGGER erasures_do_not_end";
    store.writer().execute_unprepared(allow).await.unwrap();
    ann_is_erased(&store).await;
    until("the erasure is in the trail", || {
        let log = server.shop.read("server.log");
        log.contains("event=customer-erased")
    })
    .await;
    assert!(store.pending_erasures().await.unwrap().is_empty());
    store.close().await;
}

fn packed(text: &str) -> Vec<u8> {
    let mut packed = GzEncoder::new(Vec::new(), Compression::fast());
    packed.write_all(text.as_bytes()).unwrap();
    packed.finish().unwrap()
}

#[tokio::test]
async fn a_kept_file_is_deleted_however_it_writes_the_customer_and_named_if_it_is_no_text() {
    let (server, _) = shop_with_ann(Shop::new()).await;
    let of_the_dealer = |number: i64, text: &str| {
        let mut order = order(number, "Jürgen Müller", "");
        order["repairOrderNumber"] = json!(text);
        order
    };
    let orders = json!([
        of_the_dealer(123_456, "RO-12-3456"),
        of_the_dealer(12_345, "12345"),
    ]);
    server.shop.import(&orders).await;
    let theirs: [(&str, Vec<u8>); 7] = [
        ("done/dashes.csv", b"number,km\nRO-12-3456,80000\n".into()),
        ("done/zeros.csv", b"number,km\n0012345,80000\n".into()),
        (
            "done/python.json",
            br#"[{"customer": "J\u00fcrgen M\u00fcller"}]"#.into(),
        ),
        (
            "rejected/windows.csv",
            b"customer\nM\xFCller; J\xFCrgen\n".into(),
        ),
        (
            "rejected/message.xml",
            b"<name>J&#252;rgen M&#xFC;ller</name>".into(),
        ),
        (
            "rejected/row.csv.rejects.ndjson",
            br#"{"row":"{\"customer\": \"J\\u00fcrgen M\\u00fcller\"}"}"#.into(),
        ),
        (
            "rejected/packed.csv.gz",
            packed("customer\nJürgen Müller\n"),
        ),
    ];
    for (file, content) in &theirs {
        server.shop.write(&format!("intake/{file}"), content);
    }
    let sheet = "intake/rejected/sheet.xlsx";
    server.shop.write(sheet, b"PK\x03\x04\x14\0\x06\0");

    let erase = ["customer", "erase", "--name", "Jürgen Müller"];
    let dry = [&erase[..], &["--dry-run"]].concat();
    let found = server.shop.run(&dry).await.good();
    let yes = [&erase[..], &["--yes"]].concat();
    let output = server.shop.run(&yes).await.good();
    for (file, _) in theirs {
        assert!(found.contains(file), "{file} is not in {found}");
        assert!(
            output
                .lines()
                .any(|line| line.starts_with("Deleted: ") && line.ends_with(file)),
            "{file} is not in {output}"
        );
        assert!(!server.shop.path(&format!("intake/{file}")).exists());
    }
    // Somebody has to look into this one.
    for text in [&found, &output] {
        assert!(
            text.lines()
                .any(|line| line.starts_with("Not read as text") && line.ends_with(sheet)),
            "{text}"
        );
        assert!(!text.contains("others.csv"), "{text}");
    }
    assert!(server.shop.path(sheet).exists());
    assert!(server.shop.path("intake/done/others.csv").exists());
}
