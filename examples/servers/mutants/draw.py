"""The requests of the differential test. Schemathesis draws them from openapi.yaml; nothing here is the runner's.

A drawn request is thinned to what the specification names, and most of its values are replaced by values of the data:
random values find no record.
"""

import random
from datetime import UTC, datetime, timedelta

import schemathesis
from hypothesis import HealthCheck, Phase, given, seed, settings

from lists import CLAUSES, DIMENSIONS, USERS
from sources import ROOT

# L11 leaves their names open.
UNNAMED = {"filter[id_search]", "filter[org_search]", "filter[metadata_search]"}
# L17: the server may keep no such timestamp.
HIDDEN = {f"filter[{name}_{side}]" for name in ("expired", "deactivated") for side in ("before", "after")}
# No record has a relation that a dimension must show (§4.4.7).
WITHOUT_RELATIONS = {DIMENSIONS}


class Contract:
    """What the requests and the comparison need of openapi.yaml."""

    def __init__(self):
        self.schema = schemathesis.openapi.from_path(ROOT / "openapi.yaml")
        self.raw = self.schema.raw_schema
        self.named = {path: set(self.raw["x-clauses"][clause]["parameters"]) for path, clause in CLAUSES.items()}
        self.filters, self.sort_fields = {}, {}
        for path in CLAUSES:
            operation = self.raw["paths"][path]["get"]
            self.sort_fields[path] = operation["x-list"]["sort"]["fields"]
            for each in operation["parameters"]:
                if "$ref" in each:
                    each = self.raw["components"]["parameters"][each["$ref"].rsplit("/", 1)[1]]
                if "x-filter" in each:
                    self.filters[path, each["name"]] = each["x-filter"]
        self.relations = self.raw["paths"][USERS]["get"]["x-list"]["relations"]

    def cases(self, path, number, start):
        """The queries that Schemathesis draws for one list."""
        found = []

        @seed(start)
        @settings(max_examples=number, database=None, deadline=None, phases=[Phase.generate], suppress_health_check=list(HealthCheck))
        @given(self.schema[path]["GET"].as_strategy())
        def draw(case):
            found.append(dict(case.query or {}))

        draw()
        return found


def at(record, pointer):
    """The value at a JSON pointer, or None."""
    for name in pointer.split("/")[1:]:
        record = record.get(name) if isinstance(record, dict) else None
    return record


def moment(text):
    """The time that a timestamp means, or None. Without a zone it is UTC."""
    try:
        found = datetime.fromisoformat(text)
    except (TypeError, ValueError):
        return None
    return found if found.tzinfo else found.replace(tzinfo=UTC)


def bound(value, before, chance):
    """A bound that the record keeps (3 of 4), in one of the forms of §4.1, and never a stored timestamp (L16)."""
    shift = timedelta(seconds=chance.randint(1, 40 * 86400), microseconds=chance.randint(1, 999))
    later = before == (chance.random() < 0.75)
    found = value + shift if later else value - shift
    return found.strftime(chance.choice(["%Y-%m-%d", "%Y-%m-%dT%H:%M:%S", "%Y-%m-%dT%H:%M:%SZ"]))


def plain(text):
    """Neither empty (L8) nor over-long (L20), without blanks around it (L21) and without control characters."""
    return isinstance(text, str) and 0 < len(text) <= 60 and text == text.strip() and text.isprintable()


def value(name, drawn, rule, record, hidden, chance):
    """The value of a filter, or None if there is none that the specification speaks of."""
    if name == "filter[trashed]":
        return chance.choice(["with", "with", "only", "without", "none"])
    if name == "filter[state]":
        return record.get("state")
    if name == "filter[manager]":
        return chance.choice(["true", "false"])
    if name == "filter[deprovisioned_pending_deactivation]":
        return "true"
    kept = hidden.get(record["id"], {}).get(name, at(record, rule.get("field", "")))
    if rule.get("match") in ("before", "after"):
        found = moment(kept) or moment(at(record, "/timestamp/expires_at")) or moment(at(record, "/timestamp/created_at"))
        return found and bound(found, rule["match"] == "before", chance)
    if chance.random() < 0.12 and plain(drawn):
        return drawn
    if not isinstance(kept, str) or not kept:
        return None
    if rule.get("match") == "contains":
        start = chance.randrange(len(kept))
        kept = kept[start : start + chance.choice([1, 2, 3, 4, 5, 8, 99])]
    return kept if plain(kept) else None


def query(contract, path, drawn, records, hidden, sortable, used, chance):
    """One drawn query, made to find records."""
    named = contract.named[path] - UNNAMED - {"filter"}
    sent = []
    filters = [name for name in drawn if (path, name) in contract.filters and name in named or name == "filter[trashed]" and name in named]
    record = chance.choice(records)
    # Schemathesis prefers some parameters; those that were used least come first here.
    chosen = sorted(filters, key=lambda name: (used[path, name], chance.random()))[: chance.choice([0, 1, 1, 1, 1, 1, 2, 2, 2, 3])]
    used.update((path, name) for name in chosen)
    for name in chosen:
        found = value(name, drawn[name], contract.filters.get((path, name)), record, hidden, chance)
        if found is not None:
            sent.append((name, found))
    is_deleted = at(record, "/timestamp/deleted_at") is not None
    if is_deleted and "filter[trashed]" in named and "filter[trashed]" not in chosen and chance.random() < 0.7:
        sent.append(("filter[trashed]", chance.choice(["with", "only"])))
    if "include" in drawn and path not in WITHOUT_RELATIONS and chance.random() < 0.4:
        words = list(contract.relations)
        items = [chance.choice(words) + chance.choice(["", "", "-count", "-exists"]) for _ in range(chance.choice([1, 1, 2, 3]))]
        sent.append(("include", ",".join(dict.fromkeys(items))))
    if "sort" in drawn and sortable and chance.random() < 0.4:
        fields = chance.sample(sortable, min(len(sortable), chance.choice([1, 1, 2])))
        sent.append(("sort", ",".join(chance.choice(["", "-"]) + field for field in fields)))
    chance.shuffle(sent)
    return sent
