//! Cloud Firestore, against a stand-in that speaks its gRPC.

use std::collections::HashMap;
use std::sync::Arc;

use dispatch_hosted::OpenError;
use dispatch_hosted::gcloud_sdk::google::firestore::v1::firestore_client::FirestoreClient;
use dispatch_hosted::gcloud_sdk::google::firestore::v1::value::ValueType;
use dispatch_hosted::gcloud_sdk::google::firestore::v1::write::Operation;
use dispatch_hosted::gcloud_sdk::google::firestore::v1::{
    BatchGetDocumentsRequest, CommitRequest, Document, MapValue, Value, Write,
    batch_get_documents_response,
};
use dispatch_hosted::gcloud_sdk::tonic::transport::Channel;
use dispatch_server::hosted::{Firestore, HostedError};
use dispatch_server::options::config::Google;
use dispatch_server::staff::{Role, StaffChange, StaffCollection, StaffPatch};
use tokio::sync::broadcast::Receiver;
use tokio::time::timeout;

use super::emulators::empty_firestore;
use super::staff_suite::staff_suite;
use crate::fixture::WAIT_TIMEOUT;

async fn empty() -> Arc<Firestore> {
    let google = tokio::task::spawn_blocking(empty_firestore).await.unwrap();
    Arc::new(Firestore::open(&google).await.unwrap())
}

staff_suite!(empty());

/// Another program of the shop, with the same collection.
struct OtherProgram {
    client: FirestoreClient<Channel>,
    database: String,
}

impl OtherProgram {
    async fn on(google: &Google) -> Self {
        let address = google.firestore_emulator.unwrap();
        let project = google.project.as_ref().unwrap();
        Self {
            client: FirestoreClient::connect(format!("http://{address}"))
                .await
                .unwrap(),
            database: format!("projects/{project}/databases/(default)"),
        }
    }

    fn path(&self, id: &str) -> String {
        format!("{}/documents/users/{id}", self.database)
    }

    async fn commit(&mut self, operation: Operation) {
        let request = CommitRequest {
            database: self.database.clone(),
            writes: vec![Write {
                operation: Some(operation),
                ..Write::default()
            }],
            ..CommitRequest::default()
        };
        self.client.commit(request).await.unwrap();
    }

    async fn put(&mut self, id: &str, fields: HashMap<String, Value>) {
        let document = Document {
            name: self.path(id),
            fields,
            ..Document::default()
        };
        self.commit(Operation::Update(document)).await;
    }

    async fn delete(&mut self, id: &str) {
        self.commit(Operation::Delete(self.path(id))).await;
    }

    async fn fields(&mut self, id: &str) -> HashMap<String, Value> {
        let request = BatchGetDocumentsRequest {
            database: self.database.clone(),
            documents: vec![self.path(id)],
            ..BatchGetDocumentsRequest::default()
        };
        let found = self.client.batch_get_documents(request).await;
        let found = found.unwrap().into_inner().message().await.unwrap();
        match found.unwrap().result.unwrap() {
            batch_get_documents_response::Result::Found(document) => document.fields,
            missing => panic!("{missing:?}"),
        }
    }
}

fn text(text: &str) -> Value {
    value(ValueType::StringValue(text.to_owned()))
}

fn value(value: ValueType) -> Value {
    Value {
        value_type: Some(value),
    }
}

fn fields<const N: usize>(fields: [(&str, Value); N]) -> HashMap<String, Value> {
    fields
        .into_iter()
        .map(|(name, value)| (name.to_owned(), value))
        .collect()
}

#[tokio::test]
async fn fields_of_other_programs_in_a_document_stay() {
    let google = tokio::task::spawn_blocking(empty_firestore).await.unwrap();
    let staff = Firestore::open(&google).await.unwrap();
    let mut other = OtherProgram::on(&google).await;
    let shoes = value(ValueType::MapValue(MapValue {
        fields: fields([("size", value(ValueType::DoubleValue(42.5)))]),
    }));
    let kept = fields([("shoes", shoes), ("phone", text("555-0100"))]);
    let mut whole = kept.clone();
    whole.extend(fields([("name", text("Ann")), ("skill", text("Master"))]));
    other.put("ann", whole).await;

    let patch = StaffPatch {
        name: Some("Ann B.".to_owned()),
        roles: Some(vec![Role::Owner]),
        ..StaffPatch::default()
    };
    let merged = staff.merge("ann", patch.clone()).await.unwrap();
    assert_eq!(merged.skill.as_deref(), Some("Master"));
    staff.update("ann", patch).await.unwrap();
    let found = other.fields("ann").await;
    for (name, value) in &kept {
        assert_eq!(found.get(name), Some(value), "{name}");
    }
    assert_eq!(found["name"], text("Ann B."));
}

#[tokio::test]
async fn roles_that_cannot_be_read_permit_nothing_and_hide_no_user() {
    let google = tokio::task::spawn_blocking(empty_firestore).await.unwrap();
    let staff = Firestore::open(&google).await.unwrap();
    let mut other = OtherProgram::on(&google).await;
    other.put("a", fields([("roles", text("Owner"))])).await;
    other
        .put(
            "b",
            fields([("roles", value(ValueType::BooleanValue(true)))]),
        )
        .await;
    other.put("c", fields([("name", text("Cem"))])).await;
    let all = staff.all().await.unwrap();
    let roles: Vec<_> = all.iter().map(|document| document.roles.clone()).collect();
    assert_eq!(roles, [Some(vec![]), Some(vec![]), None]);
    assert!(staff.with_role(Role::Owner).await.unwrap().is_empty());
}

async fn next(changes: &mut Receiver<StaffChange>) -> Option<String> {
    let change = timeout(WAIT_TIMEOUT, changes.recv()).await;
    let change = change.expect("a change is announced").unwrap();
    change.id.map(|id| id.to_string())
}

#[tokio::test]
async fn a_change_by_another_program_is_announced() {
    let google = tokio::task::spawn_blocking(empty_firestore).await.unwrap();
    let mut other = OtherProgram::on(&google).await;
    other.put("old", fields([("name", text("Old"))])).await;
    let staff = Firestore::open(&google).await.unwrap();
    let mut changes = staff.changes();
    let first = next(&mut changes).await;
    assert_eq!(first, None, "from here on it hears everything");

    other.put("ann", fields([("name", text("Ann"))])).await;
    assert_eq!(next(&mut changes).await.as_deref(), Some("ann"));
    other.put("ann", fields([("name", text("Ann B."))])).await;
    assert_eq!(next(&mut changes).await.as_deref(), Some("ann"));
    other.delete("old").await;
    assert_eq!(next(&mut changes).await.as_deref(), Some("old"));
    assert!(changes.is_empty(), "each is told once");
}

#[tokio::test]
async fn an_id_that_is_a_path_reaches_no_other_document() {
    let staff = empty().await;
    let patch = StaffPatch::default;
    for id in ["", ".", "..", "a/b@shop.example", "../skills/1", "__all__"] {
        assert_eq!(staff.get(id).await.unwrap(), None, "{id}");
        assert_eq!(staff.update(id, patch()).await.unwrap(), None, "{id}");
        assert!(!staff.delete(id).await.unwrap(), "{id}");
        assert!(staff.merge(id, patch()).await.is_err(), "{id}");
    }
    assert!(staff.all().await.unwrap().is_empty());
}

#[tokio::test]
async fn without_a_project_or_a_firestore_it_does_not_open() {
    let no_project = Firestore::open(&Google::default()).await;
    assert!(matches!(no_project, Err(HostedError::NoProject(_))));
    let nobody = Google {
        project: Some("nobody".to_owned()),
        firestore_emulator: Some("127.0.0.1:9".parse().unwrap()),
        ..Google::default()
    };
    let unreachable = Firestore::open(&nobody).await;
    assert!(matches!(
        unreachable,
        Err(HostedError::Open(OpenError::Firestore(_)))
    ));
}
