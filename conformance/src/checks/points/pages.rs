//! How lists are cut to pages (G7).

use rollcall_contract::Role;

use super::came::Came;
use crate::checks::Looking;
use crate::context::Context;
use crate::corpus::Look;
use crate::listing::Listed;
use crate::next_page::next_link;
use crate::outcome::Tally;
use crate::target::Trouble;

/// What may stand in place of the number of a page.
const PAGES: [(&str, &str); 4] = [
    ("page 0", "0"),
    ("page -1", "-1"),
    ("a page that is a word", "abc"),
    ("a page past the end", "99999"),
];

pub(super) fn observed<'a>(context: &'a mut Context, tally: &'a mut Tally) -> Looking<'a> {
    Box::pin(async {
        for list in context.readable() {
            let is_lossy = link_drops_parameters(context, list).await?;
            let surveyed = context.list(list);
            let numbering = surveyed.paging.number(1).to_string();
            let name = surveyed.subject.name().to_owned();
            if let Some(Listed::Records(reading)) = surveyed.view(&Look::Default).map(|view| &view.listed) {
                let envelope = match &reading.envelope {
                    Some(member) => format!("the member {member}"),
                    None => "none".to_owned(),
                };
                tally.observe("L1", format!("the envelope of {name}"), envelope);
                if reading.pages.len() > 1 {
                    let size = reading.on_first_page().count();
                    tally.observe("L3", format!("the size of a page of {name}"), size.to_string());
                    let links = match (surveyed.paging.links, is_lossy) {
                        (false, _) => "nothing in a header",
                        (true, false) => "a header Link",
                        (true, true) => "a header Link that drops the parameters of the request",
                    };
                    tally.observe("L4", format!("how {name} tells of its next page"), links);
                }
            }
            let page = surveyed.subject.parameter(Role::Page).map(str::to_owned);
            if let (true, Some(page)) = (surveyed.subject.specified, page) {
                let first = Came::of(context, list, &[]).await?;
                tally.observe("L2", format!("the number of the first page of {name}"), numbering);
                for (question, value) in PAGES {
                    let came = Came::of(context, list, &[(&page, value)]).await?;
                    let choice = came.word(&[("the first page", &first)]);
                    tally.observe("L2", format!("{question} of {name}"), choice);
                }
            }
        }
        tally.gap_if_unobserved("a list that answers with records");
        Ok(())
    })
}

/// L4: whether the link to the next page of a sorted list is one to the next page of another list.
async fn link_drops_parameters(context: &mut Context, list: usize) -> Result<bool, Trouble> {
    let subject = &context.list(list).subject;
    let (Some(sort), Some((field, _))) = (subject.parameter(Role::Sort), subject.list.sort.first()) else {
        return Ok(false);
    };
    let request = context.query(list, &[(sort, field)]);
    let exchange = context.glance(&request).await?;
    let (paging, base) = (&context.list(list).paging, &context.target.config().base_url);
    Ok(next_link(&exchange, paging, base).is_some_and(|link| !link.repeats))
}
