//! The database: that it opens and is whole, and that its schema is one that this build can work with.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use dispatch_actors::store::{
    self, DatabaseInspection, DatabaseUrl, PostgresConnections, SchemaState,
};
use jiff::Timestamp;

use super::Patient;
use super::access::{ServerUser, quoted};
use super::finding::Finding;
use crate::database::{DatabaseError, refuse_missing};
use crate::version::VERSION;

const CHECK: &str = "database";
const SCHEMA: &str = "schema";

/// Besides, when the newest event was committed.
pub(super) async fn check(patient: &Patient) -> (Vec<Finding>, Option<Timestamp>) {
    let shop = &patient.config.shop;
    let database = &shop.database;
    if let Err(missing) = refuse_missing(shop) {
        let advice = match &missing {
            DatabaseError::MissingWithCopy { copy, .. } => {
                format!("stop the server, and dispatch restore {}", quoted(copy))
            }
            _ => "dispatch restore BACKUP brings a backup back (docs/backup.md)".to_owned(),
        };
        return (vec![Finding::wrong(CHECK, missing, advice)], None);
    }
    if let DatabaseUrl::Sqlite(file) = database
        && !file.exists()
    {
        let found = format!(
            "there is none yet: the first start makes {}",
            file.display()
        );
        return (vec![Finding::ok(CHECK, found)], None);
    }
    if let DatabaseUrl::Sqlite(file) = database
        && let Some(unwritable) = unwritable(file, ServerUser::of(&shop.data_dir))
    {
        return (vec![unwritable], None);
    }
    let inspection = match store::inspect(database).await {
        Ok(inspection) => inspection,
        Err(error) => return (vec![Finding::wrong(CHECK, error, advice(database))], None),
    };
    let mut findings = vec![integrity(database, &inspection)];
    let connections = inspection.connections;
    // A server that runs has its own already.
    let wanted = match patient.server {
        Some(_) => 0,
        None => shop.database_connections,
    };
    findings.extend(connections.map(|of| connections_finding(of, wanted)));
    findings.push(schema(&inspection.schema));
    (findings, inspection.newest)
}

/// The database, or a file that SQLite keeps beside it, in which this user cannot write.
fn unwritable(file: &Path, user: ServerUser) -> Option<Finding> {
    ["", "-wal", "-shm"].into_iter().find_map(|ending| {
        let mut file = file.as_os_str().to_owned();
        file.push(ending);
        let file = PathBuf::from(file);
        let why = user.cannot_change(&file)?;
        let found = format!("nothing can be written to {}: {why}", file.display());
        let advice = match why.kind() {
            ErrorKind::ReadOnlyFilesystem => {
                "mount its disk for writing (mount -o remount,rw), and look \
                in the machine's log (journalctl -k) why it is read-only"
                    .to_owned()
            }
            _ => format!("{} && chmod 600 {}", user.own(&file), quoted(&file)),
        };
        Some(Finding::wrong(CHECK, found, advice))
    })
}

fn advice(database: &DatabaseUrl) -> &'static str {
    match database {
        DatabaseUrl::Sqlite(_) => {
            "check who owns the file; where it is damaged, dispatch restore BACKUP (docs/backup.md)"
        }
        DatabaseUrl::Postgres(_) => {
            "check that PostgreSQL runs and takes this user: host, port, name, password, pg_hba.conf"
        }
    }
}

fn integrity(database: &DatabaseUrl, inspection: &DatabaseInspection) -> Finding {
    let product = &inspection.product;
    if let Some(damage) = &inspection.damage {
        let found = format!("{database} is damaged: {damage}");
        let advice = "stop the server, keep a copy of the file, and dispatch restore BACKUP";
        return Finding::wrong(CHECK, found, advice);
    }
    match database {
        DatabaseUrl::Postgres(_) => Finding::ok(CHECK, format!("{database} answers ({product})")),
        DatabaseUrl::Sqlite(file) if inspection.has_unread_log => Finding::warning(
            CHECK,
            format!(
                "{database} is whole ({product}), without the last changes, which wait in {}-wal",
                file_name(file)
            ),
            "keep that file beside the database: the next start writes it back",
        ),
        DatabaseUrl::Sqlite(_) => Finding::ok(
            CHECK,
            format!("{database} is whole ({product}, quick_check)"),
        ),
    }
}

fn file_name(file: &Path) -> String {
    let name = file.file_name().unwrap_or_default();
    name.to_string_lossy().into_owned()
}

/// `wanted`: connections that are not taken yet.
fn connections_finding(of: PostgresConnections, wanted: u32) -> Finding {
    const CHECK: &str = "connections";
    if of.is_standby {
        let found = "this PostgreSQL is a standby, which takes no change";
        return Finding::wrong(CHECK, found, "name the primary with --database-url");
    }
    let free = (of.allowed - of.used).max(0);
    let found = format!("{} of {} are free", free, of.allowed);
    if free >= i64::from(wanted) {
        return Finding::ok(CHECK, found);
    }
    Finding::warning(
        CHECK,
        format!("{found}, and a server takes up to {wanted}"),
        "lower --database-connections, raise max_connections in postgresql.conf, or end what holds them",
    )
}

fn counted(steps: usize) -> String {
    match steps {
        1 => "one step".to_owned(),
        _ => format!("{steps} steps"),
    }
}

fn schema(schema: &SchemaState) -> Finding {
    match schema {
        SchemaState::Current => {
            Finding::ok(SCHEMA, format!("is that of this dispatch ({VERSION})"))
        }
        SchemaState::Empty => Finding::ok(SCHEMA, "there is none yet: the first start makes it"),
        SchemaState::Older(steps) => Finding::warning(
            SCHEMA,
            format!(
                "is {} older than this dispatch ({VERSION})",
                counted(*steps)
            ),
            "the next start brings it up to date, and an older dispatch cannot open it after that: \
             keep a backup (docs/backup.md)",
        ),
        SchemaState::Extended(steps) => Finding::warning(
            SCHEMA,
            format!(
                "is of a newer dispatch than this one ({VERSION}), which works beside it: it has {}",
                steps.join(", ")
            ),
            "install the newer dispatch here, too",
        ),
        SchemaState::Newer(steps) => Finding::wrong(
            SCHEMA,
            format!(
                "is of a newer dispatch than this one ({VERSION}): it has {}",
                steps.join(", ")
            ),
            "install the newer dispatch again, or restore a backup from before the update",
        ),
        SchemaState::Foreign(table) => Finding::wrong(
            SCHEMA,
            format!("is another program's: it has the table {table}, and none of ours"),
            "name another database with --database-url",
        ),
    }
}
