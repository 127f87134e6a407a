//! Opcode rules: which skill an opcode asks for, and at which level. Of the rules that meet an
//! opcode the longest counts.

use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Deref;

use dispatch_actors::store::{Store, WriteTransaction};
use sea_orm::{
    ActiveModelTrait, ColumnTrait, ConnectionTrait, DbErr, EntityTrait, IntoActiveModel,
    PaginatorTrait, QueryFilter,
};
use serde::{Deserialize, Serialize};
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{ObjectBuilder, Schema, Type};
use utoipa::{PartialSchema, ToSchema};

use super::{Skill, SkillLevel, held, ranked};
use crate::change_request::AnswerKeeper;
use crate::change_signal::ChangeSignal;
use crate::error::{ApiError, ErrorCode};
use crate::ids::{OpcodeRuleId, SkillId};
use row::{Column, Entity, Model};

/// Locked by whoever changes rules, so that numbers and patterns stay one rule's. To be locked before a
/// skill is held, by who deletes one, too: they would wait for each other.
pub(super) const TABLE: &str = "opcode_rules";

mod row {
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
    #[sea_orm(table_name = "opcode_rules")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub id: i64,
        #[sea_orm(column_type = "Text")]
        pub pattern: String,
        pub skill: i64,
        pub level: i32,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}
}

/// What an opcode asks for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OpcodeRule {
    pub id_rule: i64,
    /// An opcode, or with a `*` at the end the beginning of some; in capitals, and any case is met.
    pub pattern: String,
    pub id_skill: i64,
    pub skill_name: String,
    /// 0 to 1,000,000: a technician at a lower one is below it.
    pub level: i32,
}

/// A pattern of a body, as it was sent: an opcode, or the beginning of some with a star behind it.
/// [`OpcodePattern::parse`] says whether it is one.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(transparent)]
pub struct OpcodePatternText(String);

impl Deref for OpcodePatternText {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl PartialSchema for OpcodePatternText {
    fn schema() -> RefOr<Schema> {
        let text = ObjectBuilder::new().schema_type(Type::String);
        let one = r"[^*\s\x00-\x1f\x7f-\x9f]";
        let any = r"[^*\x00-\x1f\x7f-\x9f]";
        let pattern = format!(r"^(\*|{one}({any}{{0,48}}{one})?\*?)$");
        text.pattern(Some(pattern)).examples(["BRK*"]).into()
    }
}

impl ToSchema for OpcodePatternText {
    fn name() -> Cow<'static, str> {
        "OpcodePattern".into()
    }
}

/// A pattern as it may be stored: in capitals, 1 to 50 characters and a `*` behind them, or the
/// star alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpcodePattern(String);

/// How long a pattern is before its `*`; the longest opcodes of dealers' systems have 20 or so.
const LONGEST: usize = 50;

impl OpcodePattern {
    /// 400 `invalid-opcode-pattern`.
    pub fn parse(text: &str) -> Result<Self, ApiError> {
        let refused =
            |sentence: &str| Err(ApiError::new(ErrorCode::InvalidOpcodePattern, sentence));
        let pattern = text.trim();
        let beginning = pattern.strip_suffix('*').unwrap_or(pattern);
        if pattern.is_empty() {
            refused("The opcode is empty")
        } else if beginning.contains('*') {
            refused("A * stands for the rest of an opcode: put one at the end, or none")
        } else if beginning.chars().count() > LONGEST {
            refused("The opcode is longer than 50 characters")
        } else if beginning.chars().any(char::is_control) {
            refused("The opcode has a line break or another control character; take it out")
        } else {
            Ok(Self(pattern.to_uppercase()))
        }
    }
}

/// What is written of a rule; what is none stays as it is.
pub(super) struct RulePatch {
    pub pattern: Option<OpcodePattern>,
    pub skill: Option<SkillId>,
    pub level: Option<SkillLevel>,
}

/// The rules, made fit for asking.
#[derive(Clone, Debug, Default)]
pub struct RuleBook {
    exact: HashMap<String, OpcodeRule>,
    /// Beginnings, without their `*`.
    beginnings: HashMap<String, OpcodeRule>,
}

impl RuleBook {
    pub fn new(rules: Vec<OpcodeRule>) -> Self {
        let mut book = Self::default();
        for rule in rules {
            match rule.pattern.strip_suffix('*') {
                Some(beginning) => book.beginnings.insert(beginning.to_owned(), rule),
                None => book.exact.insert(rule.pattern.clone(), rule),
            };
        }
        book
    }

    /// The rule that counts for an opcode: its own, else that of its longest beginning.
    pub fn of(&self, opcode: &str) -> Option<&OpcodeRule> {
        let opcode = opcode.trim().to_uppercase();
        if opcode.is_empty() {
            return None;
        }
        if let Some(rule) = self.exact.get(&opcode) {
            return Some(rule);
        }
        let mut ends: Vec<usize> = opcode.char_indices().map(|(at, _)| at).collect();
        ends.push(opcode.len());
        let mut beginnings = ends.into_iter().rev().map(|end| &opcode[..end]);
        beginnings.find_map(|beginning| self.beginnings.get(beginning))
    }
}

#[derive(Clone)]
pub struct OpcodeRules {
    store: Store,
    changes: ChangeSignal,
}

impl OpcodeRules {
    pub(crate) fn new(store: Store, changes: ChangeSignal) -> Self {
        Self { store, changes }
    }

    /// By pattern.
    pub async fn all(&self) -> Result<Vec<OpcodeRule>, DbErr> {
        let reader = self.store.reader();
        let skills = ranked(reader).await?.into_iter();
        let skills: HashMap<i64, Skill> = skills.map(|skill| (skill.id_skill, skill)).collect();
        let mut rows = Entity::find().all(reader).await?;
        // By the letters, whatever a database's own order is.
        rows.sort_by(|a, b| a.pattern.cmp(&b.pattern));
        let rule = |row: Model| {
            let skill = skills.get(&row.skill)?;
            Some(rule_of(row, skill))
        };
        // Of a skill that was deleted in between the rule is gone, too.
        Ok(rows.into_iter().filter_map(rule).collect())
    }

    pub async fn book(&self) -> Result<RuleBook, DbErr> {
        Ok(RuleBook::new(self.all().await?))
    }

    /// 404 `unknown-skill`, 409 `rule-exists`.
    pub(super) async fn add(
        &self,
        pattern: OpcodePattern,
        SkillId(skill): SkillId,
        level: SkillLevel,
        keeper: &AnswerKeeper,
    ) -> Result<OpcodeRule, ApiError> {
        let transaction = self.begin().await?;
        let others = Entity::find().all(&transaction).await?;
        let highest = others.iter().map(|row| row.id).max().unwrap_or(0);
        let row = Model {
            id: highest.max(0) + 1,
            pattern: pattern.0,
            skill,
            level: level.get(),
        };
        refuse_twice(&row, &others)?;
        let skill = held(&transaction, skill).await?;
        Entity::insert(row.clone().into_active_model())
            .exec_without_returning(&transaction)
            .await?;
        self.written(transaction, row, &skill, keeper).await
    }

    /// Changes what is given. 404 `unknown-rule`, `unknown-skill`, 409 `rule-exists`.
    pub(super) async fn change(
        &self,
        OpcodeRuleId(id): OpcodeRuleId,
        patch: RulePatch,
        keeper: &AnswerKeeper,
    ) -> Result<OpcodeRule, ApiError> {
        let transaction = self.begin().await?;
        let mut others = Entity::find().all(&transaction).await?;
        let place = others.iter().position(|row| row.id == id);
        let before = others.swap_remove(place.ok_or_else(|| unknown(id))?);
        let row = Model {
            id,
            pattern: patch.pattern.map_or(before.pattern, |pattern| pattern.0),
            skill: patch.skill.map_or(before.skill, |SkillId(skill)| skill),
            level: patch.level.map_or(before.level, SkillLevel::get),
        };
        refuse_twice(&row, &others)?;
        let skill = held(&transaction, row.skill).await?;
        Entity::update(row.clone().into_active_model().reset_all())
            .exec(&transaction)
            .await?;
        self.written(transaction, row, &skill, keeper).await
    }

    /// 404 `unknown-rule`.
    pub(super) async fn delete(&self, OpcodeRuleId(id): OpcodeRuleId) -> Result<(), ApiError> {
        let deleted = Entity::delete_by_id(id).exec(self.store.writer()).await?;
        if deleted.rows_affected == 0 {
            return Err(unknown(id));
        }
        self.changes.announce();
        Ok(())
    }

    /// Adds rules where there are none at all.
    pub async fn set_up(&self, rules: Vec<(String, i64, i32)>) -> Result<(), DbErr> {
        let transaction = self.begin().await?;
        if Entity::find().count(&transaction).await? > 0 {
            return Ok(());
        }
        for (id, (pattern, skill, level)) in (1..).zip(rules) {
            let row = Model {
                id,
                pattern,
                skill,
                level,
            };
            Entity::insert(row.into_active_model())
                .exec_without_returning(&transaction)
                .await?;
        }
        transaction.commit().await?;
        self.changes.announce();
        Ok(())
    }

    async fn written(
        &self,
        transaction: WriteTransaction,
        row: Model,
        skill: &Skill,
        keeper: &AnswerKeeper,
    ) -> Result<OpcodeRule, ApiError> {
        let rule = rule_of(row, skill);
        keeper.keep(&transaction, &rule).await?;
        transaction.commit().await?;
        self.changes.announce();
        Ok(rule)
    }

    async fn begin(&self) -> Result<WriteTransaction, DbErr> {
        self.store.begin_exclusive(TABLE).await
    }
}

fn rule_of(row: Model, skill: &Skill) -> OpcodeRule {
    OpcodeRule {
        id_rule: row.id,
        pattern: row.pattern,
        id_skill: skill.id_skill,
        skill_name: skill.skill_name.clone(),
        level: row.level,
    }
}

fn refuse_twice(row: &Model, others: &[Model]) -> Result<(), ApiError> {
    if others.iter().any(|other| other.pattern == row.pattern) {
        return Err(ApiError::new(
            ErrorCode::RuleExists,
            format!("There is already a rule for {}", row.pattern),
        ));
    }
    Ok(())
}

fn unknown(id: i64) -> ApiError {
    ApiError::new(
        ErrorCode::UnknownRule,
        format!("Opcode rule {id} is not known"),
    )
}

/// Rules that ask for a skill.
pub(super) async fn count_asking(transaction: &WriteTransaction, skill: i64) -> Result<u64, DbErr> {
    Entity::find()
        .filter(Column::Skill.eq(skill))
        .count(transaction)
        .await
}

/// Rules by skill; those that none asks for are not in it.
pub(super) async fn counts_by_skill(
    connection: &impl ConnectionTrait,
) -> Result<HashMap<i64, u64>, DbErr> {
    let mut counts = HashMap::new();
    for row in Entity::find().all(connection).await? {
        *counts.entry(row.skill).or_default() += 1;
    }
    Ok(counts)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn book(patterns: &[&str]) -> RuleBook {
        let rule = |(id_rule, pattern): (i64, &&str)| OpcodeRule {
            id_rule,
            pattern: OpcodePattern::parse(pattern).unwrap().0,
            id_skill: 1,
            skill_name: "Brakes".to_owned(),
            level: 3,
        };
        RuleBook::new((1..).zip(patterns).map(rule).collect())
    }

    #[test]
    fn the_longest_that_meets_an_opcode_counts_in_any_case() {
        let book = book(&["BRK*", "brkf", "BR*", "BRKF*", "GRÖßE*", "BRKFX*"]);
        for (opcode, pattern) in [
            ("BRKF", Some("BRKF")),
            (" brkf ", Some("BRKF")),
            ("BRKFR", Some("BRKF*")),
            ("BRKR", Some("BRK*")),
            ("brk", Some("BRK*")),
            ("BRUSH", Some("BR*")),
            ("B", None),
            ("LOF", None),
            ("größe 2", Some("GRÖSSE*")),
            ("", None),
        ] {
            let found = book.of(opcode).map(|rule| rule.pattern.as_str());
            assert_eq!(found, pattern, "{opcode}");
        }
    }

    #[test]
    fn a_star_alone_meets_every_opcode_that_nothing_else_does() {
        let book = book(&["*", "LOF"]);
        assert_eq!(book.of("LOF").unwrap().pattern, "LOF");
        assert_eq!(book.of("ÄÖÜ").unwrap().pattern, "*");
        assert!(book.of(" ").is_none());
    }

    #[test]
    fn a_pattern_that_meets_nothing_as_meant_is_refused() {
        for text in ["", "  ", "B*K", "**", "*B", "B\nK", &"A".repeat(51)] {
            let refused = OpcodePattern::parse(text).unwrap_err();
            let told = (refused.status.as_u16(), refused.code.as_str());
            assert_eq!(told, (400, "invalid-opcode-pattern"), "{text:?}");
        }
        let longest = format!(" {}* ", "a".repeat(50));
        assert_eq!(OpcodePattern::parse(&longest).unwrap().0.len(), 51);
    }
}
