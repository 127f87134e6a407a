//! All numbers at one moment, as Prometheus reads them.

use std::fmt;
use std::time::Duration;

use prometheus_client::collector::Collector;
use prometheus_client::encoding::DescriptorEncoder;
use prometheus_client::encoding::text::encode;
use prometheus_client::registry::Registry;
use tokio::time::timeout;

use super::families::Families;
use super::sources::MetricSources;
use super::{machine, messages, orders, requests, stream};

/// The database is asked for its size no longer than this: Prometheus waits ten seconds for all.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(2);

/// What is read of the sources when they are written, and what had to be waited for.
struct Exposition {
    sources: MetricSources,
    /// None where the database did not answer.
    database_size: Option<u64>,
}

/// The text that a scrape is answered with.
pub(super) async fn expose(sources: &MetricSources) -> Result<String, fmt::Error> {
    let size = timeout(ANSWER_TIMEOUT, sources.store.size_bytes()).await;
    let exposition = Exposition {
        sources: sources.clone(),
        database_size: size.ok().and_then(Result::ok),
    };
    let mut registry = Registry::default();
    registry.register_collector(Box::new(exposition));
    let mut text = String::new();
    encode(&mut text, &registry)?;
    Ok(text)
}

impl Collector for Exposition {
    fn encode(&self, encoder: DescriptorEncoder<'_>) -> fmt::Result {
        let (sources, mut families) = (&self.sources, Families::new(encoder));
        machine::write_program(&mut families, sources)?;
        requests::write(&mut families, sources)?;
        orders::write(&mut families, sources)?;
        stream::write(&mut families, sources)?;
        messages::write(&mut families, sources)?;
        machine::write_database(&mut families, sources, self.database_size)?;
        machine::write_disks(&mut families, sources)
    }
}

impl fmt::Debug for Exposition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Exposition").finish_non_exhaustive()
    }
}
