//! What a directory server knows an entry by, wherever the entry is moved and however it is renamed.

/// The attributes, as short names in lower case, each with its name; the first that an entry has counts.
const ATTRIBUTES: [(&str, &str); 4] = [
    ("entryuuid", "entryUUID"),
    (OBJECT_GUID, "objectGUID"),
    ("nsuniqueid", "nsUniqueId"),
    ("ipauniqueid", "ipaUniqueID"),
];

/// The one whose values are 16 bytes.
const OBJECT_GUID: &str = "objectguid";

/// What an entry has until its server has given it an id.
const NOT_YET: &str = "autogenerate";

/// Whether the attribute (short name in lower case) is one of them.
pub(super) fn reads(name: &str) -> bool {
    ATTRIBUTES.iter().any(|(known, _)| *known == name)
}

/// The value of an attribute as text; the 16 bytes of an `objectGUID` as Active Directory prints them.
pub(super) fn text(name: &str, bytes: Vec<u8>) -> Option<String> {
    match <[u8; 16]>::try_from(bytes) {
        // A GUID of 16 letters is unlikely and still 16 bytes.
        Ok(guid) if name == OBJECT_GUID => Some(printed(guid)),
        Ok(bytes) => String::from_utf8(bytes.to_vec()).ok(),
        Err(bytes) => String::from_utf8(bytes).ok(),
    }
}

/// The first three numbers of a GUID are stored with their lowest byte first.
fn printed(mut guid: [u8; 16]) -> String {
    guid[..4].reverse();
    guid[4..6].reverse();
    guid[6..8].reverse();
    let hex = |bytes: &[u8]| bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    [&guid[..4], &guid[4..6], &guid[6..8], &guid[8..10], &guid[10..]]
        .map(hex)
        .join("-")
}

/// The name of the attribute that identifies an entry, and what the entry is known by; `value` gives its values by name.
pub(super) fn key<'r>(value: impl Fn(&str) -> Option<&'r str>) -> Option<(&'static str, String)> {
    ATTRIBUTES.iter().find_map(|(name, shown)| {
        let id = value(name)?.trim().trim_matches(['{', '}']).to_ascii_lowercase();
        (!id.is_empty() && id != NOT_YET).then(|| (*shown, format!("{shown}:{id}")))
    })
}

#[cfg(test)]
mod tests {
    use super::text;

    #[test]
    fn a_guid_is_printed_as_active_directory_does() {
        let bytes: Vec<u8> = (0..16).collect();
        let printed = "03020100-0504-0706-0809-0a0b0c0d0e0f";
        assert_eq!(text("objectguid", bytes).as_deref(), Some(printed));
        assert_eq!(
            text("cn", b"sixteen letters.".to_vec()).as_deref(),
            Some("sixteen letters.")
        );
        assert_eq!(text("cn", vec![0xff]), None);
    }
}
