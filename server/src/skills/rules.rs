//! Opcode rules: which skill an opcode asks for, and at which level. Of the rules that meet an
//! opcode the longest counts.

use std::collections::HashMap;

use dispatch_actors::store::{Store, WriteTransaction};
use row::{Column, Entity, Model};
use sea_orm::{
    ActiveModelTrait, ColumnTrait, ConnectionTrait, DbErr, EntityTrait, IntoActiveModel,
    PaginatorTrait, QueryFilter,
};

use super::rule_book::{OpcodePattern, OpcodeRule, RuleBook};
use super::{Skill, SkillLevel, find_locked, ranked};
use crate::change_request::AnswerKeeper;
use crate::change_signal::ChangeSignal;
use crate::error::{ApiError, ErrorCode};
use crate::ids::{OpcodeRuleId, SkillId};

/// Locked by every change of rules, so that a number or pattern belongs to one rule. To be locked
/// before a skill is find_locked, by who deletes one, too: they would wait for each other.
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

/// The changes of a rule; a field that is none stays unchanged.
pub(super) struct RulePatch {
    pub pattern: Option<OpcodePattern>,
    pub skill: Option<SkillId>,
    pub level: Option<SkillLevel>,
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
        let skills = ranked(self.store.reader()).await?;
        self.naming(&skills).await
    }

    /// The rules with the names of their skills, by pattern.
    async fn naming(&self, skills: &[Skill]) -> Result<Vec<OpcodeRule>, DbErr> {
        let skills: HashMap<i64, &Skill> =
            skills.iter().map(|skill| (skill.id_skill, skill)).collect();
        let mut rows = Entity::find().all(self.store.reader()).await?;
        // By the letters, whatever a database's own order is.
        rows.sort_by(|a, b| a.pattern.cmp(&b.pattern));
        let rule = |row: Model| {
            let skill = *skills.get(&row.skill)?;
            Some(rule_of(row, skill))
        };
        // Of a skill that was deleted in between the rule is gone, too.
        Ok(rows.into_iter().filter_map(rule).collect())
    }

    pub async fn book(&self) -> Result<RuleBook, DbErr> {
        let skills = ranked(self.store.reader()).await?;
        let rules = self.naming(&skills).await?;
        Ok(RuleBook::new(rules, skills))
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
        require_new_pattern(&row, &others)?;
        let skill = find_locked(&transaction, skill).await?;
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
        require_new_pattern(&row, &others)?;
        let skill = find_locked(&transaction, row.skill).await?;
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
        self.changes.commit(transaction).await?;
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
        self.changes.commit(transaction).await?;
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

fn require_new_pattern(row: &Model, others: &[Model]) -> Result<(), ApiError> {
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
pub(super) async fn count_for_skill(
    transaction: &WriteTransaction,
    skill: i64,
) -> Result<u64, DbErr> {
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
