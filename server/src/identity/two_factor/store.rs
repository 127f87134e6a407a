//! Second factors: codes of an authenticator app (RFC 6238) and, for when it is lost, recovery codes.
//! The only SQL about them. An app's secret must be kept as it is; of recovery codes the SHA-256
//! is, which is enough for 120 random bits.

use dispatch_actors::store::{Store, WriteTransaction};
use jiff::Timestamp;
use sea_orm::sea_query::{Expr, OnConflict};
use sea_orm::{
    ColumnTrait, Condition, ConnectionTrait, DbErr, EntityTrait, ExprTrait, IntoActiveModel,
    PaginatorTrait, QueryFilter,
};
use sha2::{Digest, Sha256};
use totp_rs::{Builder, Secret, Totp};

use crate::audit::Recorded;
use crate::identity::sessions::id_tokens::random_bytes;
use crate::identity::trail;
use crate::moments::now_ms;

/// Bytes of a secret; what RFC 4226 recommends.
const SECRET: usize = 20;
const RECOVERY_CODES: usize = 10;
/// Bytes of a recovery code: 24 characters.
const RECOVERY_CODE: usize = 15;

/// What the app shows beside the account's email.
const ISSUER: &str = "Dispatch";

mod app {
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
    #[sea_orm(table_name = "two_factor")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false, column_type = "Text")]
        pub uid: String,
        #[sea_orm(column_type = "Text")]
        pub secret: String,
        pub confirmed_at: Option<i64>,
        pub last_step: Option<i64>,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}
}

mod recovery {
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
    #[sea_orm(table_name = "recovery_codes")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false, column_type = "Text")]
        pub uid: String,
        #[sea_orm(primary_key, auto_increment = false, column_type = "Text")]
        pub hash: String,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}
}

/// What an authenticator app is set up with.
pub(in crate::identity) struct Setup {
    /// Base32, to be typed in.
    pub(in crate::identity) secret: String,
    /// The same for a QR code.
    pub(in crate::identity) uri: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::identity) enum State {
    Off,
    /// An app has the secret, but has not shown yet that it does.
    Begun,
    On,
}

#[derive(Debug, thiserror::Error)]
pub(in crate::identity) enum TwoFactorError {
    #[error(transparent)]
    Database(#[from] DbErr),
    #[error("the secret that is kept cannot be used: {0}")]
    Secret(String),
}

pub(in crate::identity) async fn state(
    reader: &impl ConnectionTrait,
    uid: &str,
) -> Result<State, DbErr> {
    let row = app::Entity::find_by_id(uid).one(reader).await?;
    Ok(match row {
        None => State::Off,
        Some(row) if row.confirmed_at.is_none() => State::Begun,
        Some(_) => State::On,
    })
}

pub(in crate::identity) async fn recovery_codes_left(
    reader: &impl ConnectionTrait,
    uid: &str,
) -> Result<u64, DbErr> {
    recovery::Entity::find()
        .filter(recovery::Column::Uid.eq(uid))
        .count(reader)
        .await
}

/// A new secret, good for nothing until it is confirmed. None when a confirmed one is there.
pub(in crate::identity) async fn begin(
    writer: &impl ConnectionTrait,
    uid: &str,
    email: &str,
) -> Result<Option<Setup>, TwoFactorError> {
    let secret = Secret::from(random_bytes()[..SECRET].to_vec()).to_base32();
    let row = app::Model {
        uid: uid.to_owned(),
        secret: secret.clone(),
        confirmed_at: None,
        last_step: None,
    };
    let begun = app::Entity::insert(row.into_active_model())
        .on_conflict(
            OnConflict::column(app::Column::Uid)
                .update_column(app::Column::Secret)
                .action_and_where(Expr::col((app::Entity, app::Column::ConfirmedAt)).is_null())
                .to_owned(),
        )
        .exec_without_returning(writer)
        .await?;
    if begun == 0 {
        return Ok(None);
    }
    // A colon would end the name.
    let uri = totp(&secret, &email.replace(':', " "))?
        .to_url()
        .map_err(|error| TwoFactorError::Secret(error.to_string()))?;
    Ok(Some(Setup { secret, uri }))
}

/// Turns it on for whoever has a code of the secret that was begun with, and gives recovery codes.
pub(in crate::identity) async fn confirm(
    transaction: &WriteTransaction,
    uid: &str,
    code: &str,
) -> Result<Option<(Vec<String>, Recorded)>, TwoFactorError> {
    if !take_app_code(transaction, uid, code, false).await? {
        return Ok(None);
    }
    app::Entity::update_many()
        .col_expr(app::Column::ConfirmedAt, Expr::value(now_ms()))
        .filter(app::Column::Uid.eq(uid))
        .exec(transaction)
        .await?;
    delete_recovery_codes(transaction, uid).await?;
    let codes: Vec<String> = (0..RECOVERY_CODES).map(|_| recovery_code()).collect();
    let rows = codes.iter().map(|code| {
        let hash = hash(code);
        let uid = uid.to_owned();
        recovery::Model { uid, hash }.into_active_model()
    });
    recovery::Entity::insert_many(rows)
        .exec_without_returning(transaction)
        .await?;
    let recorded = trail::second_factor_changed(transaction, uid, true).await?;
    Ok(Some((codes, recorded)))
}

/// Whether this is a code that is good now, of the app or for recovery. It is used up.
pub(in crate::identity) async fn take_code(
    store: &Store,
    uid: &str,
    code: &str,
) -> Result<bool, TwoFactorError> {
    let code = plain(code);
    if code.len() == 6 && code.bytes().all(|byte| byte.is_ascii_digit()) {
        return take_app_code(store.writer(), uid, &code, true).await;
    }
    let key = (uid.to_owned(), hash(&code));
    // Before anything is held: most that is asked for is none.
    let found = recovery::Entity::find_by_id(key.clone());
    if found.one(store.reader()).await?.is_none() {
        return Ok(false);
    }
    let transaction = store.begin_write().await?;
    let deletion = recovery::Entity::delete_by_id(key)
        .exec(&transaction)
        .await?;
    if deletion.rows_affected == 0 {
        return Ok(false);
    }
    let recorded = trail::recovery_code_used(&transaction, uid).await?;
    transaction.commit().await?;
    recorded.announce();
    Ok(true)
}

async fn take_app_code(
    writer: &impl ConnectionTrait,
    uid: &str,
    code: &str,
    confirmed: bool,
) -> Result<bool, TwoFactorError> {
    let Some(row) = app::Entity::find_by_id(uid).one(writer).await? else {
        return Ok(false);
    };
    if row.confirmed_at.is_some() != confirmed {
        return Ok(false);
    }
    let seconds = u64::try_from(Timestamp::now().as_second()).unwrap_or_default();
    let Some(step) = totp(&row.secret, "")?.check(&plain(code), seconds) else {
        return Ok(false);
    };
    let step = i64::try_from(step).unwrap_or(i64::MAX);
    // Of two who send the same code at once, one is first.
    let update = app::Entity::update_many()
        .col_expr(app::Column::LastStep, Expr::value(step))
        .filter(app::Column::Uid.eq(uid))
        .filter(app::Column::Secret.eq(&row.secret))
        .filter(
            Condition::any()
                .add(app::Column::LastStep.is_null())
                .add(app::Column::LastStep.lt(step)),
        )
        .exec(writer)
        .await?;
    Ok(update.rows_affected > 0)
}

pub(in crate::identity) async fn end(
    transaction: &WriteTransaction,
    uid: &str,
) -> Result<Recorded, DbErr> {
    app::Entity::delete_by_id(uid).exec(transaction).await?;
    delete_recovery_codes(transaction, uid).await?;
    trail::second_factor_changed(transaction, uid, false).await
}

async fn delete_recovery_codes(writer: &impl ConnectionTrait, uid: &str) -> Result<(), DbErr> {
    recovery::Entity::delete_many()
        .filter(recovery::Column::Uid.eq(uid))
        .exec(writer)
        .await?;
    Ok(())
}

/// As RFC 6238 and every app have it: SHA-1, six digits, thirty seconds; a code of the step before
/// or after is good, too.
fn totp(secret: &str, account: &str) -> Result<Totp, TwoFactorError> {
    let failed = |why: &dyn std::fmt::Display| TwoFactorError::Secret(why.to_string());
    let secret = Secret::try_from_base32(secret).map_err(|error| failed(&error))?;
    Builder::new()
        .with_secret(secret)
        .with_account_name(account)
        .with_issuer(Some(ISSUER))
        .build()
        .map_err(|error| failed(&error))
}

/// Groups of four, to be read and typed.
fn recovery_code() -> String {
    let code = Secret::from(random_bytes()[..RECOVERY_CODE].to_vec()).to_base32();
    let code = code.to_lowercase();
    let groups: Vec<&str> = (0..code.len())
        .step_by(4)
        .map(|at| &code[at..at + 4])
        .collect();
    groups.join("-")
}

/// A code however it was typed.
fn plain(code: &str) -> String {
    code.chars()
        .filter(|c| !c.is_whitespace() && *c != '-')
        .flat_map(char::to_lowercase)
        .collect()
}

fn hash(code: &str) -> String {
    format!("{:x}", Sha256::digest(plain(code)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_those_of_the_standard() {
        // RFC 6238, appendix B, of which apps show the last six digits.
        let secret = Secret::from(b"12345678901234567890".to_vec()).to_base32();
        let totp = totp(&secret, "").unwrap();
        for (seconds, code) in [
            (59, "287082"),
            (1_111_111_109, "081804"),
            (20_000_000_000, "353130"),
        ] {
            assert_eq!(totp.generate(seconds).to_string(), code);
            assert_eq!(totp.check(code, seconds), Some(seconds / 30));
            assert!(totp.check(code, seconds + 30).is_some());
            assert!(totp.check(code, seconds.saturating_sub(30)).is_some());
            assert!(totp.check(code, seconds + 61).is_none());
        }
    }

    #[test]
    fn a_recovery_code_can_be_typed_in_any_way() {
        let code = recovery_code();
        assert_eq!(code.len(), 29, "{code}");
        let typed = format!(" {} ", code.to_uppercase().replace('-', " "));
        assert_eq!(hash(&typed), hash(&code));
        assert_ne!(recovery_code(), code);
    }

    #[test]
    fn an_email_with_a_colon_still_makes_a_name() {
        let secret = Secret::from(vec![7; SECRET]).to_base32();
        let name = "a:b@example.com".replace(':', " ");
        assert!(totp(&secret, &name).unwrap().to_url().is_ok());
    }
}
