"""Whether a sync copies all users once, and then those that have changed."""

import json
from pathlib import Path

from client import Client
from outcome import Failed


def run(client: Client, command: list[str | Path]) -> None:
    """Runs the sync three times: without a copy, with a whole one, and with an old one."""
    file = client.work / "users.jsonl"
    whole = copied(client, command, file)
    # The sync reads pages of 100.
    if len(whole) <= 100 or len({user["id"] for user in whole}) != len(whole):
        raise Failed(f"call: {len(whole)} users are copied; they should be more than a page, and none of them twice")
    if copied(client, command, file) != whole:
        raise Failed("call: the copy changed, and the directory did not")
    # As if the newest user had come, and the one before had changed, after the last run.
    *others, before, _ = sorted(whole, key=lambda user: (user["timestamp"]["updated_at"] or "", user["id"]))
    write(file, [*others, {**before, "full_name": "an old name"}])
    if copied(client, command, file) != whole:
        raise Failed("call: a change was not copied")


def copied(client: Client, command: list[str | Path], file: Path) -> list[dict]:
    client.call([*command, file])
    return [json.loads(line) for line in file.read_text().splitlines()]


def write(file: Path, users: list[dict]) -> None:
    file.write_text("".join(f"{json.dumps(user)}\n" for user in users))
