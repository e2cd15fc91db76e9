# List the recipes.
default:
    @just --list

# Start a server with a made-up directory; options follow, as in `just demo --users 100000`.
demo *options:
    cargo run -p rollcall-server -- demo {{ options }}

# Run the tests with nextest, then the examples in the documentation.
test *options:
    cargo nextest run --workspace {{ options }}
    cargo test --workspace --doc

# Check format and lints.
lint:
    .ci/run format clippy

# Check openapi.yaml with Redocly and Spectral.
contract-lint:
    .ci/run contract

# Build the documentation; warnings are errors.
doc:
    .ci/run docs

# Measure processor time for each request; docs/benchmarks.md explains it.
bench *options:
    cargo bench -p rollcall-server --bench requests -- {{ options }}

# Build programs for Linux, with completions and manual pages, into target/dist, and packages of the runner and the CLI into
# target/dist/packages. The programs are static if the target x86_64-unknown-linux-musl (rustup target add) and musl-gcc are
# installed. Else they need the glibc of this machine or a newer one, and the packages say so.
dist:
    #!/usr/bin/env bash
    set -euo pipefail
    target=x86_64-unknown-linux-musl
    if [ ! -d "$(rustc --print target-libdir --target $target)" ] || ! command -v musl-gcc >/dev/null; then
        target=$(rustc --print host-tuple)
    fi
    cargo build --release --locked --target "$target" -p rollcall-server -p rollcall-conformance -p rollcall-cli
    deploy/dist "target/$target/release" target/dist
    deploy/package target/dist target/dist/packages

# Everything a change has to pass.
ci:
    .ci/run
