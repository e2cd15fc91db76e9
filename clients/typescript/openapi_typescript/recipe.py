"""openapi-typescript with openapi-fetch."""

import versions
from client import Client


def run(client: Client) -> None:
    packages = client.tools.npm([*versions.OPENAPI_TYPESCRIPT, *versions.LINK_HEADER, *versions.TYPESCRIPT])
    path = {"PATH": client.tools.node_path()}
    (client.work / "node_modules").symlink_to(packages / "node_modules")
    (client.work / "generated").mkdir()
    programs = packages / "node_modules/.bin"
    client.step(
        "generate", [programs / "openapi-typescript", client.contract, "-o", "generated/api.d.ts"], env=path
    )
    client.bring("call.ts", client.work / "call.ts")
    client.bring("../next_page.ts", client.work / "next_page.ts")
    client.bring("../tsconfig.json", client.work / "tsconfig.json")
    client.step("check", [programs / "tsc"], env=path)
    client.call([client.tools.node(), "js/call.js"])
