//! All that is kept of a customer, as one JSON document.

use dispatch_actors::repair_order::RoNumber;
use dispatch_actors::store::{Event, OrderOfCustomer};
use jiff::Timestamp;
use serde_json::{Value, json};

use super::Customers;
use crate::error::ApiError;
use crate::{clocks, receipts};

impl Customers {
    pub(super) async fn export(&self, orders: &[OrderOfCustomer]) -> Result<Value, ApiError> {
        let numbers: Vec<RoNumber> = orders.iter().map(|order| order.number).collect();
        let plain: Vec<i64> = numbers.iter().map(|number| number.get()).collect();
        let mut exported = Vec::with_capacity(numbers.len());
        for order in self.store.load_all(&numbers).await? {
            let events = self.store.events_from(order.number, 1).await?;
            exported.push(json!({
                "repairOrder": order,
                "events": events.iter().map(shown).collect::<Vec<_>>(),
            }));
        }
        Ok(json!({
            "exportedAt": Timestamp::now(),
            "repairOrders": exported,
            "receipts": receipts::rows_of_orders(&self.store, &plain).await?,
            "clocks": clocks::rows_of_orders(&self.store, &numbers).await?,
            "interviews": self.stories.of_orders(&numbers).await?,
        }))
    }
}

fn shown(event: &Event) -> Value {
    json!({
        "number": event.seq,
        "version": event.version,
        "at": event.at,
        "by": event.by.name,
        "channel": event.by.channel,
        "change": event.change,
    })
}
