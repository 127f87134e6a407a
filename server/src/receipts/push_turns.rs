//! Which of several servers tells a technician's browsers of an assignment: the one that wrote its receipt, and another
//! one if that server is gone before it has ended. On SQLite there is only one server.

use std::time::Duration;

use dispatch_actors::repair_order::TechnicianId;
use dispatch_actors::store::{Seq, Store, WriteTransaction};
use dispatch_actors::ticks::next_tick;
use jiff::Timestamp;
use sea_orm::sea_query::{Expr, LockBehavior, LockType};
use sea_orm::{
    ActiveValue, ColumnTrait, ConnectionTrait, DbErr, EntityTrait, PaginatorTrait, QueryFilter,
    QuerySelect,
};

use super::state::ReceiptsState;
use super::{AssignmentEvent, Key, UNSENT_WINDOW, store};
use push::{ActiveModel, Column, Entity};

/// From one look for what servers that are gone left to the next.
const LOOK_INTERVAL: Duration = Duration::from_secs(5);

mod push {
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
    #[sea_orm(table_name = "pushes_under_way")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub technician: i64,
        #[sea_orm(primary_key, auto_increment = false)]
        pub seq: i64,
        pub ro_number: i64,
        #[sea_orm(column_type = "Text")]
        pub server: String,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}
}

/// These assignments are this server's to tell of, from the commit on.
pub(super) async fn begin(
    transaction: &WriteTransaction,
    store: &Store,
    begun: &[(Key, Seq)],
) -> Result<(), DbErr> {
    let Some(server) = store.others().own_name().filter(|_| !begun.is_empty()) else {
        return Ok(());
    };
    let pushes = begun
        .iter()
        .map(|((ro_number, technician), seq)| ActiveModel {
            technician: ActiveValue::Set(*technician),
            seq: ActiveValue::Set(*seq),
            ro_number: ActiveValue::Set(*ro_number),
            server: ActiveValue::Set(server.to_string()),
        });
    Entity::insert_many(pushes)
        .on_conflict_do_nothing()
        .exec_without_returning(transaction)
        .await?;
    Ok(())
}

/// The assignments of these events that are this server's to tell of.
pub(super) async fn own(store: &Store, seqs: &[Seq]) -> Result<Vec<AssignmentEvent>, DbErr> {
    let Some(server) = store.others().own_name().filter(|_| !seqs.is_empty()) else {
        return Ok(Vec::new());
    };
    let pushes = Entity::find()
        .filter(Column::Server.eq(server.to_string()))
        .filter(Column::Seq.is_in(seqs.iter().copied()))
        .all(store.reader())
        .await?;
    Ok(pushes.iter().map(event).collect())
}

/// Whether one of these is this server's to tell of: while it was not heard of, another one may have taken them over.
pub(super) async fn is_own(
    store: &Store,
    technician: TechnicianId,
    seqs: &[Seq],
) -> Result<bool, DbErr> {
    let Some(server) = store.others().own_name() else {
        return Ok(true);
    };
    let own = Entity::find()
        .filter(Column::Technician.eq(technician))
        .filter(Column::Seq.is_in(seqs.iter().copied()))
        .filter(Column::Server.eq(server.to_string()));
    Ok(own.count(store.reader()).await? > 0)
}

/// The technician was told, or need not be: no other server is to tell of it. What another one has taken over is its own.
pub(super) async fn end(
    store: &Store,
    technician: TechnicianId,
    seqs: &[Seq],
) -> Result<(), DbErr> {
    if let Some(server) = store.others().own_name().filter(|_| !seqs.is_empty()) {
        Entity::delete_many()
            .filter(Column::Server.eq(server.to_string()))
            .filter(Column::Technician.eq(technician))
            .filter(Column::Seq.is_in(seqs.iter().copied()))
            .exec(store.writer())
            .await?;
    }
    Ok(())
}

/// Tells of what servers left that are gone, for as long as this one runs.
pub(super) async fn take_over_from_the_gone(state: ReceiptsState) {
    if !state.store.others().may_exist() {
        return;
    }
    loop {
        next_tick(LOOK_INTERVAL).await;
        match take_over(&state.store).await {
            Ok(taken) => {
                let assignments = state.receipts.assignments();
                taken.iter().for_each(|event| assignments.publish(event));
            }
            // The log says it when the database is away.
            Err(error) => tracing::debug!(%error, "other servers' pushes could not be looked at"),
        }
    }
}

async fn take_over(store: &Store) -> Result<Vec<AssignmentEvent>, DbErr> {
    let names = Entity::find()
        .select_only()
        .column(Column::Server)
        .distinct();
    let names: Vec<String> = names.into_tuple().all(store.reader()).await?;
    let is_gone = |name: &String| store.others().is_gone(name);
    let gone: Vec<String> = names.into_iter().filter(is_gone).collect();
    let Some(own_name) = store.others().own_name().filter(|_| !gone.is_empty()) else {
        return Ok(Vec::new());
    };
    let transaction = store.begin_write().await?;
    // What another server takes over at this moment is left to it.
    let left = Entity::find()
        .filter(Column::Server.is_in(gone.clone()))
        .lock_with_behavior(LockType::Update, LockBehavior::SkipLocked)
        .all(&transaction)
        .await?;
    let keys: Vec<Key> = left
        .iter()
        .map(|push| (push.ro_number, push.technician))
        .collect();
    let since = (Timestamp::now() - UNSENT_WINDOW).as_millisecond();
    let receipts = store::of_keys(store, &keys).await?;
    let is_news = |push: &&push::Model| {
        receipts.iter().any(|row| {
            (row.key(), row.seq) == ((push.ro_number, push.technician), push.seq)
                && row.sent_at.is_none()
                && row.handed_back_at.is_none()
                && row.assigned_at > since
        })
    };
    let (news, old): (Vec<_>, Vec<_>) = left.iter().partition(is_news);
    for push in old {
        delete(&transaction, push).await?;
    }
    for push in &news {
        Entity::update_many()
            .col_expr(Column::Server, Expr::value(own_name.to_string()))
            .filter(Column::Technician.eq(push.technician))
            .filter(Column::Seq.eq(push.seq))
            .exec(&transaction)
            .await?;
    }
    transaction.commit().await?;
    if !news.is_empty() {
        tracing::info!(
            assignments = news.len(),
            "a server that is gone had not told technicians of them yet; this one does"
        );
    }
    Ok(news.into_iter().map(event).collect())
}

fn event(push: &push::Model) -> AssignmentEvent {
    AssignmentEvent::assigned((push.ro_number, push.technician), push.seq)
}

async fn delete(connection: &impl ConnectionTrait, push: &push::Model) -> Result<(), DbErr> {
    Entity::delete_by_id((push.technician, push.seq))
        .exec(connection)
        .await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use dispatch_actors::testing::Throwaway;

    use super::*;

    #[actix_web::test]
    async fn what_a_server_has_to_tell_is_known_until_it_is_told() {
        let database = Throwaway::postgres().await;
        let (here, there) = (database.store().await, database.store().await);
        let transaction = here.begin_write().await.unwrap();
        let begun = [((7, 11), 3), ((8, 11), 4)];
        begin(&transaction, &here, &begun).await.unwrap();
        transaction.commit().await.unwrap();
        let seqs = async |store: &Store| {
            let own = own(store, &[3, 4, 5]).await.unwrap();
            let mut seqs: Vec<Option<Seq>> = own.iter().map(|event| event.assigned).collect();
            seqs.sort_unstable();
            seqs
        };
        assert_eq!(seqs(&here).await, [Some(3), Some(4)]);
        assert_eq!(seqs(&there).await, []);
        end(&here, 11, &[3]).await.unwrap();
        assert_eq!(seqs(&here).await, [Some(4)]);
        assert!(is_own(&here, 11, &[3, 4]).await.unwrap());
        let name = there.others().own_name().unwrap();
        Entity::update_many()
            .col_expr(Column::Server, Expr::value(name.to_string()))
            .exec(there.writer())
            .await
            .unwrap();
        assert!(!is_own(&here, 11, &[3, 4]).await.unwrap());
        end(&here, 11, &[4]).await.unwrap();
        assert_eq!(seqs(&there).await, [Some(4)], "it was taken over");
    }
}
