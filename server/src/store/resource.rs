//! What a resource tells the store: its table, where its fields are, how a row becomes a record.

use rollcall::Timestamp;
use rollcall::list::{Counts, Form, List};
use rollcall::model::Count;

use crate::store::column::{Column, Listed, Only};
use crate::store::counts::CountColumn;
use crate::store::dialect::{Cells, Connection};
use crate::store::sql::Sql;
use crate::store::{Error, Result};

/// What reading depends on besides the rows.
#[derive(Clone, Debug)]
pub struct Reading<'s> {
    /// The moment the answer speaks of.
    pub now: Timestamp,
    /// The public base address, for links.
    pub base: &'s str,
    /// Whether a manifest entry has lapsed that is not settled yet, so that kept counts may be too high.
    pub lapsed: bool,
}

/// A record or summary that is read from one row.
pub trait Readable: Sized + Send + 'static {
    /// The table it is a row of.
    const TABLE: &'static str;
    /// The columns of the summary it begins with, if it does.
    const SUMMARY: &'static [&'static str] = &[];
    /// The columns it is read from, behind the summary's, in order.
    const COLUMNS: &'static [&'static str];
    /// The members of its count object, kept in columns behind the others.
    const COUNTS: &'static [rollcall::list::CountSpec] = &[];
    /// Reads the columns, then the counts, in order.
    fn read(cells: &mut Cells<'_, '_>, reading: &Reading<'_>) -> Result<Self>;
    /// Loads what a record always includes when another record includes it; each comes with the id of that other record.
    fn include_always(
        _connection: &Connection,
        _reading: &Reading<'_>,
        _records: &mut [(String, Self)],
    ) -> Result<()> {
        Ok(())
    }
}

/// A list as the store serves it.
pub trait Resource: List<Record: Readable> {
    /// Which rows of the table it shows.
    const ONLY: Only = Only::All;
    /// The columns its search index covers; empty without one.
    const SEARCHED: &'static [&'static str] = &[];
    /// Where a field is. One arm for each: a field the store does not have does not compile.
    fn column(field: Self::Field) -> Column;
    /// The id of a record.
    fn id(record: &Self::Record) -> &str;
    /// Loads what was asked to be included, one query for each relation and page.
    fn include(
        _connection: &Connection,
        _reading: &Reading<'_>,
        _records: &mut [Self::Record],
        _include: &[(Self::Relation, Form)],
    ) -> Result<()> {
        Ok(())
    }
    /// The rows a field of this list finds.
    fn listed(field: Self::Field) -> Listed {
        Listed {
            table: Self::Record::TABLE,
            only: Self::ONLY,
            column: Self::column(field),
        }
    }
}

/// Adds `t.a, t.b, …` of a record; a count that may have lapsed is counted anew.
pub fn push_columns<R: Readable>(sql: &mut Sql, reading: &Reading<'_>) {
    for (place, column) in R::SUMMARY.iter().chain(R::COLUMNS).enumerate() {
        sql.push(if place == 0 { "t." } else { ", t." }).push(column);
    }
    for spec in R::COUNTS {
        let count = CountColumn::of(spec);
        sql.push(", ");
        match reading.lapsed && count.lapses() {
            true => count.push_live(sql, "t.id", reading.now),
            false => {
                sql.push("t.").push(&count.column());
            }
        }
    }
}

impl Cells<'_, '_> {
    /// A value of the contract that is written as text: an id, a word.
    pub fn word<T: std::str::FromStr<Err: std::fmt::Display>>(&mut self) -> Result<T> {
        let text = self.text()?;
        text.parse()
            .map_err(|why| Error::Corrupt(format!("{text:?}: {why}")))
    }

    /// The same, or null.
    pub fn word_or_null<T: std::str::FromStr<Err: std::fmt::Display>>(&mut self) -> Result<Option<T>> {
        let text = self.text_or_null()?;
        text.map(|text| {
            text.parse()
                .map_err(|why| Error::Corrupt(format!("{text:?}: {why}")))
        })
        .transpose()
    }

    /// The columns `state` and `expires_at` as the state shown now (O1).
    pub fn state<T: std::str::FromStr<Err: std::fmt::Display>>(&mut self, now: Timestamp) -> Result<T> {
        let state = self.text()?;
        let expiring = state == crate::lifecycle::EXPIRING;
        let parse = |state: &str| {
            state
                .parse()
                .map_err(|why| Error::Corrupt(format!("state {state:?}: {why}")))
        };
        if !expiring {
            let state = parse(state);
            self.int_or_null()?;
            return state;
        }
        let expires_at = self.moment_or_null()?;
        parse(crate::lifecycle::shown_state(
            crate::lifecycle::EXPIRING,
            expires_at,
            now,
        ))
    }

    /// Owned text.
    pub fn string(&mut self) -> Result<String> {
        self.text().map(str::to_owned)
    }

    /// Owned text or null.
    pub fn string_or_null(&mut self) -> Result<Option<String>> {
        Ok(self.text_or_null()?.map(str::to_owned))
    }

    /// A moment.
    pub fn moment(&mut self) -> Result<Timestamp> {
        let micros = self.int()?;
        Timestamp::from_micros(micros).ok_or_else(|| Error::Corrupt(format!("{micros} is no moment")))
    }

    /// A moment or null.
    pub fn moment_or_null(&mut self) -> Result<Option<Timestamp>> {
        let micros = self.int_or_null()?;
        let moment = |micros| {
            Timestamp::from_micros(micros).ok_or_else(|| Error::Corrupt(format!("{micros} is no moment")))
        };
        micros.map(moment).transpose()
    }

    /// A bounded integer of the contract.
    pub fn bounded<const MIN: i64, const MAX: i64>(&mut self) -> Result<rollcall::Bounded<MIN, MAX>> {
        self.int()?
            .try_into()
            .map_err(|why: rollcall::OutOfBounds| Error::Corrupt(why.to_string()))
    }

    /// JSON of the contract's own making.
    pub fn json<T: serde::de::DeserializeOwned>(&mut self) -> Result<T> {
        serde_json::from_str(self.text()?).map_err(|why| Error::Corrupt(why.to_string()))
    }

    /// A count object from the columns of its members.
    pub fn counts<T: Counts>(&mut self) -> Result<T> {
        T::collect(|| self.bounded() as Result<Count>)
    }
}
