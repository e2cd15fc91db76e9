"""Hooks of Schemathesis: what openapi.yaml says in prose only, identifiers that exist, and the accepted failures.

Every accepted failure stands here with its reason. It is accepted only if the request that was sent shows the
reason, so that a wrong answer to another request still fails.
"""

import json
import re
from itertools import count
from urllib.parse import parse_qs, urlsplit
from zlib import crc32

import schemathesis
from schemathesis.core.failures import AcceptedNegativeData
from schemathesis.generation.meta import TestPhase
from schemathesis.openapi.checks import RejectedPositiveData

# ---- What openapi.yaml says in prose only -------------------------------------------------------------------------

# Every date that exists, but for 29 February, and for the years 0 and 9999: an offset can lead out of them.
YEAR = "(?:000[1-9]|00[1-9][0-9]|0[1-9][0-9]{2}|[1-8][0-9]{3}|9[0-8][0-9]{2}|99[0-8][0-9]|999[0-8])"
DATE = (
    YEAR + "-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])"
    "|(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)|02-(?:0[1-9]|1[0-9]|2[0-8]))"
)
HOUR, MINUTE = "(?:[01][0-9]|2[0-3])", "[0-5][0-9]"
TIME = f"{HOUR}:{MINUTE}(?::{MINUTE}(?:\\.[0-9]+)?)?(?:[Zz]|[+-]{HOUR}:{MINUTE})?"

# The bounds of a date filter. openapi.yaml leaves them open, since other servers may read further forms (L15).
TIMESTAMP = f"^{DATE}(?:[Tt ]{TIME})?$"
# A page number. openapi.yaml leaves `page` open, since nobody can make up the cursors it also takes (L2).
PAGE = "^0*(?:[1-9][0-9]{0,11}|10{12})$"


@schemathesis.hook
def before_load_schema(context, raw_schema):
    """Adds a pattern to the parameters whose values openapi.yaml describes in prose only."""
    components = raw_schema["components"]
    parameters = list(components["parameters"].values())
    for path in raw_schema["paths"].values():
        parameters += [parameter for operation in path.values() for parameter in operation.get("parameters", [])]
    for parameter in parameters:
        if parameter.get("x-filter", {}).get("match") in ("before", "after"):
            pattern = TIMESTAMP
        elif parameter.get("x-role") == "page":
            pattern = PAGE
        else:
            continue
        schema = components["schemas"][parameter["schema"]["$ref"].rsplit("/", 1)[1]]
        parameter["schema"] = {**schema, "pattern": pattern}


# ---- Requests that find records -----------------------------------------------------------------------------------

# Identifiers that the server has shown, by prefix, in the order of their appearance.
identifiers: dict[str, dict[str, None]] = {}
# Workspace users that were deprecated.
deprecated: dict[str, None] = {}
# The newest ETag of each record, by identifier.
etags: dict[str, str] = {}
# The refusals that are kept under a key: those by the state of a record (O11).
KEPT = ("not_found", "illegal_transition", "precondition_failed", "conflicting_members")
# Numbers for keys that were never used.
unused = count()
# The requests that were answered under each Idempotency-Key.
keys: dict[str, set[tuple[str, str, bytes]]] = {}


@schemathesis.hook
def after_call(context, case, response):
    """Remembers identifiers, ETags and used keys."""
    for identifier in re.findall(r'"id":"([a-z]{5}_[0-9a-z]+)"', response.text):
        identifiers.setdefault(identifier[:5], {}).setdefault(identifier)
    identifier = next(iter((case.path_parameters or {}).values()), None)
    etag = response.headers.get("etag")
    if identifier and etag:
        etags[identifier] = etag[0]
    if case.path == "/workspace/users/{user}/deprecate" and response.status_code == 200:
        deprecated[identifier] = None
    key = response.request.headers.get("Idempotency-Key")
    if key and (response.status_code < 300 or is_problem(response) and response.json()["code"] in KEPT):
        keys.setdefault(text(key), set()).add(sent(response))


@schemathesis.hook
def map_case(context, case):
    """Changes most generated requests so that they find records: random values find none."""
    phase, is_positive = case.meta.phase.name, case.meta.generation.mode.is_positive
    chance = crc32(repr((case.path_parameters, case.query, case.headers, case.body)).encode())
    # The stateful phase takes identifiers from earlier answers, and ends early when they are replaced.
    if phase != TestPhase.STATEFUL:
        name, identifier = next(iter((case.path_parameters or {}).items()), (None, None))
        if isinstance(identifier, str) and re.fullmatch("[a-z]{5}_[0-9a-z]+", identifier):
            is_restore = case.path == "/workspace/users/{user}/restore"
            known = list((is_restore and deprecated) or identifiers.get(identifier[:5], {}))
            if known and identifier not in known and chance % 8:
                identifier = known[chance % len(known)]
                case.path_parameters[name] = identifier
        if is_positive and "If-Match" in (case.headers or {}) and identifier in etags and chance % 2:
            case.headers["If-Match"] = etags[identifier]
    # The other phases choose each parameter for a reason.
    if is_positive and phase in (TestPhase.FUZZING, TestPhase.STATEFUL) and chance % 4:
        for name in [name for name in case.query or {} if name == "page" or name.startswith("filter")]:
            del case.query[name]
        if "Idempotency-Key" in (case.headers or {}):
            case.headers["Idempotency-Key"] = f"key-{next(unused)}"
    return case


# ---- Accepted failures --------------------------------------------------------------------------------------------


@schemathesis.hook
def filter_failure(context, failure, case, response):
    """Drops a failure if it is one of those that are accepted below."""
    if isinstance(failure, AcceptedNegativeData):
        return not is_empty_list_sent(case, response)
    if isinstance(failure, RejectedPositiveData) and is_problem(response):
        problem = response.json()
        return not (
            is_if_match_refused(problem, response)
            or is_key_used_before(problem, response)
            or is_field_sorted_twice(problem, response)
            or are_both_expiries_given(problem, response)
        )
    return True


def is_empty_list_sent(case, response):
    """200 is our ruling on `sort=` and `include=`, which ask for nothing (L8).

    Schemathesis means a list with one empty word by it, which no value may be. But an empty list is sent alike.
    """
    query = parse_qs(urlsplit(response.request.url).query, keep_blank_values=True)
    changed = {mutation.parameter for mutation in case.meta.phase.data.mutations}
    return len(changed) > 0 and all(name in ("sort", "include") and query.get(name) == [""] for name in changed)


def is_if_match_refused(problem, response):
    """412 is the right answer to an If-Match that does not match; Schemathesis does not know of preconditions."""
    if_match = text(response.request.headers.get("If-Match", "*"))
    return problem["code"] == "precondition_failed" and if_match.strip() != "*"


def is_key_used_before(problem, response):
    """422 is the right answer to an Idempotency-Key of another request (O11); a schema cannot say which are used."""
    key = text(response.request.headers.get("Idempotency-Key", ""))
    others = keys.get(key, set()) - {sent(response)}
    return problem["code"] == "idempotency_mismatch" and len(others) > 0


def is_field_sorted_twice(problem, response):
    """400 is our ruling on a field that `sort` names twice (L7).

    `uniqueItems` would not say it: `email` and `-email` are different items. And with it some generators make
    the fields a set, which loses their order.
    """
    query = parse_qs(urlsplit(response.request.url).query)
    fields = [field.removeprefix("-") for field in query.get("sort", [""])[0].split(",")]
    about_sort = all(error.get("parameter") == "sort" for error in problem["errors"])
    return problem["code"] == "repeated_parameter" and about_sort and len(set(fields)) < len(fields)


def are_both_expiries_given(problem, response):
    """422 is our ruling on a body with both options (O4).

    In openapi.yaml it would take `oneOf` or `not`, which generators turn into unions or refuse.
    """
    options = json.loads(response.request.body or "{}")
    both = all(options.get(name) is not None for name in ("expires_at", "expires_after_days"))
    return problem["code"] == "conflicting_members" and both


def sent(response):
    """What makes two requests the same one under an Idempotency-Key."""
    request = response.request
    return request.method, urlsplit(request.url).path, request.body or b""


def is_problem(response):
    return response.headers.get("content-type") == ["application/problem+json"]


def text(value):
    return value.decode("latin-1") if isinstance(value, bytes) else value
