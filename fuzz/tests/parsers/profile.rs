//! The profile of a target: `conformance/src/profile.rs`.

use rollcall_conformance::engine::profile::Profile;
use rollcall_fuzz::target;

target!(property);

/// A profile is written as a file that is read as the same profile.
fn property(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    let Ok(profile) = toml::from_str::<Profile>(&text) else {
        return;
    };
    let mut written = Vec::new();
    profile.write(&mut written).unwrap();
    assert_eq!(toml::from_slice::<Profile>(&written).unwrap(), profile);
    assert!(profile.differences(&profile).is_empty());
    for (point, question) in profile.questions() {
        assert!(profile.choice(point, question).is_some());
    }
}
