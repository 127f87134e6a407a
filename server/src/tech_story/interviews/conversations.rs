//! Interviews as they go on: each turn is asked once, whoever sends it how often, and goes on from
//! where the interview is.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use dispatch_actors::repair_order::{InterviewerId, RepairOrder, RoNumber};
use dispatch_actors::store::Store;
use dispatch_stories::{Interview, Reply, Subject, claim, unsupported_facts};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tokio::sync::watch;
use uuid::Uuid;

use super::super::api_types::{Interviewer as InterviewerInfo, OpenStory, StoryReply};
use super::super::interview::{BuiltIn, Interviewer};
use super::super::language_model::call_counts::StoryCallCounts;
use super::super::language_model::remote::Remote;
use super::super::options::StoryOptions;
use super::super::store::{self, Conversation, KeptTurns};
use super::super::story_kinds::kind_of_code;
use super::limits::CallLimits;
use super::turn_locks::{ActiveInterview, JobKey};
use super::turns::{Turn, ended, moved_on, refusal};
use crate::error::{ApiError, ErrorCode};
use crate::identity::SharedLimits;

/// What other servers hear.
const CANCEL_TOPIC: &str = "story-cancel";

/// An interview that was cancelled.
#[derive(Serialize, Deserialize)]
struct Cancelled {
    place: JobKey,
    id: String,
}

#[derive(Clone)]
pub struct TechStories {
    pub(in crate::tech_story) inner: Arc<Inner>,
}

pub(in crate::tech_story) struct Inner {
    store: Store,
    built_in: BuiltIn,
    configured: Option<Remote>,
    limits: CallLimits,
    calls: Arc<StoryCallCounts>,
    /// Turns of a person about a job wait for each other.
    pub(in crate::tech_story) under_way: Mutex<HashMap<JobKey, Arc<ActiveInterview>>>,
}

impl TechStories {
    pub(crate) fn new(
        store: Store,
        limits: &SharedLimits,
        options: &StoryOptions,
    ) -> Result<Self, reqwest::Error> {
        let calls = Arc::<StoryCallCounts>::default();
        let remote = |provider| Remote::new(provider, Arc::clone(&calls));
        let inner = Inner {
            store,
            built_in: BuiltIn,
            configured: options.provider.as_ref().map(remote).transpose()?,
            calls: Arc::clone(&calls),
            limits: CallLimits::new(limits, options.calls_an_hour),
            under_way: Mutex::default(),
        };
        Ok(Self {
            inner: Arc::new(inner),
        })
    }

    /// What became of calls to the provider.
    pub fn calls(&self) -> &Arc<StoryCallCounts> {
        &self.inner.calls
    }

    pub fn configured(&self) -> Option<InterviewerInfo> {
        self.inner
            .configured
            .as_ref()
            .map(|interviewer| interviewer.info())
    }

    pub fn built_in(&self) -> InterviewerInfo {
        self.inner.built_in.info()
    }

    /// What the interviewer says next. Dropped, it is not asked any further.
    pub async fn next(
        &self,
        uid: &str,
        order: &RepairOrder,
        job_number: i32,
        mut turn: Turn,
        progress: &watch::Sender<String>,
    ) -> Result<StoryReply, ApiError> {
        let place = (uid.to_owned(), order.number.get(), job_number);
        let under_way = self.under_way(&place);
        let mut cancelled = under_way.cancelled.subscribe();
        let _turn = self.take_turn(place.clone(), &under_way).await;
        let existing = self.find_or_start(&place, &turn).await?;
        if let Some(existing) = &existing {
            existing.note_fields(&mut turn.turns);
            if let Some(reply) = existing.repeated_reply(&turn)? {
                return Ok(reply);
            }
        }
        if existing.is_none() && !turn.turns.is_empty() {
            return Err(moved_on());
        }
        let interviewer = self.interviewer(match &existing {
            Some(existing) => Some(existing.interviewer),
            None => turn.interviewer,
        })?;
        let info = interviewer.info();
        self.inner.limits.count(info.id, uid)?;
        let interview = Interview {
            language: turn.language,
            subject: self.subject(order, job_number).await?,
            cause: turn.cause,
            brief_tech_notes: turn.brief_tech_notes,
            turns: turn.turns,
        };
        let answer = tokio::select! {
            answer = interviewer.reply(&interview, progress) => answer.map_err(refusal)?,
            () = is_cancelled(&mut cancelled, existing.as_ref()) => return Err(ended()),
        };
        let id = existing
            .as_ref()
            .map_or_else(|| Uuid::new_v4().to_string(), |it| it.id.clone());
        let reply = reply(id.clone(), info.clone(), answer, &interview);
        self.keep(existing, id, &place, info, interview, reply)
            .await
    }

    /// What the order says of a job, and the shop of its operation code.
    pub async fn subject(&self, order: &RepairOrder, job_number: i32) -> Result<Subject, ApiError> {
        let mut subject = Subject::of(order, job_number);
        subject.kind = kind_of_code(&self.inner.store, &subject.operation_code).await?;
        Ok(subject)
    }

    /// Gives the reply that stands: this one, or another server's, which was asked the same and was quicker.
    async fn keep(
        &self,
        existing: Option<Conversation>,
        id: String,
        (uid, ro_number, job_number): &JobKey,
        info: InterviewerInfo,
        interview: Interview,
        reply: StoryReply,
    ) -> Result<StoryReply, ApiError> {
        let database = &self.inner.store;
        if let Some(existing) = existing {
            if store::save_turn(database, &existing, &interview.turns, &reply).await? {
                return Ok(reply);
            }
            let now_kept = store::by_id(database, &existing.id).await?;
            return match now_kept {
                Some(kept) if !kept.ended && kept.turns == interview.turns => Ok(kept.reply),
                Some(kept) if !kept.ended => Err(moved_on()),
                _ => Err(ended()),
            };
        }
        let now = Timestamp::now();
        let new = Conversation {
            id,
            uid: uid.clone(),
            ro_number: *ro_number,
            job_number: *job_number,
            interviewer: info.id,
            model: info.model,
            language: interview.language,
            cause: interview.cause,
            brief_tech_notes: interview.brief_tech_notes,
            turns: Vec::new(),
            kept_turns: KeptTurns::none(),
            reply,
            started_at: now,
            ended: false,
        };
        let same = store::begin(database, &new, now).await?;
        Ok(same.unwrap_or(new).reply)
    }

    /// The interview that a turn belongs to. One that begins is a repetition where the same has just
    /// begun.
    async fn find_or_start(
        &self,
        (uid, ro_number, job_number): &JobKey,
        turn: &Turn,
    ) -> Result<Option<Conversation>, ApiError> {
        match &turn.conversation_id {
            Some(id) => {
                let conversation = self.own(uid, id).await?;
                conversation.require_open()?;
                if (conversation.ro_number, conversation.job_number) != (*ro_number, *job_number) {
                    return Err(moved_on());
                }
                Ok(Some(conversation))
            }
            None => {
                let database = &self.inner.store;
                let open = store::open(database, uid, *ro_number, *job_number).await?;
                Ok(open.filter(|open| {
                    !open.has_expired(Timestamp::now())
                        && open.turns.is_empty()
                        && turn.turns.is_empty()
                        && open.is_about(turn)
                }))
            }
        }
    }

    /// 404 `unknown-conversation` for somebody else's, too.
    pub async fn own(&self, uid: &str, id: &str) -> Result<Conversation, ApiError> {
        let conversation = store::by_id(&self.inner.store, id).await?;
        conversation
            .filter(|conversation| conversation.uid == uid)
            .ok_or_else(|| {
                ApiError::new(ErrorCode::UnknownConversation, "There is no such interview")
            })
    }

    /// The person's interview about this job that can go on.
    pub async fn open(
        &self,
        uid: &str,
        ro_number: i64,
        job_number: i32,
    ) -> Result<Option<OpenStory>, ApiError> {
        let open = store::open(&self.inner.store, uid, ro_number, job_number).await?;
        let open = open.filter(|open| !open.has_expired(Timestamp::now()));
        Ok(open.map(|open| OpenStory {
            interviewer: open.reply.interviewer().clone(),
            conversation_id: open.id,
            started_at: open.started_at,
            cause: open.cause,
            brief_tech_notes: open.brief_tech_notes,
            language: open.language,
            conversation: open.turns,
            reply: open.reply,
        }))
    }

    /// Ends it, and stops asking where that is under way.
    pub async fn cancel(&self, uid: &str, id: &str) -> Result<(), ApiError> {
        let conversation = self.own(uid, id).await?;
        self.end(&conversation).await?;
        let cancelled = Cancelled {
            place: (
                conversation.uid,
                conversation.ro_number,
                conversation.job_number,
            ),
            id: conversation.id,
        };
        if let Ok(data) = serde_json::to_string(&cancelled) {
            self.inner.store.others().notify(CANCEL_TOPIC, &data);
        }
        self.stop_asking(cancelled);
        Ok(())
    }

    fn stop_asking(&self, cancelled: Cancelled) {
        let under_way = self.all_under_way().get(&cancelled.place).cloned();
        if let Some(under_way) = under_way {
            under_way.cancelled.send_replace(Some(cancelled.id));
        }
    }

    /// Stops asking where an interview is cancelled at another server, for as long as this one runs, from this call on.
    /// Where that is not heard, the answer finds the interview ended.
    pub fn follow_other_servers(self) -> impl Future<Output = ()> {
        let mut listener = self.inner.store.others().listen(CANCEL_TOPIC);
        async move {
            loop {
                let data = listener.changed().await;
                let cancelled = data.and_then(|data| serde_json::from_str(&data).ok());
                if let Some(cancelled) = cancelled {
                    self.stop_asking(cancelled);
                }
            }
        }
    }

    pub async fn end(&self, conversation: &Conversation) -> Result<(), ApiError> {
        let now = Timestamp::now();
        Ok(store::end(&self.inner.store, &conversation.id, now).await?)
    }

    /// All about these orders, as JSON.
    pub async fn of_orders(&self, orders: &[RoNumber]) -> Result<Vec<Value>, ApiError> {
        Ok(store::of_orders(&self.inner.store, orders).await?)
    }

    /// Deletes those about an order, whoever has them; gives how many.
    pub async fn delete_of_order(&self, order: RoNumber) -> Result<u64, ApiError> {
        Ok(store::delete_of_order(&self.inner.store, order).await?)
    }

    /// Deletes those that began before, as long as nobody can ask for them any more.
    pub async fn sweep(&self, oldest_kept: Timestamp) -> Result<u64, ApiError> {
        let over = Timestamp::now().saturating_sub(store::MIN_KEPT);
        let oldest_kept = oldest_kept.min(over.unwrap_or(Timestamp::MIN));
        Ok(store::sweep(&self.inner.store, oldest_kept).await?)
    }

    fn interviewer(&self, requested: Option<InterviewerId>) -> Result<&dyn Interviewer, ApiError> {
        let configured = self.inner.configured.as_ref();
        match (requested, configured) {
            (Some(InterviewerId::BuiltIn), _) | (None, None) => Ok(&self.inner.built_in),
            (None, Some(configured)) => Ok(configured),
            (Some(id), Some(configured)) if configured.info().id == id => Ok(configured),
            (Some(_), _) => Err(ApiError::new(
                ErrorCode::InterviewerNotConfigured,
                "This interviewer is not set up here; the built-in one is",
            )),
        }
    }
}

impl StoryReply {
    fn interviewer(&self) -> &InterviewerInfo {
        match self {
            StoryReply::Question { interviewer, .. }
            | StoryReply::TechStory { interviewer, .. } => interviewer,
        }
    }
}

/// Waits until this interview is cancelled; one that begins cannot be.
async fn is_cancelled(
    cancelled: &mut watch::Receiver<Option<String>>,
    existing: Option<&Conversation>,
) {
    if let Some(existing) = existing {
        let is_it = |id: &Option<String>| id.as_ref() == Some(&existing.id);
        if cancelled.wait_for(is_it).await.is_ok() {
            return;
        }
    }
    std::future::pending().await
}

fn reply(
    conversation_id: String,
    interviewer: InterviewerInfo,
    answer: Reply,
    interview: &Interview,
) -> StoryReply {
    match answer {
        Reply::Question {
            question,
            of,
            field,
        } => StoryReply::Question {
            conversation_id,
            interviewer,
            question,
            number: interview.turns.len() + 1,
            of,
            field,
        },
        Reply::Story(story) => StoryReply::TechStory {
            conversation_id,
            interviewer,
            doubts: unsupported_facts(&story, &interview.inputs()),
            claim: claim(interview),
            story,
        },
    }
}
