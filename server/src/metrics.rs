//! What the store tells of itself at each look at `/metrics`. The requests are counted in `request_log.rs`.

use std::fmt;

use prometheus_client::collector::Collector;
use prometheus_client::encoding::{DescriptorEncoder, EncodeMetric};
use prometheus_client::metrics::counter::ConstCounter;
use prometheus_client::metrics::gauge::ConstGauge;

use crate::store::Store;

/// The figures of a store.
pub(crate) struct StoreMetrics(pub(crate) Store);

impl fmt::Debug for StoreMetrics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "StoreMetrics({:?})", self.0.workload())
    }
}

impl Collector for StoreMetrics {
    fn encode(&self, mut encoder: DescriptorEncoder<'_>) -> fmt::Result {
        let (load, done) = (self.0.workload(), self.0.work_done());
        let mut add =
            |name: &str, help: &str, metric: &dyn AnyMetric| metric.add_to(&mut encoder, name, help);
        add(
            "rollcall_changes_waiting",
            "Changes that wait to be made, or are being made",
            &gauge(load.changes_waiting),
        )?;
        add(
            "rollcall_changes_committed",
            "Changes that were committed, and refusals",
            &ConstCounter::new(load.changes_committed),
        )?;
        add(
            "rollcall_changes_failed",
            "Changes that were not stored because the database failed",
            &ConstCounter::new(load.changes_failed),
        )?;
        add(
            "rollcall_database_statements",
            "Statements that were run on the primary database",
            &ConstCounter::new(done.statements),
        )?;
        add(
            "rollcall_database_jobs",
            "Jobs that were handed to threads of the store",
            &ConstCounter::new(done.jobs),
        )?;
        add(
            "rollcall_replicas",
            "Replicas that are configured",
            &gauge(load.replicas as u64),
        )?;
        add(
            "rollcall_replicas_answering",
            "Replicas that answer, as far as is known",
            &gauge(load.replicas_answering as u64),
        )
    }
}

fn gauge(value: u64) -> ConstGauge<i64> {
    ConstGauge::new(i64::try_from(value).unwrap_or(i64::MAX))
}

/// A metric of any kind, so that all are added in one way.
trait AnyMetric {
    fn add_to(&self, encoder: &mut DescriptorEncoder<'_>, name: &str, help: &str) -> fmt::Result;
}

impl<M: EncodeMetric> AnyMetric for M {
    fn add_to(&self, encoder: &mut DescriptorEncoder<'_>, name: &str, help: &str) -> fmt::Result {
        self.encode(encoder.encode_descriptor(name, help, None, self.metric_type())?)
    }
}
