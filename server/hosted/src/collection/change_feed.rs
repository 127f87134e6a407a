//! What changes in a collection, whoever changes it. Firestore reports changes for as long as the
//! connection stands; after a gap any document may have changed.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use firestore::errors::FirestoreError;
use firestore::gcloud_sdk::google::firestore::v1::target_change::TargetChangeType;
use firestore::gcloud_sdk::google::firestore::v1::{Document, TargetChange, Value};
use firestore::{
    FirestoreDb, FirestoreListenEvent, FirestoreListener, FirestoreListenerTarget,
    FirestoreMemListenStateStorage,
};

use super::id_of;

/// The one query that is listened to.
const TARGET: FirestoreListenerTarget = FirestoreListenerTarget::new(1);

/// A document was written or deleted, by whomever.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DocumentChange {
    /// The document with this id.
    One(String),
    /// Any document may have changed.
    Any,
}

type OnChange = dyn Fn(DocumentChange) + Send + Sync;

pub(super) struct ChangeFeed {
    documents: Arc<Mutex<KnownDocuments>>,
    on_change: Arc<OnChange>,
    /// Dropping it ends the feed.
    _listener: FirestoreListener<FirestoreDb, FirestoreMemListenStateStorage>,
}

impl ChangeFeed {
    pub(super) async fn start(
        db: &FirestoreDb,
        collection: &str,
        on_change: impl Fn(DocumentChange) + Send + Sync + 'static,
    ) -> Result<Self, FirestoreError> {
        let storage = FirestoreMemListenStateStorage::new();
        let mut listener = db.create_listener(storage).await?;
        let query = db.fluent().select().from(collection).listen();
        query.add_target(TARGET, &mut listener)?;
        let documents = Arc::<Mutex<KnownDocuments>>::default();
        let on_change: Arc<OnChange> = Arc::new(on_change);
        let (of_listener, report) = (Arc::clone(&documents), Arc::clone(&on_change));
        listener
            .start(move |event| {
                let changes = locked(&of_listener).apply(event);
                for change in changes {
                    report(change);
                }
                async { Ok(()) }
            })
            .await?;
        Ok(Self {
            documents,
            on_change,
            _listener: listener,
        })
    }

    /// Reports a write of ours at once. Firestore's own report of it is none then.
    pub(super) fn report_write(&self, id: &str, document: Option<&Document>) {
        let fields = document.map(|document| &document.fields);
        if locked(&self.documents).apply_write(id, fields) {
            (self.on_change)(DocumentChange::One(id.to_owned()));
        }
    }
}

fn locked(documents: &Mutex<KnownDocuments>) -> MutexGuard<'_, KnownDocuments> {
    documents.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The collection as Firestore last sent it, so that what it sends again is no change.
#[derive(Default)]
struct KnownDocuments {
    documents: HashMap<String, HashMap<String, Value>>,
    /// The documents received since Firestore began to send all of them again.
    resent: Option<HashSet<String>>,
    state: FeedState,
}

#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum FeedState {
    /// The feed begins, or lost its connection: Firestore is sending what there is.
    #[default]
    CatchingUp,
    Current,
}

impl KnownDocuments {
    fn apply(&mut self, event: FirestoreListenEvent) -> Vec<DocumentChange> {
        match event {
            FirestoreListenEvent::DocumentChange(change) => match change.document {
                Some(document) => {
                    let id = id_of(&document.name);
                    if let Some(resent) = &mut self.resent {
                        resent.insert(id.to_owned());
                    }
                    self.apply_document(id, Some(&document.fields))
                }
                None => Vec::new(),
            },
            FirestoreListenEvent::DocumentDelete(deleted) => {
                self.apply_document(id_of(&deleted.document), None)
            }
            FirestoreListenEvent::DocumentRemove(removed) => {
                self.apply_document(id_of(&removed.document), None)
            }
            FirestoreListenEvent::TargetChange(change) => self.apply_target_change(&change),
            // Counts the documents; Firestore settles a difference by a reset.
            FirestoreListenEvent::Filter(_) => Vec::new(),
        }
    }

    fn apply_document(
        &mut self,
        id: &str,
        fields: Option<&HashMap<String, Value>>,
    ) -> Vec<DocumentChange> {
        let is_changed = self.replace(id, fields);
        match self.state {
            FeedState::Current if is_changed => vec![DocumentChange::One(id.to_owned())],
            _ => Vec::new(),
        }
    }

    /// Whether the write is to be reported. While the feed catches up, nothing that Firestore sent has been.
    fn apply_write(&mut self, id: &str, fields: Option<&HashMap<String, Value>>) -> bool {
        self.replace(id, fields) || self.state == FeedState::CatchingUp
    }

    /// Whether the document differs from the one that was known.
    fn replace(&mut self, id: &str, fields: Option<&HashMap<String, Value>>) -> bool {
        match fields {
            Some(fields) => {
                let before = self.documents.insert(id.to_owned(), fields.clone());
                before.as_ref() != Some(fields)
            }
            None => self.documents.remove(id).is_some(),
        }
    }

    fn apply_target_change(&mut self, change: &TargetChange) -> Vec<DocumentChange> {
        match TargetChangeType::try_from(change.target_change_type) {
            Ok(TargetChangeType::Add) => {
                self.state = FeedState::CatchingUp;
                Vec::new()
            }
            Ok(TargetChangeType::Reset) => {
                self.resent = Some(HashSet::new());
                Vec::new()
            }
            Ok(TargetChangeType::Current) => self.finish_catching_up(),
            Ok(TargetChangeType::Remove) => {
                tracing::warn!(cause = ?change.cause, "Firestore reports no changes just now");
                vec![DocumentChange::Any]
            }
            _ => Vec::new(),
        }
    }

    fn finish_catching_up(&mut self) -> Vec<DocumentChange> {
        let before = std::mem::replace(&mut self.state, FeedState::Current);
        let deleted_ids: Vec<String> = match self.resent.take() {
            Some(resent) => self
                .documents
                .extract_if(|id, _| !resent.contains(id))
                .map(|(id, _)| id)
                .collect(),
            None => Vec::new(),
        };
        match before {
            FeedState::CatchingUp => vec![DocumentChange::Any],
            FeedState::Current => deleted_ids.into_iter().map(DocumentChange::One).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use firestore::gcloud_sdk::google::firestore::v1::value::ValueType;
    use firestore::gcloud_sdk::google::firestore::v1::{self as wire, DocumentDelete};

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
        FirestoreListenEvent::DocumentChange(wire::DocumentChange {
            document: Some(Document {
                name: path(id),
                fields: fields(name),
                ..Document::default()
            }),
            ..wire::DocumentChange::default()
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

    /// The ids that are reported, `*` for any.
    fn reported(documents: &mut KnownDocuments, events: Vec<FirestoreListenEvent>) -> Vec<String> {
        let changes = events.into_iter().flat_map(|event| documents.apply(event));
        changes
            .map(|change| match change {
                DocumentChange::One(id) => id,
                DocumentChange::Any => "*".to_owned(),
            })
            .collect()
    }

    fn caught_up() -> KnownDocuments {
        let mut documents = KnownDocuments::default();
        let first = reported(
            &mut documents,
            vec![
                target(TargetChangeType::Add),
                document("ann", "Ann"),
                document("bob", "Bob"),
                target(TargetChangeType::Current),
            ],
        );
        assert_eq!(first, ["*"], "somebody may have read before");
        documents
    }

    #[test]
    fn a_new_changed_or_deleted_document_is_reported_once() {
        let mut documents = caught_up();
        let events = vec![
            document("ann", "Ann B."),
            document("ann", "Ann B."),
            document("eve", "Eve"),
            deleted("bob"),
            deleted("bob"),
        ];
        assert_eq!(reported(&mut documents, events), ["ann", "eve", "bob"]);
    }

    #[test]
    fn our_own_write_is_reported_once_whoever_reports_it_first() {
        let mut documents = caught_up();
        assert!(documents.apply_write("ann", Some(&fields("Ann B."))));
        assert!(reported(&mut documents, vec![document("ann", "Ann B.")]).is_empty());
        assert_eq!(
            reported(&mut documents, vec![document("bob", "B.")]),
            ["bob"]
        );
        assert!(!documents.apply_write("bob", Some(&fields("B."))));
        reported(
            &mut documents,
            vec![target(TargetChangeType::Add), document("bob", "Bob")],
        );
        assert!(documents.apply_write("bob", Some(&fields("Bob"))));
    }

    #[test]
    fn only_the_differences_of_what_is_sent_again_are_reported() {
        let mut documents = caught_up();
        let events = vec![
            target(TargetChangeType::Reset),
            document("ann", "Ann"),
            document("eve", "Eve"),
            target(TargetChangeType::Current),
        ];
        assert_eq!(reported(&mut documents, events), ["eve", "bob"]);
    }

    #[test]
    fn after_a_lost_connection_any_may_have_changed() {
        let mut documents = caught_up();
        let events = vec![
            target(TargetChangeType::Add),
            document("ann", "Ann B."),
            target(TargetChangeType::Current),
        ];
        assert_eq!(reported(&mut documents, events), ["*"]);
        assert_eq!(
            reported(&mut documents, vec![document("ann", "A.")]),
            ["ann"]
        );
    }
}
