"""Keeps a copy of all directory users in a file of JSON lines: `BASE_URL=… TOKEN=… python sync.py users.jsonl`.

The first run reads all of them, each further run those that have changed since.
"""

import json
import os
import sys
from datetime import datetime, timedelta
from pathlib import Path

from paging import Record, records


# docs: begin
def sync(file: Path) -> str:
    lines = file.read_text().splitlines() if file.exists() else []
    copy: dict[str, Record] = {user["id"]: user for user in map(json.loads, lines)}
    # A user who was deleted has to be known as deleted.
    query = {"filter[trashed]": "with", "sort": "updated_at,id", "page[size]": "100"}
    changes = [user["timestamp"]["updated_at"] for user in copy.values()]
    if newest := max(filter(None, changes), default=None):
        # A second earlier: a change that was committed late may have a timestamp that the last run has passed already.
        query["filter[updated_after]"] = (datetime.fromisoformat(newest) - timedelta(seconds=1)).isoformat()
    added = changed = 0
    for user in records(os.environ["BASE_URL"], os.environ["TOKEN"], "/directory/users", query):
        added += user["id"] not in copy
        changed += copy.get(user["id"], user) != user
        copy[user["id"]] = user
    # A new file takes the place of the old one, so that a copy is never half written.
    new = file.with_suffix(".new")
    new.write_text("".join(json.dumps(copy[id]) + "\n" for id in sorted(copy)))
    new.replace(file)
    return f"{len(copy)} users: {added} added, {changed} changed"


# docs: end
if __name__ == "__main__":
    print(sync(Path(sys.argv[1])))
