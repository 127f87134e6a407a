//! What all requests that change something share. It knows no area: what a change does is the
//! caller's closure, and a single change is a batch of one.
//!
//! - `body`: the body of a request, and its idempotency key.
//! - `batch`: executing the entries of a request, each once, and answering them. Of a request that is
//!   repeated with its `Idempotency-Key`, because its answer did not arrive, it gives the first answer.
//! - `idempotency`: reads and keeps those answers, for their user and a day, in the transaction of the change.
//! - `kept_answer`: how an answer is written down, and how those of earlier builds are read.
//! - `header` and `batch_schema`: the key and the entries in the OpenAPI document.
//! - `detached`: finishing what was begun though the caller hangs up.

mod batch;
mod batch_schema;
mod body;
mod detached;
mod header;
mod idempotency;
mod kept_answer;

pub use batch::{
    BatchOptions, EntryAnswer, MAX_ENTRIES, Refusals, answer_batch, answer_one, check_batch_size,
    execute, execute_batch,
};
pub use batch_schema::{entries_schema, versioned_entries_schema, with_numbers};
pub use body::{ChangeRequest, double_option, fields};
pub use detached::run_detached;
pub use header::IdempotencyKeyHeader;
pub use idempotency::{AnswerKeeper, IdempotencyKey, IdempotencyRecords};
