//! Tells the compiler of `cfg(fuzzing)`, which `cargo bolero` sets.

fn main() {
    println!("cargo::rustc-check-cfg=cfg(fuzzing)");
    println!("cargo::rerun-if-changed=build.rs");
}
