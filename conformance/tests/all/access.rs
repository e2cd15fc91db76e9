//! §5: each fault of access is found.

use crate::found;
use crate::model::Switch;

#[tokio::test]
async fn faults_of_access_are_found() {
    found(&[
        (Switch::AuthOff, &["A1", "A2", "A3"]),
        (Switch::AnyToken, &["A2"]),
        (Switch::TokenPrefix, &["A2"]),
        (Switch::TokenComparedInPart, &["A2"]),
        (Switch::AnyScheme, &["A3"]),
        (Switch::WritesOpen, &["A4"]),
        (Switch::WritesAnyToken, &["A4"]),
        (Switch::RefusedButWritten, &["A4"]),
        (Switch::RefusalWithRecords, &["A5"]),
    ])
    .await;
}
