//! A glance at a request: its first answer, whatever that is, without further pages and without judgement.

use std::collections::BTreeMap;
use std::sync::Arc;

use futures_util::stream::{self, StreamExt, TryStreamExt};

use crate::context::{Context, key};
use crate::exchange::Exchange;
use crate::request::Request;
use crate::target::Trouble;

impl Context {
    /// The first answers to some requests, whatever they are, and no further pages; what was glanced at before is
    /// remembered.
    pub(crate) async fn glance_all(&mut self, requests: &[Request]) -> Result<Vec<Arc<Exchange>>, Trouble> {
        let open: BTreeMap<String, Request> = requests
            .iter()
            .map(|request| (key(request), request.clone()))
            .filter(|(key, _)| !self.glances.contains_key(key))
            .collect();
        let target = &self.target;
        let seen: Vec<_> = stream::iter(open)
            .map(|(key, request)| async move { Ok((key, Arc::new(target.send(&request).await?))) })
            .buffer_unordered(self.config.concurrency.max(1))
            .try_collect()
            .await?;
        self.glances.extend(seen);
        let known = requests
            .iter()
            .filter_map(|request| self.glances.get(&key(request)));
        Ok(known.map(Arc::clone).collect())
    }

    /// The first answer to a request, as [`Context::glance_all`].
    pub(crate) async fn glance(&mut self, request: &Request) -> Result<Arc<Exchange>, Trouble> {
        match self.glance_all(std::slice::from_ref(request)).await?.pop() {
            Some(exchange) => Ok(exchange),
            None => Ok(Arc::new(self.target.send(request).await?)),
        }
    }
}
