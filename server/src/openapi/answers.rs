//! What calls have in common, so that no call repeats it. Who asks is said by an ID token, unless a
//! call says otherwise: `security(())` for calls that anybody may make. The refusals that any call of a
//! kind can answer: a body or a parameter may be unreadable, a token may be missing, and the server may
//! not be able to work just now. A call's own description of a status stands.

use utoipa::Modify;
use utoipa::openapi::path::{Operation, PathItem};
use utoipa::openapi::response::ResponseBuilder;
use utoipa::openapi::security::SecurityRequirement;
use utoipa::openapi::{Content, OpenApi, Ref, RefOr, Response};

/// Status, name among the document's responses, description.
type Refusal = (&'static str, &'static str, &'static str);

const UNREADABLE: Refusal = (
    "400",
    "Unreadable",
    "The request cannot be read; the sentence says what is wrong with it",
);
const SIGN_IN_FIRST: Refusal = (
    "401",
    "SignInFirst",
    "What says who is asking is missing, too old, or of a session that has ended",
);
const TOO_LARGE: Refusal = ("413", "TooLarge", "The request is larger than 256 KB");
const UNAVAILABLE: Refusal = (
    "503",
    "Unavailable",
    "The server could not do this just now: try again, which is safe",
);

pub(super) struct EveryCall;

impl Modify for EveryCall {
    fn modify(&self, api: &mut OpenApi) {
        let components = api.components.get_or_insert_default();
        for (_, name, description) in [UNREADABLE, SIGN_IN_FIRST, TOO_LARGE, UNAVAILABLE] {
            let answer = refusal(description);
            components.responses.insert(name.to_owned(), answer.into());
        }
        for call in api.paths.paths.values_mut().flat_map(calls) {
            call.security = security_of(call);
            for (status, name, _) in refusals_of(call) {
                let answer = RefOr::Ref(Ref::from_response_name(name));
                let answers = &mut call.responses.responses;
                answers.entry(status.to_owned()).or_insert(answer);
            }
        }
    }
}

fn security_of(call: &mut Operation) -> Option<Vec<SecurityRequirement>> {
    let id_token = || vec![SecurityRequirement::new("idToken", [] as [&str; 0])];
    let security = call.security.take().unwrap_or_else(id_token);
    // What anybody may call is documented without any security.
    let is_open = security == [SecurityRequirement::default()];
    (!is_open).then_some(security)
}

fn refusals_of(call: &Operation) -> Vec<Refusal> {
    let takes_body = call.request_body.is_some();
    let takes_parameters = call.parameters.as_ref().is_some_and(|all| !all.is_empty());
    let mut refusals = vec![UNAVAILABLE];
    if takes_body {
        refusals.push(TOO_LARGE);
    }
    if takes_body || takes_parameters {
        refusals.push(UNREADABLE);
    }
    // An empty requirement makes signing in optional.
    let optional = SecurityRequirement::default();
    let security = call.security.as_deref().unwrap_or_default();
    if !security.is_empty() && !security.contains(&optional) {
        refusals.push(SIGN_IN_FIRST);
    }
    refusals
}

fn refusal(description: &str) -> Response {
    let schema = Ref::from_schema_name("Error");
    ResponseBuilder::new()
        .description(description)
        .content("application/json", Content::new(Some(schema)))
        .build()
}

fn calls(path: &mut PathItem) -> impl Iterator<Item = &mut Operation> {
    let PathItem {
        get,
        put,
        post,
        delete,
        patch,
        ..
    } = path;
    [get, put, post, delete, patch].into_iter().flatten()
}
