//! How lists are cut to pages (G7).

use rollcall_contract::Role;
use rollcall_oracle::corpus::next_page::next_link;
use rollcall_oracle::corpus::{ListCorpus, Projection};
use rollcall_oracle::http::target::TargetError;

use super::first_page::FirstPage;
use crate::cases::read;
use crate::checks::CheckFuture;
use crate::engine::Engine;
use crate::engine::outcome::CheckResult;

/// What may stand in place of the number of a page.
const PAGES: [(&str, &str); 4] = [
    ("page 0", "0"),
    ("page -1", "-1"),
    ("a page that is a text", "abc"),
    ("a page past the end", "99999"),
];

pub(super) fn observed<'a>(engine: &'a mut Engine, result: &'a mut CheckResult) -> CheckFuture<'a> {
    Box::pin(async {
        for list in engine.readable() {
            let list_corpus = engine.list(list);
            let numbering = list_corpus.paging.number(1).to_string();
            let name = list_corpus.spec.name().to_owned();
            let page = list_corpus.paging.page.clone();
            let is_specified = list_corpus.spec.specified;
            if let Some(reading) = read(list_corpus, &Projection::Default) {
                let envelope = match &reading.envelope {
                    Some(member) => format!("the member {member}"),
                    None => "none".to_owned(),
                };
                result.observe("L1", format!("the envelope of {name}"), envelope);
                if reading.pages.len() > 1 {
                    let size = reading.on_first_page().count();
                    result.observe("L3", format!("the size of a page of {name}"), size.to_string());
                    let link = next_page(engine, list).await?;
                    result.observe("L4", format!("how {name} tells of its next page"), link);
                }
            }
            if let (true, Some(page)) = (is_specified, page) {
                let first = FirstPage::of(engine, list, &[]).await?;
                result.observe("L2", format!("the number of the first page of {name}"), numbering);
                for (question, value) in PAGES {
                    let same = [("the first page", &first)];
                    let choice = FirstPage::word_of(engine, list, &[(&page, value)], &same).await?;
                    result.observe("L2", format!("{question} of {name}"), choice);
                }
            }
        }
        result.gap_if_unobserved("a list that answers with records");
        Ok(())
    })
}

/// L4: how a list tells of its next page. Where it is sorted, the link may be one to the next page of another list.
async fn next_page(engine: &mut Engine, list: usize) -> Result<&'static str, TargetError> {
    let ListCorpus { spec, paging, .. } = engine.list(list);
    if !paging.links {
        return Ok("nothing in a header");
    }
    let (Some(sort), Some((field, _))) = (spec.parameter(Role::Sort), spec.list.sort.first()) else {
        return Ok("a header Link");
    };
    let request = engine.query(list, &[(sort, field)]);
    let exchange = engine.fetch_first_page(&request).await?;
    let (paging, base) = (&engine.list(list).paging, &engine.target.config().base_url);
    Ok(match next_link(&exchange, paging, base) {
        Some(link) if !link.repeats => "a header Link that drops the parameters of the request",
        _ => "a header Link",
    })
}
