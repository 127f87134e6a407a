//! The table of audit events: added to, read, and swept of what was kept for long enough. The only SQL
//! about it; the database refuses any other change.

use std::net::IpAddr;

use dispatch_actors::store::Store;
use dispatch_actors::text::like_part;
use jiff::Timestamp;
use sea_orm::ActiveValue::{NotSet, Set};
use sea_orm::sea_query::LikeExpr;
use sea_orm::{
    ColumnTrait, Condition, ConnectionTrait, DbBackend, DbErr, EntityTrait, ExprTrait, QueryFilter,
    QueryOrder, QuerySelect,
};
use unicode_normalization::UnicodeNormalization;

use super::event::{Actor, ActorKind, AuditEvent, AuditKind, Outcome};
use row::{ActiveModel, Column, Entity};

mod row {
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
    #[sea_orm(table_name = "audit_events")]
    pub struct Model {
        #[sea_orm(primary_key)]
        pub id: i64,
        pub at: i64,
        #[sea_orm(column_type = "Text")]
        pub kind: String,
        #[sea_orm(column_type = "Text")]
        pub outcome: String,
        #[sea_orm(column_type = "Text", nullable)]
        pub reason: Option<String>,
        #[sea_orm(column_type = "Text", nullable)]
        pub address: Option<String>,
        #[sea_orm(column_type = "Text")]
        pub actor_kind: String,
        #[sea_orm(column_type = "Text", nullable)]
        pub actor_id: Option<String>,
        #[sea_orm(column_type = "Text", nullable)]
        pub actor_name: Option<String>,
        #[sea_orm(column_type = "Text", nullable)]
        pub subject_id: Option<String>,
        #[sea_orm(column_type = "Text", nullable)]
        pub subject_name: Option<String>,
        #[sea_orm(column_type = "Text", nullable)]
        pub detail: Option<String>,
        #[sea_orm(column_type = "Text")]
        pub folded_names: String,
        pub count: i32,
        pub kept_until: i64,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}
}

pub(super) use row::Model as EventRow;

/// Of one statement; databases take some ten thousand values.
const BATCH_SIZE: usize = 200;

pub(super) async fn insert(
    writer: &impl ConnectionTrait,
    events: impl IntoIterator<Item = &AuditEvent>,
) -> Result<(), DbErr> {
    let rows: Vec<ActiveModel> = events.into_iter().map(row_of).collect();
    for rows in rows.chunks(BATCH_SIZE) {
        Entity::insert_many(rows.to_vec())
            .exec_without_returning(writer)
            .await?;
    }
    Ok(())
}

fn row_of(event: &AuditEvent) -> ActiveModel {
    let at = event.at.as_millisecond();
    let Actor { kind, id, name } = &event.actor;
    ActiveModel {
        id: NotSet,
        at: Set(at),
        kind: Set(event.kind.name().to_owned()),
        outcome: Set(event.outcome.name().to_owned()),
        reason: Set(event.reason.map(str::to_owned)),
        address: Set(event
            .address
            .map(|address| address.to_canonical().to_string())),
        actor_kind: Set(kind.name().to_owned()),
        actor_id: Set(id.clone()),
        actor_name: Set(name.clone()),
        subject_id: Set(event.subject_id.clone()),
        subject_name: Set(event.subject_name.clone()),
        detail: Set(event.detail.clone()),
        folded_names: Set([name, &event.subject_name]
            .into_iter()
            .flatten()
            .map(|name| folded(name))
            .collect::<Vec<_>>()
            .join("\n")),
        count: Set(event.count),
        kept_until: Set(at + event.ttl),
    }
}

/// Which events are asked for.
#[derive(Clone, Debug, Default)]
pub(super) struct Filter {
    pub(super) from: Option<Timestamp>,
    /// Without this moment.
    pub(super) to: Option<Timestamp>,
    pub(super) kinds: Vec<AuditKind>,
    pub(super) outcome: Option<Outcome>,
    /// Part of the name, or the whole id or address, of the actor or the subject.
    pub(super) person: Option<String>,
}

/// The last event of a page: the next one begins behind it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Cursor {
    pub(super) at: i64,
    pub(super) id: i64,
}

/// The newest first.
pub(super) async fn page(
    reader: &impl ConnectionTrait,
    filter: &Filter,
    behind: Option<Cursor>,
    limit: u64,
) -> Result<Vec<EventRow>, DbErr> {
    let mut query = Entity::find().filter(filter.condition());
    if let Some(Cursor { at, id }) = behind {
        let same_time = Column::At.eq(at).and(Column::Id.lt(id));
        query = query.filter(Column::At.lt(at).or(same_time));
    }
    query
        .order_by_desc(Column::At)
        .order_by_desc(Column::Id)
        .limit(limit)
        .all(reader)
        .await
}

impl Filter {
    fn condition(&self) -> Condition {
        let milliseconds = |at: Timestamp| at.as_millisecond();
        let mut all = Condition::all()
            .add_option(self.from.map(|from| Column::At.gte(milliseconds(from))))
            .add_option(self.to.map(|to| Column::At.lt(milliseconds(to))))
            .add_option(
                self.outcome
                    .map(|outcome| Column::Outcome.eq(outcome.name())),
            );
        if !self.kinds.is_empty() {
            let kinds = self.kinds.iter().map(|kind| kind.name());
            all = all.add(Column::Kind.is_in(kinds));
        }
        if let Some(person) = &self.person {
            all = all.add(is_about(person));
        }
        all
    }
}

/// As names are looked for: whatever the letters' case and however they are composed.
fn folded(name: &str) -> String {
    name.nfkc().collect::<String>().to_lowercase()
}

fn is_about(person: &str) -> Condition {
    let mut any = Condition::any();
    let part = like_part(&folded(person));
    any = any.add(Column::FoldedNames.like(LikeExpr::new(part).escape('\\')));
    for id in [Column::ActorId, Column::SubjectId] {
        any = any.add(id.eq(person));
    }
    if let Ok(address) = person.parse::<IpAddr>() {
        any = any.add(Column::Address.eq(address.to_canonical().to_string()));
    }
    any
}

/// Deletes what was kept for long enough, by the database's own clock, which it also goes by when it
/// refuses.
pub(super) async fn delete_expired(store: &Store) -> Result<(), DbErr> {
    let writer = store.writer();
    let now = match writer.get_database_backend() {
        DbBackend::Postgres => "extract(epoch FROM clock_timestamp()) * 1000",
        _ => "CAST(strftime('%s', 'now') AS INTEGER) * 1000",
    };
    let statement = format!("DELETE FROM audit_events WHERE kept_until <= {now}");
    writer.execute_unprepared(&statement).await?;
    Ok(())
}

impl EventRow {
    pub(super) fn cursor(&self) -> Cursor {
        Cursor {
            at: self.at,
            id: self.id,
        }
    }

    pub(super) fn time(&self) -> Timestamp {
        Timestamp::from_millisecond(self.at).unwrap_or_default()
    }

    /// None: a newer server wrote it.
    pub(super) fn kind(&self) -> Option<AuditKind> {
        AuditKind::from_name(&self.kind)
    }

    pub(super) fn outcome(&self) -> Outcome {
        Outcome::from_name(&self.outcome).unwrap_or(Outcome::Done)
    }

    pub(super) fn actor_kind(&self) -> ActorKind {
        ActorKind::from_name(&self.actor_kind).unwrap_or(ActorKind::Unknown)
    }
}
