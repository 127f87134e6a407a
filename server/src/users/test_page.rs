//! The debug page of user documents: shows them as they are kept, and writes one's own. Only where
//! the configuration has it; elsewhere nothing tells that there is such a thing.

use crate::calls::Calls;
use actix_web::{get, put, web};
use jiff::Timestamp;
use serde::Serialize;
use utoipa::ToSchema;

use super::state::UsersState;
use super::view::StaffView;
use crate::answer::Answer;
use crate::error::ApiError;
use crate::identity::Caller;
use crate::staff::{Permission, StaffDocument, StaffPatch};
use crate::users::routes::staff_answer;

/// What its calls begin with.
pub const PATHS: &str = "/api/test/";

/// What the page writes as one's role. It is looked at by nothing but the page.
const ROLE: &str = "owner";

pub fn configure(routes: &mut Calls<'_>) {
    routes.service(documents).service(write);
}

#[derive(Serialize, ToSchema)]
pub struct TestDocuments {
    uid: String,
    email: String,
    /// The caller's document: by user id, else by email.
    #[schema(required)]
    own: Option<StaffView>,
    /// All there are, for owners.
    #[schema(required)]
    documents: Option<Vec<StaffView>>,
}

/// The caller's document, and for owners all of them. Only with the option --test-page.
#[utoipa::path(
    operation_id = "test_documents",
    tag = "staff",
    responses(
        (status = 200, body = Answer<TestDocuments>),
    )
)]
#[get("/api/test/documents")]
pub async fn documents(
    caller: Caller,
    state: web::Data<UsersState>,
) -> Result<web::Json<Answer<TestDocuments>>, ApiError> {
    let staff = &state.staff;
    let own = match staff.get(&caller.uid).await? {
        Some(own) => Some(own),
        None => staff.get(&caller.email).await?,
    };
    let documents = if caller.may(Permission::ManageUsers) {
        let all = staff.all().await?;
        Some(all.into_iter().map(as_kept).collect())
    } else {
        None
    };
    let result = TestDocuments {
        uid: caller.uid,
        email: caller.email,
        own: own.map(as_kept),
        documents,
    };
    Ok(web::Json(Answer::new(result)))
}

/// Writes the caller's own document, with a role that grants nothing. Only with the option
/// --test-page.
#[utoipa::path(
    operation_id = "write_test_document",
    tag = "staff",
    responses(
        (status = 200, body = Answer<StaffView>),
    )
)]
#[put("/api/test/document")]
pub async fn write(
    caller: Caller,
    state: web::Data<UsersState>,
) -> Result<web::Json<Answer<StaffView>>, ApiError> {
    let document = state.staff.get(&caller.uid).await?;
    let mut patch = StaffPatch {
        email: Some(caller.email),
        role: Some(Some(ROLE.to_owned())),
        ..StaffPatch::default()
    };
    match document {
        None => {
            patch.name = Some(caller.name);
            patch.created_at = Some(Some(Timestamp::now()));
        }
        Some(document) if document.created_at.is_none() => {
            patch.created_at = Some(Some(Timestamp::now()));
        }
        Some(_) => {}
    }
    let written = state.staff.merge(&caller.uid, patch).await?;
    staff_answer(&state, written).await
}

fn as_kept(document: StaffDocument) -> StaffView {
    StaffView::new(document, None)
}
