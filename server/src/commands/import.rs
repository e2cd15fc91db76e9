//! `import`: people from a file into a database.

use std::fs::File;
use std::io::{self, BufReader, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use rollcall::model::DirectoryUserState as State;
use rollcall_import::export;
use rollcall_import::{
    Accepts, Fault, Format, Kind, KnownBy, Mapping, Options, Reader, Report, Request, check, first_bytes,
};
use rollcall_store::WriteContext;
use rollcall_store::clock::Clock;
use rollcall_store::ids::Ids;

use super::database::{DatabaseArgument, Missing, open};
use super::{Failure, Outcome, print};
use crate::log_format::say;

/// Imports people from a file into a database: adds new people, and updates people whom an earlier import brought.
///
/// If one record is refused, nothing is written, unless --keep-going is given. Each refused record is listed with its line and
/// the reason. The same file a second time changes nothing. An import never deletes: a person who is missing from a later file
/// stays as they are, and so does a member for which the file has no column. A server can run on the database meanwhile: it
/// answers requests, but changes wait or are refused with 503 until the import ends.
///
/// The import recognizes people of the same integration by a key. In LDIF it is entryUUID, objectGUID, nsUniqueId or
/// ipaUniqueID, else the DN. In CSV and JSON lines it is id, else the column of --known-by, else the email. The header row of a
/// CSV file must have email, first_name and last_name. It can have id, username, full_name, badge_id, employee_id,
/// employee_alt_id, manager (an id or an email), state, expires_at, org.DIMENSION and metadata.KEY. A `;` in an org cell
/// separates two names; `\;` is a semicolon. JSON lines have members with these names; org and metadata are objects. `export`
/// writes both formats.
///
/// Exit code: 0 every record was imported, 1 a record was refused, 2 the file could not be imported.
#[derive(Args, Debug)]
#[command(mut_arg("database", DatabaseArgument::is_created))]
pub struct Import {
    /// The database.
    #[command(flatten)]
    pub database: DatabaseArgument,
    /// The format of the file. Without it, the ending of the name decides: .ldif, .csv or .jsonl.
    #[arg(long, env = "ROLLCALL_FORMAT", value_enum)]
    pub format: Option<Format>,
    /// The file to import. It is read twice, so it cannot be a pipe.
    #[arg(value_name = "PATH")]
    pub path: PathBuf,
    /// Check the whole file, report, and write nothing. Shows the first three people as they would be written.
    #[arg(long, env = "ROLLCALL_DRY_RUN")]
    pub dry_run: bool,
    /// Write the good records although others are refused. The exit code is 1 all the same. If a new manager is refused, the
    /// people who report to this manager are refused too.
    #[arg(long, env = "ROLLCALL_KEEP_GOING")]
    pub keep_going: bool,
    /// Give people without an email the address USERNAME@DOMAIN. Without this flag they are refused.
    #[arg(long, env = "ROLLCALL_EMAIL_DOMAIN", value_name = "DOMAIN", value_parser = domain)]
    pub email_domain: Option<String>,
    /// The handle of the integration that the people come from. It is created if it does not exist. Use an integration for
    /// each source system: two systems can use the same id for two people.
    #[arg(long, env = "ROLLCALL_INTEGRATION", value_name = "HANDLE", default_value = "import", value_parser = handle)]
    pub integration: String,
    /// A mapping file (TOML), which says what the columns of an export of another program mean. docs/import.md describes it,
    /// examples/mappings has examples.
    #[arg(long, env = "ROLLCALL_MAP", value_name = "FILE")]
    pub map: Option<PathBuf>,
    /// The column that identifies a person if the file has no `id`: its values never change. Without it, the email does.
    #[arg(long, env = "ROLLCALL_KNOWN_BY", value_enum, value_name = "COLUMN")]
    pub known_by: Option<KnownBy>,
    /// Empty the attributes that no entry of an LDIF file has. Without it, the file counts as an export of chosen attributes, and
    /// the other attributes are kept.
    #[arg(long, env = "ROLLCALL_CLEAR_MISSING")]
    pub clear_missing: bool,
    /// Accept a file without records. Without it, the exit code is 1, because an export that failed looks like that.
    #[arg(long, env = "ROLLCALL_ALLOW_EMPTY")]
    pub allow_empty: bool,
}

impl Import {
    /// Imports the file.
    pub fn run(self) -> Outcome {
        let size = size(&self.path)?;
        let mapping = self.mapping()?;
        let format = self.format.or(mapping.format).or_else(|| by_ending(&self.path));
        let format = format.ok_or_else(|| {
            let formats = "--format ldif, --format csv or --format jsonl";
            Failure::new(format!(
                "{}: the ending does not name a format; add {formats}",
                self.path.display()
            ))
        })?;
        let mapping = rollcall_import::mapping_for(format, mapping).map_err(|why| {
            let map = self.map.as_deref().unwrap_or(Path::new("--map"));
            Failure::new(format!("{}: {why}", map.display()))
        })?;
        let start = start(&self.path)?;
        if let Some(objection) = first_bytes::objection(&start, format) {
            return Err(Failure::new(format!("{}: {objection}", self.path.display())));
        }
        let request = self.request(format, Arc::new(mapping));
        if self.dry_run {
            self.show_first(&request)?;
        }
        let connection = open(&self.database, Missing::Make)?;
        let bar = bar(size);
        let mut passes = ["Checking", "Writing"].into_iter();
        let reopen = || -> io::Result<BufReader<_>> {
            bar.set_message(passes.next().unwrap_or_default());
            Ok(BufReader::with_capacity(
                1 << 16,
                bar.wrap_read(File::open(&self.path)?),
            ))
        };
        let context = WriteContext::of_nobody(Clock::System.now());
        let done = rollcall_import::import(&connection, &mut Ids::new(), context, reopen, &request);
        bar.finish_and_clear();
        let report = done.map_err(|fault| match fault {
            Fault::Store(error) => Failure::store(&self.database, &error),
            fault => Failure::new(format!("{}: {fault}", self.path.display())),
        })?;
        if report.written && !self.dry_run && report.created + report.updated >= MANY {
            // The people are in; the next import or a night will do.
            if let Err(why) = connection.analyze() {
                say(&format!("{}: queries may be slow for now: {why}", *self.database));
            }
        }
        self.tell(&report, format, &start)
    }

    fn mapping(&self) -> Result<Mapping, Failure> {
        let Some(path) = &self.map else {
            return Ok(Mapping::default());
        };
        let read = std::fs::read_to_string(path).map_err(|why| why.to_string());
        let mapping = read.and_then(|text| Mapping::read(&text, &states()));
        mapping.map_err(|why| Failure::new(format!("{}: {why}", path.display())))
    }

    /// Shows the first people as they would be written.
    fn show_first(&self, request: &Request<'_>) -> Result<(), Failure> {
        let failed = |why: String| Failure::new(format!("{}: {why}", self.path.display()));
        let file = File::open(&self.path).map_err(|why| failed(why.to_string()))?;
        let reader = Reader::new(request.format, BufReader::new(file), request.options.clone());
        let people = reader.flatten().filter_map(|entry| match entry.kind {
            Kind::Person(person) => Some(person),
            Kind::Group(_) => None,
        });
        let mut shown = export::Jsonl::new(io::stdout());
        for person in people.take(SHOWN) {
            shown.write(&person).map_err(|why| failed(why.to_string()))?;
        }
        Ok(())
    }

    fn request(&self, format: Format, mapping: Arc<Mapping>) -> Request<'_> {
        Request {
            format,
            options: Options {
                email_domain: self.email_domain.clone(),
                states: states(),
                known_by: self.known_by.or(mapping.known_by),
                mapping,
                clear_missing: self.clear_missing,
            },
            integration: &self.integration,
            keep_going: self.keep_going,
            dry_run: self.dry_run,
            accepts: Accepts::Anyone,
        }
    }

    fn tell(&self, report: &Report, format: Format, start: &[u8]) -> Outcome {
        report.refused.iter().for_each(|refusal| eprintln!("{refusal}"));
        report.notes.iter().for_each(|note| eprintln!("note: {note}"));
        let Report {
            created,
            updated,
            unchanged,
            skipped,
            ..
        } = report;
        let refused = report.refused.len();
        let end = match (self.dry_run, report.complete, report.written) {
            (true, ..) => "This was a dry run: nothing was written.\n",
            (false, false, _) => "Nothing was written, because parts of the file cannot be read.\n",
            (false, true, false) => {
                "Nothing was written. Correct the records above, or import the others with --keep-going.\n"
            }
            (false, true, true) => "",
        };
        print(|out| {
            writeln!(
                out,
                "created {created}, updated {updated}, unchanged {unchanged}, refused {refused}, skipped {skipped}"
            )?;
            out.write_all(end.as_bytes())
        })?;
        tell_details(report);
        let nobody = created + updated + unchanged == 0;
        if let Some(hint) = nobody.then(|| hint(start, format)).flatten() {
            eprintln!("hint: {hint}");
        }
        let is_empty = nobody && refused == 0 && *skipped == 0 && !self.allow_empty;
        if is_empty {
            eprintln!("The file has not a single record. If that is right, add --allow-empty.");
        }
        Ok(ExitCode::from(u8::from(refused > 0 || is_empty)))
    }
}

/// What a person may want to know about a file beside the numbers.
fn tell_details(report: &Report) {
    let listed = |counts: &mut dyn Iterator<Item = (&str, &u64)>| {
        let counts: Vec<String> = counts.map(|(name, count)| format!("{name} {count}")).collect();
        counts.join(", ")
    };
    if report.skipped > 0 {
        eprintln!(
            "Skipped are entries that are no person and no group, and people who are soft-deleted in the database."
        );
    }
    let passed_over = &report.passed_over;
    for (what, names) in [
        ("passed over", &passed_over.entries),
        ("not read", &passed_over.attributes),
        ("several names in a cell, separated by ;", &passed_over.separated),
    ] {
        if !names.is_empty() {
            eprintln!("{what}: {names}");
        }
    }
    if !report.emptied.is_empty() {
        let mut emptied = report.emptied.iter().map(|(name, count)| (name.as_str(), count));
        eprintln!("emptied: {}", listed(&mut emptied));
    }
    if !report.known_by.is_empty() {
        let mut known_by = report.known_by.iter().map(|(name, count)| (*name, count));
        eprintln!("known by: {}", listed(&mut known_by));
    }
}

/// So many people are shown in a dry run.
const SHOWN: usize = 3;

/// From how many people on the database learns anew how its values are distributed.
const MANY: u64 = 1_000;

/// The format that the ending of a file's name stands for.
fn by_ending(path: &Path) -> Option<Format> {
    match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
        "ldif" | "ldf" => Some(Format::Ldif),
        "csv" => Some(Format::Csv),
        "jsonl" | "ndjson" => Some(Format::Jsonl),
        _ => None,
    }
}

/// The states a row may name.
pub(super) fn states() -> Vec<String> {
    let states = [
        State::Staged,
        State::Active,
        State::Expiring,
        State::Expired,
        State::Suspended,
        State::Deactivated,
    ];
    states.map(|state| state.to_string()).to_vec()
}

fn domain(text: &str) -> Result<String, String> {
    check::email("domain", &["x@", text].concat()).map(|()| text.to_owned())
}

pub(super) fn handle(text: &str) -> Result<String, String> {
    let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
    if text.is_empty() || text.len() > 64 || !text.chars().all(fits) {
        return Err("a handle is 1 to 64 letters, digits, _, - or .".to_owned());
    }
    Ok(text.to_owned())
}

/// The size of a file that can be read twice.
fn size(path: &Path) -> Result<u64, Failure> {
    let shown = path.display();
    let found = path
        .metadata()
        .map_err(|why| Failure::new(format!("{shown}: {why}")))?;
    if found.is_dir() {
        return Err(Failure::new(format!("{shown}: is a folder; name a file")));
    }
    if !found.is_file() {
        return Err(Failure::new(format!(
            "{shown}: is no regular file; it has to be read twice, so save it as one"
        )));
    }
    Ok(found.len())
}

/// Shows how far the two readings are, if anybody looks.
fn bar(size: u64) -> ProgressBar {
    let bar = ProgressBar::new(size * 2);
    if let Ok(style) = ProgressStyle::with_template("{msg:9} {wide_bar} {percent:>3} %") {
        bar.set_style(style);
    }
    bar
}

/// The first bytes of a file.
fn start(path: &Path) -> Result<Vec<u8>, Failure> {
    let mut start = Vec::new();
    let read = File::open(path).and_then(|file| file.take(first_bytes::LENGTH).read_to_end(&mut start));
    read.map(|_| start)
        .map_err(|why| Failure::new(format!("{}: {why}", path.display())))
}

/// What a file without a single person may be instead.
fn hint(start: &[u8], format: Format) -> Option<String> {
    let start = String::from_utf8_lossy(&start[..start.len().min(4_096)]).to_lowercase();
    let begins = |words: [&str; 2]| {
        start
            .lines()
            .any(|line| words.iter().any(|word| line.starts_with(word)))
    };
    let first = start.lines().find(|line| !line.trim().is_empty())?;
    let looks = if begins(["dn:", "version:"]) {
        (Format::Ldif, "LDIF", "ldif")
    } else if first.trim_start_matches('\u{feff}').starts_with('{') {
        (Format::Jsonl, "JSON lines", "jsonl")
    } else if first.contains(',') && first.contains("email") {
        (Format::Csv, "CSV", "csv")
    } else {
        return None;
    };
    (looks.0 != format).then(|| format!("this looks like {}: --format {}", looks.1, looks.2))
}
