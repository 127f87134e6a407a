//! How the answer to an entry is written down, so that the same request gets it again.

use actix_web::http::StatusCode;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;

use crate::error::{ApiError, ErrorCode};

/// One record of a request, in JSON.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) enum KeptAnswer<T = Box<RawValue>> {
    /// The entry was executed: its part of the answer.
    Changed(T),
    Refused(KeptRefusal),
    /// What the request is about, where that would be something else the second time.
    Subject(String),
}

#[derive(Serialize, Deserialize)]
pub(super) struct KeptRefusal {
    status: u16,
    #[serde(deserialize_with = "known_code")]
    code: ErrorCode,
    error: String,
    more: Option<Value>,
}

/// A whole answer, as builds up to 2026 kept that of a single change.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct KeptBody {
    #[serde(rename = "ok")]
    _ok: bool,
    result: Box<RawValue>,
}

impl KeptAnswer {
    /// The answer to an entry; none where it cannot be read. Earlier builds kept whole answers of
    /// single changes, and the bare results of skills and clocks.
    pub(super) fn read(text: &str) -> Option<Self> {
        if let Ok(kept) = serde_json::from_str(text) {
            return Some(kept);
        }
        let body: Result<KeptBody, _> = serde_json::from_str(text);
        match body.map(|body| body.result) {
            Ok(result) => Some(Self::Changed(result)),
            Err(_) => serde_json::from_str(text).ok().map(Self::Changed),
        }
    }

    /// What a request is about. Earlier builds kept the bare text.
    pub(super) fn read_subject(text: &str) -> String {
        match serde_json::from_str(text) {
            Ok(Self::Subject(subject)) => subject,
            _ => text.to_owned(),
        }
    }

    /// The result of the entry, or why it was refused.
    pub(super) fn into_result(self) -> Option<Result<Box<RawValue>, ApiError>> {
        match self {
            Self::Changed(result) => Some(Ok(result)),
            Self::Refused(refusal) => Some(Err(refusal.into())),
            Self::Subject(_) => None,
        }
    }
}

impl<T: Serialize> KeptAnswer<T> {
    pub(super) fn write(&self) -> String {
        // Fails for maps with keys that are no texts; here is none.
        serde_json::to_string(self).unwrap_or_default()
    }
}

impl KeptRefusal {
    /// None for a failure of the server's own: another try may fare better.
    pub(super) fn of(error: &ApiError) -> Option<Self> {
        if error.status.is_server_error() {
            return None;
        }
        Some(Self {
            status: error.status.as_u16(),
            code: error.code,
            error: error.error.clone(),
            more: error.more.as_deref().cloned(),
        })
    }
}

impl From<KeptRefusal> for ApiError {
    fn from(kept: KeptRefusal) -> Self {
        Self {
            status: StatusCode::from_u16(kept.status).unwrap_or(StatusCode::CONFLICT),
            code: kept.code,
            error: kept.error,
            more: kept.more.map(Box::new),
            retry_after: None,
        }
    }
}

/// `refused` for a code that only another version of the server knows.
fn known_code<'de, D: Deserializer<'de>>(deserializer: D) -> Result<ErrorCode, D::Error> {
    let code = Value::deserialize(deserializer)?;
    Ok(ErrorCode::deserialize(code).unwrap_or(ErrorCode::Refused))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn changed(text: &str) -> Value {
        let kept = KeptAnswer::read(text).and_then(KeptAnswer::into_result);
        serde_json::from_str(kept.unwrap().unwrap().get()).unwrap()
    }

    #[test]
    fn a_result_is_read_in_the_shape_of_every_build() {
        let result = json!({ "idSkill": 7, "skillName": "Tow truck" });
        let written = KeptAnswer::Changed(&result).write();
        let whole_answer = json!({ "ok": true, "result": result }).to_string();
        for text in [written, whole_answer, result.to_string()] {
            assert_eq!(changed(&text), result, "{text}");
        }
        let with_ok = json!({ "ok": true, "idSkill": 7 });
        assert_eq!(changed(&with_ok.to_string()), with_ok);
        assert!(KeptAnswer::read("not JSON").is_none());
    }

    #[test]
    fn a_refusal_is_read_as_it_was_given() {
        let refusal = ApiError::new(ErrorCode::StaleVersion, "It has changed")
            .with(json!({ "current": { "version": 3 } }));
        let kept = KeptRefusal::of(&refusal).unwrap();
        let written = KeptAnswer::<()>::Refused(kept).write();
        // The desk's earlier builds named the order, too.
        let earlier = json!({ "refused": {
            "roNumber": 104217,
            "status": 409,
            "code": "stale-version",
            "error": "It has changed",
            "more": { "current": { "version": 3 } },
        } });
        for text in [written, earlier.to_string()] {
            let kept = KeptAnswer::read(&text).and_then(KeptAnswer::into_result);
            let read = kept.unwrap().unwrap_err();
            assert_eq!((read.status, read.code), (refusal.status, refusal.code));
            assert_eq!(
                (read.error, read.more),
                (refusal.error.clone(), refusal.more.clone())
            );
        }
        assert!(KeptRefusal::of(&ApiError::unavailable()).is_none());
    }

    #[test]
    fn a_code_of_another_version_is_a_refusal() {
        let text = json!({ "refused": {
            "status": 409, "code": "of-tomorrow", "error": "No", "more": null,
        } });
        let kept = KeptAnswer::read(&text.to_string()).and_then(KeptAnswer::into_result);
        assert_eq!(kept.unwrap().unwrap_err().code, ErrorCode::Refused);
    }

    #[test]
    fn a_subject_is_read_in_the_shape_of_every_build() {
        let written = KeptAnswer::<()>::Subject("0198c1".to_owned()).write();
        for text in [written.as_str(), "0198c1"] {
            assert_eq!(KeptAnswer::read_subject(text), "0198c1");
        }
    }
}
