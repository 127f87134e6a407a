//! The calls about the trail, for owners.

use actix_web::http::header::{CACHE_CONTROL, CONTENT_DISPOSITION};
use actix_web::{HttpResponse, get, web};
use bytes::Bytes;
use futures_util::{Stream, stream};
use sea_orm::DbErr;

use crate::answer::Answer;
use crate::audit::api_types::{AuditEventView, AuditFilter, AuditPage, AuditPlace};
use crate::audit::event::{AuditEvent, AuditKind};
use crate::audit::formats::csv;
use crate::audit::store::{self, Cursor, Filter};
use crate::audit::{AuditTrail, record};
use crate::calls::Calls;
use crate::error::{ApiError, ErrorBody};
use crate::identity::Caller;
use crate::staff::Permission;

/// Characters of a file's subject, in the event of its download.
const MAX_PERSON_SHOWN: usize = 120;

/// Rows that are read at once for a file.
const BATCH_SIZE: u64 = 1_000;

/// Needs `web::Data<AuditTrail>` in the app.
pub fn configure(routes: &mut Calls<'_>) {
    routes.service(list).service(export);
}

/// Sign-ins, refusals and changes of permissions, the newest first.
#[utoipa::path(
    operation_id = "audit_events",
    tag = "audit",
    params(AuditFilter, AuditPlace),
    responses(
        (status = 200, body = Answer<AuditPage>),
        (status = 400, body = ErrorBody),
        (status = 403, body = ErrorBody),
    )
)]
#[get("/api/audit")]
pub async fn list(
    caller: Caller,
    trail: web::Data<AuditTrail>,
    filter: web::Query<AuditFilter>,
    place: web::Query<AuditPlace>,
) -> Result<web::Json<Answer<AuditPage>>, ApiError> {
    caller.require(Permission::ReadAuditTrail)?;
    let filter = filter.into_inner().read()?;
    let (before, limit) = place.into_inner().read()?;
    trail.flush().await?;
    // One more shows whether there is another page.
    let reader = trail.inner.store.reader();
    let mut rows = store::page(reader, &filter, before, limit + 1).await?;
    let is_last = rows.len() as u64 <= limit;
    rows.truncate(usize::try_from(limit).unwrap_or(usize::MAX));
    let last = rows.last().filter(|_| !is_last);
    let next = last.map(|row| row.cursor().text());
    let events = rows.into_iter().filter_map(AuditEventView::of).collect();
    Ok(web::Json(Answer::new(AuditPage { events, next })))
}

/// The same events as a file of comma-separated values, UTF-8. Taking it is an event, too.
#[utoipa::path(
    operation_id = "export_audit_events",
    tag = "audit",
    params(AuditFilter),
    responses(
        (status = 200, body = String, content_type = "text/csv"),
        (status = 400, body = ErrorBody),
        (status = 403, body = ErrorBody),
    )
)]
#[get("/api/audit/events.csv")]
pub async fn export(
    caller: Caller,
    trail: web::Data<AuditTrail>,
    filter: web::Query<AuditFilter>,
) -> Result<HttpResponse, ApiError> {
    caller.require(Permission::ReadAuditTrail)?;
    let filter = filter.into_inner().read()?;
    trail.flush().await?;
    let event = AuditEvent::done(AuditKind::AuditExported).with_detail(&described(&filter));
    let store = &trail.inner.store;
    let transaction = store.begin_write().await?;
    let recorded = record(&transaction, event).await?;
    transaction.commit().await?;
    recorded.announce();
    Ok(HttpResponse::Ok()
        .content_type("text/csv; charset=utf-8")
        .insert_header((CACHE_CONTROL, "no-store"))
        .insert_header((
            CONTENT_DISPOSITION,
            "attachment; filename=\"audit-events.csv\"",
        ))
        .streaming(Box::pin(lines(trail.get_ref().clone(), filter))))
}

/// The filter of the request, for readers of the trail.
fn described(filter: &Filter) -> String {
    let Filter {
        from,
        to,
        kinds,
        outcome,
        person,
    } = filter;
    let mut parts = Vec::new();
    // The subject comes first, and fields that may be long come last.
    parts.extend(person.as_ref().map(|person| {
        let person: String = person.chars().take(MAX_PERSON_SHOWN).collect();
        format!("person {person}")
    }));
    parts.extend(outcome.map(|outcome| outcome.name().to_owned()));
    parts.extend(from.map(|from| format!("from {from}")));
    parts.extend(to.map(|to| format!("to {to}")));
    parts.extend(kinds.iter().map(|kind| kind.name().to_owned()));
    match parts.as_slice() {
        [] => "everything".to_owned(),
        parts => parts.join(", "),
    }
}

enum PagePosition {
    Start,
    Behind(Cursor),
    End,
}

/// A piece for each time the table is read, so that a file takes no more memory than that.
fn lines(trail: AuditTrail, filter: Filter) -> impl Stream<Item = Result<Bytes, DbErr>> {
    stream::try_unfold(PagePosition::Start, move |place| {
        let (trail, filter) = (trail.clone(), filter.clone());
        async move {
            let (mut text, behind) = match place {
                PagePosition::Start => {
                    let header = csv::line(csv::HEADER);
                    (format!("{}{header}", csv::BYTE_ORDER_MARK), None)
                }
                PagePosition::Behind(cursor) => (String::new(), Some(cursor)),
                PagePosition::End => return Ok(None),
            };
            let reader = trail.inner.store.reader();
            let rows = store::page(reader, &filter, behind, BATCH_SIZE).await?;
            text.extend(rows.iter().map(csv::row));
            let next = match rows.last() {
                Some(last) if rows.len() as u64 == BATCH_SIZE => {
                    PagePosition::Behind(last.cursor())
                }
                _ => PagePosition::End,
            };
            Ok(Some((Bytes::from(text), next)))
        }
    })
}
