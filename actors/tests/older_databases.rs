//! Databases of older builds: the migrations run, and what is in them is read, on both databases.

#![expect(
    clippy::unwrap_used,
    reason = "a test stops at the first thing that is wrong"
)]

use std::collections::{BTreeMap, BTreeSet};
use std::slice;
use std::sync::Arc;

use dispatch_actors::repair_order::{Command, ImportedOrder, RepairOrder, RoHeader, RoNumber};
use dispatch_actors::store::{
    Author, Channel, DatabaseUrl, Decision, SearchedWord, Store, Verdict,
};
use dispatch_actors::testing::Throwaway;
use dispatch_migrations::{ADDITIVE_STEPS, Migrator, MigratorTrait};
use jiff::Timestamp;
use sea_orm::{ConnectionTrait, Database, DatabaseConnection, DbBackend, Statement};

/// Migrations of the last build that knew no tag numbers.
const BEFORE_TAG_NUMBERS: u32 = 16;

const WITHOUT_TAG_NUMBER: [&str; 3] = [
    "INSERT INTO repair_orders \
        (number, version, vin, vehicle, customer, advisor, opened_at, customer_status, priority) \
        VALUES (12, 1, '', '2003 Honda Accord', 'Ann', 'Dana', 1784032920000, 'Drop', 'Low')",
    r#"INSERT INTO events (seq, ro_number, version, action, at, by_uid, by_name, channel, change)
        VALUES (1, 12, 1, 'CREATED', 1784032920000, 'import', 'Import', 'import', '{"type":"created","repairOrder":{"number":12,"version":1,"vin":"","vehicle":"2003 Honda Accord","customer":"Ann","advisor":"Dana","openedAt":"2026-07-14T12:42:00Z","customerStatus":"Drop","priority":"Low","regularTechnicians":[],"etlTechnicians":[],"jobs":[]}}')"#,
    "UPDATE event_log SET top = 1",
];

/// Migrations of the last build that found no order by a word without its punctuation.
const BEFORE_JOINED_WORDS: u32 = 21;

const SEARCHED_WITH_PUNCTUATION: [&str; 2] = [
    "INSERT INTO repair_orders \
        (number, version, vin, vehicle, customer, advisor, opened_at, customer_status, priority) \
        VALUES (12, 1, '', '2020 Ford F-150', 'O''Neill', '', 1784032920000, 'Drop', 'Low')",
    "INSERT INTO order_search (opened_at, ro_number, texts) \
        VALUES (1784032920000, 12, '#12\n2020 ford f-150\no''neill')",
];

/// Migrations of the last step for which all servers stop.
const BEFORE_ADDITIVE_STEPS: u32 = 26;

async fn found(store: &Store, word: &str) -> Vec<RepairOrder> {
    let words = SearchedWord::new(word, &[]);
    store
        .search(words.as_slice(), None, None, 10)
        .await
        .unwrap()
}

async fn migrated(database: &Throwaway, migrations: u32) -> DatabaseConnection {
    let url = match &database.url {
        DatabaseUrl::Sqlite(path) => format!("sqlite:{}?mode=rwc", path.display()),
        DatabaseUrl::Postgres(url) => url.clone(),
    };
    let old = Database::connect(url).await.unwrap();
    Migrator::up(&old, Some(migrations)).await.unwrap();
    old
}

/// As a build left it that knew this many migrations.
async fn make_older(database: &Throwaway, migrations: u32, statements: &[&str]) {
    let old = migrated(database, migrations).await;
    for statement in statements {
        old.execute_unprepared(statement).await.unwrap();
    }
    old.close().await.unwrap();
}

async fn an_order_without_a_tag_number_gets_one(database: Throwaway) {
    make_older(&database, BEFORE_TAG_NUMBERS, &WITHOUT_TAG_NUMBER).await;
    let store = database.store().await;
    let number = RoNumber::try_from(12).unwrap();
    let order = store.load(number).await.unwrap().unwrap();
    assert_eq!(order.header.tag_number, "");
    let log = store.events_after(0, 10).await.unwrap();
    let replayed = RepairOrder::replay(log.iter().map(|event| &event.change));
    assert_eq!(replayed, Some(order.clone()));
    assert_eq!(found(&store, "ann").await, slice::from_ref(&order));

    let imported = ImportedOrder {
        dms_number: "12".to_owned(),
        header: RoHeader {
            tag_number: Some("T118".to_owned()),
            ..RoHeader::default()
        },
        ..ImportedOrder::default()
    };
    let changes = order.apply(&Command::Import(Box::new(imported))).unwrap();
    let mut after = order.clone();
    changes.iter().for_each(|change| after.evolve(change));
    assert_eq!(after.header.tag_number, "T118");
    let decision = Decision {
        before: order.version,
        after: Arc::new(after.clone()),
        changes,
        by: Author {
            uid: "import".to_owned(),
            name: "Import".to_owned(),
            channel: Channel::Import,
        },
        request: None,
        idempotency_record: None,
        at: Timestamp::UNIX_EPOCH,
    };
    let verdicts = store.commit(&[decision]).await.unwrap();
    assert!(matches!(&verdicts[..], [Verdict::Committed(_)]));
    assert_eq!(store.load(number).await.unwrap(), Some(after.clone()));
    assert_eq!(found(&store, "t118").await, slice::from_ref(&after));
    let log = store.events_after(0, 10).await.unwrap();
    let replayed = RepairOrder::replay(log.iter().map(|event| &event.change));
    assert_eq!(replayed, Some(after));
}

#[tokio::test]
async fn an_order_without_a_tag_number_gets_one_on_sqlite() {
    an_order_without_a_tag_number_gets_one(Throwaway::sqlite()).await;
}

#[tokio::test]
async fn an_order_without_a_tag_number_gets_one_on_postgres() {
    an_order_without_a_tag_number_gets_one(Throwaway::postgres().await).await;
}

async fn an_order_is_found_without_the_punctuation_of_its_texts(database: Throwaway) {
    make_older(&database, BEFORE_JOINED_WORDS, &SEARCHED_WITH_PUNCTUATION).await;
    let store = database.store().await;
    for word in ["f150", "f-150", "oneill", "o'neill", "#12"] {
        let numbers = found(&store, word).await;
        let numbers: Vec<i64> = numbers.iter().map(|order| order.number.get()).collect();
        assert_eq!(numbers, [12], "{word}");
    }
}

#[tokio::test]
async fn an_order_is_found_without_the_punctuation_of_its_texts_on_sqlite() {
    an_order_is_found_without_the_punctuation_of_its_texts(Throwaway::sqlite()).await;
}

#[tokio::test]
async fn an_order_is_found_without_the_punctuation_of_its_texts_on_postgres() {
    an_order_is_found_without_the_punctuation_of_its_texts(Throwaway::postgres().await).await;
}

#[test]
fn every_step_from_the_first_additive_one_on_is_listed_as_one() {
    let steps = Migrator::migrations();
    let later: Vec<&str> = steps
        .iter()
        .skip(BEFORE_ADDITIVE_STEPS as usize)
        .map(|step| step.name())
        .collect();
    assert_eq!(later, ADDITIVE_STEPS);
}

/// What an older server relies on in a table: its columns, and what may not be there twice.
#[derive(Default)]
struct Table {
    /// By name: type, and whether a row may leave it out.
    columns: BTreeMap<String, (String, bool)>,
    unique_indexes: BTreeSet<String>,
}

async fn tables(database: &DatabaseConnection) -> BTreeMap<String, Table> {
    let [columns, unique_indexes] = match database.get_database_backend() {
        DbBackend::Sqlite => [
            "SELECT t.name, c.name, c.type, c.\"notnull\" = 0 OR c.dflt_value IS NOT NULL OR c.pk = 1 \
                FROM sqlite_master t, pragma_table_info(t.name) c WHERE t.type = 'table'",
            "SELECT t.name, i.name FROM sqlite_master t, pragma_index_list(t.name) i \
                WHERE t.type = 'table' AND i.\"unique\" = 1",
        ],
        _ => [
            "SELECT table_name::text, column_name::text, data_type::text, \
                is_nullable = 'YES' OR column_default IS NOT NULL \
                FROM information_schema.columns WHERE table_schema = 'public'",
            "SELECT tablename::text, indexname::text FROM pg_indexes \
                WHERE schemaname = 'public' AND indexdef LIKE 'CREATE UNIQUE %'",
        ],
    };
    let rows = |statement: &'static str| {
        database.query_all_raw(Statement::from_string(
            database.get_database_backend(),
            statement,
        ))
    };
    let mut tables: BTreeMap<String, Table> = BTreeMap::new();
    for row in rows(columns).await.unwrap() {
        let table: String = row.try_get_by_index(0).unwrap();
        let is_optional: bool = row.try_get_by_index(3).unwrap();
        tables.entry(table).or_default().columns.insert(
            row.try_get_by_index(1).unwrap(),
            (row.try_get_by_index(2).unwrap(), is_optional),
        );
    }
    for row in rows(unique_indexes).await.unwrap() {
        let table: String = row.try_get_by_index(0).unwrap();
        let index = row.try_get_by_index(1).unwrap();
        tables
            .entry(table)
            .or_default()
            .unique_indexes
            .insert(index);
    }
    tables
}

/// A server of before goes on beside them: what it reads is there, and what it writes is taken.
async fn additive_steps_leave_what_an_older_server_relies_on(database: Throwaway) {
    let older = migrated(&database, BEFORE_ADDITIVE_STEPS).await;
    let before = tables(&older).await;
    Migrator::up(&older, None).await.unwrap();
    let after = tables(&older).await;
    older.close().await.unwrap();

    assert!(before["repair_orders"].columns.contains_key("vin"));
    assert!(after.len() > before.len());
    for (name, table) in &before {
        let now = &after[name];
        for (column, kind) in &table.columns {
            assert_eq!(now.columns.get(column), Some(kind), "{name}.{column}");
        }
        for (column, (_, is_optional)) in &now.columns {
            let is_new = !table.columns.contains_key(column);
            assert!(!is_new || *is_optional, "{name}.{column} must be given");
        }
        assert_eq!(now.unique_indexes, table.unique_indexes, "{name}");
    }
}

#[tokio::test]
async fn additive_steps_leave_what_an_older_server_relies_on_on_sqlite() {
    additive_steps_leave_what_an_older_server_relies_on(Throwaway::sqlite()).await;
}

#[tokio::test]
async fn additive_steps_leave_what_an_older_server_relies_on_on_postgres() {
    additive_steps_leave_what_an_older_server_relies_on(Throwaway::postgres().await).await;
}
