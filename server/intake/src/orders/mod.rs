//! Rows as typed values, and the rows of one repair order merged into its record.

mod jobs;
mod merger;
mod order_limits;
mod pending_order;
mod row_content;
mod row_technicians;

pub(crate) use merger::OrderMerger;
pub(crate) use row_content::RowContent;
