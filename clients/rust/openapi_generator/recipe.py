"""OpenAPI Generator, generator `rust`, without TLS: a demo server speaks plain HTTP."""

from client import Client


def run(client: Client) -> None:
    cargo = client.tools.system("cargo")
    trait = ["--library", "reqwest-trait", "--additional-properties"]
    builders = "packageName=rollcall-client,useSingleRequestParameter=true,useBonBuilder=true"
    client.openapi_generator("rust", client.work / "client", *trait, builders)
    client.openapi_generator(
        "rust", client.work / "default", "--additional-properties=packageName=rollcall-default"
    )
    client.bring("Cargo.toml", client.work / "Cargo.toml")
    client.bring("main.rs", client.work / "src/main.rs")
    env = {
        "CARGO_TARGET_DIR": str(client.tools.cache / "rust"),
        "CARGO_PROFILE_DEV_DEBUG": "0",
        "RUSTFLAGS": "-D warnings",
    }
    client.step("check", [cargo, "build", "--quiet", "--jobs", "1"], env=env)
    client.call([cargo, "run", "--quiet", "--jobs", "1"], env=env)
