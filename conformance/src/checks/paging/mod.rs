//! §4.4.8: paging. Page size and what stands past the end are open (L2, L3); pages are judged only in an order without
//! ties. The rules are in [`selection`] and [`pages`].

mod cursor;
mod paged;
pub(super) mod pages;
mod selection;
mod ties;

use rollcall_oracle::judge::Aspect;

use super::{BASE, Check, Level};
use crate::checks::scope::PAGING;
use crate::engine::region::{Amount, Area, MEMBERSHIP, Region, Sign};

const PAGES: &str = "more records than fit on a page, pages that are requested by number, and a stable order";
const UNIQUE: &str = "more records than fit on a page, and a sort field that is different for every record";

pub(super) const CHECKS: &[Check] = &[
    Check {
        id: "G2",
        topics: &[PAGING],
        clause: "§4.4.8",
        demands: &["page"],
        level: Level::Guarded,
        says: "The parameter page selects: the first page is the answer without it, the second page is another.",
        needs: PAGES,
        finds: "a page that is ignored, also beside sort; pages counted from zero",
        advice: "Turn the page number into an offset once, after the filter and the order. The first page is 1 or 0.",
        region: Region {
            failed_by: &[Area::BARE
                .beside_filters(Amount::ONE)
                .page(Amount::ONE)
                .wrong(MEMBERSHIP)],
            ..Region::NONE
        },
        run: selection::select,
        ..BASE
    },
    Check {
        id: "G1",
        topics: &[PAGING],
        clause: "§4.4.8",
        demands: &["page"],
        level: Level::Guarded,
        says: "No record is on two pages.",
        needs: UNIQUE,
        finds: "pages that overlap",
        advice: "Use (page − 1) × size as the offset for every page, and give the order a unique last key.",
        run: pages::are_disjoint,
        ..BASE
    },
    Check {
        id: "G3",
        topics: &[PAGING],
        clause: "§4.4.5, §4.4.8",
        demands: &["sort", "page"],
        level: Level::Guarded,
        says: "The pages, one after the other, are in the requested order.",
        needs: UNIQUE,
        finds: "records sorted within their page only; an order that is missing on the second page",
        advice: "Sort in the query, before the limit, on every page. The page must carry the parameter sort.",
        run: pages::are_sorted,
        ..BASE
    },
    Check {
        id: "G4",
        topics: &[PAGING],
        clause: "§4.4.8",
        demands: &["page"],
        level: Level::Guarded,
        says: "No record is missing between a page and the next, in either direction.",
        needs: UNIQUE,
        finds: "records that are missing at the border of pages",
        advice: "Use (page − 1) × size as the offset for every page. Look for a page that reads one record more to \
                 see whether another follows.",
        region: Region {
            failed_by: &[Area::ALL
                .filters(Amount::NONE)
                .sort(Amount::ONE)
                .include(Amount::NONE)
                .page(Amount::NONE)
                .wrong(&[Aspect::Missing])
                .showing(&[Sign::Pages])],
            ..Region::NONE
        },
        run: pages::lose_nothing,
        ..BASE
    },
    Check {
        id: "G6",
        topics: &[PAGING],
        clause: "§4.4.8",
        demands: &["page"],
        level: Level::Guarded,
        says: "The same page has the same records while the data does not change.",
        needs: UNIQUE,
        finds: "pages that depend on the node or on chance",
        advice: "Give the order a unique last key, such as the identifier.",
        run: selection::repeat,
        ..BASE
    },
    Check {
        id: "G8",
        topics: &[PAGING],
        clause: "§4.4.6, §4.4.8",
        demands: &["combined", "page"],
        level: Level::Guarded,
        says: "The pages of a sorted list hold each record exactly once, also where records are equal in the order.",
        needs: "more records than fit on a page, and a sort field in which many records are equal",
        finds: "records that are equal in the order, and whose places differ from page to page",
        advice: "Add a unique last key, such as the identifier, to every order.",
        region: Region {
            failed_by: &[Area::ALL.wrong(&[Aspect::Once])],
            ..Region::NONE
        },
        run: ties::each_once,
        ..BASE
    },
];
