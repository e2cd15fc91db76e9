//! A glance at a request: its first answer, whatever that is, without further pages and without judgement.

use std::collections::BTreeSet;
use std::sync::Arc;

use futures_util::stream::{self, StreamExt, TryStreamExt};
use rollcall_oracle::http::exchange::Exchange;
use rollcall_oracle::http::request::Request;
use rollcall_oracle::http::target::TargetError;

use crate::engine::Engine;

impl Engine {
    /// The first answers to some requests, whatever they are, and no further pages; what was glanced at before is
    /// remembered.
    pub(crate) async fn glance_all(
        &mut self,
        requests: &[Request],
    ) -> Result<Vec<Arc<Exchange>>, TargetError> {
        let open = requests
            .iter()
            .filter(|request| !self.first_pages.contains_key(*request));
        let open: BTreeSet<Request> = open.cloned().collect();
        let target = &self.target;
        let seen: Vec<_> = stream::iter(open)
            .map(|request| async move {
                let exchange = Arc::new(target.send(&request).await?);
                Ok((request, exchange))
            })
            .buffer_unordered(self.config.concurrency.max(1))
            .try_collect()
            .await?;
        self.first_pages.extend(seen);
        let requests = requests.iter();
        let known = requests.filter_map(|request| self.first_pages.get(request));
        Ok(known.cloned().collect())
    }

    /// The first answer to a request, as [`Engine::glance_all`].
    pub(crate) async fn fetch_first_page(&mut self, request: &Request) -> Result<Arc<Exchange>, TargetError> {
        match self.glance_all(std::slice::from_ref(request)).await?.pop() {
            Some(exchange) => Ok(exchange),
            None => Ok(Arc::new(self.target.send(request).await?)),
        }
    }
}
