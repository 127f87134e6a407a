//! Interviews that go on: `conversations` (each turn is asked once), `turns` (a turn compared with what
//! is known), `turn_locks`, `limits`, `stream` (watched replies).

pub(super) mod conversations;
pub(super) mod limits;
pub(super) mod stream;
pub(super) mod turn_locks;
pub(super) mod turns;
