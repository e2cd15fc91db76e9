//! How lists are cut to pages (G7).

use rollcall_contract::Role;

use super::came::Came;
use crate::checks::Looking;
use crate::context::Context;
use crate::corpus::Look;
use crate::listing::Listed;
use crate::outcome::Tally;

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
            let surveyed = context.list(list);
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
                    let links = if surveyed.paging.links {
                        "a header Link"
                    } else {
                        "nothing in a header"
                    };
                    tally.observe("L4", format!("how {name} tells of its next page"), links);
                }
            }
            let page = surveyed.subject.parameter(Role::Page).map(str::to_owned);
            if let (true, Some(page)) = (surveyed.subject.specified, page) {
                let first = Came::of(context, list, &[]).await?;
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
