//! What is missing or mistyped does not compile. Each case is sound code with one fault in it, checked by `rustc` against
//! the very library this test was built with; without the fault it has to compile.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::SystemTime;

const STUB: &str = include_str!("../server/stub.rs");
const ARMS: &str = include_str!("arms.rs");

/// What stands around the stub when it is compiled by itself.
const AROUND_THE_STUB: &str = "
    pub struct Refusal;
    impl Refusal { fn status(_: u16) -> Self { Self } }
    impl From<rollcall::http::Rejection> for Refusal { fn from(_: rollcall::http::Rejection) -> Self { Self } }
    impl rollcall::http::IntoResponse for Refusal {
        fn into_response(self) -> rollcall::http::Response { rollcall::http::IntoResponse::into_response(()) }
    }
    pub fn serve() { let _ = rollcall::router(stub::Stub::default()); }
";

fn service(stub: &str) -> String {
    let stub: Vec<&str> = stub.lines().filter(|line| !line.starts_with("//!")).collect();
    format!("{AROUND_THE_STUB} mod stub {{ {} }}", stub.join("\n"))
}

/// With `written` replaced by `fault` the compiler says all of `complaint`; without, nothing.
fn refused(
    name: &str,
    around: fn(&str) -> String,
    code: &str,
    (written, fault): (&str, &str),
    complaint: &[&str],
) {
    assert_eq!(
        code.matches(written).count(),
        1,
        "{written} stands in the code once"
    );
    let library = library(name, &around(code));
    let said = check(name, &library, &around(&code.replace(written, fault))).expect_err("the fault compiles");
    for word in complaint {
        assert!(said.contains(word), "no {word} in: {said}");
    }
}

#[test]
fn an_operation_without_a_method_does_not_compile() {
    let fault = ("    fn activate_workspace_user(", "    fn unused(");
    refused(
        "missing",
        service,
        STUB,
        fault,
        &["E0046", "missing: `activate_workspace_user`"],
    );
}

#[test]
fn a_list_that_the_server_lacks_does_not_compile() {
    let fault = ("    WorkspaceDevices\n", "");
    refused(
        "list",
        service,
        STUB,
        fault,
        &[
            "E0277",
            "`Lists<rollcall::lists::WorkspaceDevices>` is not implemented for",
        ],
    );
}

#[test]
fn a_method_without_an_operation_does_not_compile() {
    let fault = (
        "    fn activate_workspace_user(",
        "    fn dismiss_workspace_user(",
    );
    refused(
        "surplus",
        service,
        STUB,
        fault,
        &["E0407", "`dismiss_workspace_user` is not a member of trait `Api`"],
    );
}

#[test]
fn a_method_with_a_wrong_body_does_not_compile() {
    let fault = ("        _: RestoreRequest,\n", "        _: DeprecateRequest,\n");
    refused(
        "body",
        service,
        STUB,
        fault,
        &["E0053", "restore_workspace_user", "RestoreRequest"],
    );
}

#[test]
fn a_method_with_the_id_of_another_resource_does_not_compile() {
    let fault = (
        "        attribute: DirectoryAttributeId,\n",
        "        attribute: DirectoryUserId,\n",
    );
    refused(
        "id",
        service,
        STUB,
        fault,
        &[
            "E0053",
            "deprecate_directory_attribute",
            "DirectoryAttributeIdKind",
        ],
    );
}

#[test]
fn a_method_with_a_wrong_answer_does_not_compile() {
    let fault = (
        ") -> Result<Page<DirectoryUser>, Refusal> {",
        ") -> Result<Page<WorkspaceUser>, Refusal> {",
    );
    refused(
        "answer",
        service,
        STUB,
        fault,
        &["E0053", "WorkspaceUser", "DirectoryUser"],
    );
}

#[test]
fn a_field_that_the_store_does_not_map_does_not_compile() {
    let fault = ("        Field::Handle => \"handle\",\n", "");
    refused(
        "field",
        str::to_owned,
        ARMS,
        fault,
        &["E0004", "Field::Handle` not covered"],
    );
}

#[test]
fn a_relation_that_the_store_does_not_map_does_not_compile() {
    let fault = ("        Relation::Attributes => \"attributes\",\n", "");
    refused(
        "relation",
        str::to_owned,
        ARMS,
        fault,
        &["E0004", "Relation::Attributes` not covered"],
    );
}

#[test]
fn a_field_that_no_filter_looks_at_does_not_compile() {
    let fault = ("Field::Handle => \"handle\"", "Field::Colour => \"colour\"");
    refused("unknown", str::to_owned, ARMS, fault, &["E0599", "Colour"]);
}

/// The library this test was linked with: the newest against which sound code compiles (earlier builds lie beside it).
fn library(name: &str, sound: &str) -> PathBuf {
    let here = std::env::current_exe().unwrap();
    let files = here
        .parent()
        .unwrap()
        .read_dir()
        .unwrap()
        .map(|file| file.unwrap().path());
    let mut built: Vec<(SystemTime, PathBuf)> = files
        .filter(|file| is_library(file))
        .map(|file| (file.metadata().unwrap().modified().unwrap(), file))
        .collect();
    built.sort();
    let mut said = "no librollcall-….rlib beside this test".to_owned();
    for (_, library) in built.into_iter().rev() {
        match check(&format!("{name}_sound"), &library, sound) {
            Ok(()) => return library,
            Err(why) => said = why,
        }
    }
    panic!("the sound code does not compile: {said}")
}

fn is_library(file: &Path) -> bool {
    let name = file
        .file_name()
        .and_then(|name| name.to_str())
        .unwrap_or_default();
    let hash = name
        .strip_prefix("librollcall-")
        .and_then(|rest| rest.strip_suffix(".rlib"));
    hash.is_some_and(|hash| hash.bytes().all(|byte| byte.is_ascii_hexdigit()))
}

/// Type-checks code that uses the library; the error is what the compiler says.
fn check(name: &str, library: &Path, code: &str) -> Result<(), String> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let source = folder.join(format!("{name}.rs"));
    std::fs::write(&source, code).unwrap();
    let output = Command::new(std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()))
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .args([
            "--edition",
            "2024",
            "--crate-type",
            "lib",
            "--emit",
            "metadata",
            "--cap-lints",
            "allow",
            "--color",
            "never",
        ])
        .arg("--extern")
        .arg(format!("rollcall={}", library.display()))
        .arg("-L")
        .arg(format!("dependency={}", library.parent().unwrap().display()))
        .arg("-o")
        .arg(folder.join(format!("lib{name}.rmeta")))
        .arg(source)
        .output()
        .unwrap();
    if output.status.success() {
        Ok(())
    } else {
        Err(String::from_utf8_lossy(&output.stderr).into_owned())
    }
}
