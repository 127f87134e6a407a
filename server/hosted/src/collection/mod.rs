//! A collection of Cloud Firestore, over gRPC. Other programs may know it, too: what they keep in a
//! document beside the fields that are written here stays.
//!
//! Of Firestore's calls only those are used that its stand-in has: BatchGetDocuments, RunQuery, Commit
//! and Listen.

mod change_feed;
mod field_value;

use std::future::Future;
use std::net::SocketAddr;
use std::time::Duration;

use firestore::errors::FirestoreError;
use firestore::gcloud_sdk::google::firestore::v1::precondition::ConditionType;
use firestore::gcloud_sdk::google::firestore::v1::write::Operation;
use firestore::gcloud_sdk::google::firestore::v1::{
    self as wire, CommitRequest, DocumentMask, Precondition, Write,
};
use firestore::{FirestoreDb, FirestoreDbOptions};
use futures_util::TryStreamExt;
use google_cloud_auth::credentials::Credentials;
use tonic::{Code, Status};

use crate::project::{OpenError, Project, emulator_credentials};
use change_feed::ChangeFeed;

pub use change_feed::DocumentChange;
pub use field_value::{FieldValue, Fields, OtherValue};

/// For each try of a call.
const TIMEOUT: Duration = Duration::from_secs(10);

const MAX_TRIES: u32 = 3;
const RETRY_INTERVAL: Duration = Duration::from_millis(300);

/// Firestore's limit of a document's id.
const MAX_ID_BYTES: usize = 1_500;

/// A collection of the project's default database.
pub struct Collection {
    db: FirestoreDb,
    name: &'static str,
    feed: ChangeFeed,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Document {
    pub id: String,
    pub fields: Fields,
}

#[derive(Debug, thiserror::Error)]
pub enum CollectionError {
    #[error("Firestore keeps no document under the id '{0}'")]
    InvalidId(String),
    /// With what was said of it.
    #[error("{0}")]
    Unreachable(String),
}

impl From<FirestoreError> for CollectionError {
    fn from(error: FirestoreError) -> Self {
        Self::Unreachable(error.to_string())
    }
}

impl Collection {
    /// Connects, and calls `on_change` for every change from then on.
    pub async fn open(
        project: &Project,
        name: &'static str,
        on_change: impl Fn(DocumentChange) + Send + Sync + 'static,
    ) -> Result<Self, OpenError> {
        let options = FirestoreDbOptions::new(project.id.clone());
        Self::connect(options, project.credentials()?, name, on_change).await
    }

    /// The same at an emulator, which asks nobody who they are.
    pub async fn at_emulator(
        project: &Project,
        address: SocketAddr,
        name: &'static str,
        on_change: impl Fn(DocumentChange) + Send + Sync + 'static,
    ) -> Result<Self, OpenError> {
        let options = FirestoreDbOptions::new(project.id.clone())
            .with_firebase_api_url(format!("http://{address}"));
        Self::connect(options, emulator_credentials(), name, on_change).await
    }

    async fn connect(
        options: FirestoreDbOptions,
        credentials: Credentials,
        name: &'static str,
        on_change: impl Fn(DocumentChange) + Send + Sync + 'static,
    ) -> Result<Self, OpenError> {
        let unreachable = |error: FirestoreError| OpenError::Firestore(error.to_string());
        let options = options.with_request_timeout(TIMEOUT);
        let db = FirestoreDb::with_options_auth(options, credentials)
            .await
            .map_err(unreachable)?;
        let feed = ChangeFeed::start(&db, name, on_change)
            .await
            .map_err(unreachable)?;
        Ok(Self { db, name, feed })
    }

    /// Every document, by id.
    pub async fn all(&self) -> Result<Vec<Document>, CollectionError> {
        self.query(None).await
    }

    /// The documents whose list `field` contains the text, by id.
    pub async fn all_containing(
        &self,
        field: &str,
        text: &str,
    ) -> Result<Vec<Document>, CollectionError> {
        self.query(Some((field, text))).await
    }

    async fn query(
        &self,
        contains: Option<(&str, &str)>,
    ) -> Result<Vec<Document>, CollectionError> {
        let mut select = self.db.fluent().select().from(self.name);
        if let Some((field, text)) = contains {
            select =
                select.filter(|query| query.for_all([query.field(field).array_contains(text)]));
        }
        let found = select.query().await?;
        let mut documents: Vec<Document> = found.iter().map(document_from_wire).collect();
        documents.sort_by(|one, other| one.id.cmp(&other.id));
        Ok(documents)
    }

    /// Those of the documents that exist, in one call. An id that none can have names none.
    pub async fn find(&self, ids: &[&str]) -> Result<Vec<Document>, CollectionError> {
        let found = self.find_on_wire(ids).await?;
        Ok(found.iter().map(document_from_wire).collect())
    }

    async fn find_on_wire(&self, ids: &[&str]) -> Result<Vec<wire::Document>, CollectionError> {
        let ids: Vec<&str> = ids.iter().copied().filter(|id| is_id(id)).collect();
        if ids.is_empty() {
            return Ok(Vec::new());
        }
        let select = self.db.fluent().select().by_id_in(self.name);
        let found = select.batch_with_errors(ids).await?;
        let found: Vec<(String, Option<wire::Document>)> = found.try_collect().await?;
        Ok(found
            .into_iter()
            .filter_map(|(_, document)| document)
            .collect())
    }

    /// Writes these fields, and makes the document where there is none. `None` only where somebody
    /// deleted it meanwhile.
    pub async fn merge(
        &self,
        id: &str,
        fields: Fields,
    ) -> Result<Option<Document>, CollectionError> {
        self.write(id, fields, None).await
    }

    /// The same, but `None` where there is no document.
    pub async fn update(
        &self,
        id: &str,
        fields: Fields,
    ) -> Result<Option<Document>, CollectionError> {
        if is_id(id) {
            self.write(id, fields, Some(must_exist())).await
        } else {
            Ok(None)
        }
    }

    async fn write(
        &self,
        id: &str,
        fields: Fields,
        precondition: Option<Precondition>,
    ) -> Result<Option<Document>, CollectionError> {
        let mask = DocumentMask {
            field_paths: fields.keys().cloned().collect(),
        };
        let fields = fields
            .into_iter()
            .map(|(name, value)| (name, field_value::to_wire(value)));
        let write = Write {
            operation: Some(Operation::Update(wire::Document {
                name: self.path(id)?,
                fields: fields.collect(),
                ..wire::Document::default()
            })),
            update_mask: Some(mask),
            current_document: precondition,
            ..Write::default()
        };
        if !self.commit(write).await? {
            return Ok(None);
        }
        // What another program wrote into it belongs to the answer.
        let written = self.find_on_wire(&[id]).await?.into_iter().next();
        self.feed.report_write(id, written.as_ref());
        Ok(written.as_ref().map(document_from_wire))
    }

    /// False when there was none.
    pub async fn delete(&self, id: &str) -> Result<bool, CollectionError> {
        if !is_id(id) {
            return Ok(false);
        }
        let write = Write {
            operation: Some(Operation::Delete(self.path(id)?)),
            current_document: Some(must_exist()),
            ..Write::default()
        };
        let was_there = self.commit(write).await?;
        if was_there {
            self.feed.report_write(id, None);
        }
        Ok(was_there)
    }

    fn path(&self, id: &str) -> Result<String, CollectionError> {
        if is_id(id) {
            let documents = self.db.get_documents_path();
            Ok(format!("{documents}/{}/{id}", self.name))
        } else {
            Err(CollectionError::InvalidId(id.to_owned()))
        }
    }

    /// False when there is no document where one must be.
    async fn commit(&self, write: Write) -> Result<bool, CollectionError> {
        let request = CommitRequest {
            database: self.db.get_database_path().clone(),
            writes: vec![write],
            ..CommitRequest::default()
        };
        let committed = with_retries(async || {
            let mut client = self.db.client().get();
            client.commit(request.clone()).await
        });
        match committed.await {
            Ok(_) => Ok(true),
            Err(status) if status.code() == Code::NotFound => Ok(false),
            Err(status) => Err(CollectionError::Unreachable(format!(
                "{:?}: {}",
                status.code(),
                status.message()
            ))),
        }
    }
}

fn document_from_wire(document: &wire::Document) -> Document {
    let fields = document
        .fields
        .iter()
        .map(|(name, value)| (name.clone(), field_value::from_wire(value)));
    Document {
        id: id_of(&document.name).to_owned(),
        fields: fields.collect(),
    }
}

/// Firestore's own rules for ids.
fn is_id(id: &str) -> bool {
    let reserved = id.len() >= 4 && id.starts_with("__") && id.ends_with("__");
    !id.is_empty()
        && id.len() <= MAX_ID_BYTES
        && !id.contains('/')
        && id != "."
        && id != ".."
        && !reserved
}

fn must_exist() -> Precondition {
    Precondition {
        condition_type: Some(ConditionType::Exists(true)),
    }
}

/// Calls again where the failure may be a passing one.
async fn with_retries<T, F: Future<Output = Result<T, Status>>>(
    call: impl Fn() -> F,
) -> Result<T, Status> {
    let mut tries = 1;
    loop {
        let done = tokio::time::timeout(TIMEOUT, call()).await;
        let done = done.unwrap_or_else(|_| Err(Status::deadline_exceeded("no answer in time")));
        match done {
            Err(status) if tries < MAX_TRIES && is_transient(status.code()) => {
                tokio::time::sleep(RETRY_INTERVAL * tries).await;
                tries += 1;
            }
            done => return done,
        }
    }
}

fn is_transient(code: Code) -> bool {
    matches!(
        code,
        Code::Unavailable | Code::Aborted | Code::DeadlineExceeded | Code::ResourceExhausted
    )
}

/// The last part of a document's path.
fn id_of(name: &str) -> &str {
    name.rsplit('/').next().unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_an_id_that_firestore_accepts_is_one() {
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
    async fn a_transient_failure_is_tried_three_times() {
        for (code, tries) in [(Code::Unavailable, 3), (Code::PermissionDenied, 1)] {
            let count = std::cell::Cell::new(0);
            let failed = with_retries(async || {
                count.set(count.get() + 1);
                Err::<(), Status>(Status::new(code, ""))
            });
            assert_eq!(failed.await.unwrap_err().code(), code);
            assert_eq!(count.get(), tries, "{code:?}");
        }
    }
}
