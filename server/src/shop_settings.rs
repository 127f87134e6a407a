//! The shop's name and time zone: as the options say, else as the set-up page kept them in the database, else a
//! default. Cheap to clone: all clones are the same.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

use dispatch_actors::store::Store;
use jiff::tz::TimeZone;
use sea_orm::{ConnectionTrait, DbErr};

use crate::settings;

const NAME: &str = "shop-name";
const TIME_ZONE: &str = "shop-time-zone";

/// What the product is called where the shop has no name.
const DEFAULT_NAME: &str = "the product";

#[derive(Clone)]
pub struct ShopSettings(Arc<Inner>);

struct Inner {
    of_options: KeptSettings,
    /// As it was at the start.
    machine_zone: TimeZone,
    kept: RwLock<KeptSettings>,
    awaits_set_up: AtomicBool,
}

#[derive(Clone, Debug, Default)]
pub struct KeptSettings {
    pub name: Option<String>,
    pub time_zone: Option<TimeZone>,
}

impl KeptSettings {
    /// A zone that this machine does not know counts as none.
    async fn read(store: &Store) -> Result<Self, DbErr> {
        let zone = settings::peek(store, TIME_ZONE).await?;
        let time_zone = zone.and_then(|name| match TimeZone::get(&name) {
            Ok(zone) => Some(zone),
            Err(error) => {
                tracing::error!(%error, "the shop's time zone cannot be used; the machine's is, until --time-zone names one");
                None
            }
        });
        Ok(Self {
            name: settings::peek(store, NAME).await?,
            time_zone,
        })
    }

    /// As a part of what is being written; what is none stays as it is.
    pub async fn write(&self, writer: &impl ConnectionTrait) -> Result<(), DbErr> {
        let zone = self.time_zone.as_ref().and_then(TimeZone::iana_name);
        for (setting, value) in [(NAME, self.name.as_deref()), (TIME_ZONE, zone)] {
            if let Some(value) = value {
                settings::put(writer, setting, value).await?;
            }
        }
        Ok(())
    }
}

impl ShopSettings {
    pub async fn open(store: &Store, of_options: KeptSettings) -> Result<Self, DbErr> {
        let kept = KeptSettings::read(store).await?;
        Ok(Self(Arc::new(Inner {
            of_options,
            machine_zone: machine_zone(),
            kept: RwLock::new(kept),
            awaits_set_up: AtomicBool::new(false),
        })))
    }

    /// After this server, or another one on the same database, has written them.
    pub async fn reload(&self, store: &Store) -> Result<(), DbErr> {
        let kept = KeptSettings::read(store).await?;
        *self.0.kept.write().unwrap_or_else(PoisonError::into_inner) = kept;
        Ok(())
    }

    pub fn name(&self) -> String {
        let given = self.0.of_options.name.clone();
        let name = given.or_else(|| self.kept().name);
        name.unwrap_or_else(|| DEFAULT_NAME.to_owned())
    }

    pub fn time_zone(&self) -> TimeZone {
        let given = self.0.of_options.time_zone.clone();
        given
            .or_else(|| self.kept().time_zone)
            .unwrap_or_else(|| self.0.machine_zone.clone())
    }

    /// The zone's name, for the screens.
    pub fn time_zone_name(&self) -> String {
        self.time_zone().iana_name().unwrap_or("UTC").to_owned()
    }

    /// What nobody can set on a screen.
    pub fn of_options(&self) -> &KeptSettings {
        &self.0.of_options
    }

    pub fn kept(&self) -> KeptSettings {
        let kept = self.0.kept.read();
        kept.unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Whether nobody can sign in yet, and a set-up link is out.
    pub fn awaits_set_up(&self) -> bool {
        self.0.awaits_set_up.load(Ordering::Relaxed)
    }

    pub fn set_awaits_set_up(&self, awaits: bool) {
        self.0.awaits_set_up.store(awaits, Ordering::Relaxed);
    }
}

/// The machine's zone where it has a name that browsers know, else UTC.
pub fn machine_zone() -> TimeZone {
    if let Some(name) = unnamed_machine_zone() {
        tracing::warn!(
            "TZ is '{name}', which is not the name of a time zone, such as America/Chicago: UTC is used"
        );
    }
    named_machine_zone().unwrap_or(TimeZone::UTC)
}

fn named_machine_zone() -> Option<TimeZone> {
    let zone = TimeZone::try_system().ok()?;
    (zone.iana_name().is_some() && !zone.is_unknown()).then_some(zone)
}

/// What the environment's `TZ` says, where that is not the name of a zone.
pub fn unnamed_machine_zone() -> Option<String> {
    let name = std::env::var("TZ").ok()?;
    (!name.is_empty() && named_machine_zone().is_none()).then_some(name)
}

#[cfg(test)]
mod tests {
    use dispatch_actors::testing::Throwaway;

    use super::*;

    fn named(name: Option<&str>, zone: Option<&str>) -> KeptSettings {
        KeptSettings {
            name: name.map(str::to_owned),
            time_zone: zone.map(|zone| TimeZone::get(zone).unwrap()),
        }
    }

    #[tokio::test]
    async fn an_option_wins_over_what_is_kept_and_what_is_kept_over_the_default() {
        let database = Throwaway::sqlite();
        let store = database.store().await;
        let free = ShopSettings::open(&store, KeptSettings::default()).await;
        let free = free.unwrap();
        assert_eq!(free.name(), "the product");
        let by_option = named(Some("Option Motors"), Some("Europe/Berlin"));
        let by_option = ShopSettings::open(&store, by_option).await.unwrap();
        for (name, zone) in [
            ("Example Motors", "America/Chicago"),
            ("Other Motors", "Asia/Tokyo"),
        ] {
            let kept = named(Some(name), Some(zone));
            kept.write(store.writer()).await.unwrap();
            free.reload(&store).await.unwrap();
            by_option.reload(&store).await.unwrap();
            assert_eq!(
                (free.name(), free.time_zone_name()),
                (name.into(), zone.into())
            );
        }
        assert_eq!(
            (by_option.name(), by_option.time_zone_name()),
            ("Option Motors".into(), "Europe/Berlin".into())
        );
    }
}
