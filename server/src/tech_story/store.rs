//! The only SQL about interviews that have not ended in a saved story.

use dispatch_actors::repair_order::{InterviewerId, RoNumber, StoryAnswer};
use dispatch_actors::store::{IDEMPOTENCY_RECORD_TTL, Store};
use jiff::{SignedDuration, Timestamp};
use sea_orm::sea_query::{Expr, ExprTrait};
use sea_orm::{ColumnTrait, DbErr, EntityTrait, IntoActiveModel, QueryFilter, QueryOrder};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::api_types::StoryReply;
use dispatch_stories::Language;
use row::{Column, Entity, Model};

const TABLE: &str = "tech_story_conversations";

/// Orders of one query.
const BATCH_SIZE: usize = 1_000;

/// An interview is over after this.
pub const CONVERSATION_TTL: SignedDuration = SignedDuration::from_hours(2);

/// What has ended is kept so long at least: as long as the answer to its last request is kept for who asks again.
pub const MIN_KEPT: SignedDuration = CONVERSATION_TTL.saturating_add(IDEMPOTENCY_RECORD_TTL);

mod row {
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
    #[sea_orm(table_name = "tech_story_conversations")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false, column_type = "Text")]
        pub id: String,
        #[sea_orm(column_type = "Text")]
        pub uid: String,
        pub ro_number: i64,
        pub job_number: i32,
        #[sea_orm(column_type = "Text")]
        pub interviewer: String,
        #[sea_orm(column_type = "Text", nullable)]
        pub model: Option<String>,
        #[sea_orm(column_type = "Text")]
        pub language: String,
        #[sea_orm(column_type = "Text")]
        pub cause: String,
        #[sea_orm(column_type = "Text")]
        pub brief_tech_notes: String,
        #[sea_orm(column_type = "Text")]
        pub turns: String,
        #[sea_orm(column_type = "Text")]
        pub reply: String,
        pub started_at: i64,
        pub ended_at: Option<i64>,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}
}

/// An interview as far as it has come.
#[derive(Clone, Debug, PartialEq)]
pub struct Conversation {
    pub id: String,
    pub uid: String,
    pub ro_number: i64,
    pub job_number: i32,
    pub interviewer: InterviewerId,
    pub model: Option<String>,
    pub language: Language,
    pub cause: String,
    pub brief_tech_notes: String,
    pub turns: Vec<StoryAnswer>,
    /// The turns as the database has them: a newer version of the server may have kept more with an answer.
    pub kept_turns: KeptTurns,
    /// What the interviewer said last.
    pub reply: StoryReply,
    pub started_at: Timestamp,
    pub ended: bool,
}

/// JSON, to the letter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptTurns(String);

impl KeptTurns {
    /// Of an interview in which nothing was answered yet.
    pub fn none() -> Self {
        Self("[]".to_owned())
    }

    /// With the answers that came since, and those before untouched.
    fn followed_by(&self, answers: &[StoryAnswer]) -> Result<String, DbErr> {
        let mut turns: Vec<Box<RawValue>> = parsed(&self.0)?;
        for answer in answers {
            turns.push(RawValue::from_string(as_json(answer)?).map_err(json_error)?);
        }
        as_json(&turns)
    }
}

impl Conversation {
    pub fn has_expired(&self, now: Timestamp) -> bool {
        now.duration_since(self.started_at) > CONVERSATION_TTL
    }

    /// Whether nothing was answered yet, and it is about the same as another that begins.
    fn begins_like(&self, new: &Self) -> bool {
        self.turns.is_empty()
            && self.cause == new.cause
            && self.brief_tech_notes == new.brief_tech_notes
            && self.language == new.language
            && self.interviewer == new.interviewer
    }
}

/// The conversation of this id, whoever's it is.
pub async fn by_id(store: &Store, id: &str) -> Result<Option<Conversation>, DbErr> {
    let row = Entity::find_by_id(id.to_owned())
        .one(store.writer())
        .await?;
    row.map(read).transpose()
}

/// The one of this person about this job that has not ended.
pub async fn open(
    store: &Store,
    uid: &str,
    ro_number: i64,
    job_number: i32,
) -> Result<Option<Conversation>, DbErr> {
    let row = Entity::find()
        .filter(Column::Uid.eq(uid))
        .filter(Column::RoNumber.eq(ro_number))
        .filter(Column::JobNumber.eq(job_number))
        .filter(Column::EndedAt.is_null())
        .order_by_desc(Column::StartedAt)
        .one(store.writer())
        .await?;
    row.map(read).transpose()
}

/// Keeps a new one, and ends the person's other one about this job. Where another server has begun the same meanwhile,
/// because the person asked again, it gives that one and keeps nothing.
pub async fn begin(
    store: &Store,
    new: &Conversation,
    now: Timestamp,
) -> Result<Option<Conversation>, DbErr> {
    let transaction = store.begin_exclusive(TABLE).await?;
    let open = Column::Uid
        .eq(new.uid.as_str())
        .and(Column::RoNumber.eq(new.ro_number))
        .and(Column::JobNumber.eq(new.job_number))
        .and(Column::EndedAt.is_null());
    let before = Entity::find()
        .filter(open.clone())
        .order_by_desc(Column::StartedAt)
        .one(&transaction)
        .await?;
    let before = before.map(read).transpose()?;
    if let Some(same) = before.filter(|before| before.begins_like(new) && !before.has_expired(now))
    {
        return Ok(Some(same));
    }
    Entity::update_many()
        .col_expr(Column::EndedAt, Expr::value(now.as_millisecond()))
        .filter(open)
        .exec(&transaction)
        .await?;
    Entity::insert(write(new)?.into_active_model())
        .exec_without_returning(&transaction)
        .await?;
    transaction.commit().await?;
    Ok(None)
}

/// Whether it was still where it was before this turn, and went on.
pub async fn save_turn(
    store: &Store,
    before: &Conversation,
    turns: &[StoryAnswer],
    reply: &StoryReply,
) -> Result<bool, DbErr> {
    let new = turns.get(before.turns.len()..).unwrap_or_default();
    let kept_turns = before.kept_turns.followed_by(new)?;
    let done = Entity::update_many()
        .col_expr(Column::Turns, Expr::value(kept_turns))
        .col_expr(Column::Reply, Expr::value(as_json(reply)?))
        .filter(Column::Id.eq(before.id.as_str()))
        .filter(Column::Turns.eq(before.kept_turns.0.as_str()))
        .filter(Column::EndedAt.is_null())
        .exec(store.writer())
        .await?;
    Ok(done.rows_affected > 0)
}

pub async fn end(store: &Store, id: &str, now: Timestamp) -> Result<(), DbErr> {
    Entity::update_many()
        .col_expr(Column::EndedAt, Expr::value(now.as_millisecond()))
        .filter(Column::Id.eq(id))
        .filter(Column::EndedAt.is_null())
        .exec(store.writer())
        .await?;
    Ok(())
}

/// The conversations about these orders, as JSON.
pub async fn of_orders(store: &Store, orders: &[RoNumber]) -> Result<Vec<Value>, DbErr> {
    let mut found = Vec::new();
    for some in orders.chunks(BATCH_SIZE) {
        let rows = Entity::find()
            .filter(Column::RoNumber.is_in(some.iter().map(|number| number.get())))
            .all(store.reader())
            .await?;
        found.extend(rows);
    }
    let shown = |row: Model| {
        Ok(json!({
            "roNumber": row.ro_number,
            "jobNumber": row.job_number,
            "startedAt": Timestamp::from_millisecond(row.started_at).unwrap_or_default(),
            "cause": row.cause,
            "briefTechNotes": row.brief_tech_notes,
            "turns": parsed::<Value>(&row.turns)?,
            "reply": parsed::<Value>(&row.reply)?,
        }))
    };
    found.into_iter().map(shown).collect()
}

/// Deletes those about this order; gives how many.
pub async fn delete_of_order(store: &Store, order: RoNumber) -> Result<u64, DbErr> {
    let done = Entity::delete_many()
        .filter(Column::RoNumber.eq(order.get()))
        .exec(store.writer())
        .await?;
    Ok(done.rows_affected)
}

/// Deletes what began before.
pub async fn sweep(store: &Store, oldest_kept: Timestamp) -> Result<u64, DbErr> {
    let before = oldest_kept.as_millisecond();
    let done = Entity::delete_many()
        .filter(Column::StartedAt.lt(before))
        .exec(store.writer())
        .await?;
    Ok(done.rows_affected)
}

fn as_json(value: &impl Serialize) -> Result<String, DbErr> {
    serde_json::to_string(value).map_err(json_error)
}

fn parsed<T: DeserializeOwned>(text: &str) -> Result<T, DbErr> {
    serde_json::from_str(text).map_err(json_error)
}

fn json_error(error: serde_json::Error) -> DbErr {
    DbErr::Json(error.to_string())
}

/// A word of ours as it is written on the wire.
fn word(value: &impl Serialize) -> Result<String, DbErr> {
    Ok(as_json(value)?.trim_matches('"').to_owned())
}

fn meaning<T: DeserializeOwned>(word: &str) -> Result<T, DbErr> {
    parsed(&format!("\"{word}\""))
}

fn write(conversation: &Conversation) -> Result<Model, DbErr> {
    Ok(Model {
        id: conversation.id.clone(),
        uid: conversation.uid.clone(),
        ro_number: conversation.ro_number,
        job_number: conversation.job_number,
        interviewer: word(&conversation.interviewer)?,
        model: conversation.model.clone(),
        language: word(&conversation.language)?,
        cause: conversation.cause.clone(),
        brief_tech_notes: conversation.brief_tech_notes.clone(),
        turns: conversation.kept_turns.0.clone(),
        reply: as_json(&conversation.reply)?,
        started_at: conversation.started_at.as_millisecond(),
        ended_at: None,
    })
}

fn read(row: Model) -> Result<Conversation, DbErr> {
    Ok(Conversation {
        interviewer: meaning(&row.interviewer)?,
        language: meaning(&row.language)?,
        turns: parsed(&row.turns)?,
        kept_turns: KeptTurns(row.turns),
        reply: parsed(&row.reply)?,
        started_at: Timestamp::from_millisecond(row.started_at).unwrap_or_default(),
        ended: row.ended_at.is_some(),
        id: row.id,
        uid: row.uid,
        ro_number: row.ro_number,
        job_number: row.job_number,
        model: row.model,
        cause: row.cause,
        brief_tech_notes: row.brief_tech_notes,
    })
}

#[cfg(test)]
mod tests {
    use dispatch_actors::repair_order::{Answer, AnswerField};
    use dispatch_actors::testing::Throwaway;

    use super::*;
    use crate::tech_story::api_types::Interviewer;

    fn conversation(id: &str, started_at: Timestamp) -> Conversation {
        Conversation {
            id: id.to_owned(),
            uid: "ann".to_owned(),
            ro_number: 4389,
            job_number: 1,
            interviewer: InterviewerId::BuiltIn,
            model: None,
            language: Language::De,
            cause: "Worn".to_owned(),
            brief_tech_notes: "Replaced".to_owned(),
            turns: Vec::new(),
            kept_turns: KeptTurns::none(),
            reply: StoryReply::Question {
                conversation_id: id.to_owned(),
                interviewer: Interviewer {
                    id: InterviewerId::BuiltIn,
                    name: "Built-in".to_owned(),
                    model: None,
                },
                question: "Verified?".to_owned(),
                number: 1,
                of: Some(8),
                field: AnswerField::None,
            },
            started_at,
            ended: false,
        }
    }

    async fn an_interview_goes_on_from_where_it_is(database: Throwaway) {
        let store = database.store().await;
        let now = Timestamp::from_millisecond(1_784_000_000_000).unwrap();
        let first = conversation("first", now);
        assert_eq!(begin(&store, &first, now).await.unwrap(), None);
        // Another server was asked the same again, and was slower.
        let again = conversation("again", now);
        let begun = begin(&store, &again, now).await.unwrap();
        assert_eq!(begun, Some(first.clone()));
        assert_eq!(by_id(&store, "again").await.unwrap(), None);
        assert_eq!(by_id(&store, "first").await.unwrap(), Some(first.clone()));
        let turns = [answer("Verified?")];
        assert!(
            save_turn(&store, &first, &turns, &first.reply)
                .await
                .unwrap()
        );
        // Somebody else was quicker.
        assert!(
            !save_turn(&store, &first, &turns, &first.reply)
                .await
                .unwrap()
        );
        let now_open = open(&store, "ann", 4389, 1).await.unwrap().unwrap();
        assert_eq!(now_open.turns, turns);
        for (uid, number, job) in [("bob", 4389, 1), ("ann", 4390, 1), ("ann", 4389, 2)] {
            assert_eq!(open(&store, uid, number, job).await.unwrap(), None);
        }
        let second = conversation("second", now);
        assert_eq!(begin(&store, &second, now).await.unwrap(), None);
        assert!(by_id(&store, "first").await.unwrap().unwrap().ended);
        assert!(
            !save_turn(&store, &now_open, &turns, &first.reply)
                .await
                .unwrap()
        );
        end(&store, "second", now).await.unwrap();
        assert_eq!(open(&store, "ann", 4389, 1).await.unwrap(), None);
        assert_eq!(sweep(&store, now).await.unwrap(), 0);
        let later = now + SignedDuration::from_secs(1);
        assert_eq!(sweep(&store, later).await.unwrap(), 2);
    }

    #[tokio::test]
    async fn an_interview_goes_on_from_where_it_is_on_sqlite() {
        an_interview_goes_on_from_where_it_is(Throwaway::sqlite()).await;
    }

    #[tokio::test]
    async fn an_interview_goes_on_from_where_it_is_on_postgres() {
        an_interview_goes_on_from_where_it_is(Throwaway::postgres().await).await;
    }

    fn answer(question: &str) -> StoryAnswer {
        StoryAnswer {
            question: question.to_owned(),
            answer: Answer::NotApplicable,
            value: None,
            field: AnswerField::None,
        }
    }

    #[tokio::test]
    async fn an_interview_goes_on_that_a_newer_version_kept_more_of() {
        let database = Throwaway::sqlite();
        let store = database.store().await;
        let now = Timestamp::from_millisecond(1_784_000_000_000).unwrap();
        let begun = conversation("first", now);
        assert_eq!(begin(&store, &begun, now).await.unwrap(), None);
        let newer = r#"[{ "photos":2,"answer":"N/A","question":"Verified?" }]"#;
        let with_more = Entity::update_many().col_expr(Column::Turns, Expr::value(newer));
        with_more.exec(store.writer()).await.unwrap();

        let read = by_id(&store, "first").await.unwrap().unwrap();
        assert_eq!(read.turns, [answer("Verified?")]);
        let turns = [answer("Verified?"), answer("Parts kept?")];
        let saved = save_turn(&store, &read, &turns, &read.reply).await;
        assert!(saved.unwrap());
        let row = Entity::find_by_id("first").one(store.reader()).await;
        let kept: Value = parsed(&row.unwrap().unwrap().turns).unwrap();
        assert_eq!(kept[0]["photos"], 2, "{kept}");
        assert_eq!(kept[1], serde_json::to_value(&turns[1]).unwrap());
        let read_again = by_id(&store, "first").await.unwrap().unwrap();
        assert_eq!(read_again.turns, turns);
        // Where another server was quicker it does not.
        let saved = save_turn(&store, &read, &turns, &read.reply).await;
        assert!(!saved.unwrap());
    }

    #[test]
    fn an_interview_lasts_two_hours() {
        let now = Timestamp::from_millisecond(1_784_000_000_000).unwrap();
        let one = conversation("one", now);
        assert!(!one.has_expired(now + CONVERSATION_TTL));
        assert!(one.has_expired(now + CONVERSATION_TTL + SignedDuration::from_millis(1)));
    }
}
