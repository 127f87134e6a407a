//! The actors of repair orders, and what encodes their events.

use actix::{Actor, Addr, Arbiter};
use dispatch_actors::broadcaster::Broadcaster;
use dispatch_actors::committer::{Committer, CommitterWatch};
use dispatch_actors::registry::RepairOrderRegistry;
use dispatch_actors::snapshot::Snapshot;
use dispatch_actors::store::{Seq, Store};
use tokio::sync::watch;

use super::StartError;
use crate::boards::{self, LiveViews};
use crate::realtime::announcer::Announcer;
use crate::socket::{Archive, Frames};
use crate::stages::KnownStages;
use crate::technician_names::TechnicianNames;

pub(super) struct OrderActors {
    pub(super) snapshot: Snapshot,
    pub(super) orders: RepairOrderRegistry,
    pub(super) commits: CommitterWatch,
    pub(super) broadcaster: Addr<Broadcaster>,
    pub(super) announcer: Announcer,
    pub(super) archive: Archive,
    pub(super) board_keys: boards::Keys,
    pub(super) views: LiveViews,
    /// The newest announced event.
    pub(super) last_seq: watch::Receiver<Seq>,
}

impl OrderActors {
    /// On this thread's arbiter, but for the broadcaster.
    pub(super) async fn start(
        store: &Store,
        names: &TechnicianNames,
        stages: &KnownStages,
        commit_group: usize,
    ) -> Result<Self, StartError> {
        let snapshot = Snapshot::load(store).await?;
        let top = snapshot.position();
        let board_keys = boards::Keys::open(store).await?;
        let cards = board_keys.derived("cards");
        let shop = boards::Shop::new(snapshot.clone(), names.clone(), &cards);
        let views = LiveViews::new(shop.with_stages(stages.clone()));
        let frames = Frames::new(
            names.clone(),
            store.stage_rules().clone(),
            views.clone(),
            store.status().clone(),
        );
        let archive = Archive::new(store.clone(), snapshot.clone(), frames.clone());
        // A thread of its own: encoding and handing out frames must not slow the writers down.
        let (wake, last_seq) = watch::channel(top.seq);
        let status = store.status().clone();
        let others = store.others().clone();
        let broadcaster = Broadcaster::start_in_arbiter(&Arbiter::new().handle(), move |_| {
            Broadcaster::new(frames, top, status)
                .beside(others)
                .waking(wake)
        });
        let announcer = Announcer::new(broadcaster.clone());
        let committer = Committer::start(
            store.clone(),
            snapshot.clone(),
            broadcaster.clone(),
            commit_group,
        );
        let commits = committer.watch();
        let orders = RepairOrderRegistry::start(store.clone(), committer);
        Ok(Self {
            snapshot,
            orders,
            commits,
            broadcaster,
            announcer,
            archive,
            board_keys,
            views,
            last_seq,
        })
    }
}
