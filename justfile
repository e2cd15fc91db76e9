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
    cargo build --release --locked --target {{ target }} -p rollcall-server -p rollcall-conformance
    mkdir -p target/dist/completions target/dist/man1
    cp target/{{ target }}/release/rollcall-server target/{{ target }}/release/rollcall-conformance target/dist/
    target/dist/rollcall-server completions bash > target/dist/completions/rollcall-server.bash
    target/dist/rollcall-server completions zsh > target/dist/completions/_rollcall-server
    target/dist/rollcall-server completions fish > target/dist/completions/rollcall-server.fish
    target/dist/rollcall-server man target/dist/man1
    cp LICENSE-APACHE LICENSE-MIT README.md target/dist/

# Everything a change has to pass.
ci:
    .ci/run
