//! §4.4.6: filters, order, relations and pages in one request. [`domain`] reads what can be asked, the plan chooses the
//! queries, [`explore`] sends and judges them, and [`classify`] decides by the smallest query that still shows a violation
//! which check has failed. That may be a check of another section: then what it came to is revised.

mod classify;
mod domain;
mod explore;

use super::{Check, Level, Looking};
use crate::context::Context;
use crate::outcome::Tally;

pub(crate) use explore::{Explored, Revision};

pub(super) const CHECKS: &[Check] = &[
    Check {
        id: "O7",
        covers: &[],
        clause: "§4.4.6",
        level: Level::Must,
        says: "A filter holds under an order, and the order under a filter.",
        needs: "a field that sorts, and a filter with a value that some records have",
        finds: "a filter that is lost under an order; an order that is lost under a filter",
        core: false,
        run: |context, tally| claim(context, tally, "O7"),
    },
    Check {
        id: "G5",
        covers: &[],
        clause: "§4.4.6, §4.4.8",
        level: Level::Guarded,
        says: "The pages of a filtered list hold what the filter finds.",
        needs: "a filter that finds more records than fit on a page",
        finds: "a filter that is lost on the second page",
        core: false,
        run: |context, tally| claim(context, tally, "G5"),
    },
    Check {
        id: "K1",
        covers: &[],
        clause: "§4.4.6",
        level: Level::Must,
        says: "Two filters together find what both of them find.",
        needs: "records that two filters can find",
        finds: "filters joined by OR; a filter that replaces another",
        core: true,
        run: |context, tally| claim(context, tally, "K1"),
    },
    Check {
        id: "K2",
        covers: &[],
        clause: "§4.4.6",
        level: Level::Must,
        says: "A further filter never adds a record.",
        needs: "records that three filters can find",
        finds: "a third filter that is dropped, or that replaces the others",
        core: true,
        run: |context, tally| claim(context, tally, "K2"),
    },
    Check {
        id: "K3",
        covers: &[],
        clause: "§4.4.6",
        level: Level::Must,
        says: "Filters that contradict each other find nothing.",
        needs: "two records that differ in what two filters look at",
        finds: "filters that are dropped where they find nothing",
        core: true,
        run: |context, tally| claim(context, tally, "K3"),
    },
    Check {
        id: "K4",
        covers: &[],
        clause: "§4.4.6",
        level: Level::Must,
        says: "Two filters find the same under an order, with a relation and on every page.",
        needs: "records that two filters can find; sort fields and relations that are offered",
        finds: "filters that get lost beside sort, include or page",
        core: true,
        run: |context, tally| claim(context, tally, "K4"),
    },
    Check {
        id: "K5",
        covers: &[],
        clause: "§4.4.6",
        level: Level::Guarded,
        says: "Filters, order, relations and pages together find what the records say.",
        needs: "records that several filters can find; sort fields and relations that are offered",
        finds: "what goes wrong only if much comes together",
        core: true,
        run: |context, tally| claim(context, tally, "K5"),
    },
    Check {
        id: "K6",
        covers: &[],
        clause: "§4.4.6",
        level: Level::Must,
        says: "A relation shows the same beside filters, an order and a page as it shows alone.",
        needs: "a relation that is offered, and records that a filter can find",
        finds: "relations that are empty, cut or counted otherwise beside another parameter",
        core: true,
        run: |context, tally| claim(context, tally, "K6"),
    },
    Check {
        id: "K7",
        covers: &[],
        clause: "§4.4.6",
        level: Level::Must,
        says: "An order holds beside filters, relations and pages.",
        needs: "a field that sorts, and records that a filter can find",
        finds: "an order that is lost or turned beside another parameter",
        core: true,
        run: |context, tally| claim(context, tally, "K7"),
    },
];

/// Counts what the exploration has found for one of the checks of this section.
fn claim<'a>(context: &'a mut Context, tally: &'a mut Tally, id: &'static str) -> Looking<'a> {
    Box::pin(async move {
        let explored = explore::of(context).await?;
        explored.tell(id, tally);
        tally.gap_if_empty("records that several parameters can find together");
        Ok(())
    })
}
