//! Distinguished names: `server/import/src/dn.rs`.

use rollcall_fuzz::target;
use rollcall_import::dn::Dn;

target!(property);

/// The normal form is read as the name that it was printed from, also in capitals and with spaces around its commas.
fn property(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    let Ok(dn) = Dn::parse(&text) else { return };
    let printed = dn.to_string();
    assert_eq!(Dn::parse(&printed).as_ref(), Ok(&dn), "{printed}");
    assert_eq!(Dn::parse(&format!("  {printed} ")).as_ref(), Ok(&dn), "{printed}");
    let capitals = printed.to_ascii_uppercase();
    assert_eq!(Dn::parse(&capitals).as_ref(), Ok(&dn), "{capitals}");
    assert!(!printed.chars().any(char::is_control));
    assert!(printed.len() <= 4 * text.len(), "{printed}");
}
