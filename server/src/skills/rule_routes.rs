//! The calls about opcode rules: which skill an opcode asks for.

use crate::calls::Calls;
use actix_web::{HttpResponse, delete, get, patch, post, web};
use serde::Deserialize;
use serde_json::{Map, Value};
use utoipa::ToSchema;

use super::rule_book::{OpcodePattern, OpcodePatternText, OpcodeRule};
use super::rules::RulePatch;
use super::state::SkillsState;
use super::{SkillLevel, SkillLevelInBody};
use crate::answer::{Answer, DONE, Done};
use crate::change_request::{ChangeRequest, double_option, execute, fields};
use crate::error::{ApiError, ErrorBody};
use crate::identity::{Caller, Path};
use crate::ids::{OpcodeRuleId, OpcodeRuleIdInPath, SkillIdInBody};
use crate::staff::Permission;

pub fn configure(routes: &mut Calls<'_>) {
    routes
        .service(list)
        .service(add)
        .service(change)
        .service(delete);
}

#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct NewOpcodeRule {
    /// An opcode, or with a `*` at the end the beginning of some; any case. No other rule's.
    pattern: OpcodePatternText,
    id_skill: SkillIdInBody,
    /// A whole number from 0 to 1,000,000.
    level: SkillLevelInBody,
}

/// A field that is not sent stays unchanged.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OpcodeRuleFields {
    /// An opcode, or with a `*` at the end the beginning of some; any case. No other rule's.
    #[serde(default, deserialize_with = "double_option")]
    #[schema(required = false, nullable = false)]
    pattern: Option<OpcodePatternText>,
    #[serde(default, deserialize_with = "double_option")]
    #[schema(required = false, nullable = false)]
    id_skill: Option<SkillIdInBody>,
    /// A whole number from 0 to 1,000,000.
    #[serde(default, deserialize_with = "double_option")]
    #[schema(required = false, nullable = false)]
    level: Option<SkillLevelInBody>,
}

/// Every rule, by its pattern.
#[utoipa::path(
    operation_id = "opcode_rules",
    tag = "skills",
    responses(
        (status = 200, body = Answer<Vec<OpcodeRule>>),
        (status = 403, body = ErrorBody),
    )
)]
#[get("/api/opcode-rules")]
pub async fn list(
    _: Caller,
    state: web::Data<SkillsState>,
) -> Result<web::Json<Answer<Vec<OpcodeRule>>>, ApiError> {
    let result = state.opcode_rules.all().await?;
    Ok(web::Json(Answer::new(result)))
}

/// Says which skill an opcode asks for.
#[utoipa::path(
    operation_id = "add_opcode_rule",
    tag = "skills",
    params(crate::change_request::IdempotencyKeyHeader),
    request_body = NewOpcodeRule,
    responses(
        (status = 200, body = Answer<OpcodeRule>),
        (status = 403, body = ErrorBody),
        (status = 404, body = ErrorBody, description = "`unknown-skill`"),
        (status = 409, body = ErrorBody, description = "`rule-exists`: there is a rule for these opcodes"),
    )
)]
#[post("/api/opcode-rules")]
pub async fn add(
    caller: Caller,
    state: web::Data<SkillsState>,
    request: ChangeRequest<Map<String, Value>>,
) -> Result<HttpResponse, ApiError> {
    caller.require(Permission::ManageOpcodeRules)?;
    let new: NewOpcodeRule = fields(request.body)?;
    let pattern = OpcodePattern::parse(&new.pattern)?;
    let skill = new.id_skill.parse()?;
    let level = SkillLevel::parse(&new.level)?;
    let rules = &state.opcode_rules;
    execute(&state.store, &caller.uid, request.key, async |keeper| {
        rules.add(pattern, skill, level, &keeper).await
    })
    .await
}

/// Changes a rule.
#[utoipa::path(
    operation_id = "change_opcode_rule",
    tag = "skills",
    params(
        ("idRule" = inline(OpcodeRuleIdInPath), Path),
        crate::change_request::IdempotencyKeyHeader,
    ),
    request_body = OpcodeRuleFields,
    responses(
        (status = 200, body = Answer<OpcodeRule>),
        (status = 403, body = ErrorBody),
        (status = 404, body = ErrorBody, description = "`unknown-rule`, `unknown-skill`"),
        (status = 409, body = ErrorBody, description = "`rule-exists`: there is another rule for these opcodes"),
    )
)]
#[patch("/api/opcode-rules/{idRule}")]
pub async fn change(
    caller: Caller,
    state: web::Data<SkillsState>,
    Path(id): Path<OpcodeRuleId>,
    request: ChangeRequest<Map<String, Value>>,
) -> Result<HttpResponse, ApiError> {
    caller.require(Permission::ManageOpcodeRules)?;
    let change: OpcodeRuleFields = fields(request.body)?;
    let pattern = change.pattern.as_deref().map(OpcodePattern::parse);
    let skill = change.id_skill.map(|skill| skill.parse());
    let level = change.level.as_ref().map(SkillLevel::parse);
    let patch = RulePatch {
        pattern: pattern.transpose()?,
        skill: skill.transpose()?,
        level: level.transpose()?,
    };
    let rules = &state.opcode_rules;
    execute(&state.store, &caller.uid, request.key, async |keeper| {
        rules.change(id, patch, &keeper).await
    })
    .await
}

/// Deletes a rule.
#[utoipa::path(
    operation_id = "delete_opcode_rule",
    tag = "skills",
    params(("idRule" = inline(OpcodeRuleIdInPath), Path)),
    responses(
        (status = 200, body = Done),
        (status = 403, body = ErrorBody),
        (status = 404, body = ErrorBody, description = "`unknown-rule`"),
    )
)]
#[delete("/api/opcode-rules/{idRule}")]
pub async fn delete(
    caller: Caller,
    state: web::Data<SkillsState>,
    Path(id): Path<OpcodeRuleId>,
) -> Result<web::Json<Done>, ApiError> {
    caller.require(Permission::ManageOpcodeRules)?;
    state.opcode_rules.delete(id).await?;
    Ok(web::Json(DONE))
}
