//! The staff collection in our own database. The only SQL about it.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use dispatch_actors::store::{Store, TopicListener, WriteTransaction};
use jiff::Timestamp;
use sea_orm::sea_query::OnConflict;
use sea_orm::{
    ColumnTrait, EntityTrait, IntoActiveModel, Iterable, QueryFilter, QueryOrder, QuerySelect,
};
use tokio::sync::broadcast;

use super::Role;
use super::collection::{
    StaffChange, StaffCollection, StaffDocument, StaffError, StaffPatch, better,
};
use super::trail::events_of;
use crate::audit::{self, Recorded};
use row::{Column, Entity, Model};

mod row {
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
    #[sea_orm(table_name = "staff_documents")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false, column_type = "Text")]
        pub id: String,
        #[sea_orm(column_type = "Text")]
        pub email: String,
        #[sea_orm(column_type = "Text")]
        pub name: String,
        #[sea_orm(column_type = "Text")]
        pub roles: String,
        #[sea_orm(column_type = "Text", nullable)]
        pub skill: Option<String>,
        pub technician_id: Option<i64>,
        pub invited: bool,
        pub invited_at: Option<i64>,
        #[sea_orm(column_type = "Text", nullable)]
        pub role: Option<String>,
        pub created_at: Option<i64>,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}
}

/// What other servers hear.
const TOPIC: &str = "staff";

/// The collection in our own database.
#[derive(Clone)]
pub struct StaffDocuments {
    store: Store,
    changes: broadcast::Sender<StaffChange>,
}

/// Changes that a slow listener may be behind; one that lags looks at everything.
const CHANGES_CAPACITY: usize = 256;

/// How long a user may continue after another process deleted their record.
const REREAD_INTERVAL: Duration = Duration::from_secs(1);

impl StaffDocuments {
    pub fn new(store: Store) -> Self {
        let (changes, _) = broadcast::channel(CHANGES_CAPACITY);
        Self { store, changes }
    }

    /// One write after the other, since a merge is a read and a write.
    async fn write(
        &self,
        id: &str,
        patch: StaffPatch,
        make: bool,
    ) -> Result<Option<StaffDocument>, StaffError> {
        let transaction = self.store.begin_write().await?;
        let Some((document, recorded)) = write_within(&transaction, id, patch, make).await? else {
            return Ok(None);
        };
        transaction.commit().await?;
        audit::announce_all(recorded);
        self.notify(id);
        Ok(Some(document))
    }

    /// The same as a part of what is being written, and makes the document where there is none. Servers find it when
    /// they read again.
    pub async fn merge_within(
        transaction: &WriteTransaction,
        id: &str,
        patch: StaffPatch,
    ) -> Result<Vec<Recorded>, StaffError> {
        let written = write_within(transaction, id, patch, true).await?;
        Ok(written.map(|(_, recorded)| recorded).unwrap_or_default())
    }

    fn notify(&self, id: &str) {
        // An error only says that nobody listens.
        let _ = self.changes.send(StaffChange {
            id: Some(Arc::from(id)),
        });
    }
}

async fn write_within(
    transaction: &WriteTransaction,
    id: &str,
    patch: StaffPatch,
    make: bool,
) -> Result<Option<(StaffDocument, Vec<Recorded>)>, StaffError> {
    let row = Entity::find_by_id(id)
        .lock_exclusive()
        .one(transaction)
        .await?;
    let is_known = row.is_some();
    let mut document = match row {
        Some(row) => from_row(row),
        None if make => StaffDocument {
            id: id.to_owned(),
            ..StaffDocument::default()
        },
        None => return Ok(None),
    };
    let before = is_known.then(|| document.clone());
    let is_invitation = patch.invited == Some(true) && patch.invited_at.is_some();
    patch.apply(&mut document);
    let row = to_row(&document);
    Entity::insert(row.clone().into_active_model())
        .on_conflict(
            OnConflict::column(Column::Id)
                .update_columns(Column::iter().filter(|column| !matches!(column, Column::Id)))
                .to_owned(),
        )
        .exec_without_returning(transaction)
        .await?;
    let events = events_of(before.as_ref(), Some(&document), is_invitation);
    let recorded = audit::record_all(transaction, events).await?;
    transaction.notify_other_servers(TOPIC, "").await?;
    // As it will be read: a row has milliseconds.
    Ok(Some((from_row(row), recorded)))
}

#[async_trait]
impl StaffCollection for StaffDocuments {
    async fn get(&self, id: &str) -> Result<Option<StaffDocument>, StaffError> {
        let row = Entity::find_by_id(id).one(self.store.reader()).await?;
        Ok(row.map(from_row))
    }

    async fn all(&self) -> Result<Vec<StaffDocument>, StaffError> {
        let rows = Entity::find()
            .order_by_asc(Column::Id)
            .all(self.store.reader())
            .await?;
        Ok(rows.into_iter().map(from_row).collect())
    }

    async fn with_role(&self, role: Role) -> Result<Vec<StaffDocument>, StaffError> {
        let mut all = self.all().await?;
        all.retain(|document| document.roles().contains(&role));
        Ok(all)
    }

    async fn merge(&self, id: &str, patch: StaffPatch) -> Result<StaffDocument, StaffError> {
        let written = self.write(id, patch, true).await?;
        Ok(written.unwrap_or_default())
    }

    async fn update(
        &self,
        id: &str,
        patch: StaffPatch,
    ) -> Result<Option<StaffDocument>, StaffError> {
        self.write(id, patch, false).await
    }

    async fn delete(&self, id: &str) -> Result<bool, StaffError> {
        let transaction = self.store.begin_write().await?;
        let row = Entity::find_by_id(id)
            .lock_exclusive()
            .one(&transaction)
            .await?;
        let Some(before) = row.map(from_row) else {
            return Ok(false);
        };
        Entity::delete_by_id(id).exec(&transaction).await?;
        let events = events_of(Some(&before), None, false);
        let recorded = audit::record_all(&transaction, events).await?;
        transaction.notify_other_servers(TOPIC, "").await?;
        transaction.commit().await?;
        audit::announce_all(recorded);
        self.notify(id);
        Ok(true)
    }

    fn records_changes(&self) -> bool {
        true
    }

    fn changes(&self) -> broadcast::Receiver<StaffChange> {
        self.changes.subscribe()
    }

    fn change_listener(&self) -> TopicListener {
        self.store.others().listen(TOPIC)
    }

    fn reread_interval(&self) -> Option<Duration> {
        Some(REREAD_INTERVAL)
    }

    /// Every request asks this: one statement for both.
    async fn find(&self, uid: &str, email: &str) -> Result<Option<StaffDocument>, StaffError> {
        let rows = Entity::find()
            .filter(Column::Id.is_in([uid, email]))
            .all(self.store.reader())
            .await?;
        let (by_uid, by_email): (Vec<_>, Vec<_>) = rows
            .into_iter()
            .map(from_row)
            .partition(|document| document.id == uid);
        Ok(better(
            by_uid.into_iter().next(),
            by_email.into_iter().next(),
        ))
    }
}

fn from_row(row: Model) -> StaffDocument {
    StaffDocument {
        roles: read_roles(&row.id, &row.roles),
        id: row.id,
        email: row.email,
        name: row.name,
        skill: row.skill,
        technician_id: row.technician_id,
        invited: row.invited,
        invited_at: row
            .invited_at
            .and_then(|at| Timestamp::from_millisecond(at).ok()),
        role: row.role,
        created_at: row
            .created_at
            .and_then(|at| Timestamp::from_millisecond(at).ok()),
    }
}

/// Roles that cannot be read permit nothing; one malformed document must not lock out everybody else.
fn read_roles(id: &str, text: &str) -> Option<Vec<Role>> {
    let names: Option<Vec<String>> = serde_json::from_str(text).unwrap_or_else(|error| {
        tracing::warn!(document = id, %error, "the roles of a staff document cannot be read");
        Some(Vec::new())
    });
    let names = names?;
    let mut roles = Vec::with_capacity(names.len());
    for name in names {
        match name.parse() {
            Ok(role) => roles.push(role),
            Err(error) => {
                tracing::warn!(document = id, %error, "a staff document has an unknown role")
            }
        }
    }
    Some(roles)
}

fn to_row(document: &StaffDocument) -> Model {
    let roles = document.roles.as_ref().map(|roles| {
        let names: Vec<&str> = roles.iter().map(|role| role.name()).collect();
        names
    });
    Model {
        id: document.id.clone(),
        email: document.email.clone(),
        name: document.name.clone(),
        roles: serde_json::json!(roles).to_string(),
        skill: document.skill.clone(),
        technician_id: document.technician_id,
        invited: document.invited,
        invited_at: document.invited_at.map(|at| at.as_millisecond()),
        role: document.role.clone(),
        created_at: document.created_at.map(|at| at.as_millisecond()),
    }
}

#[cfg(test)]
mod tests {
    use dispatch_actors::testing::Throwaway;

    use super::*;

    async fn both_databases() -> [(Throwaway, StaffDocuments); 2] {
        let (sqlite, postgres) = (Throwaway::sqlite(), Throwaway::postgres().await);
        let (on_sqlite, on_postgres) = (sqlite.store().await, postgres.store().await);
        [
            (sqlite, StaffDocuments::new(on_sqlite)),
            (postgres, StaffDocuments::new(on_postgres)),
        ]
    }

    fn patch(name: &str, roles: Option<&[Role]>) -> StaffPatch {
        StaffPatch {
            email: Some("tina@example.com".to_owned()),
            name: Some(name.to_owned()),
            roles: roles.map(<[Role]>::to_vec),
            ..StaffPatch::default()
        }
    }

    #[actix_web::test]
    async fn the_document_with_the_user_id_counts_unless_it_names_no_roles() {
        for (_database, documents) in both_databases().await {
            let find = async |uid: &str| documents.find(uid, "tina@example.com").await.unwrap();
            assert_eq!(find("uid-1").await, None);
            documents
                .merge("tina@example.com", patch("By email", Some(&[Role::Used])))
                .await
                .unwrap();
            assert_eq!(find("uid-1").await.unwrap().name, "By email");
            documents
                .merge("uid-1", patch("By uid", None))
                .await
                .unwrap();
            assert_eq!(find("uid-1").await.unwrap().name, "By email");
            documents
                .merge("uid-1", patch("By uid", Some(&[])))
                .await
                .unwrap();
            assert_eq!(find("uid-1").await.unwrap().name, "By uid");
            assert_eq!(find("uid-2").await.unwrap().name, "By email");
        }
    }

    #[test]
    fn roles_that_cannot_be_read_permit_nothing() {
        assert_eq!(read_roles("a", "not json"), Some(vec![]));
        assert_eq!(
            read_roles("a", r#"["Boss","Owner"]"#),
            Some(vec![Role::Owner])
        );
        assert_eq!(read_roles("a", "null"), None);
    }
}
