//! Clients of the services in which a shop may keep its people already: accounts in Firebase
//! Authentication, staff records in a collection of Cloud Firestore.
//!
//! Knows Google's protocols, credentials and errors. It knows neither the server's sessions nor what a
//! staff record means, and answers no requests.

mod authentication;
mod collection;
mod project;

pub use authentication::{
    Authentication, AuthenticationError, PasswordRules, RefreshedSession, SignIn,
};
pub use collection::{
    Collection, CollectionError, Document, DocumentChange, FieldValue, Fields, OtherValue,
};
pub use project::{OpenError, Project};

/// Firestore's own messages and client, for tests that reach the collection as another program does.
pub use firestore::gcloud_sdk;
