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

# Build static programs for Linux, with completions and manual pages, into target/dist. Needs the target
# x86_64-unknown-linux-musl (rustup target add) and musl-gcc.
dist target="x86_64-unknown-linux-musl":
    cargo build --release --locked --target {{ target }} -p rollcall-server -p rollcall-conformance -p rollcall-cli
    deploy/dist target/{{ target }}/release target/dist

# Everything a change has to pass.
ci:
    .ci/run
