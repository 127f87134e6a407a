//! What is written into a shop's SQLite database while no server runs on it: accounts, and another past.

use std::path::Path;

use sea_orm::{ConnectionTrait, Database};

use crate::error::LoadTestError;

/// Leaves an account as an invitation does: without a password.
pub async fn remove_password(data_dir: &Path, email: &str) -> Result<(), LoadTestError> {
    let statement = format!("UPDATE accounts SET password_hash = '' WHERE email = '{email}'");
    execute(data_dir, &statement).await
}

/// Adds person1@example.com and so on, with the password of the only account, which spares hashing it for each.
pub async fn copy_account(data_dir: &Path, people: u32) -> Result<(), LoadTestError> {
    let copies = |table: &str, changed: &str| {
        format!(
            "CREATE TEMPORARY TABLE copies AS
             WITH RECURSIVE numbers(number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM numbers WHERE number < {people})
             SELECT original.* FROM numbers, (SELECT * FROM {table} LIMIT 1) AS original;
             UPDATE copies SET {changed};
             INSERT INTO {table} SELECT * FROM copies;
             DROP TABLE copies;"
        )
    };
    let email = "'person' || rowid || '@example.com'";
    let accounts = copies(
        "accounts",
        &format!("uid = 'person' || rowid, email = {email}"),
    );
    let documents = copies("staff_documents", &format!("id = {email}, email = {email}"));
    execute(data_dir, &format!("BEGIN; {accounts} {documents} COMMIT;")).await
}

/// Everything was closed, and written down, a year earlier.
pub async fn make_a_year_older(data_dir: &Path) -> Result<(), LoadTestError> {
    let year = 365_i64 * 24 * 60 * 60 * 1_000;
    let statements = format!(
        "BEGIN; UPDATE events SET at = at - {year};
         UPDATE repair_orders SET closed_at = closed_at - {year} WHERE closed_at IS NOT NULL; COMMIT;"
    );
    execute(data_dir, &statements).await
}

async fn execute(data_dir: &Path, statements: &str) -> Result<(), LoadTestError> {
    let path = data_dir.join("dispatch.sqlite");
    let failed = |error| LoadTestError::Machine(format!("{}: {error}", path.display()));
    let url = format!("sqlite://{}", path.display());
    let database = Database::connect(url).await.map_err(failed)?;
    let executed = database.execute_unprepared(statements).await;
    executed.map_err(failed)?;
    database.close().await.map_err(failed)
}
