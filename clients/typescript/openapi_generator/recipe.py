"""OpenAPI Generator, generator `typescript-fetch`."""

import versions
from client import Client


def run(client: Client) -> None:
    client.openapi_generator("typescript-fetch", client.work / "generated")
    packages = client.tools.npm([*versions.LINK_HEADER, *versions.TYPESCRIPT])
    path = {"PATH": client.tools.node_path()}
    (client.work / "node_modules").symlink_to(packages / "node_modules")
    client.bring("call.ts", client.work / "call.ts")
    client.bring("../next_page.ts", client.work / "next_page.ts")
    client.bring("../tsconfig.json", client.work / "tsconfig.json")
    client.step("check", [packages / "node_modules/.bin/tsc"], env=path)
    client.call([client.tools.node(), "js/call.js"])
