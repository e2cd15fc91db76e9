"""hey-api, with its own client on top of fetch."""

import versions
from client import Client


def run(client: Client) -> None:
    packages = client.tools.npm([*versions.HEY_API, *versions.LINK_HEADER, *versions.TYPESCRIPT])
    path = {"PATH": client.tools.node_path()}
    (client.work / "node_modules").symlink_to(packages / "node_modules")
    programs = packages / "node_modules/.bin"
    client.step(
        "generate",
        [programs / "openapi-ts", "-i", client.contract, "-o", "generated", "--no-log-file"],
        env=path,
    )
    client.bring("call.ts", client.work / "call.ts")
    client.bring("../next_page.ts", client.work / "next_page.ts")
    client.bring("../tsconfig.json", client.work / "tsconfig.json")
    client.step("check", [programs / "tsc"], env=path)
    client.call([client.tools.node(), "js/call.js"])
