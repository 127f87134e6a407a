//! Accounts: who can sign in. Adding and removing them and changing their roles, each with what it
//! means for the sessions that are running.

use actix_web::http::StatusCode;
use jiff::Timestamp;
use sea_orm::{
    ColumnTrait, ConnectionTrait, DbErr, EntityTrait, IntoActiveModel, PaginatorTrait, QueryFilter,
    QuerySelect, SqlErr,
};
use uuid::Uuid;

use super::passwords::{self, PasswordHash};
use super::{Identity, sessions};
use crate::error::ApiError;
use crate::staff::{Role, StaffDocument, delete_documents, find_document, put_document};
use row::{Column, Entity};

/// RFC 5321's path without its brackets.
const LONGEST_EMAIL: usize = 254;
const LONGEST_NAME: usize = 200;

mod row {
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
    #[sea_orm(table_name = "accounts")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false, column_type = "Text")]
        pub uid: String,
        #[sea_orm(column_type = "Text")]
        pub email: String,
        #[sea_orm(column_type = "Text")]
        pub password_hash: String,
        pub created_at: i64,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}
}

pub(super) use row::Model as Account;

/// An email address as the key of a person: lower case.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Email(String);

impl Email {
    /// Mail servers know best which addresses exist; this only keeps out what cannot be one.
    pub(super) fn parse(text: &str) -> Result<Self, ApiError> {
        let email = text.trim().to_lowercase();
        let plausible = email.len() <= LONGEST_EMAIL
            && !email.chars().any(|c| c.is_whitespace() || c.is_control())
            && email.split_once('@').is_some_and(|(mailbox, host)| {
                !mailbox.is_empty() && !host.is_empty() && !host.contains('@')
            });
        if plausible {
            Ok(Self(email))
        } else {
            Err(ApiError::new(
                StatusCode::BAD_REQUEST,
                "invalid-email",
                "This is not an email address: write it like name@example.com",
            ))
        }
    }

    pub(super) fn as_str(&self) -> &str {
        &self.0
    }
}

pub(super) async fn by_uid(
    reader: &impl ConnectionTrait,
    uid: &str,
) -> Result<Option<Account>, DbErr> {
    Entity::find_by_id(uid).one(reader).await
}

pub(super) async fn by_email(
    reader: &impl ConnectionTrait,
    email: &Email,
) -> Result<Option<Account>, DbErr> {
    Entity::find()
        .filter(Column::Email.eq(email.as_str()))
        .one(reader)
        .await
}

impl Identity {
    pub async fn count_accounts(&self) -> Result<u64, ApiError> {
        Ok(Entity::find().count(self.inner.store.reader()).await?)
    }

    pub async fn has_account(&self, email: &str) -> Result<bool, ApiError> {
        let email = Email::parse(email)?;
        Ok(by_email(self.inner.store.reader(), &email).await?.is_some())
    }

    /// Adds an account and its staff document, and gives the new user id. `technician_id` is the
    /// technician this person is. A document that waits under this email without an account is
    /// replaced. 409 `email-already-in-use`, 400 `invalid-email`, `invalid-name` or
    /// `weak-password`.
    pub async fn add_user(
        &self,
        email: &str,
        name: &str,
        roles: &[Role],
        technician_id: Option<i64>,
        password: &str,
    ) -> Result<String, ApiError> {
        let hash = passwords::hash(password.to_owned()).await?;
        self.add_user_with_hash(email, name, roles, technician_id, &hash)
            .await
    }

    /// For adding many users who share a password: hashing it is the slow part.
    pub async fn add_user_with_hash(
        &self,
        email: &str,
        name: &str,
        roles: &[Role],
        technician_id: Option<i64>,
        password: &PasswordHash,
    ) -> Result<String, ApiError> {
        let email = Email::parse(email)?;
        let document = StaffDocument {
            id: email.as_str().to_owned(),
            email: email.as_str().to_owned(),
            name: valid_name(name)?,
            roles: distinct(roles),
            skill: None,
            technician_id,
            invited: false,
            invited_at: None,
        };
        let uid = Uuid::new_v4().to_string();
        let account = Account {
            uid: uid.clone(),
            email: email.as_str().to_owned(),
            password_hash: password.as_str().to_owned(),
            created_at: Timestamp::now().as_millisecond(),
        };
        let transaction = self.inner.store.begin_write().await?;
        Entity::insert(account.into_active_model())
            .exec_without_returning(&transaction)
            .await
            .map_err(|error| match error.sql_err() {
                Some(SqlErr::UniqueConstraintViolation(_)) => already_in_use(&email),
                _ => error.into(),
            })?;
        put_document(&transaction, &document).await?;
        transaction.commit().await?;
        Ok(uid)
    }

    /// Gives a user these roles in place of those they have. Taking any away ends all their
    /// sign-in sessions, so that nothing goes on under the old ones. 404 `unknown-user`.
    pub async fn set_roles(&self, email: &str, roles: &[Role]) -> Result<(), ApiError> {
        let email = Email::parse(email)?;
        let roles = distinct(roles);
        let identity = self.clone();
        super::to_the_end(async move {
            let transaction = identity.inner.store.begin_write().await?;
            let account = lock(&transaction, &email).await?;
            let uid = account.as_ref().map(|account| account.uid.as_str());
            let document =
                find_document(&transaction, uid.unwrap_or_default(), email.as_str()).await?;
            let mut document = match (document, uid) {
                (Some(document), _) => document,
                (None, Some(_)) => blank(&email),
                (None, None) => return Err(unknown(&email)),
            };
            let takes_away = document.roles.iter().any(|role| !roles.contains(role));
            document.roles = roles;
            put_document(&transaction, &document).await?;
            let ended = match uid {
                Some(uid) if takes_away => sessions::end_all_of(&transaction, uid).await?,
                _ => Vec::new(),
            };
            transaction.commit().await?;
            if let Some(uid) = uid {
                identity.inner.callers.forget_user(uid);
            }
            identity.announce_ended(ended);
            Ok(())
        })
        .await
    }

    /// Removes the account, the staff documents and the sign-in sessions of a user. 404
    /// `unknown-user`.
    pub async fn remove_user(&self, email: &str) -> Result<(), ApiError> {
        let email = Email::parse(email)?;
        let identity = self.clone();
        super::to_the_end(async move {
            let transaction = identity.inner.store.begin_write().await?;
            let account = lock(&transaction, &email).await?;
            let mut ended = Vec::new();
            let mut ids = vec![email.as_str()];
            if let Some(account) = &account {
                ended = sessions::end_all_of(&transaction, &account.uid).await?;
                ids.push(&account.uid);
                Entity::delete_by_id(&account.uid)
                    .exec(&transaction)
                    .await?;
            }
            let documents = delete_documents(&transaction, ids).await?;
            if account.is_none() && documents == 0 {
                return Err(unknown(&email));
            }
            transaction.commit().await?;
            if let Some(account) = &account {
                identity.inner.callers.forget_user(&account.uid);
            }
            identity.announce_ended(ended);
            Ok(())
        })
        .await
    }
}

/// Holds the account's row until the transaction ends: on PostgreSQL a session that wants to start
/// waits for it (on SQLite there is one writer anyway).
async fn lock(transaction: &impl ConnectionTrait, email: &Email) -> Result<Option<Account>, DbErr> {
    Entity::find()
        .filter(Column::Email.eq(email.as_str()))
        .lock_exclusive()
        .one(transaction)
        .await
}

fn blank(email: &Email) -> StaffDocument {
    StaffDocument {
        id: email.as_str().to_owned(),
        email: email.as_str().to_owned(),
        name: email.as_str().to_owned(),
        roles: Vec::new(),
        skill: None,
        technician_id: None,
        invited: false,
        invited_at: None,
    }
}

fn valid_name(text: &str) -> Result<String, ApiError> {
    let name = text.trim();
    let sentence = if name.is_empty() {
        "The name is missing"
    } else if name.chars().count() > LONGEST_NAME {
        "The name is longer than 200 characters"
    } else if name.chars().any(char::is_control) {
        "The name has line breaks or other control characters"
    } else {
        return Ok(name.to_owned());
    };
    Err(ApiError::new(
        StatusCode::BAD_REQUEST,
        "invalid-name",
        sentence,
    ))
}

fn distinct(roles: &[Role]) -> Vec<Role> {
    Role::ALL
        .into_iter()
        .filter(|role| roles.contains(role))
        .collect()
}

fn already_in_use(email: &Email) -> ApiError {
    ApiError::new(
        StatusCode::CONFLICT,
        "email-already-in-use",
        format!("There is already a user with the email {}", email.as_str()),
    )
}

fn unknown(email: &Email) -> ApiError {
    ApiError::not_found(
        "unknown-user",
        format!("There is no user with the email {}", email.as_str()),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_email_is_trimmed_and_lower_case() {
        assert_eq!(
            Email::parse(" Ann@Example.COM ").unwrap().as_str(),
            "ann@example.com"
        );
    }

    #[test]
    fn what_cannot_be_an_email_is_refused() {
        let long = format!("{}@example.com", "x".repeat(243));
        for text in [
            "",
            "ann",
            "@",
            "ann@",
            "@example.com",
            "a@b@c",
            "a b@c",
            "a\u{7}@c",
            &long,
        ] {
            assert_eq!(
                Email::parse(text).unwrap_err().code,
                "invalid-email",
                "{text}"
            );
        }
    }

    #[test]
    fn a_name_has_something_in_it_and_fits_a_line() {
        assert_eq!(valid_name("  Ann Bell ").unwrap(), "Ann Bell");
        for text in ["", "  ", "Ann\nBell", &"x".repeat(201)] {
            assert_eq!(valid_name(text).unwrap_err().code, "invalid-name");
        }
    }
}
