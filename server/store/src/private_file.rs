//! Files with the records of people: nobody but their owner can read them.

use std::fs::{File, OpenOptions};
use std::io;
use std::path::Path;

/// Makes a file that its owner alone can read and write (mode 0600 where there are modes).
///
/// # Errors
/// When there is a file of that name ([`io::ErrorKind::AlreadyExists`]), or it cannot be made.
pub fn create_new(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt as _;
        options.mode(0o600);
    }
    options.open(path)
}

/// Whether other users of the machine can read or change the file, by its mode. The group of a file that belongs to root may
/// read it: systems hand keys to a service that way.
pub fn is_open_to_others(path: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
        path.metadata().is_ok_and(|metadata| {
            let others = if metadata.uid() == 0 { 0o037 } else { 0o077 };
            metadata.permissions().mode() & others != 0
        })
    }
    #[cfg(not(unix))]
    {
        _ = path;
        false
    }
}
