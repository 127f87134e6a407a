//! Fills an empty database with the sample shop.

use dispatch_actors::repair_order::Command;
use dispatch_actors::sample_shop::{PastOrder, SampleShop};
use dispatch_actors::store::{Author, Channel, OrderHistory, PastRequest};
use futures_util::{StreamExt, TryStreamExt, stream};
use jiff::Timestamp;

use super::users::{PASSWORD, USERS};
use super::{BOARDS, DemoError, DemoShop, SEED, author, clocks, execute, request_of};
use crate::error::ApiError;
use crate::identity::passwords;
use crate::settings;
use crate::technicians::{DailyMinutes, NewSkill, NewTechnician};

/// Says that the shop was filled to the end.
const FILLED: &str = "demo-filled";

/// Safe to repeat: a fill that was interrupted is completed, a complete one is left alone.
pub(super) async fn fill(
    state: &DemoShop,
    shop: &SampleShop,
    now: Timestamp,
) -> Result<(), DemoError> {
    if settings::get(&state.store, FILLED).await?.is_some() {
        return Ok(());
    }
    let skills = shop.skills.iter().map(|skill| NewSkill {
        id: skill.id,
        name: skill.name.clone(),
        level: skill.level,
        kind: skill.kind.clone(),
    });
    // A new database has the six usual levels, from the top.
    let mut levels = state.organisation.levels().await?;
    levels.reverse();
    let level_id = |level: i32| {
        let place = usize::try_from(level - 1).ok()?;
        Some(levels.get(place)?.id_level)
    };
    let technicians = shop.technicians.iter().map(|technician| NewTechnician {
        id: technician.id,
        display_name: technician.display_name.clone(),
        specialty: technician.specialty.clone(),
        skills: technician.skills.clone(),
        level: level_id(technician.level),
        daily: DailyMinutes::of_hours(technician.daily_hours.into()),
    });
    state
        .technicians
        .set_up(skills.collect(), technicians.collect())
        .await?;
    let rules = shop.rules.iter();
    let rules = rules.map(|rule| (rule.pattern.clone(), rule.skill, rule.level));
    state.opcode_rules.set_up(rules.collect()).await?;

    // Before anything else, so that the log is in the order of time.
    let past_orders = shop.past_orders(SEED, now);
    let worked = shop.clocks(SEED, now, &past_orders);
    let past_orders: Vec<OrderHistory> = past_orders.into_iter().map(history_of).collect();
    state.store.seed_history(&past_orders).await?;

    let by = Author {
        uid: "import".to_owned(),
        name: "Import".to_owned(),
        channel: Channel::Import,
    };
    stream::iter(&shop.orders)
        .map(|(number, order)| {
            let command = Command::Import(Box::new(order.clone()));
            execute(state, *number, command, by.clone())
        })
        .buffer_unordered(64)
        .try_collect::<Vec<()>>()
        .await?;
    clocks::fill(state, &worked).await?;

    let hash = passwords::hash(PASSWORD.to_owned())
        .await
        .map_err(ApiError::from)?;
    for user in USERS {
        let technician = user
            .technician
            .and_then(|index| shop.technicians.get(index));
        let name = technician.map_or(user.name, |technician| &technician.display_name);
        let technician_id = technician.map(|technician| technician.id);
        let identity = &state.identity;
        if !identity.has_account(user.email).await? {
            identity
                .add_user_with_hash(user.email, name, &[user.role], technician_id, &hash)
                .await?;
        }
    }
    state.directory.reload().await?;
    state.boards.set_up(&BOARDS).await?;
    settings::get_or_set(&state.store, FILLED, "yes".to_owned()).await?;
    Ok(())
}

/// An order's past. Each change that a person made has a request.
fn history_of(order: PastOrder) -> OrderHistory {
    let requests = order.moves.into_iter().map(|one| {
        let by = author(&one.by);
        PastRequest {
            at: one.at,
            request: request_of(&by),
            by,
            changes: one.changes,
        }
    });
    OrderHistory {
        number: order.number,
        requests: requests.collect(),
    }
}
