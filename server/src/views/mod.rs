//! Views of the desk that people named: a tab, a search, columns and an order of rows, kept as the query of the desk's
//! address. Knows nothing of what is in it.
//!
//! `api_types`: the shapes; `routes`: the calls; `store`: the table, and who may do what with a view.

mod api_types;
pub mod routes;
mod store;
