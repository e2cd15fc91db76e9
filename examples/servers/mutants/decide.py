"""Decides each mutant by requests that were recorded from the original, on the same data.

fault       an answer differs in what the specification fixes, and does so again when it is asked again
open        answers differ, but only where the specification leaves a choice
equivalent  every answer is the same
dead        the server does not start, or has other records
undecided   the server hangs
"""

import json
import random
import time
from collections import Counter
from datetime import UTC, datetime, timedelta

import compare
from draw import Contract, at, moment, query
from lists import DIMENSIONS, USERS
from sources import ROOT
from target import TOKEN, running

# Pages of a list that the original may have; longer walks are recorded only if they are the first of their kind.
LONG = 3
SECONDS = 600
JSON = ("application/json", "application/hal+json")
# The lists in which the operations show their work.
WRITTEN = ("/workspace/users", "/directory/attributes")


def parsed(body):
    try:
        return json.loads(body)
    except ValueError:
        return None


def unwrapped(found):
    """The records of a list, also from an envelope (L1): the only array that the object has, at most two levels down."""
    if isinstance(found, dict):
        levels = [found, *(value for value in found.values() if isinstance(value, dict))]
        arrays = [value for level in levels for value in level.values() if isinstance(value, list)]
        found = arrays[0] if len(arrays) == 1 else None
    return found if isinstance(found, list) else None


def walk(client, path, sent, size):
    """(status, the bodies of all pages, records or None)."""
    bodies, records, seen = [], [], set()
    for page in range(1, 60):
        status, kind, body = client.send("GET", path, [*sent, *([("page", page)] if page > 1 else [])])
        if page > 1 and (status == 404 or not 200 <= status < 300):
            # A page past the end may be refused (L2).
            return (200 if status < 500 else status), bodies, records
        bodies.append(body)
        if not 200 <= status < 300:
            return status, bodies, []
        found = unwrapped(parsed(body))
        if found is None or kind not in JSON:
            return status, bodies, None
        ids = {each.get("id") for each in found if isinstance(each, dict)}
        if found and ids <= seen:
            return status, bodies, records
        seen |= ids
        records += found
        if len(found) < size or not found:
            return status, bodies, records
    return status, bodies, records


def unchanged(client, path, sent, answer):
    """Whether the recorded pages come again, byte for byte. No page has to be read for that."""
    for page, recorded in enumerate(answer[1], 1):
        status, kind, body = client.send("GET", path, [*sent, *([("page", page)] if page > 1 else [])])
        if (status, body) != (answer[0], recorded) or kind not in JSON:
            return False
    return True


def page_size(client, path):
    _, _, body = client.send("GET", path, [("filter[trashed]", "with")])
    return len(unwrapped(parsed(body)) or [None])


class Recording:
    """The requests of one server with the answers of the original."""

    def __init__(self, server, contract, cases, number, port, seed):
        self.server, self.contract, self.port = server, contract, port
        chance = random.Random(f"{seed} {server}")
        with running(server, None, port, f"decide-{port}") as client:
            size = page_size(client, USERS)
            everybody = [("filter[trashed]", "with")]
            users = walk(client, USERS, [*everybody, ("include", "parent-user,workspace-integration")], size)[2]
            self.users = {each["id"]: each for each in users}
            self.dimensions = walk(client, DIMENSIONS, [], page_size(client, DIMENSIONS))[2]
            hidden = {}
            for each in users:
                shown = {name: compare.member(each, relation) for name, relation in
                         (("filter[parent_id]", "parent_user"), ("filter[workspace_integration_id]", "workspace_integration"))}
                hidden[each["id"]] = {name: value and value["id"] for name, value in shown.items()}
            self.lists = compare.Lists(contract, self.users, size)
            sortable = {path: self.sortable(client, path) for path in (USERS, DIMENSIONS)}
            wanted = [(USERS, []), (DIMENSIONS, []), (USERS, everybody), (USERS, [("filter[trashed]", "only")])]
            records = {USERS: users, DIMENSIONS: self.dimensions}
            used = Counter()
            for path, drawn in cases:
                sent = query(contract, path, drawn, records[path], hidden, sortable[path], used, chance)
                if (path, sent) not in wanted:
                    wanted.append((path, sent))
            self.reads, long = [], 0
            for path, sent in wanted:
                answer = walk(client, path, sent, page_size(client, path) if path == DIMENSIONS else size)
                long += len(answer[1]) > LONG
                if answer[0] < 300 and (len(answer[1]) <= LONG or long <= 12):
                    self.reads.append((path, sent, answer))
                if len(self.reads) >= number:
                    break
            # The parameter that a fault concerns is told best by a request with few parameters.
            self.reads.sort(key=lambda read: sum(1 + text.count(",") for _, text in read[1]))
            self.requests = sum(len(answer[1]) for _, _, answer in self.reads)
            self.writes = [(write, self.send(client, write)) for write in self.drawn_writes(client, chance)]
            self.afterwards = {path: self.others(client, path) for path in WRITTEN}

    def sortable(self, client, path):
        """The fields by which the original sorts: the rest is open (L5). The first page tells."""
        found = []
        for field, pointer in self.contract.sort_fields[path].items():
            pages = [parsed(client.send("GET", path, [("sort", sign + field)])[2]) for sign in ("", "-")]
            if all(isinstance(page, list) and page for page in pages):
                keys = [[str(at(each, pointer)) for each in page if at(each, pointer) is not None] for page in pages]
                if keys[0] == sorted(keys[0]) and keys[1] == sorted(keys[1], reverse=True) and keys[0] != keys[1]:
                    found.append(field)
        return found

    def drawn_writes(self, client, chance):
        """Requests that must be refused, such as must be granted, and such as either may happen to. Each is (kind, method, path, query, body, token, headers)."""
        found = []
        lists = [("GET", USERS), ("GET", DIMENSIONS), ("PATCH", "/workspace/users/ID/restore"), ("PATCH", "/directory/attributes/ID/deprecate")]
        live = {path: walk(client, path, [], 1000)[2] for path in ("/workspace/users", "/directory/attributes")}
        gone = walk(client, "/workspace/users", [("filter[trashed]", "only")], 1000)[2] or []
        ids = {path: [each["id"] for each in records] for path, records in live.items()}
        bodies = {"restore": {"roles": True}, "deprecate": {"expires_after_days": 5}}
        for method, path in lists:
            body = bodies.get(path.rsplit("/", 1)[1])
            real = path.replace("ID", (ids["/workspace/users"] if "workspace" in path else ids["/directory/attributes"])[0])
            for other in (None, "", TOKEN[:-1], TOKEN + "x", TOKEN.lower()):
                found.append(("refused", method, real, (), body, other, None))
        for path, body in (("/workspace/users/wsusr_none0/restore", {"roles": True}), ("/directory/attributes/dratr_none0/deprecate", {"expires_after_days": 5})):
            found.append(("refused", "PATCH", path, (), body, TOKEN, None))
        for each in gone[:2]:
            path = f"/workspace/users/{each['id']}/restore"
            for body in ({}, {"roles": None}, {"roles": "perhaps"}, {"roles": []}, {"roles": {}}, []):
                found.append(("refused", "PATCH", path, (), body, TOKEN, None))
        chosen = [each for each in live["/directory/attributes"] if each["state"] == "active"]
        chosen = chance.sample(chosen, min(len(chosen), 14))
        for each in chosen[:2]:
            path = f"/directory/attributes/{each['id']}/deprecate"
            wrong = [{"expires_after_days": days} for days in (-1, 1096, 100000, 30.5, "many", [], {})]
            wrong += [{"expires_at": when} for when in ("soon", "2031-13-01T00:00:00Z", [], {}, True)]
            found += [("refused", "PATCH", path, (), body, TOKEN, None) for body in [*wrong, []]]
        for each, roles in zip(gone[:8], [True, False] * 4):
            found.append(("restore", "PATCH", f"/workspace/users/{each['id']}/restore", (), {"roles": roles}, TOKEN, None))
        later = datetime.now(UTC).replace(microsecond=0) + timedelta(days=40, hours=5)
        days = [chance.randint(2, 1094) for _ in range(3)]
        # A server may have few active attributes: each form comes early.
        granted = [{"expires_at": later.strftime("%Y-%m-%dT%H:%M:%SZ"), **more} for more in ({}, {"expires_after_days": None})]
        granted += [{"expires_after_days": number} for number in (0, 1, 1095, *days)]
        granted += [{"expires_after_days": days[0], "expires_at": None}, {"expires_at": (later + timedelta(days=90)).strftime("%Y-%m-%dT%H:%M:%SZ")}]
        for each, body in zip(chosen, granted):
            found.append(("deprecate", "PATCH", f"/directory/attributes/{each['id']}/deprecate", (), body, TOKEN, None))
        # O4, O5: both members or neither may be taken or refused, and no server may break.
        for body in ({}, {"expires_at": None, "expires_after_days": None}, {"expires_at": later.isoformat(), "expires_after_days": 9}):
            found.append(("tolerated", "PATCH", f"/directory/attributes/{chosen[0]['id']}/deprecate", (), body, TOKEN, None))
        return found

    def send(self, client, write):
        """The answer, and for a change the record as its list shows it afterwards."""
        kind, method, path, sent, body, token, headers = write
        began = datetime.now(UTC)
        status, _, text = client.send(method, path, sent, body, token, headers)
        if kind in ("refused", "tolerated"):
            return status, None, None, began
        # The lists of these records are an extension: a filter of theirs may fail, and a list may be missing.
        parts = path.split("/")
        name = "/".join(parts[:3])
        listed = parsed(client.send("GET", name, [("filter[id]", parts[3])])[2])
        if not isinstance(listed, list) or [at(each, "/id") for each in listed] != [parts[3]]:
            code, _, listed = walk(client, name, [], 10)
            listed = [each for each in listed or [] if at(each, "/id") == parts[3]] if code == 200 and listed else [False]
        return status, parsed(text), listed[0] if listed else None, began

    def others(self, client, path):
        """The state and the end of each record that no request named, as its list shows them at the end; None without a list."""
        named = {write[2].split("/")[3] for write, _ in self.writes if write[1] == "PATCH"}
        status, _, records = walk(client, path, [("filter[trashed]", "with")], 10)
        if status != 200 or not records or not all(isinstance(each, dict) for each in records):
            return None
        return {
            each["id"]: (each.get("state"), *(moment(at(each, f"/timestamp/{name}")) for name in ("expires_at", "deleted_at")))
            for each in records
            if each.get("id") not in {None, *named}
        }

    def compare_write(self, write, ours, theirs):
        kind, body = write[0], write[4]
        if kind == "refused":
            if 400 <= ours[0] < 500 and not 400 <= theirs[0] < 500:
                return f"status {theirs[0]}, not {ours[0]}"
            return None
        if kind == "tolerated":
            return f"status {theirs[0]}, not {ours[0]}" if theirs[0] >= 500 > ours[0] else None
        if not 200 <= ours[0] < 300:
            return None
        if not 200 <= theirs[0] < 300:
            return f"status {theirs[0]}, not {ours[0]}"
        for which, place in (("answer", 1), ("list afterwards", 2)):
            if isinstance(ours[place], dict) and theirs[place] is not False:
                found = self.changed(kind, body, ours[place], theirs[place], ours[3], theirs[3])
                if found:
                    return f"{which}: {found}"

    def changed(self, kind, body, ours, theirs, our_time, their_time):
        if not isinstance(theirs, dict):
            return "no record"
        for name, value in ours.items():
            other = theirs.get(name)
            if name == "timestamp":
                if not isinstance(other, dict):
                    return "timestamp is no object"
                if any(moment(value[key]) != moment(other.get(key)) for key in ("created_at", "deleted_at", "last_activity_at", "last_authenticated_at") if key in value):
                    return "a timestamp is another one"
                if kind == "restore" and any(text is not None and not compare.MICROSECONDS.fullmatch(str(text)) for text in other.values()):
                    return "a timestamp without microseconds"
                if kind == "deprecate":
                    until = moment(other.get("expires_at"))
                    if until is None or abs((until - their_time) - (moment(value["expires_at"]) - our_time)) > timedelta(minutes=3):
                        if body.get("expires_at") is None or until is None or until != moment(value["expires_at"]):
                            return f"expires_at is {other.get('expires_at')}, not {value['expires_at']}"
            elif name == "state":
                until = moment(at(theirs, "/timestamp/expires_at"))
                if other not in ("staged", "active", "expiring", "expired", "deactivated"):
                    return f"state is {other!r}"
                if other == "expiring" and (until is None or until < datetime.now(UTC)) or other == "expired" and (until is None or until > datetime.now(UTC) + timedelta(seconds=5)):
                    return f"state is {other}, and expires_at is {until}"
            elif name == "count":
                if not isinstance(other, dict) or not all(compare.is_count(other.get(key)) for key in value):
                    return "a count is missing or no number"
            elif name in ("links", "included"):
                if not isinstance(other, type(value)) or name == "links" and set(value) - set(other):
                    return f"{name}: {other!r}"
            elif other != value or type(other) is not type(value):
                return f"{name} is {other!r}, not {value!r}"

    def decide(self, mutant):
        """The decision, the request that shows it, and how often the server was asked."""
        began = time.monotonic()
        with running(self.server, mutant, self.port, f"decide-{self.port}") as client:
            if client is None:
                return {"decision": "dead"}
            size = {path: page_size(client, path) for path in (USERS, DIMENSIONS)}
            ask = lambda path, sent: (lambda answer: (answer[0], answer[2]))(walk(client, path, sent, size[path]))
            _, every = ask(USERS, [("filter[trashed]", "with")])
            ids = {each.get("id") for each in every or [] if isinstance(each, dict)}
            if ids and not ids & set(self.users):
                return {"decision": "dead", "shows": "other records"}
            same, reasons = True, []
            for path, sent, answer in self.reads:
                if unchanged(client, path, sent, answer):
                    continue
                theirs, same = walk(client, path, sent, size[path]), False
                try:
                    found = self.lists.compare(path, sent, (answer[0], answer[2]), (theirs[0], theirs[2]), ask)
                    # Once more: a fault stays.
                    again = found and walk(client, path, sent, size[path])
                    found = found and self.lists.compare(path, sent, (answer[0], answer[2]), (again[0], again[2]), ask)
                except compare.Open as reason:
                    reasons.append(str(reason))
                    continue
                if found:
                    return {"decision": "fault", "request": ["GET", path, sent], "shows": found, "sent": client.sent}
                if time.monotonic() - began > SECONDS:
                    return {"decision": "undecided", "shows": "out of time", "sent": client.sent}
            for write, answer in self.writes:
                theirs = self.send(client, write)
                found = self.compare_write(write, answer, theirs)
                if found:
                    shown = [write[1], write[2], write[4]] + ([f"token {write[5]}"] if write[0] == "refused" else [])
                    return {"decision": "fault", "request": shown, "shows": found, "sent": client.sent}
            for path, ours in self.afterwards.items():
                theirs = self.others(client, path) or {}
                changed = [each for each in set(ours or {}) & set(theirs) if ours[each] != theirs[each]]
                if changed:
                    shows = f"{len(changed)} other records are changed, such as {min(changed)}"
                    return {"decision": "fault", "request": ["PATCH", f"{path}/…", None], "shows": shows, "sent": client.sent}
            told = {"decision": "equivalent" if same else "open", "sent": client.sent}
            return told | ({"shows": "; ".join(sorted(set(reasons)))} if reasons else {})


def contract_and_cases(number, seed):
    """The contract, and drawn queries in the order in which they are sent. Drawing takes a minute, so they are kept."""
    contract, kept = Contract(), ROOT / "target" / "mutants" / f"cases-{number}-{seed}.json"
    if not kept.exists():
        drawn = [(USERS, number * 2), (DIMENSIONS, number // 5)]
        cases = [(path, each) for path, count in drawn for each in contract.cases(path, count, seed)]
        random.Random(seed).shuffle(cases)
        kept.write_text(json.dumps(cases))
    return contract, json.loads(kept.read_text())
