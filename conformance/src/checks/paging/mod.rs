//! §4.4.8: paging. Page size and what stands past the end are open (L2, L3); pages are judged only in an order without
//! ties. The rules are in [`selection`] and [`pages`].

mod cursor;
pub(super) mod pages;
mod selection;

use super::{Check, Level};

const PAGES: &str = "more records than fit on a page, pages that are asked for by number, and a stable order";
const UNIQUE: &str = "more records than fit on a page, and a sort field that is different for every record";

pub(super) const CHECKS: &[Check] = &[
    Check {
        id: "G2",
        covers: &[],
        clause: "§4.4.8",
        level: Level::Guarded,
        says: "The page selects: the first is what comes without it, the second is another.",
        needs: PAGES,
        finds: "a page that is ignored, also beside sort; pages counted from zero",
        core: false,
        run: selection::select,
    },
    Check {
        id: "G1",
        covers: &[],
        clause: "§4.4.8",
        level: Level::Guarded,
        says: "No record stands on two pages.",
        needs: UNIQUE,
        finds: "pages that overlap",
        core: false,
        run: pages::are_disjoint,
    },
    Check {
        id: "G3",
        covers: &[],
        clause: "§4.4.5, §4.4.8",
        level: Level::Guarded,
        says: "Pages one after the other are in the order that was asked for.",
        needs: UNIQUE,
        finds: "records sorted within their page only; an order that is lost on the second page",
        core: false,
        run: pages::are_sorted,
    },
    Check {
        id: "G4",
        covers: &[],
        clause: "§4.4.8",
        level: Level::Guarded,
        says: "Between a page and the next no record is lost, in either direction.",
        needs: UNIQUE,
        finds: "records lost at the border of pages",
        core: false,
        run: pages::lose_nothing,
    },
    Check {
        id: "G6",
        covers: &[],
        clause: "§4.4.8",
        level: Level::Guarded,
        says: "The same page has the same records while the data stays the same.",
        needs: UNIQUE,
        finds: "pages that depend on the node or on chance",
        core: false,
        run: selection::repeat,
    },
];
