"""What the client was told, and what is wrong with it in the end."""

import re
import threading
import time
from dataclasses import dataclass
from datetime import datetime


@dataclass
class Change:
    """A change that was acknowledged."""

    expires_at: str
    updated_at: str
    position: str | None


def moment(text):
    return datetime.fromisoformat(text.replace("Z", "+00:00"))


class Ledger:
    """All threads of the load write into it."""

    def __init__(self):
        self.lock = threading.Lock()
        self.changes = {}  # By the path of the record, oldest first.
        self.seen = set()  # Record and expires_at, as they were read.
        self.faults = {"lost": [], "duplicates": [], "wrong": [], "missing": []}
        self.successes = {"PATCH": [], "GET": []}
        self.behind = self.crawls = 0

    def succeeded(self, method):
        self.successes[method].append(time.monotonic())

    def wrong(self, what):
        self.fault("wrong", what)

    def fault(self, kind, what):
        with self.lock:
            self.faults[kind].append(what)
            if len(self.faults[kind]) <= 10:
                print(f"  {kind}: {what}", flush=True)

    def acknowledge(self, path, days, record, position):
        """A change of a record to expire after some days was answered with this record."""
        if not is_record(record, path):
            return self.wrong(f"the answer to a change of {path} is another record")
        times = record["timestamp"]
        change = Change(times["expires_at"], times["updated_at"], position)
        if (moment(change.expires_at) - moment(change.updated_at)).days != days:
            self.wrong(f"{path} was to expire after {days} days: {times}")
        with self.lock:
            self.changes.setdefault(path, []).append(change)

    def last(self, path):
        """The last change of a record that was acknowledged so far."""
        with self.lock:
            changes = self.changes.get(path)
            return changes[-1] if changes else None

    def read(self, path, since, record, knows_position):
        """A record was read after `since` had been acknowledged, with or without the position of that change."""
        if not is_record(record, path):
            return self.wrong(f"GET {path} gave another record")
        times = record["timestamp"]
        before = moment(times["updated_at"]) < moment(since.updated_at)
        other = times["updated_at"] == since.updated_at and times["expires_at"] != since.expires_at
        if knows_position and (before or other):
            self.wrong(f"GET {path} with the position of the change of {since.updated_at} shows {times['updated_at']}")
        with self.lock:
            self.seen.add((path, times["expires_at"]))
            self.behind += not knows_position and before
        return None

    def crawled(self, expected, ids):
        """A crawl gave these ids in the place of the expected ones."""
        self.crawls += 1
        for record in expected - set(ids):
            self.fault("missing", f"the crawl did not give {record}")
        if len(ids) != len(set(ids)):
            self.fault("missing", f"the crawl gave {len(ids) - len(set(ids))} records twice")
        if set(ids) - expected:
            self.wrong(f"the crawl gave records that were not there: {set(ids) - expected}")

    def compare(self, path, record, entries):
        """The record and its new entries in the log, in the end, against what was acknowledged."""
        changes = self.changes.get(path, [])
        told = [change.expires_at for change in changes]
        if changes and record["timestamp"]["expires_at"] != told[-1]:
            self.fault("lost", f"{path} expires at {record['timestamp']['expires_at']}, and {told[-1]} was acknowledged last")
        logged = [found[1] for entry in entries if (found := re.search(r"it expires at (\S+Z)\.", entry["message"]))]
        for expires_at in told:
            if expires_at in logged:
                logged.remove(expires_at)
            else:
                self.fault("lost", f"{path}: the log has no change to {expires_at}, which was acknowledged")
        for expires_at in logged:
            self.fault("duplicates", f"{path}: the log has a change to {expires_at}, which nobody was told of")

    def seen_and_gone(self, path, entries):
        """How many states of a record were read that it does not have in its history."""
        messages = " ".join(entry["message"] for entry in entries)
        known = self.changes.get(path, [])
        states = {expires_at for seen, expires_at in self.seen if seen == path and expires_at is not None}
        return len([at for at in states if at not in messages and at not in {change.expires_at for change in known}])

    def longest_gap(self, method, begin, end):
        """The longest time without success between two moments of the monotonic clock, in seconds."""
        inside = sorted(at for at in list(self.successes[method]) if begin <= at <= end)
        points = [begin, *inside, end]
        return max(later - earlier for earlier, later in zip(points, points[1:]))


def is_record(record, path):
    return isinstance(record, dict) and record.get("id") == path.rpartition("/")[2]
