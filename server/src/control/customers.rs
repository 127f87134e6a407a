//! Customers' data, from the command line.

use actix_web::{post, web};

use super::{ControlAnswer, ControlState};
use crate::audit;
use crate::customers::api_types::{CustomerAnswer, CustomerRequest};
use crate::error::ApiError;

#[post("/customer")]
pub(super) async fn customer(
    state: web::Data<ControlState>,
    request: web::Json<CustomerRequest>,
) -> Result<web::Json<ControlAnswer<CustomerAnswer>>, ApiError> {
    let customers = state.customers.clone();
    let request = request.into_inner();
    let origin = audit::Origin::command_line();
    // A command line that is interrupted stops nothing half-way.
    let answered = actix_web::rt::spawn(audit::act_within(origin, async move {
        customers.answer(request).await
    }));
    let answer = answered.await.map_err(|_| ApiError::unavailable())??;
    Ok(web::Json(ControlAnswer::success(answer)))
}
