//! Pages that overlap, leave something out, or forget what was asked for.

use super::{Operator, Scope, When, is_meant};
use crate::hooks::Found;
use crate::mutation::Draw;
use crate::{Asked, Hooks};

/// Another set of rows to cut pages from, for a page number.
type Rows = for<'r> fn(&mut Found<'r>, usize);

/// Another request.
type Request = fn(&mut Asked);

const ROWS: &[(&str, Rows)] = &[
    ("later pages begin a row early", |found, page| {
        if page > 1 && !found.rows.is_empty() {
            found.rows.insert(0, found.rows[0]);
        }
    }),
    ("later pages begin a row late", |found, page| {
        if page > 1 && !found.rows.is_empty() {
            found.rows.remove(0);
        }
    }),
    ("the third page begins a row early", |found, page| {
        if page == 3 && !found.rows.is_empty() {
            found.rows.insert(0, found.rows[0]);
        }
    }),
    ("the third page begins a row late", |found, page| {
        if page == 3 && !found.rows.is_empty() {
            found.rows.remove(0);
        }
    }),
    ("the last page is lost where it is not full", |found, _| {
        if found.rows.len() > found.page {
            found.rows.truncate(found.rows.len() / found.page * found.page);
        }
    }),
    ("the last row is lost", |found, _| {
        found.rows.pop();
    }),
    (
        "the last row is lost where it stands alone on its page",
        |found, _| {
            if found.rows.len() % found.page == 1 {
                found.rows.pop();
            }
        },
    ),
    ("the first row is lost", |found, _| {
        if !found.rows.is_empty() {
            found.rows.remove(0);
        }
    }),
    ("the row before a page's end is shown twice", |found, _| {
        if found.rows.len() > found.page {
            found.rows.insert(found.page, found.rows[found.page - 1]);
        }
    }),
    ("50 rows are shown at most", |found, _| found.rows.truncate(50)),
    ("100 rows are shown at most", |found, _| found.rows.truncate(100)),
    ("150 rows are shown at most", |found, _| found.rows.truncate(150)),
    ("a page after the end is the last one", |found, page| {
        let count = found.rows.len();
        if page > 1 && count > found.page && (page - 1) * found.page >= count {
            let last = found.rows[(count - 1) / found.page * found.page..].to_vec();
            found.rows.resize((page - 1) * found.page, last[0]);
            found.rows.extend(last);
        }
    }),
];

const REQUESTS: &[(&str, Request)] = &[
    ("the page is ignored", |asked| asked.drop("page")),
    ("the third page is the second", |asked| {
        if asked.page() == 3 {
            asked.set("page", "2");
        }
    }),
    ("later pages are those before", |asked| {
        if asked.page() > 1 {
            asked.set("page", (asked.page() - 1).to_string());
        }
    }),
    ("pages after the fourth are the fourth", |asked| {
        if asked.page() > 4 {
            asked.set("page", "4");
        }
    }),
    ("page 1 is not the first", |asked| {
        if asked.value("page") == Some("1") {
            asked.set("page", "2");
        }
    }),
    ("later pages lose the filters", |asked| {
        later(asked, Asked::drop_filters)
    }),
    ("later pages keep the first filter alone", |asked| {
        later(asked, Asked::keep_only_first_filter)
    }),
    ("later pages keep the last filter alone", |asked| {
        later(asked, Asked::keep_only_last_filter)
    }),
    ("later pages lose the order", |asked| {
        later(asked, |asked| asked.drop("sort"))
    }),
    ("later pages lose the relations", |asked| {
        later(asked, |asked| asked.drop("include"))
    }),
    ("later pages lose the word on soft-deleted records", |asked| {
        later(asked, |asked| asked.drop("filter[trashed]"));
    }),
    ("the third page loses the filters", |asked| {
        if asked.page() == 3 {
            asked.drop_filters();
        }
    }),
    ("later pages are refused", |asked| {
        later(asked, |asked| asked.refuse(400))
    }),
    ("later pages fail", |asked| {
        later(asked, |asked| asked.refuse(500))
    }),
];

/// Draws wrong pages.
pub(super) fn draw(draw: &mut Draw) -> Operator {
    if draw.percent(50) {
        let (says, change) = draw.pick_copy(REQUESTS);
        return Operator::new(
            "paging",
            Scope::Query,
            says,
            move |hooks: &mut Hooks, when: &When| {
                let when = when.clone();
                hooks.on_query(move |asked| {
                    if is_meant(asked, &when) {
                        change(asked);
                    }
                });
            },
        );
    }
    let (says, change) = draw.pick_copy(ROWS);
    Operator::new(
        "paging",
        Scope::Query,
        says,
        move |hooks: &mut Hooks, when: &When| {
            let when = when.clone();
            hooks.on_found(move |asked, found| {
                if is_meant(asked, &when) {
                    change(found, asked.page());
                }
            });
        },
    )
}

fn later(asked: &mut Asked, change: impl Fn(&mut Asked)) {
    if asked.page() > 1 {
        change(asked);
    }
}
