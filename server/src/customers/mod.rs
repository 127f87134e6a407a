//! One customer's data: what there is of it, all of it as one file, and erasing it for good. For the command
//! line alone (`control`): whoever reads the data folder may do it, and no session that was stolen.
//!
//! An order is erased as any other change is made, so that open screens hear of it; then the customer is taken
//! out of its events and of whatever else names it. Which orders are under way is in the database: a server that
//! was killed meanwhile carries on when it starts, and one that met an error tries again.
//!
//! - `erasure`: erasing. `export`: the file. `api_types`: shapes.
//! - `kept_files`: files of the intake folder; `file_text` reads them, `mentions` compares, `escapes` is of JSON and XML.

pub mod api_types;
mod erasure;
mod escapes;
mod export;
mod file_text;
mod kept_files;
mod mentions;

use dispatch_actors::registry::RepairOrderRegistry;
use dispatch_actors::repair_order::RoNumber;
use dispatch_actors::store::{CustomerSearch, OrderOfCustomer, Store};
use std::path::PathBuf;

use crate::audit::{self, AuditEvent, AuditKind, Origin};
use crate::error::ApiError;
use crate::tech_story::TechStories;
use api_types::{CustomerAction, CustomerAnswer, CustomerRequest};

/// Cheap to clone.
#[derive(Clone)]
pub struct Customers {
    pub store: Store,
    pub orders: RepairOrderRegistry,
    pub stories: TechStories,
    /// The watched folder of the server that this is a part of.
    pub intake_dir: Option<PathBuf>,
}

impl Customers {
    /// Does what is asked, for this process or for a client of the local socket.
    pub async fn answer(&self, request: CustomerRequest) -> Result<CustomerAnswer, ApiError> {
        let search = search(&request)?;
        let orders = self.store.orders_of_customer(&search).await?;
        let folder = self.intake_dir.clone().or(request.intake_dir);
        let mut answer = CustomerAnswer {
            orders: orders.iter().map(Into::into).collect(),
            ..CustomerAnswer::default()
        };
        match request.action {
            CustomerAction::Find => {
                answer.also_mentioned_in = self.other_mentions(&orders).await?;
                let kept = kept_files::find(folder, &orders).await?;
                answer.files = kept.naming;
                answer.unread_files = kept.unread;
            }
            CustomerAction::Export if orders.is_empty() => {}
            CustomerAction::Export => {
                answer.export = Some(self.export(&orders).await?);
                let what = format!("{} repair orders", orders.len());
                let kind = AuditKind::CustomerExported;
                self.note(kind, &what, &request.requested_by).await?;
            }
            CustomerAction::Erase => {
                let erased = self.erase(&orders, folder).await?;
                if !orders.is_empty() {
                    let kind = AuditKind::CustomerErased;
                    let what = erased.to_string();
                    self.note(kind, &what, &request.requested_by).await?;
                }
                answer.erased = Some(erased);
            }
        }
        Ok(answer)
    }

    /// Orders of others, or of nobody, that name this customer or car.
    async fn other_mentions(&self, orders: &[OrderOfCustomer]) -> Result<Vec<i64>, ApiError> {
        let mut texts: Vec<String> = orders
            .iter()
            .flat_map(|order| [order.customer.clone(), order.vin.clone()])
            .filter(|text| !text.trim().is_empty())
            .collect();
        texts.sort();
        texts.dedup();
        if texts.is_empty() {
            return Ok(Vec::new());
        }
        let mut numbers = self.store.orders_that_mention(&texts).await?;
        numbers.retain(|number| orders.iter().all(|order| order.number.get() != *number));
        Ok(numbers)
    }

    /// Without the customer.
    async fn note(&self, kind: AuditKind, what: &str, by: &str) -> Result<(), ApiError> {
        let event = AuditEvent::with_origin(kind, &Origin::command_line())
            .with_detail(&format!("{what}; asked for by the machine's user {by}"));
        let transaction = self.store.begin_write().await?;
        let recorded = audit::record(&transaction, event).await?;
        transaction.commit().await?;
        recorded.announce();
        Ok(())
    }
}

/// 400 `invalid-request`.
fn search(request: &CustomerRequest) -> Result<CustomerSearch, ApiError> {
    let text = |text: &Option<String>| {
        let text = text.as_deref().map(str::trim);
        text.filter(|text| !text.is_empty()).map(str::to_owned)
    };
    let numbers = request.numbers.iter().map(|number| {
        RoNumber::try_from(*number)
            .map_err(|_| ApiError::invalid(format!("{number} is not an RO number")))
    });
    let search = CustomerSearch {
        name: text(&request.name),
        vin: text(&request.vin),
        numbers: numbers.collect::<Result<_, _>>()?,
    };
    // Orders without a customer are nobody's, and would all be found.
    if search.name.is_none() && search.vin.is_none() && search.numbers.is_empty() {
        return Err(ApiError::invalid(
            "Say whom: --name, --vin or --ro, and several of them to be exact",
        ));
    }
    Ok(search)
}
