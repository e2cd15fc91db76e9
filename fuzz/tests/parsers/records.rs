//! The records in the body of an answer: `conformance/src/records.rs`.

use std::sync::Arc;

use rollcall_contract::Pointer;
use rollcall_fuzz::target;
use rollcall_oracle::corpus::records::{Record, Records};
use serde_json::{Map, Value};

target!(property);

/// An array of objects is read as serde_json reads it, alone and in an envelope. Whatever is accepted is read again as the
/// same records.
fn property(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    let (records, body) = (Records::default(), Pointer::root());
    for envelope in [None, Some("data")] {
        match records.of(&text, &body, envelope) {
            Err(why) => assert!(!why.is_empty()),
            Ok((found, member)) => {
                assert!(found.iter().all(|record| record.is_object()));
                assert!(envelope.is_none() || member.is_none() || member.as_deref() == envelope);
                let again = records.of(&text, &body, envelope).unwrap();
                let is_shared = |(one, other): (&Arc<Record>, &Arc<Record>)| Arc::ptr_eq(one, other);
                assert!(found.iter().zip(&again.0).all(is_shared));
            }
        }
    }
    if let Ok(plain) = serde_json::from_str::<Vec<Map<String, Value>>>(&text) {
        let expected: Vec<Value> = plain.into_iter().map(Value::Object).collect();
        let enveloped = format!("{{\"data\":{text}}}");
        for (body, member) in [(text.as_ref(), None), (&enveloped, Some("data"))] {
            let (found, envelope) = records.of(body, &Pointer::root(), None).unwrap();
            assert_eq!(envelope.as_deref(), member);
            assert!(found.iter().map(|record| &***record).eq(&expected));
        }
    }
}
