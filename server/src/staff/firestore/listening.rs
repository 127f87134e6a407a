//! What changes in the collection, whoever changes it: Firestore tells as long as the connection
//! stands, and what happened while it did not is told as "any may have changed".

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, PoisonError};

use firestore::errors::FirestoreError;
use firestore::gcloud_sdk::google::firestore::v1::target_change::TargetChangeType;
use firestore::gcloud_sdk::google::firestore::v1::{Document, TargetChange, Value};
use firestore::{
    FirestoreDb, FirestoreListenEvent, FirestoreListener, FirestoreListenerTarget,
    FirestoreMemListenStateStorage,
};
use tokio::sync::broadcast;

use super::{COLLECTION, id_of};
use crate::staff::collection::StaffChange;

/// Changes that a slow listener may be behind; one that lags looks at everything.
const CHANGES_KEPT: usize = 256;

/// The one query that is listened to.
const TARGET: FirestoreListenerTarget = FirestoreListenerTarget::new(1);

pub(super) struct Listening {
    picture: Arc<Mutex<Picture>>,
    changes: broadcast::Sender<StaffChange>,
    /// It ends with this.
    _listener: FirestoreListener<FirestoreDb, FirestoreMemListenStateStorage>,
}

impl Listening {
    pub(super) async fn begin(db: &FirestoreDb) -> Result<Self, FirestoreError> {
        let storage = FirestoreMemListenStateStorage::new();
        let mut listener = db.create_listener(storage).await?;
        let collection = db.fluent().select().from(COLLECTION).listen();
        collection.add_target(TARGET, &mut listener)?;
        let (changes, _) = broadcast::channel(CHANGES_KEPT);
        let picture = Arc::<Mutex<Picture>>::default();
        let (heard, told) = (Arc::clone(&picture), changes.clone());
        listener
            .start(move |event| {
                let news = locked(&heard).hear(event);
                tell(&told, news);
                async { Ok(()) }
            })
            .await?;
        Ok(Self {
            picture,
            changes,
            _listener: listener,
        })
    }

    pub(super) fn changes(&self) -> broadcast::Receiver<StaffChange> {
        self.changes.subscribe()
    }

    /// Of our own writes nobody needs to wait until Firestore tells them, and they are told once.
    pub(super) fn wrote(&self, id: &str, document: Option<&Document>) {
        let fields = document.map(|document| &document.fields);
        if locked(&self.picture).wrote(id, fields) {
            tell(&self.changes, vec![changed_one(id)]);
        }
    }
}

fn locked(picture: &Mutex<Picture>) -> std::sync::MutexGuard<'_, Picture> {
    picture.lock().unwrap_or_else(PoisonError::into_inner)
}

fn tell(changes: &broadcast::Sender<StaffChange>, news: Vec<StaffChange>) {
    for change in news {
        // An error only says that nobody listens.
        let _ = changes.send(change);
    }
}

/// The collection as it was last told, so that what is told again is no news.
#[derive(Default)]
struct Picture {
    documents: HashMap<String, HashMap<String, Value>>,
    /// The documents that were sent since Firestore began to send all of them again.
    sent_again: Option<HashSet<String>>,
    state: State,
}

#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum State {
    /// It begins, or the connection was lost: what is there is being sent.
    #[default]
    CatchingUp,
    Current,
}

impl Picture {
    fn hear(&mut self, event: FirestoreListenEvent) -> Vec<StaffChange> {
        match event {
            FirestoreListenEvent::DocumentChange(change) => match change.document {
                Some(document) => {
                    let id = id_of(&document.name);
                    if let Some(sent_again) = &mut self.sent_again {
                        sent_again.insert(id.to_owned());
                    }
                    self.told(id, Some(&document.fields))
                }
                None => Vec::new(),
            },
            FirestoreListenEvent::DocumentDelete(deleted) => {
                self.told(id_of(&deleted.document), None)
            }
            FirestoreListenEvent::DocumentRemove(removed) => {
                self.told(id_of(&removed.document), None)
            }
            FirestoreListenEvent::TargetChange(change) => self.target_changed(&change),
            // How many there are; a difference would be settled by a reset.
            FirestoreListenEvent::Filter(_) => Vec::new(),
        }
    }

    fn told(&mut self, id: &str, fields: Option<&HashMap<String, Value>>) -> Vec<StaffChange> {
        let changed = self.see(id, fields);
        match self.state {
            State::Current if changed => vec![changed_one(id)],
            _ => Vec::new(),
        }
    }

    /// Whether it is to be told: while it catches up, what Firestore told before is not told yet.
    fn wrote(&mut self, id: &str, fields: Option<&HashMap<String, Value>>) -> bool {
        self.see(id, fields) || self.state == State::CatchingUp
    }

    /// Whether it is another document than the picture had.
    fn see(&mut self, id: &str, fields: Option<&HashMap<String, Value>>) -> bool {
        match fields {
            Some(fields) => {
                let before = self.documents.insert(id.to_owned(), fields.clone());
                before.as_ref() != Some(fields)
            }
            None => self.documents.remove(id).is_some(),
        }
    }

    fn target_changed(&mut self, change: &TargetChange) -> Vec<StaffChange> {
        match TargetChangeType::try_from(change.target_change_type) {
            Ok(TargetChangeType::Add) => {
                self.state = State::CatchingUp;
                Vec::new()
            }
            Ok(TargetChangeType::Reset) => {
                self.sent_again = Some(HashSet::new());
                Vec::new()
            }
            Ok(TargetChangeType::Current) => self.caught_up(),
            Ok(TargetChangeType::Remove) => {
                tracing::warn!(cause = ?change.cause, "Firestore tells no changes just now");
                vec![StaffChange { id: None }]
            }
            _ => Vec::new(),
        }
    }

    fn caught_up(&mut self) -> Vec<StaffChange> {
        let before = std::mem::replace(&mut self.state, State::Current);
        let gone: Vec<String> = match self.sent_again.take() {
            Some(sent) => self
                .documents
                .extract_if(|id, _| !sent.contains(id))
                .map(|(id, _)| id)
                .collect(),
            None => Vec::new(),
        };
        match before {
            State::CatchingUp => vec![StaffChange { id: None }],
            State::Current => gone.iter().map(|id| changed_one(id)).collect(),
        }
    }
}

fn changed_one(id: &str) -> StaffChange {
    StaffChange {
        id: Some(Arc::from(id)),
    }
}

#[cfg(test)]
mod tests {
    use firestore::gcloud_sdk::google::firestore::v1::value::ValueType;
    use firestore::gcloud_sdk::google::firestore::v1::{DocumentChange, DocumentDelete};

    use super::*;

    fn fields(name: &str) -> HashMap<String, Value> {
        let value = Value {
            value_type: Some(ValueType::StringValue(name.to_owned())),
        };
        HashMap::from([("name".to_owned(), value)])
    }

    fn path(id: &str) -> String {
        format!("projects/p/databases/(default)/documents/users/{id}")
    }

    fn document(id: &str, name: &str) -> FirestoreListenEvent {
        FirestoreListenEvent::DocumentChange(DocumentChange {
            document: Some(Document {
                name: path(id),
                fields: fields(name),
                ..Document::default()
            }),
            ..DocumentChange::default()
        })
    }

    fn deleted(id: &str) -> FirestoreListenEvent {
        FirestoreListenEvent::DocumentDelete(DocumentDelete {
            document: path(id),
            ..DocumentDelete::default()
        })
    }

    fn target(kind: TargetChangeType) -> FirestoreListenEvent {
        FirestoreListenEvent::TargetChange(TargetChange {
            target_change_type: kind.into(),
            ..TargetChange::default()
        })
    }

    /// The ids that were told, `*` for any.
    fn told(news: Vec<StaffChange>) -> Vec<String> {
        news.into_iter()
            .map(|change| change.id.map_or("*".to_owned(), |id| id.to_string()))
            .collect()
    }

    fn hear(picture: &mut Picture, events: Vec<FirestoreListenEvent>) -> Vec<String> {
        let news = events.into_iter().flat_map(|event| picture.hear(event));
        told(news.collect())
    }

    fn begun() -> Picture {
        let mut picture = Picture::default();
        let first = hear(
            &mut picture,
            vec![
                target(TargetChangeType::Add),
                document("ann", "Ann"),
                document("bob", "Bob"),
                target(TargetChangeType::Current),
            ],
        );
        assert_eq!(first, ["*"], "somebody may have read before");
        picture
    }

    #[test]
    fn a_document_that_is_new_other_or_gone_is_told_once() {
        let mut picture = begun();
        let events = vec![
            document("ann", "Ann B."),
            document("ann", "Ann B."),
            document("eve", "Eve"),
            deleted("bob"),
            deleted("bob"),
        ];
        assert_eq!(hear(&mut picture, events), ["ann", "eve", "bob"]);
    }

    #[test]
    fn our_own_write_is_told_once_whoever_tells_it_first() {
        let mut picture = begun();
        assert!(picture.wrote("ann", Some(&fields("Ann B."))));
        assert!(hear(&mut picture, vec![document("ann", "Ann B.")]).is_empty());
        assert_eq!(hear(&mut picture, vec![document("bob", "B.")]), ["bob"]);
        assert!(!picture.wrote("bob", Some(&fields("B."))));
        hear(
            &mut picture,
            vec![target(TargetChangeType::Add), document("bob", "Bob")],
        );
        assert!(picture.wrote("bob", Some(&fields("Bob"))));
    }

    #[test]
    fn of_what_is_sent_again_only_the_differences_are_told() {
        let mut picture = begun();
        let events = vec![
            target(TargetChangeType::Reset),
            document("ann", "Ann"),
            document("eve", "Eve"),
            target(TargetChangeType::Current),
        ];
        assert_eq!(hear(&mut picture, events), ["eve", "bob"]);
    }

    #[test]
    fn after_a_lost_connection_any_may_have_changed() {
        let mut picture = begun();
        let events = vec![
            target(TargetChangeType::Add),
            document("ann", "Ann B."),
            target(TargetChangeType::Current),
        ];
        assert_eq!(hear(&mut picture, events), ["*"]);
        assert_eq!(hear(&mut picture, vec![document("ann", "A.")]), ["ann"]);
    }
}
