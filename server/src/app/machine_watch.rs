//! What is watched of the machine while the server runs: its disks, the database, and the backups that are due.

use super::Assembly;
use crate::backup::Backups;
use crate::options::config::Config;
use crate::server_status::{self, DatabaseCheck, DiskWatch, OwnBackups};

#[derive(Clone)]
pub(super) struct MachineWatch {
    pub(super) database: DatabaseCheck,
    pub(super) disks: DiskWatch,
    pub(super) backups: OwnBackups,
}

impl MachineWatch {
    /// `is_new_shop`: nobody works here yet.
    pub(super) fn start(assembly: &Assembly, config: &Config, is_new_shop: bool) -> Self {
        let backup_dir = config.backups.as_ref();
        let backup_dir = backup_dir.map(|schedule| schedule.folder.clone());
        let disks = DiskWatch::new(
            &config.shop.data_dir,
            &config.shop.database,
            // What was taken in stays in that folder.
            config.intake_dir.as_deref(),
            backup_dir.as_deref(),
            config.low_disk,
        );
        disks.measure();
        actix::spawn(server_status::follow(
            assembly.announcer.clone(),
            disks.clone(),
            assembly.store.status().clone(),
        ));
        let backups = OwnBackups(config.backups.clone().map(Backups::new));
        if let Some(backups) = &backups.0
            && is_new_shop
        {
            backups.warn_of_another_shop();
        }
        let writing = backups.clone();
        actix::spawn(writing.follow(
            assembly.store.clone(),
            assembly.announcer.clone(),
            assembly.shop.clone(),
        ));
        let database = DatabaseCheck::default();
        let url = &config.shop.database;
        actix::spawn(database.clone().follow(
            url.clone(),
            assembly.store.clone(),
            assembly.announcer.clone(),
        ));
        actix::spawn(server_status::follow_file(
            database.clone(),
            url.clone(),
            assembly.store.clone(),
            backup_dir,
            assembly.announcer.clone(),
        ));
        Self {
            database,
            disks,
            backups,
        }
    }
}
