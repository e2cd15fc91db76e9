"""Judges frozen mutants with the runner, and counts the faults that it found."""

import hashlib
import json
import os
import subprocess
from collections import Counter, defaultdict
from math import sqrt
from pathlib import Path
from urllib.parse import unquote

from clauses import clauses
from lists import CLAUSES
from sources import HERE, ROOT
from target import TOKEN, running

# Of a long table, rows with fewer faults are pooled.
FEW, MANY_ROWS = 5, 20
RESULTS = HERE / "results.json"


def judged(runner, mutant, port):
    """Which checks of the runner failed, in the order of its report."""
    with running(mutant["server"], mutant, port, f"run-{port}") as client:
        if client is None:
            return {"outcome": "dead"}
        # It stays, so that a miss can be looked into.
        report = ROOT / "target" / "mutants" / "reports" / f"{mutant['id']}.json"
        report.parent.mkdir(parents=True, exist_ok=True)
        report.unlink(missing_ok=True)
        # A fault is found at the first check that fails; the rest of the run would not change that.
        command = [runner, "run", "--base-url", f"http://127.0.0.1:{port}/api/v1", "--allow-writes", "--quiet", "--fail-fast"]
        environment = os.environ | {"ROLLCALL_TOKEN": TOKEN}
        done = subprocess.run([*command, "--report", f"json={report}"], env=environment, capture_output=True, check=False)
    told = json.loads(report.read_text()) if report.exists() else {"checks": []}
    failed = [check["id"] for check in told["checks"] if check["outcome"] == "failed"]
    # 3 is too little evidence and 4 no answer: the runner does not call such a server conforming, and it does not accuse it.
    words = {0: "missed", 1: "found", 3: "no verdict", 4: "no verdict"}
    return {"outcome": words.get(done.returncode, "no verdict"), "exit": done.returncode, "failed": failed, "requests": told.get("requests"), "seconds": told.get("seconds")}


def digest(runner):
    """The first digits of the sha256 of a program: it tells which runner judged."""
    return hashlib.sha256(Path(runner).read_bytes()).hexdigest()[:12]


def known_results():
    return json.loads(RESULTS.read_text()) if RESULTS.exists() else {}


def lines(values):
    """JSON with one line for each value of a list or of an object, in order."""
    ends, items = "[]", [("", value) for value in values]
    if isinstance(values, dict):
        ends, items = "{}", [(f"{json.dumps(key)}: ", values[key]) for key in sorted(values)]
    texts = [key + json.dumps(value, sort_keys=True, ensure_ascii=False) for key, value in items]
    return f"{ends[0]}\n" + ",\n".join(texts) + f"\n{ends[1]}\n"


def run(options, mutants):
    known, runner = known_results(), digest(options.runner)
    chosen = []
    for server in options.servers:
        chosen += [each for each in mutants if each["server"] == server and each["decision"] == options.kind][: options.number]
    for each in chosen:
        if each["id"] in known:
            continue
        told = judged(options.runner, each, options.port) | {"runner": runner}
        # Another run may have written meanwhile.
        RESULTS.write_text(lines(known_results() | {each["id"]: told}))
        print(each["id"], told["outcome"], *told.get("failed", [])[:4], told.get("requests"), told.get("seconds"), flush=True)


def interval(found, of):
    """The 95 % interval of a share (Wilson)."""
    if not of:
        return 0.0, 1.0
    share, z = found / of, 1.96
    middle, width = share + z * z / (2 * of), z * sqrt(share * (1 - share) / of + z * z / (4 * of * of))
    return (middle - width) / (1 + z * z / of), (middle + width) / (1 + z * z / of)


def parameters(mutant):
    """The parameters of the request that shows the fault, or its operation."""
    method, path, sent = mutant["request"][:3]
    if method != "GET" or not isinstance(sent, list):
        return [f"{method} {path.rsplit('/', 1)[1] if method == 'PATCH' else path}"]
    names = sorted({name for name, _ in sent})
    return [f"{CLAUSES[path]} {name}" for name in names] or [f"{CLAUSES[path]} (no parameter)"]


def score(mutants):
    known = known_results()
    print("decisions:", dict(Counter(each["decision"] for each in mutants)))
    tables = defaultdict(lambda: defaultdict(Counter))
    for each in mutants:
        told = known.get(each["id"])
        if told is None or told["outcome"] == "dead":
            continue
        if each["decision"] != "fault":
            tables["no faults, by decision; those that were found are accused"][each["decision"]][told["outcome"]] += 1
            continue
        outcome = told["outcome"]
        tables["all"]["all faults"][outcome] += 1
        tables["by server"][each["server"]][outcome] += 1
        tables["by runner"][told.get("runner", "the runner before")][outcome] += 1
        tables["by mutator"][each["mutator"].split("_")[0]][outcome] += 1
        for name in clauses(each):
            tables["by clause"][name][outcome] += 1
        for name in parameters(each):
            tables["by parameter of the request that differs"][name][outcome] += 1
        if outcome == "found":
            tables["first check that failed"][told["failed"][0]][outcome] += 1
    for title, rows in tables.items():
        print(f"\n{title}")
        few = [name for name, counts in rows.items() if sum(counts.values()) < FEW] if len(rows) > MANY_ROWS else []
        if few:
            rows[f"{len(few)} others, each with fewer than {FEW}"] = sum((rows.pop(name) for name in few), Counter())
        for name, counts in sorted(rows.items(), key=lambda row: -sum(row[1].values())):
            found, of = counts["found"], sum(counts.values())
            low, high = interval(found, of)
            print(f"  {name:<48} {found:>4} of {of:<4} {100 * found / of:>5.1f} %  ({100 * low:.1f}-{100 * high:.1f})")
    for each in mutants:
        if each["decision"] == "fault" and known.get(each["id"], {}).get("outcome") in ("missed", "no verdict"):
            method, path, sent = each["request"][:3]
            print(f"\n{known[each['id']]['outcome']}: {each['id']} {each['file']}:{each['line']} ({each['mutator']})")
            print(f"  - {each['original']}\n  + {each['replacement']}\n  {method} {path} {unquote(json.dumps(sent, ensure_ascii=False))}\n  {each['shows']}")
