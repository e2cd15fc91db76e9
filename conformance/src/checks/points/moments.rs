//! How bounds are read (D12).

use rollcall_contract::Match;

use super::came::Came;
use crate::checks::Looking;
use crate::checks::asking::filters;
use crate::context::Context;
use crate::outcome::Tally;
use crate::seen::{SeenFilter, Shown};
use crate::target::Trouble;

/// Forms of a moment besides those the specification names.
const FORMS: [(&str, &str); 4] = [
    ("a date-time with an offset", "2021-03-01T00:00:00+02:00"),
    ("a date in words", "1 March 2021"),
    ("seconds since 1970", "1614556800"),
    ("a word that is no moment", "nonsense"),
];
/// A timestamp before all data.
const FIRST: &str = "1900-01-01T00:00:00Z";
/// A timestamp after all data.
const LAST: &str = "2199-12-31T00:00:00Z";

pub(super) fn observed<'a>(context: &'a mut Context, tally: &'a mut Tally) -> Looking<'a> {
    Box::pin(async {
        unseen(context, tally).await?;
        let bounds = filters(context, Match::Before, &mut Tally::default()).await?;
        if let Some(filter) = bounds.first() {
            let whole = Came::of(context, filter.list, &[]).await?;
            for (question, form) in FORMS {
                let came = Came::of(context, filter.list, &[(&filter.name, form)]).await?;
                let choice = match (came.records.is_some(), came.ids() == whole.ids()) {
                    (true, false) => "accepted".to_owned(),
                    // A bound that all data is on one side of looks just so.
                    (true, true) => "accepted or ignored".to_owned(),
                    (false, _) => came.granted(),
                };
                tally.observe("L15", question, choice);
            }
        }
        for (index, filter) in bounds.iter().enumerate() {
            if index == 0 {
                border(context, filter, tally).await?;
            }
            if nulls(context, filter, tally).await? {
                break;
            }
        }
        tally.gap_if_unobserved("a record with a timestamp");
        Ok(())
    })
}

/// L16: whether a bound belongs to what it bounds.
async fn border(context: &mut Context, filter: &SeenFilter, tally: &mut Tally) -> Result<(), Trouble> {
    let shown = of_live(context, filter, |shown| match shown {
        Shown::Value(moment) => Some(moment),
        Shown::Null | Shown::Unknown => None,
    });
    let (Some((id, moment)), Some(by_id)) = (shown, by_id(context, filter)) else {
        return Ok(());
    };
    let came = Came::of(context, filter.list, &[(&by_id, &id), (&filter.name, &moment)]).await?;
    tally.observe(
        "L16",
        "a moment just at its bound",
        match came.word(&[]).as_str() {
            "[]" => "outside",
            "other records" => "inside",
            word => word,
        },
    );
    Ok(())
}

/// L16: whether a record without a moment is before any; whether that could be seen.
async fn nulls(context: &mut Context, filter: &SeenFilter, tally: &mut Tally) -> Result<bool, Trouble> {
    let unset = of_live(context, filter, |shown| (shown == Shown::Null).then_some(()));
    let (Some((id, ())), Some(by_id)) = (unset, by_id(context, filter)) else {
        return Ok(false);
    };
    let came = Came::of(context, filter.list, &[(&by_id, &id), (&filter.name, LAST)]).await?;
    tally.observe(
        "L16",
        "a record without the moment",
        match came.word(&[]).as_str() {
            "[]" => "outside",
            "other records" => "inside",
            word => word,
        },
    );
    Ok(true)
}

/// The first live record of which the filter's member tells something, and what it tells.
fn of_live<T>(
    context: &Context,
    filter: &SeenFilter,
    tell: impl Fn(Shown) -> Option<T>,
) -> Option<(String, T)> {
    let mut records = context.seen(filter)?.records();
    let subject = &context.list(filter.list).subject;
    records.find_map(|(id, record)| {
        let told = tell(filter.shown(record)).filter(|_| !subject.is_deleted(record))?;
        Some((id.to_owned(), told))
    })
}

fn by_id(context: &Context, filter: &SeenFilter) -> Option<String> {
    let by_id = context.list(filter.list).subject.by_identifier()?;
    Some(by_id.name.clone())
}

/// L17: windows over moments that no record shows.
async fn unseen(context: &mut Context, tally: &mut Tally) -> Result<(), Trouble> {
    for list in context.readable() {
        let subject = &context.list(list).subject;
        let bounds = subject
            .matching(Match::Before)
            .chain(subject.matching(Match::After));
        let unseen: Vec<_> = bounds
            .filter(|judged| !judged.filter.shown)
            .map(|judged| (judged.name.clone(), judged.filter.matching))
            .collect();
        for (name, matching) in unseen {
            let bound = if matching == Match::Before { LAST } else { FIRST };
            let came = Came::of(context, list, &[(&name, bound)]).await?;
            let choice = match came.first() {
                Some(_) => "finds records".to_owned(),
                // Whether there is anything to be found is for the data to say.
                None => came.granted(),
            };
            tally.observe("L17", name, choice);
        }
    }
    Ok(())
}
