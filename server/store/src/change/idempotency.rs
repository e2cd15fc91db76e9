//! Idempotency keys (O11): the first answer under a key, a refusal too, is the answer to every request that repeats it. It is kept
//! in the transaction of the change itself.

use rollcall::Timestamp;
use rollcall::http::{Conditions, Json};
use serde::{Deserialize, Serialize};

use crate::change::fields::Fields;
use crate::change::unit::Unit;
use crate::error::{Error, Result};
use crate::lifecycle::BadExpiry;
use crate::sql::Sql;

/// Who may repeat a request, and what must hold for it.
#[derive(Clone, Debug)]
pub struct Preconditions {
    /// The token: keys of different callers do not meet.
    pub token: String,
    /// Preconditions and key.
    pub conditions: Conditions,
}

/// Seconds for which the answer to a key is kept.
const KEPT_FOR: i64 = 86_400;

/// The most keys that are kept of a token; the oldest are forgotten.
const KEYS_OF_A_TOKEN: i64 = 10_000;

/// A refusal as it is kept: by the state of the store. What a request lacks by itself is refused anew each time.
#[derive(Debug, Serialize, Deserialize)]
enum Refusal {
    NotFound,
    Illegal(String),
    LastWayIn,
    BadExpiry(BadExpiry),
    Changed,
}

impl Refusal {
    fn of(error: &Error) -> Option<Self> {
        Some(match error {
            Error::NotFound => Self::NotFound,
            Error::Illegal(why) => Self::Illegal(why.clone()),
            Error::LastWayIn => Self::LastWayIn,
            Error::BadExpiry(why) => Self::BadExpiry(*why),
            Error::Changed => Self::Changed,
            _ => return None,
        })
    }
}

impl From<Refusal> for Error {
    fn from(refusal: Refusal) -> Self {
        match refusal {
            Refusal::NotFound => Self::NotFound,
            Refusal::Illegal(why) => Self::Illegal(why),
            Refusal::LastWayIn => Self::LastWayIn,
            Refusal::BadExpiry(why) => Self::BadExpiry(why),
            Refusal::Changed => Self::Changed,
        }
    }
}

/// The answer already given under the key of a request, if it has one and was sent before.
///
/// # Errors
/// The refusal that was the answer, or [`Error::KeyReused`] if the key stands for another request.
pub(crate) fn kept_answer<T>(unit: &Unit<'_>, terms: &Preconditions) -> Result<Option<Json<T>>> {
    let Some(key) = &terms.conditions.idempotency_key else {
        return Ok(None);
    };
    let mut sql = Sql::new("SELECT fingerprint, answer, refusal FROM idempotency_keys WHERE token_id = ");
    sql.bind(terms.token.as_str())
        .push(" AND key = ")
        .bind(key.as_str());
    sql.push(" AND created_at > ").bind(kept_since(unit.now()));
    let found = unit.connection().first(&sql, |cells| {
        Ok((cells.string()?, cells.string()?, cells.string_or_null()?))
    })?;
    match found {
        None => Ok(None),
        Some((fingerprint, ..)) if fingerprint != hex(&terms.conditions.fingerprint) => Err(Error::KeyReused),
        Some((_, answer, None)) => Ok(Some(Json::rendered(answer.into_bytes()))),
        Some((_, _, Some(refusal))) => {
            let refusal = serde_json::from_str::<Refusal>(&refusal);
            Err(refusal.map_or_else(
                |why| Error::Corrupt(format!("a kept refusal: {why}")),
                Error::from,
            ))
        }
    }
}

/// Keeps the answer to a request under its key, if it has one; forgets the keys that are too old, and the oldest of a token that
/// has too many.
pub(crate) fn keep_answer<T>(
    unit: &mut Unit<'_>,
    terms: &Preconditions,
    answer: &Result<Json<T>>,
) -> Result<()> {
    let Some(key) = &terms.conditions.idempotency_key else {
        return Ok(());
    };
    let (answer, refusal) = match answer {
        Ok(answer) => (String::from_utf8_lossy(answer.as_bytes()).into_owned(), None),
        Err(why) => match Refusal::of(why) {
            Some(refusal) => (String::new(), Some(refusal)),
            None => return Ok(()),
        },
    };
    let refusal = refusal.map(|refusal| serde_json::to_string(&refusal));
    let refusal = refusal
        .transpose()
        .map_err(|why| Error::Failed(why.to_string()))?;
    if refusal.is_some() {
        unit.keep_refusal();
    }
    let mut old = Sql::new("DELETE FROM idempotency_keys WHERE created_at <= ");
    unit.execute(old.bind(kept_since(unit.now())))?;
    let mut last = Sql::new("SELECT max(number) FROM idempotency_keys WHERE token_id = ");
    last.bind(terms.token.as_str());
    let last = unit.connection().first(&last, |cells| cells.int_or_null())?;
    let number = last.flatten().unwrap_or_default() + 1;
    let fields = Fields::new()
        .set("token_id", terms.token.as_str())
        .set("key", key.as_str())
        .set("fingerprint", hex(&terms.conditions.fingerprint))
        .set("answer", answer)
        .set("refusal", refusal)
        .set("created_at", unit.now())
        .set("number", number);
    unit.insert("idempotency_keys", &fields)?;
    let mut oldest = Sql::new("DELETE FROM idempotency_keys WHERE token_id = ");
    oldest
        .bind(terms.token.as_str())
        .push(" AND number <= ")
        .bind(number - KEYS_OF_A_TOKEN);
    unit.execute(&oldest).map(drop)
}

fn kept_since(now: Timestamp) -> Timestamp {
    now.plus_seconds(-KEPT_FOR).unwrap_or(now)
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
