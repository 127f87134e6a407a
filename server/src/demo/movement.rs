//! The demo shop at work.

use std::time::Duration;

use dispatch_actors::repair_order::{Command, RoNumber, TechnicianId};
use dispatch_actors::sample_shop::{Movement, SampleShop};
use jiff::Timestamp;
use rand::Rng;

use super::users::USERS;
use super::{DemoShop, author, execute};
use crate::receipts::Reached;

/// The shop at work, until the server stops.
pub(super) async fn keep_moving(state: DemoShop, shop: &SampleShop, seed: u64) {
    let open = match state.store.open_orders().await {
        Ok(open) => open.orders,
        Err(error) => {
            tracing::error!(%error, "the demo shop stands still");
            return;
        }
    };
    let mut movement = Movement::new(seed, shop, open);
    let visitors: Vec<TechnicianId> = USERS
        .iter()
        .filter_map(|user| Some(shop.technicians.get(user.technician?)?.id))
        .collect();
    loop {
        let local = Timestamp::now().to_zoned(state.shop.time_zone()).time();
        actix_web::rt::time::sleep(movement.pause(local)).await;
        for step in movement.next(Timestamp::now()) {
            let by = author(&step.by);
            let given_to = match &step.command {
                Command::Assign(technician) => Some(*technician),
                Command::Reassign { to, .. } => Some(*to),
                _ => None,
            };
            // Somebody may have closed or changed the order meanwhile; the shop goes on.
            if let Err(error) = execute(&state, step.number, step.command, by).await {
                tracing::debug!(%error, "a demo move was refused");
            } else if let Some(technician) = given_to
                && !visitors.contains(&technician)
            {
                actix::spawn(accept(state.clone(), step.number, technician));
            }
        }
    }
}

/// Technicians without an account accept what they are assigned, sooner or later, and now and then too late.
async fn accept(state: DemoShop, number: RoNumber, technician: TechnicianId) {
    for (reached, seconds) in [(Reached::Seen, 2..30), (Reached::Accepted, 2..220)] {
        let pause = rand::rng().random_range(seconds);
        actix_web::rt::time::sleep(Duration::from_secs(pause)).await;
        // The assignment may have been undone meanwhile.
        if let Err(error) = state.receipts.reach(technician, number, reached).await {
            tracing::debug!(%error, "a demo technician could not accept");
        }
    }
}
