"""A helper for paging and a sync, with fetch and nothing that is generated."""

import sync_check
import versions
from client import Client


def run(client: Client) -> None:
    packages = client.tools.npm([*versions.LINK_HEADER, *versions.TYPESCRIPT])
    path = {"PATH": client.tools.node_path()}
    (client.work / "node_modules").symlink_to(packages / "node_modules")
    for name in ("paging.ts", "sync.ts"):
        client.bring(name, client.work / name)
    client.bring("../tsconfig.json", client.work / "tsconfig.json")
    client.step("check", [packages / "node_modules/.bin/tsc"], env=path)
    sync_check.run(client, [client.tools.node(), "js/sync.js"])
