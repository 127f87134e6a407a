//! What owners are shown of the trail.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::event::{ActorKind, AuditKind, Outcome};
use super::store::{Cursor, EventRow, Filter};
use crate::error::ApiError;

/// Events of a page.
const DEFAULT_PAGE: u64 = 50;
const MAX_PAGE: u64 = 200;

/// Characters; an email has no more.
const MAX_PERSON: usize = 254;

#[derive(Serialize, ToSchema)]
pub struct AuditPage {
    /// The newest first.
    pub(super) events: Vec<AuditEventView>,
    /// To ask for those before these with; null when there are none.
    #[schema(required)]
    pub(super) next: Option<String>,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = AuditEvent)]
pub struct AuditEventView {
    id: i64,
    #[schema(value_type = String, format = "date-time")]
    at: Timestamp,
    kind: AuditKind,
    outcome: Outcome,
    /// Why it was refused, as a code.
    #[schema(required)]
    reason: Option<String>,
    #[schema(required)]
    address: Option<String>,
    actor: ActorKind,
    /// An email, or a key's or a board's name.
    #[schema(required)]
    who: Option<String>,
    #[schema(required)]
    who_id: Option<String>,
    /// The subject: an email, or the name of a key or a board.
    #[schema(required)]
    about: Option<String>,
    #[schema(required)]
    about_id: Option<String>,
    #[schema(required)]
    detail: Option<String>,
    /// More than one for attempts that were only counted.
    count: i32,
}

impl AuditEventView {
    /// None for what a newer server wrote.
    pub(super) fn of(row: EventRow) -> Option<Self> {
        Some(Self {
            at: row.time(),
            kind: row.kind()?,
            outcome: row.outcome(),
            actor: row.actor_kind(),
            id: row.id,
            reason: row.reason,
            address: row.address,
            who: row.actor_name,
            who_id: row.actor_id,
            about: row.subject_name,
            about_id: row.subject_id,
            detail: row.detail,
            count: row.count,
        })
    }
}

/// Which events are asked for.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct AuditFilter {
    /// From this moment on.
    #[param(value_type = Option<String>, format = "date-time", nullable = false)]
    from: Option<Timestamp>,
    /// Before this moment.
    #[param(value_type = Option<String>, format = "date-time", nullable = false)]
    to: Option<Timestamp>,
    /// Several have a comma in between.
    #[param(nullable = false)]
    kind: Option<String>,
    #[param(nullable = false, inline)]
    outcome: Option<Outcome>,
    /// Part of an email or of another name, or a whole id or address: of who did it, or of what it
    /// was done to.
    #[param(nullable = false, max_length = 254)]
    person: Option<String>,
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct AuditPlace {
    /// What the page before gave as `next`.
    #[param(nullable = false)]
    before: Option<String>,
    /// 50 without it.
    #[param(nullable = false, minimum = 1, maximum = 200)]
    limit: Option<u64>,
}

impl AuditFilter {
    /// 400 `invalid-request`.
    pub(super) fn read(self) -> Result<Filter, ApiError> {
        let kinds = self.kind.as_deref().unwrap_or_default().split(',');
        let kinds = kinds.filter(|kind| !kind.is_empty()).map(|kind| {
            AuditKind::from_name(kind)
                .ok_or_else(|| ApiError::invalid("There is no such kind of event"))
        });
        // No name has control characters, and PostgreSQL takes no NUL.
        let person = self
            .person
            .unwrap_or_default()
            .replace(char::is_control, "");
        let person = person.trim();
        if person.chars().count() > MAX_PERSON {
            let sentence = format!("The person is longer than {MAX_PERSON} characters");
            return Err(ApiError::invalid(sentence));
        }
        let mut kinds = kinds.collect::<Result<Vec<_>, _>>()?;
        kinds.sort_by_key(|kind| kind.name());
        kinds.dedup();
        Ok(Filter {
            from: self.from,
            to: self.to,
            kinds,
            outcome: self.outcome,
            person: (!person.is_empty()).then(|| person.to_owned()),
        })
    }
}

impl AuditPlace {
    /// 400 `invalid-request`.
    pub(super) fn read(self) -> Result<(Option<Cursor>, u64), ApiError> {
        let limit = self.limit.unwrap_or(DEFAULT_PAGE);
        if !(1..=MAX_PAGE).contains(&limit) {
            let sentence = format!("limit must be from 1 to {MAX_PAGE}");
            return Err(ApiError::invalid(sentence));
        }
        let before = self.before.map(|text| {
            Cursor::parse(&text).ok_or_else(|| {
                ApiError::invalid("before must be what the page before gave as next")
            })
        });
        Ok((before.transpose()?, limit))
    }
}

impl Cursor {
    pub(super) fn text(self) -> String {
        format!("{}.{}", self.at, self.id)
    }

    fn parse(text: &str) -> Option<Self> {
        let (at, id) = text.split_once('.')?;
        Some(Self {
            at: at.parse().ok()?,
            id: id.parse().ok()?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_is_read_as_it_was_written() {
        let cursor = Cursor { at: -5, id: 7 };
        assert_eq!(Cursor::parse(&cursor.text()), Some(cursor));
        assert_eq!(Cursor::parse("7"), None);
    }
}
