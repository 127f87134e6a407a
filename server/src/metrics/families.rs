//! How metric families are written. Names say their unit, and end in `_total` where they only grow.

use std::fmt;

use dispatch_actors::counts::HistogramReading;
use prometheus_client::encoding::{DescriptorEncoder, MetricEncoder, NoLabelSet};
use prometheus_client::metrics::MetricType;

/// Names and values of one sample's labels.
pub(super) type Labels<'a, const N: usize> = [(&'static str, &'a str); N];

pub(super) const NO_LABELS: Labels<'static, 0> = [];

const MICROSECONDS: f64 = 1_000_000.0;

/// Writes one family after the other. `help` is a sentence.
pub(super) struct Families<'a>(DescriptorEncoder<'a>);

impl<'a> Families<'a> {
    pub(super) fn new(encoder: DescriptorEncoder<'a>) -> Self {
        Self(encoder)
    }

    /// `name`: without `_total`, which is put behind it.
    pub(super) fn counter<'l, const N: usize>(
        &mut self,
        name: &str,
        help: &str,
        samples: impl IntoIterator<Item = (Labels<'l, N>, u64)>,
    ) -> fmt::Result {
        self.family(
            name,
            help,
            MetricType::Counter,
            samples,
            |mut encoder, count| encoder.encode_counter::<NoLabelSet, _, f64>(&count, None),
        )
    }

    pub(super) fn gauge<'l, const N: usize>(
        &mut self,
        name: &str,
        help: &str,
        samples: impl IntoIterator<Item = (Labels<'l, N>, f64)>,
    ) -> fmt::Result {
        self.family(
            name,
            help,
            MetricType::Gauge,
            samples,
            |mut encoder, value| encoder.encode_gauge(&value),
        )
    }

    /// Of times in microseconds, which are written in seconds.
    pub(super) fn times<'l, const N: usize>(
        &mut self,
        name: &str,
        help: &str,
        samples: impl IntoIterator<Item = (Labels<'l, N>, HistogramReading)>,
    ) -> fmt::Result {
        self.family(
            name,
            help,
            MetricType::Histogram,
            samples,
            |encoder, reading| histogram(encoder, &reading, MICROSECONDS),
        )
    }

    pub(super) fn sizes(
        &mut self,
        name: &str,
        help: &str,
        reading: HistogramReading,
    ) -> fmt::Result {
        let samples = [(NO_LABELS, reading)];
        self.family(
            name,
            help,
            MetricType::Histogram,
            samples,
            |encoder, reading| histogram(encoder, &reading, 1.0),
        )
    }

    /// One sample that says something in its labels. `name`: without `_info`.
    pub(super) fn info<const N: usize>(
        &mut self,
        name: &str,
        help: &str,
        labels: Labels<'_, N>,
    ) -> fmt::Result {
        let mut encoder = self
            .0
            .encode_descriptor(name, help, None, MetricType::Info)?;
        encoder.encode_info(&labels)
    }

    fn family<'l, const N: usize, T>(
        &mut self,
        name: &str,
        help: &str,
        kind: MetricType,
        samples: impl IntoIterator<Item = (Labels<'l, N>, T)>,
        write: impl Fn(MetricEncoder<'_>, T) -> fmt::Result,
    ) -> fmt::Result {
        let mut encoder = self.0.encode_descriptor(name, help, None, kind)?;
        for (labels, value) in samples {
            // Without braces where there is nothing in them; there is one sample then.
            if N == 0 {
                return write(encoder, value);
            }
            write(encoder.encode_family(&labels)?, value)?;
        }
        Ok(())
    }
}

fn histogram(mut encoder: MetricEncoder<'_>, reading: &HistogramReading, unit: f64) -> fmt::Result {
    let bounds = reading.bounds.iter().map(|bound| *bound as f64 / unit);
    let counts = reading.counts.iter().copied();
    // The largest number stands for no bound.
    let buckets: Vec<_> = bounds.chain([f64::MAX]).zip(counts).collect();
    let (sum, count) = (reading.sum as f64 / unit, reading.count());
    encoder.encode_histogram::<NoLabelSet>(sum, count, &buckets, None)
}
