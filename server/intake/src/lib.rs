//! Reads what a dealer's system exports into repair orders: bytes in, [`Record`]s and [`Reject`]s
//! out. Reading is pure: it knows no database, no HTTP and no actor, and asks no clock.
//!
//! Two words for two things:
//!
//! - A **syntax** is how bytes are divided into rows: CSV, or JSON (a list, one object, or one
//!   object a line). `syntax` has a reader for each.
//! - A **format** is how a system names and nests the fields of a repair order: ours, CDK's or
//!   STAR's. `formats` translates another system's objects into our fields.
//!
//! A row goes through the folders in this order:
//!
//! ```text
//! bytes -> syntax -> formats -> row -> orders -> record
//!          rows      our fields        typed values, and the rows of one order merged
//! ```
//!
//! `fields` is the table of the names that a column or member may have, `values` reads single
//! values. A new field of a repair order is a name in `fields`, a line in `orders/row_content.rs`
//! and one in `orders/pending_order.rs`.
//!
//! A file is read while it arrives:
//!
//! ```
//! use dispatch_intake::{FileReader, FormatChoice, ReadOutput};
//! use jiff::{Timestamp, tz::TimeZone};
//!
//! let mut reader = FileReader::new("day.csv", FormatChoice::Auto, TimeZone::UTC, Timestamp::UNIX_EPOCH);
//! let mut output = ReadOutput::default();
//! reader.feed(b"RO Number,customer\n4389,\"Lee, A", &mut output)?;
//! reader.feed(b"nn\"\nnone,Joe\n", &mut output)?;
//! reader.finish(&mut output)?;
//! assert_eq!(output.records[0].order.header.customer.as_deref(), Some("Lee, Ann"));
//! assert_eq!(output.rejects[0].place, "line 3");
//! # Ok::<(), dispatch_intake::ReadError>(())
//! ```

pub mod customer_name;
mod error;
mod fields;
mod format_choice;
mod formats;
mod orders;
mod reader;
mod record;
mod row;
mod syntax;
mod text;
mod values;

pub use error::ReadError;
pub use format_choice::{FormatChoice, UnknownFormat};
pub use reader::FileReader;
pub use record::{DmsTechnician, ReadOutput, Record, Reject, TechnicianSource, rejects_ndjson};
