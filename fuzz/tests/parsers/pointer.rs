//! JSON pointers: `contract/src/pointer.rs`.

use rollcall_contract::Pointer;
use rollcall_fuzz::target;

target!(property);

/// A pointer is printed as it was written. Its steps, taken literally, make the same pointer.
fn property(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    if let Ok(pointer) = text.parse::<Pointer>() {
        assert_eq!(pointer.to_string(), text);
        assert_eq!(
            Pointer::of(pointer.segments().iter().map(String::as_str)),
            pointer
        );
    }
    let literal = Pointer::of(text.split(' '));
    assert_eq!(literal.to_string().parse(), Ok(literal));
}
