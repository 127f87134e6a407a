//! The staff collection: one document a person, keyed by email (by user id where a document was
//! made for an account). The only SQL about it.
//!
//! A change of roles goes through `identity`, which also ends the sessions it has to end.

use std::collections::HashMap;

use dispatch_actors::store::Store;
use jiff::Timestamp;
use sea_orm::sea_query::OnConflict;
use sea_orm::{
    ColumnTrait, ConnectionTrait, DbErr, EntityTrait, IntoActiveModel, QueryFilter, QueryOrder,
};

use super::Role;
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
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StaffDocument {
    /// A lower-case email, or a user id.
    pub id: String,
    pub email: String,
    pub name: String,
    pub roles: Vec<Role>,
    pub skill: Option<String>,
    pub technician_id: Option<i64>,
    /// Invited, and not signed in yet.
    pub invited: bool,
    pub invited_at: Option<Timestamp>,
}

#[derive(Clone)]
pub struct StaffDocuments {
    store: Store,
}

impl StaffDocuments {
    pub fn new(store: Store) -> Self {
        Self { store }
    }

    /// The document of an account: the one with its user id, else the one with its email.
    pub async fn get(&self, uid: &str, email: &str) -> Result<Option<StaffDocument>, DbErr> {
        find_document(self.store.reader(), uid, email).await
    }

    /// Writes a document, in place of one with the same id.
    pub async fn put(&self, document: &StaffDocument) -> Result<(), DbErr> {
        put_document(self.store.writer(), document).await
    }

    /// False when there was none.
    pub async fn delete(&self, id: &str) -> Result<bool, DbErr> {
        Ok(delete_documents(self.store.writer(), [id]).await? > 0)
    }

    /// Every document, by id.
    pub async fn all(&self) -> Result<Vec<StaffDocument>, DbErr> {
        let rows = Entity::find()
            .order_by_asc(Column::Id)
            .all(self.store.reader())
            .await?;
        Ok(rows.into_iter().map(from_row).collect())
    }

    /// What the technicians with a portal account are called; of two accounts for one technician
    /// the first by id.
    pub async fn names_by_technician(&self) -> Result<HashMap<i64, String>, DbErr> {
        let linked = Entity::find()
            .filter(Column::TechnicianId.is_not_null())
            .order_by_desc(Column::Id)
            .all(self.store.reader())
            .await?;
        Ok(linked
            .into_iter()
            .map(from_row)
            .filter(|document| document.roles.contains(&Role::Technician))
            .filter_map(|document| Some((document.technician_id?, document.name)))
            .collect())
    }
}

pub(crate) async fn find_document(
    connection: &impl ConnectionTrait,
    uid: &str,
    email: &str,
) -> Result<Option<StaffDocument>, DbErr> {
    let rows = Entity::find()
        .filter(Column::Id.is_in([uid, email]))
        .all(connection)
        .await?;
    let best = rows.into_iter().min_by_key(|row| row.id != uid);
    Ok(best.map(from_row))
}

pub(crate) async fn put_document(
    connection: &impl ConnectionTrait,
    document: &StaffDocument,
) -> Result<(), DbErr> {
    let others = [
        Column::Email,
        Column::Name,
        Column::Roles,
        Column::Skill,
        Column::TechnicianId,
        Column::Invited,
        Column::InvitedAt,
    ];
    Entity::insert(to_row(document).into_active_model())
        .on_conflict(
            OnConflict::column(Column::Id)
                .update_columns(others)
                .to_owned(),
        )
        .exec_without_returning(connection)
        .await?;
    Ok(())
}

/// How many there were.
pub(crate) async fn delete_documents<'a>(
    connection: &impl ConnectionTrait,
    ids: impl IntoIterator<Item = &'a str>,
) -> Result<u64, DbErr> {
    let deleted = Entity::delete_many()
        .filter(Column::Id.is_in(ids))
        .exec(connection)
        .await?;
    Ok(deleted.rows_affected)
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
    }
}

/// What cannot be read permits nothing; one bad document must not keep everybody else out.
fn read_roles(id: &str, text: &str) -> Vec<Role> {
    let names: Vec<String> = serde_json::from_str(text).unwrap_or_else(|error| {
        tracing::warn!(document = id, %error, "the roles of a staff document cannot be read");
        Vec::new()
    });
    let mut roles = Vec::with_capacity(names.len());
    for name in names {
        match name.parse() {
            Ok(role) => roles.push(role),
            Err(error) => {
                tracing::warn!(document = id, %error, "a staff document has an unknown role")
            }
        }
    }
    roles
}

fn to_row(document: &StaffDocument) -> Model {
    let roles: Vec<&str> = document.roles.iter().map(|role| role.name()).collect();
    Model {
        id: document.id.clone(),
        email: document.email.clone(),
        name: document.name.clone(),
        roles: serde_json::Value::from(roles).to_string(),
        skill: document.skill.clone(),
        technician_id: document.technician_id,
        invited: document.invited,
        invited_at: document.invited_at.map(|at| at.as_millisecond()),
    }
}

#[cfg(test)]
mod tests {
    use dispatch_actors::testing::Throwaway;

    use super::*;

    async fn both() -> [(Throwaway, StaffDocuments); 2] {
        let (sqlite, postgres) = (Throwaway::sqlite(), Throwaway::postgres().await);
        let (on_sqlite, on_postgres) = (sqlite.store().await, postgres.store().await);
        [
            (sqlite, StaffDocuments::new(on_sqlite)),
            (postgres, StaffDocuments::new(on_postgres)),
        ]
    }

    fn document(id: &str, name: &str, roles: &[Role], technician_id: Option<i64>) -> StaffDocument {
        StaffDocument {
            id: id.to_owned(),
            email: "tina@example.com".to_owned(),
            name: name.to_owned(),
            roles: roles.to_vec(),
            skill: Some("Master".to_owned()),
            technician_id,
            invited: true,
            invited_at: Some(Timestamp::from_millisecond(1_700_000_000_123).unwrap()),
        }
    }

    #[actix_web::test]
    async fn a_document_comes_back_as_it_was_put_and_putting_again_replaces_it() {
        for (_database, documents) in both().await {
            let mut tina = document(
                "tina@example.com",
                "Tina",
                &[Role::ServiceManager, Role::Used],
                Some(7),
            );
            documents.put(&tina).await.unwrap();
            assert_eq!(documents.all().await.unwrap(), [tina.clone()]);
            tina.name = "Tina T.".to_owned();
            tina.roles.clear();
            tina.skill = None;
            documents.put(&tina).await.unwrap();
            assert_eq!(documents.all().await.unwrap(), [tina]);
            assert!(documents.delete("tina@example.com").await.unwrap());
            assert!(!documents.delete("tina@example.com").await.unwrap());
        }
    }

    #[actix_web::test]
    async fn the_document_with_the_user_id_comes_before_the_one_with_the_email() {
        for (_database, documents) in both().await {
            documents
                .put(&document("tina@example.com", "By email", &[], None))
                .await
                .unwrap();
            let found = documents
                .get("uid-1", "tina@example.com")
                .await
                .unwrap()
                .unwrap();
            assert_eq!(found.name, "By email");
            documents
                .put(&document("uid-1", "By uid", &[], None))
                .await
                .unwrap();
            let found = documents
                .get("uid-1", "tina@example.com")
                .await
                .unwrap()
                .unwrap();
            assert_eq!(found.name, "By uid");
            assert_eq!(
                documents.get("uid-2", "nobody@example.com").await.unwrap(),
                None
            );
        }
    }

    #[actix_web::test]
    async fn only_technicians_who_are_linked_give_their_names() {
        for (_database, documents) in both().await {
            for (id, name, roles, technician) in [
                ("a", "Linked", [Role::Technician], Some(1)),
                ("b", "Second of the same", [Role::Technician], Some(1)),
                ("c", "Not a technician", [Role::Advisor], Some(2)),
                ("d", "Not linked", [Role::Technician], None),
            ] {
                documents
                    .put(&document(id, name, &roles, technician))
                    .await
                    .unwrap();
            }
            let names = documents.names_by_technician().await.unwrap();
            assert_eq!(names, HashMap::from([(1, "Linked".to_owned())]));
        }
    }

    #[test]
    fn roles_that_cannot_be_read_permit_nothing() {
        assert_eq!(read_roles("a", "not json"), []);
        assert_eq!(read_roles("a", r#"["Boss","Owner"]"#), [Role::Owner]);
    }
}
