"""Which clause of the specification a fault breaks: told by the first difference, not by the source."""

import re

from lists import DIMENSIONS

OPERATIONS = {"restore": "§4.2", "deprecate": "§4.3"}
# A parameter of a list, and its clause; the first that fits. The order is that of the specification backwards.
PARAMETERS = [
    ("include", "§4.4.6 include"),
    ("sort", "§4.4.5 sort"),
    ("filter[trashed]", "§4.4.4 filter[trashed]"),
    (r"filter\[.*_(before|after)\]", "§4.4.3 date windows"),
    (r"filter\[.*_search\]", "§4.4.2 partial match"),
    (r"filter\[(manager|state|deprovisioned.*)\]", "§4.1 filters by state and kind"),
    (r"filter\[.*\]", "§4.4.1 exact match"),
    ("page", "§4.4.8 page"),
]


def of_parameter(name):
    return next(clause for pattern, clause in PARAMETERS if pattern == name or re.fullmatch(pattern, name))


def of_write(mutant):
    method, path, body = mutant["request"][:3]
    if "not 401" in mutant["shows"] or method == "GET":
        return "§5 token"
    days = body.get("expires_after_days") if isinstance(body, dict) else None
    if isinstance(days, int) and not 0 <= days <= 1095:
        return "§8 range of expires_after_days"
    clause = next(f"{number} {name}" for name, number in OPERATIONS.items() if path.endswith((name, "…")) and ("workspace" in path) == (name == "restore"))
    if "not 4" in mutant["shows"]:
        return f"{clause}: what must be refused"
    return f"{clause}: other records" if path.endswith("…") else f"{clause}: its work"


def clauses(mutant):
    """The clauses, most often one."""
    method, path, sent = mutant["request"][:3]
    if method != "GET" or len(mutant["request"]) > 3:
        return [of_write(mutant)]
    shows = re.sub(r"^drusr_\w+: ", "", mutant["shows"])
    if path == DIMENSIONS:
        return ["§4.4.7 dimensions"]
    names = {name for name, _ in sent}
    if shows.startswith("another order"):
        return ["§4.4.5 sort"]
    if shows != mutant["shows"]:
        # A member of a record.
        if re.match(r"included|\w+(-count|-exists)|\w+: |\w+ (is no array|has \d+ records)", shows):
            return ["§2.1 and §4.4.6: related records"]
        member = re.match(r"(timestamp|count|links|org|metadata)", shows) or re.search(r"\bcount\b", shows)
        return [f"§2.1 {member[1] if member and member.re.groups else 'count'}" if member else "§2.1 members"]
    if shows.startswith("status") and "include" in names:
        return ["§4.4.6 include"]
    if shows.startswith("status") and "sort" in names:
        return ["§4.4.5 sort"]
    filters = sorted({of_parameter(name) for name in names if name.startswith("filter")})
    return filters or [of_parameter(name) for name in sorted(names)][:1] or ["§4.1 the list"]
