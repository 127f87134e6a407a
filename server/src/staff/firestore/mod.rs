//! The staff collection in Cloud Firestore, over gRPC: the collection `users`, as other programs of
//! the shop may know it. What they keep in a document beside our fields stays.
//!
//! Of Firestore's calls only those are used that its stand-in has, too: BatchGetDocuments,
//! RunQuery, Commit and Listen.

mod fields;
mod listening;

use std::future::Future;
use std::time::Duration;

use async_trait::async_trait;
use firestore::errors::FirestoreError;
use firestore::gcloud_sdk::google::firestore::v1::precondition::ConditionType;
use firestore::gcloud_sdk::google::firestore::v1::write::Operation;
use firestore::gcloud_sdk::google::firestore::v1::{
    CommitRequest, Document, DocumentMask, Precondition, Write,
};
use firestore::{FirestoreDb, FirestoreDbOptions};
use futures_util::TryStreamExt;
use tokio::sync::broadcast;
use tonic::{Code, Status};

use super::Role;
use super::collection::{
    StaffChange, StaffCollection, StaffDocument, StaffError, StaffPatch, better,
};
use crate::config::Google;
use crate::google::{BadGoogle, emulator_credentials};
use listening::Listening;

const COLLECTION: &str = "users";

/// For each try of a call.
const TIME_OUT: Duration = Duration::from_secs(10);

const TRIES: u32 = 3;
const BACK_OFF: Duration = Duration::from_millis(300);

/// Bytes of a document's id.
const LONGEST_ID: usize = 1_500;

pub struct Firestore {
    db: FirestoreDb,
    listening: Listening,
}

impl Firestore {
    /// Connects, and listens to the collection from then on.
    pub async fn open(google: &Google) -> Result<Self, BadGoogle> {
        let project = google.project("--staff firestore")?.to_owned();
        let mut options = FirestoreDbOptions::new(project).with_request_timeout(TIME_OUT);
        let credentials = match google.firestore_emulator {
            Some(address) => {
                options = options.with_firebase_api_url(format!("http://{address}"));
                emulator_credentials()
            }
            None => google.credentials()?,
        };
        let unreachable = |error: FirestoreError| BadGoogle::Firestore(error.to_string());
        let db = FirestoreDb::with_options_auth(options, credentials)
            .await
            .map_err(unreachable)?;
        let listening = Listening::begin(&db).await.map_err(unreachable)?;
        Ok(Self { db, listening })
    }

    fn path(&self, id: &str) -> Result<String, StaffError> {
        if is_id(id) {
            Ok(format!(
                "{}/{COLLECTION}/{id}",
                self.db.get_documents_path()
            ))
        } else {
            Err(StaffError::Unreachable(format!(
                "Firestore keeps no document under the id '{id}'"
            )))
        }
    }

    async fn documents(&self, ids: &[&str]) -> Result<Vec<Document>, StaffError> {
        let ids: Vec<&str> = ids.iter().copied().filter(|id| is_id(id)).collect();
        if ids.is_empty() {
            return Ok(Vec::new());
        }
        let select = self.db.fluent().select().by_id_in(COLLECTION);
        let found = select.batch_with_errors(ids).await.map_err(failed)?;
        let found: Vec<(String, Option<Document>)> = found.try_collect().await.map_err(failed)?;
        Ok(found
            .into_iter()
            .filter_map(|(_, document)| document)
            .collect())
    }

    async fn query(&self, role: Option<Role>) -> Result<Vec<StaffDocument>, StaffError> {
        let mut select = self.db.fluent().select().from(COLLECTION);
        if let Some(role) = role {
            select = select
                .filter(|query| query.for_all([query.field("roles").array_contains(role.name())]));
        }
        let found = select.query().await.map_err(failed)?;
        let mut documents: Vec<StaffDocument> = found.iter().map(fields::read).collect();
        documents.sort_by(|one, other| one.id.cmp(&other.id));
        Ok(documents)
    }

    async fn write(
        &self,
        id: &str,
        patch: StaffPatch,
        must_exist: bool,
    ) -> Result<Option<StaffDocument>, StaffError> {
        let fields = fields::of_patch(patch);
        let mask = DocumentMask {
            field_paths: fields.keys().cloned().collect(),
        };
        let write = Write {
            operation: Some(Operation::Update(Document {
                name: self.path(id)?,
                fields,
                ..Document::default()
            })),
            update_mask: Some(mask),
            current_document: must_exist.then(existing),
            ..Write::default()
        };
        if !self.commit(write).await? {
            return Ok(None);
        }
        // What another program wrote into it belongs to the answer.
        let written = self.documents(&[id]).await?.into_iter().next();
        self.listening.wrote(id, written.as_ref());
        Ok(written.as_ref().map(fields::read))
    }

    /// False when there is no document where one must be.
    async fn commit(&self, write: Write) -> Result<bool, StaffError> {
        let request = CommitRequest {
            database: self.db.get_database_path().clone(),
            writes: vec![write],
            ..CommitRequest::default()
        };
        let committed = tried(async || {
            let mut client = self.db.client().get();
            client.commit(request.clone()).await
        });
        match committed.await {
            Ok(_) => Ok(true),
            Err(status) if status.code() == Code::NotFound => Ok(false),
            Err(status) => Err(StaffError::Unreachable(format!(
                "{:?}: {}",
                status.code(),
                status.message()
            ))),
        }
    }
}

#[async_trait]
impl StaffCollection for Firestore {
    async fn get(&self, id: &str) -> Result<Option<StaffDocument>, StaffError> {
        Ok(self.documents(&[id]).await?.first().map(fields::read))
    }

    async fn all(&self) -> Result<Vec<StaffDocument>, StaffError> {
        self.query(None).await
    }

    /// The role in the spelling in which we write it.
    async fn with_role(&self, role: Role) -> Result<Vec<StaffDocument>, StaffError> {
        self.query(Some(role)).await
    }

    async fn merge(&self, id: &str, patch: StaffPatch) -> Result<StaffDocument, StaffError> {
        let written = self.write(id, patch, false).await?;
        // None only where somebody deleted it meanwhile.
        Ok(written.unwrap_or_else(|| StaffDocument {
            id: id.to_owned(),
            ..StaffDocument::default()
        }))
    }

    async fn update(
        &self,
        id: &str,
        patch: StaffPatch,
    ) -> Result<Option<StaffDocument>, StaffError> {
        if is_id(id) {
            self.write(id, patch, true).await
        } else {
            Ok(None)
        }
    }

    async fn delete(&self, id: &str) -> Result<bool, StaffError> {
        if !is_id(id) {
            return Ok(false);
        }
        let write = Write {
            operation: Some(Operation::Delete(self.path(id)?)),
            current_document: Some(existing()),
            ..Write::default()
        };
        let was_there = self.commit(write).await?;
        if was_there {
            self.listening.wrote(id, None);
        }
        Ok(was_there)
    }

    fn changes(&self) -> broadcast::Receiver<StaffChange> {
        self.listening.changes()
    }

    /// Every request asks this: one call for both.
    async fn find(&self, uid: &str, email: &str) -> Result<Option<StaffDocument>, StaffError> {
        let found = self.documents(&[uid, email]).await?;
        let (by_uid, by_email): (Vec<_>, Vec<_>) = found
            .iter()
            .map(fields::read)
            .partition(|document| document.id == uid);
        Ok(better(
            by_uid.into_iter().next(),
            by_email.into_iter().next(),
        ))
    }
}

/// Firestore's own rules for ids.
fn is_id(id: &str) -> bool {
    let reserved = id.len() >= 4 && id.starts_with("__") && id.ends_with("__");
    !id.is_empty()
        && id.len() <= LONGEST_ID
        && !id.contains('/')
        && id != "."
        && id != ".."
        && !reserved
}

fn existing() -> Precondition {
    Precondition {
        condition_type: Some(ConditionType::Exists(true)),
    }
}

/// Once more where another try may go well.
async fn tried<T, F: Future<Output = Result<T, Status>>>(
    call: impl Fn() -> F,
) -> Result<T, Status> {
    let mut tries = 1;
    loop {
        let done = tokio::time::timeout(TIME_OUT, call()).await;
        let done = done.unwrap_or_else(|_| Err(Status::deadline_exceeded("no answer in time")));
        match done {
            Err(status) if tries < TRIES && may_pass(status.code()) => {
                tokio::time::sleep(BACK_OFF * tries).await;
                tries += 1;
            }
            done => return done,
        }
    }
}

fn may_pass(code: Code) -> bool {
    matches!(
        code,
        Code::Unavailable | Code::Aborted | Code::DeadlineExceeded | Code::ResourceExhausted
    )
}

fn failed(error: FirestoreError) -> StaffError {
    StaffError::Unreachable(error.to_string())
}

/// The last part of a document's path.
fn id_of(name: &str) -> &str {
    name.rsplit('/').next().unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_what_firestore_takes_for_one() {
        for id in [
            "ann@example.com",
            "a.b+c@shop.example",
            "uid-1",
            "__",
            "_a_",
            "ü@example.com",
        ] {
            assert!(is_id(id), "{id}");
        }
        for id in [
            "",
            ".",
            "..",
            "a/b@example.com",
            "__all__",
            &"x".repeat(1_501),
        ] {
            assert!(!is_id(id), "{id}");
        }
    }

    #[tokio::test]
    async fn what_may_pass_is_tried_three_times() {
        for (code, tries) in [(Code::Unavailable, 3), (Code::PermissionDenied, 1)] {
            let count = std::cell::Cell::new(0);
            let failed = tried(async || {
                count.set(count.get() + 1);
                Err::<(), Status>(Status::new(code, ""))
            });
            assert_eq!(failed.await.unwrap_err().code(), code);
            assert_eq!(count.get(), tries, "{code:?}");
        }
    }
}
