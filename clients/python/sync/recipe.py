"""A helper for paging and a sync, with requests and nothing that is generated."""

import sync_check
import versions
from client import Client


def run(client: Client) -> None:
    python = client.tools.python([versions.MYPY, *versions.REQUESTS])
    for name in ("paging.py", "sync.py"):
        client.bring(name, client.work / name)
    client.step("check", [python / "bin/mypy", "--strict", "sync.py"])
    sync_check.run(client, [python / "bin/python", "sync.py"])
