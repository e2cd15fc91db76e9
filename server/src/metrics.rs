//! The figures of the store at each request of `/metrics`. The requests are counted in `request_log.rs`.

use std::fmt;

use prometheus_client::collector::Collector;
use prometheus_client::encoding::{DescriptorEncoder, EncodeMetric};
use prometheus_client::metrics::counter::ConstCounter;
use prometheus_client::metrics::gauge::ConstGauge;
use rollcall_store::Store;

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
        let counters = [
            (
                "changes_committed",
                "Changes that were committed, and refusals",
                load.changes_committed,
            ),
            (
                "changes_failed",
                "Changes that the database did not store",
                load.changes_failed,
            ),
            (
                "database_statements",
                "Statements that were run on the primary database",
                done.statements,
            ),
            (
                "database_jobs",
                "Jobs that were handed to threads of the store",
                done.jobs,
            ),
        ];
        for (name, help, count) in counters {
            add(&mut encoder, name, help, &ConstCounter::new(count))?;
        }
        let (replicas, answering) = (load.replicas as u64, load.replicas_answering as u64);
        let gauges = [
            (
                "changes_waiting",
                "Changes that wait to be made, or are being made",
                load.changes_waiting,
            ),
            ("replicas", "Replicas that are configured", replicas),
            (
                "replicas_answering",
                "Replicas that answer, as far as is known",
                answering,
            ),
        ];
        for (name, help, count) in gauges {
            let gauge = ConstGauge::new(i64::try_from(count).unwrap_or(i64::MAX));
            add(&mut encoder, name, help, &gauge)?;
        }
        Ok(())
    }
}

fn add(
    encoder: &mut DescriptorEncoder<'_>,
    name: &str,
    help: &str,
    metric: &impl EncodeMetric,
) -> fmt::Result {
    let name = ["rollcall_", name].concat();
    metric.encode(encoder.encode_descriptor(&name, help, None, metric.metric_type())?)
}
