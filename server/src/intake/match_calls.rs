//! The desk says who a number means: the calls, and what a match does to the orders that the
//! number came with.

use actix_web::{delete, get, post, web};
use dispatch_actors::broadcaster::CatchUp;
use dispatch_actors::repair_order::{Command, ImportedOrder, RepairOrder, TechnicianId};
use dispatch_actors::store::{Author, Channel};
use dispatch_actors::supervisor::{Execute, Failure};
use futures_util::future::join_all;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::matching::{Kind, Meaning, Number, Source, known, without_repeats};
use super::notes::Note;
use super::routes::DoneAnswer;
use crate::app::Services;
use crate::error::{ApiError, ErrorBody};
use crate::identity::Caller;
use crate::limits;
use crate::repair_orders::changes::Numeral;
use crate::staff::Permission;

/// Repair orders that an unmatched number names.
const ORDERS: usize = 20;

/// Unmatched numbers in one answer, those on the most orders first.
const NUMBERS: usize = 1_000;

/// Orders that are corrected at once.
const AT_ONCE: usize = 64;

/// Somebody else may change the order between its being read and being corrected.
const ATTEMPTS: usize = 5;

/// A number that came in a file and that means nobody here.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UnmatchedNumber {
    kind: Kind,
    number: String,
    /// As it came with the number, if it did.
    #[schema(required)]
    name: Option<String>,
    /// Repair orders it came with.
    count: usize,
    /// The newest of them, 20 at most.
    repair_orders: Vec<i64>,
    #[schema(format = DateTime)]
    last_seen: String,
}

#[derive(Serialize, ToSchema)]
pub struct UnmatchedAnswer {
    /// Always true.
    ok: bool,
    result: Vec<UnmatchedNumber>,
}

/// Who a number means.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct NumberMatch {
    kind: Kind,
    number: String,
    /// The technician; null for an advisor.
    #[schema(required)]
    id_technician: Option<i64>,
    /// What the advisor or the technician is called.
    name: String,
}

#[derive(Serialize, ToSchema)]
pub struct MatchesAnswer {
    /// Always true.
    ok: bool,
    result: Vec<NumberMatch>,
}

#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct NewMatch {
    kind: Kind,
    number: Numeral,
    /// For a technician's number.
    #[serde(default)]
    #[schema(nullable = false)]
    id_technician: Option<Numeral>,
    /// For an advisor's number.
    #[serde(default)]
    #[schema(nullable = false)]
    name: Option<String>,
}

#[derive(Serialize, ToSchema)]
pub struct Matched {
    kind: Kind,
    number: String,
    /// Open repair orders that were corrected.
    changed: usize,
}

#[derive(Serialize, ToSchema)]
pub struct MatchedAnswer {
    /// Always true.
    ok: bool,
    result: Matched,
}

/// Numbers of technicians and advisors that came in files and that mean nobody here; those on the
/// most repair orders first.
#[utoipa::path(
    operation_id = "intake_unmatched",
    tag = "intake",
    security(("idToken" = [])),
    responses(
        (status = 200, body = UnmatchedAnswer),
        (status = 401, body = ErrorBody),
        (status = 403, body = ErrorBody),
        (status = 503, body = ErrorBody),
    )
)]
#[get("/api/intake/unmatched")]
pub async fn unmatched(
    caller: Caller,
    services: web::Data<Services>,
) -> Result<web::Json<UnmatchedAnswer>, ApiError> {
    caller.require(Permission::Dispatch)?;
    let mut notes = services.matching.unmatched().await?;
    notes.sort_by(|a, b| a.number.cmp(&b.number));
    let mut result: Vec<_> = notes
        .chunk_by(|a, b| a.number == b.number)
        .filter_map(|notes| {
            let newest = notes.iter().max_by_key(|note| note.seen_at)?;
            Some(UnmatchedNumber {
                kind: newest.number.kind,
                number: newest.number.text.clone(),
                name: notes.iter().find_map(|note| note.name.clone()),
                count: notes.len(),
                repair_orders: notes
                    .iter()
                    .take(ORDERS)
                    .map(|note| note.order.get())
                    .collect(),
                last_seen: newest.seen_at.to_string(),
            })
        })
        .collect();
    result.sort_by_key(|number| std::cmp::Reverse(number.count));
    result.truncate(NUMBERS);
    Ok(web::Json(UnmatchedAnswer { ok: true, result }))
}

/// Every number that the desk has said the meaning of.
#[utoipa::path(
    operation_id = "intake_matches",
    tag = "intake",
    security(("idToken" = [])),
    responses(
        (status = 200, body = MatchesAnswer),
        (status = 401, body = ErrorBody),
        (status = 403, body = ErrorBody),
        (status = 503, body = ErrorBody),
    )
)]
#[get("/api/intake/matches")]
pub async fn matches(
    caller: Caller,
    services: web::Data<Services>,
) -> Result<web::Json<MatchesAnswer>, ApiError> {
    caller.require(Permission::Dispatch)?;
    let matches = services.matching.all().await?;
    let result = matches
        .into_iter()
        .map(|(number, meaning)| {
            let (id_technician, name) = match meaning {
                Meaning::Technician(id) => (Some(id), services.names.of(id, None)),
                Meaning::Advisor(name) => (None, name),
            };
            NumberMatch {
                kind: number.kind,
                number: number.text,
                id_technician,
                name,
            }
        })
        .collect();
    Ok(web::Json(MatchesAnswer { ok: true, result }))
}

/// Says who a number means, once and for all: the open repair orders it came with are corrected,
/// and later imports know. A number that had a meaning gets this one instead.
#[utoipa::path(
    operation_id = "match_number",
    tag = "intake",
    security(("idToken" = [])),
    responses(
        (status = 200, body = MatchedAnswer),
        (status = 400, body = ErrorBody),
        (status = 401, body = ErrorBody),
        (status = 403, body = ErrorBody),
        (status = 404, body = ErrorBody, description = "unknown-technician"),
        (status = 413, body = ErrorBody),
        (status = 503, body = ErrorBody, description = "Not every order is corrected: try again, which is safe"),
    )
)]
#[post("/api/intake/matches")]
pub async fn make(
    caller: Caller,
    services: web::Data<Services>,
    body: web::Json<NewMatch>,
) -> Result<web::Json<MatchedAnswer>, ApiError> {
    caller.require(Permission::Dispatch)?;
    let body = body.into_inner();
    let number = number(body.kind, &body.number.text())?;
    let meaning = match (body.kind, body.id_technician, body.name) {
        (Kind::Technician, Some(technician), None) => {
            Meaning::Technician(technician_of(&services, &number, &technician).await?)
        }
        (Kind::Advisor, None, Some(name)) => {
            Meaning::Advisor(limits::short_text("The name", &name)?)
        }
        (Kind::Technician, ..) => {
            return Err(ApiError::invalid(
                "A technician's number is matched with an idTechnician alone",
            ));
        }
        (Kind::Advisor, ..) => {
            return Err(ApiError::invalid(
                "An advisor's number is matched with a name alone",
            ));
        }
    };
    let by = Author {
        uid: caller.uid,
        name: caller.name,
        channel: Channel::Desk,
    };
    // Seen through even when the caller hangs up.
    let done = actix_web::rt::spawn(async move {
        let changed = carry_out(&services, &number, &meaning, by).await?;
        Ok(web::Json(MatchedAnswer {
            ok: true,
            result: Matched {
                kind: number.kind,
                number: number.text,
                changed,
            },
        }))
    });
    done.await.unwrap_or_else(|error| {
        tracing::error!(%error, "a match of a number broke off");
        Err(ApiError::unavailable())
    })
}

/// Forgets who a number means. Repair orders stay as they are.
#[utoipa::path(
    operation_id = "unmatch_number",
    tag = "intake",
    security(("idToken" = [])),
    params(
        ("kind" = Kind, Path, description = "Whose number"),
        ("number" = String, Path, description = "The dealer system's number"),
    ),
    responses(
        (status = 200, body = DoneAnswer),
        (status = 400, body = ErrorBody),
        (status = 401, body = ErrorBody),
        (status = 403, body = ErrorBody),
        (status = 404, body = ErrorBody, description = "unknown-match"),
        (status = 503, body = ErrorBody),
    )
)]
#[delete("/api/intake/matches/{kind}/{number}")]
pub async fn forget(
    caller: Caller,
    services: web::Data<Services>,
    path: web::Path<(String, String)>,
) -> Result<web::Json<DoneAnswer>, ApiError> {
    caller.require(Permission::Dispatch)?;
    let (kind, text) = path.into_inner();
    let kind = Kind::from_name(&kind)
        .ok_or_else(|| ApiError::invalid("A number is a technician's or an advisor's"))?;
    let number = number(kind, &text)?;
    if services.matching.unlearn(&number).await? {
        Ok(web::Json(DoneAnswer::done()))
    } else {
        Err(ApiError::not_found(
            "unknown-match",
            format!("The {} number {} has no match", kind.name(), number.text),
        ))
    }
}

fn number(kind: Kind, text: &str) -> Result<Number, ApiError> {
    let text = limits::short_text("The number", text)?;
    let number = match kind {
        Kind::Technician => Number::of(kind, &text),
        Kind::Advisor => Number::of_advisor(&text),
    };
    number.ok_or_else(|| {
        ApiError::invalid("An advisor's number has digits, or letters and digits, and nothing else")
    })
}

async fn technician_of(
    services: &Services,
    number: &Number,
    numeral: &Numeral,
) -> Result<TechnicianId, ApiError> {
    let text = numeral.text();
    let technician: TechnicianId = text
        .trim()
        .parse()
        .map_err(|_| ApiError::invalid(format!("'{text}' is not a technician's number")))?;
    if number.technician() == Some(technician) {
        return Err(ApiError::invalid(format!(
            "{technician} is that technician's own number and needs no match"
        )));
    }
    if services.technicians.exists(technician).await? {
        Ok(technician)
    } else {
        Err(ApiError::not_found(
            "unknown-technician",
            format!("Technician {technician} is not known"),
        ))
    }
}

/// How many orders it changed. An order that could not be saved is left to the next attempt.
async fn carry_out(
    services: &Services,
    number: &Number,
    meaning: &Meaning,
    by: Author,
) -> Result<usize, ApiError> {
    let notes = services.matching.learn(number, meaning).await?;
    let (mut changed, mut failed) = (0, None);
    for notes in notes.chunks(AT_ONCE) {
        let corrected = notes
            .iter()
            .map(|note| correct(services, note, meaning, &by));
        let mut settled = Vec::with_capacity(notes.len());
        for (note, corrected) in notes.iter().zip(join_all(corrected).await) {
            match corrected {
                Ok(is_changed) => {
                    changed += usize::from(is_changed);
                    settled.push(note.order);
                }
                Err(failure) => failed = Some(failure),
            }
        }
        services.matching.settle(number, &settled).await?;
        // Open screens get what was announced before there is more.
        if let Err(error) = services.broadcaster.send(CatchUp).await {
            tracing::error!(%error, "the broadcaster is gone");
        }
    }
    match failed {
        Some(failure) => Err(ApiError::from(&failure)),
        None => Ok(changed),
    }
}

/// Whether the order was changed: not when it is closed, or has gone on without the number.
async fn correct(
    services: &Services,
    note: &Note,
    meaning: &Meaning,
    by: &Author,
) -> Result<bool, Failure> {
    let mut changed = false;
    'attempts: for _ in 0..ATTEMPTS {
        let order = services.store.load(note.order).await.map_err(|error| {
            tracing::error!(%error, "a repair order could not be read");
            Failure::Unavailable
        })?;
        let Some(order) = order.filter(|order| order.closed_at.is_none()) else {
            return Ok(changed);
        };
        let mut version = order.version;
        for command in corrections(&order, note, meaning) {
            let request = Execute {
                command,
                by: by.clone(),
                expected_version: Some(version),
            };
            match services.orders.execute(note.order, request).await {
                Ok(outcome) => {
                    version = outcome.order.version;
                    changed |= !outcome.events.is_empty();
                }
                Err(Failure::Stale(_)) => continue 'attempts,
                Err(Failure::Unknown(_) | Failure::Refused(_)) => return Ok(changed),
                Err(Failure::Unavailable) => return Err(Failure::Unavailable),
            }
        }
        return Ok(changed);
    }
    Err(Failure::Unavailable)
}

/// What makes an order as if the number had meant this when it came.
fn corrections(order: &RepairOrder, note: &Note, meaning: &Meaning) -> Vec<Command> {
    match meaning {
        Meaning::Advisor(name) => {
            let said = ImportedOrder {
                advisor: Some(name.clone()),
                ..ImportedOrder::default()
            };
            let number = Number::of_advisor(&order.advisor);
            let is_his = number.as_ref() == Some(&note.number);
            is_his.then(|| import(order, said)).into_iter().collect()
        }
        Meaning::Technician(technician) => reassignments(order, note, *technician),
    }
}

fn reassignments(order: &RepairOrder, note: &Note, technician: TechnicianId) -> Vec<Command> {
    let mut commands = Vec::new();
    let unknown = note.number.technician();
    let mut etl = order.etl_technicians.clone();
    for assigned in &mut etl {
        if Some(assigned.technician) == unknown {
            *assigned = known(technician);
        }
    }
    if note.source == Some(Source::Etl) {
        etl.push(known(technician));
    }
    without_repeats(&mut etl);
    if etl != order.etl_technicians {
        let said = ImportedOrder {
            etl_technicians: Some(etl),
            ..ImportedOrder::default()
        };
        commands.push(import(order, said));
    }
    let replaced = unknown.filter(|&unknown| {
        let mut assigned = order.regular_technicians.iter();
        assigned.any(|assigned| assigned.technician == unknown)
    });
    if replaced.is_some() || note.source == Some(Source::Regular) {
        commands.push(Command::Assign(technician));
    }
    commands.extend(replaced.map(Command::Unassign));
    commands
}

/// The import of one field of an order that is there.
fn import(order: &RepairOrder, mut said: ImportedOrder) -> Command {
    said.dms_number = order
        .dms_number
        .clone()
        .unwrap_or_else(|| order.number.to_string());
    Command::Import(Box::new(said))
}

#[cfg(test)]
mod tests {
    use dispatch_actors::repair_order::{AssignedTechnician, Change, RoNumber};
    use jiff::Timestamp;

    use super::*;

    fn order(regular: &[TechnicianId], etl: &[TechnicianId]) -> RepairOrder {
        let list = |ids: &[TechnicianId]| {
            let named = |&technician| AssignedTechnician {
                technician,
                name: Some("As it came".to_owned()),
            };
            Some(ids.iter().map(named).collect())
        };
        let imported = ImportedOrder {
            dms_number: "A7".to_owned(),
            advisor: Some("A12".to_owned()),
            regular_technicians: list(regular),
            etl_technicians: list(etl),
            ..ImportedOrder::default()
        };
        let number = RoNumber::try_from(7).unwrap();
        let created = RepairOrder::create(number, &imported, Timestamp::UNIX_EPOCH);
        RepairOrder::replay(&created).unwrap()
    }

    fn note(kind: Kind, number: &str, source: Option<Source>) -> Note {
        Note {
            number: Number::of(kind, number).unwrap(),
            order: RoNumber::try_from(7).unwrap(),
            name: None,
            source,
            seen_at: Timestamp::UNIX_EPOCH,
        }
    }

    /// The order's regular and ETL technicians once 77, or the note's number, is known as 11.
    fn corrected(mut order: RepairOrder, note: &Note) -> (Vec<i64>, Vec<i64>) {
        for command in corrections(&order, note, &Meaning::Technician(11)) {
            for change in order.apply(&command).unwrap() {
                order.evolve(&change);
            }
        }
        let ids = |list: &[AssignedTechnician]| list.iter().map(|t| t.technician).collect();
        (ids(&order.regular_technicians), ids(&order.etl_technicians))
    }

    #[test]
    fn a_technicians_number_is_replaced_wherever_it_stands_and_once() {
        let note = note(Kind::Technician, "77", None);
        for (regular, etl, regular_after, etl_after) in [
            (&[][..], &[77][..], &[][..], &[11][..]),
            (&[], &[22, 77, 11], &[], &[22, 11]),
            (&[77, 22], &[], &[22, 11], &[]),
            (&[77], &[77, 22], &[11], &[11, 22]),
            (&[22], &[23], &[22], &[23]),
        ] {
            let after = corrected(order(regular, etl), &note);
            assert_eq!(after, (regular_after.to_vec(), etl_after.to_vec()));
        }
    }

    #[test]
    fn a_technician_without_a_number_joins_the_list_of_their_source() {
        let of = |source| note(Kind::Technician, "T-9", Some(source));
        let after = corrected(order(&[22], &[23]), &of(Source::Etl));
        assert_eq!(after, (vec![22], vec![23, 11]));
        let after = corrected(order(&[22], &[23]), &of(Source::Regular));
        assert_eq!(after, (vec![22, 11], vec![23]));
    }

    #[test]
    fn an_advisor_is_named_where_the_number_still_stands() {
        let dana = Meaning::Advisor("Dana".to_owned());
        let order = order(&[], &[]);
        let commands = corrections(&order, &note(Kind::Advisor, "A12", None), &dana);
        let changes = order.apply(&commands[0]).unwrap();
        assert!(
            matches!(&changes[..], [Change::Imported { fields }]
                if fields.advisor.as_ref().unwrap().to == "Dana"),
            "{changes:?}"
        );
        assert!(corrections(&order, &note(Kind::Advisor, "12", None), &dana).is_empty());
    }
}
