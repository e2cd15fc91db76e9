"""The commands of `mutants`: list, decide, freeze, run, score."""

import argparse
import hashlib
import json
import signal
import sys
import time

import results
from sources import HERE, MAKERS, ROOT, drawn, files

WORK = ROOT / "target" / "mutants"
FROZEN, DIGEST = HERE / "frozen.json", HERE / "frozen.sha256"


def draw_of(server, seed):
    """The mutants of one server in the order of the draw. Making them takes minutes, so they are kept until the source changes."""
    source = hashlib.sha256(b"".join((HERE.parent / server / name).read_bytes() for name in files(server)))
    kept = WORK / f"drawn-{server}-{seed}-{source.hexdigest()[:12]}.json"
    if not kept.exists():
        kept.write_text(json.dumps(list(drawn(server, seed))))
    return json.loads(kept.read_text())


def list_(options):
    for server in options.servers:
        for each in draw_of(server, options.seed):
            print(f"{each['id']} {each['file']}:{each['line']} {each['mutator']}: {each['original']!r} -> {each['replacement']!r}")


def decided(server):
    """What was decided of a server. A new machine goes on from the frozen list."""
    path = WORK / f"decided-{server}.json"
    return json.loads(path.read_text()) if path.exists() else [each for each in frozen() if each["server"] == server]


def decide(options):
    # Schemathesis takes seconds to start, and no other command needs it.
    from decide import Recording, contract_and_cases

    contract, cases = contract_and_cases(options.requests, options.seed)
    for server in options.servers:
        path = WORK / f"decided-{server}.json"
        known = [each for each in decided(server) if each["decision"] not in options.again]
        waiting = [each for each in draw_of(server, options.seed) if each["id"] not in {every["id"] for every in known}]
        recording = Recording(server, contract, cases, options.requests, options.port, options.seed)
        print(f"{server}: {len(recording.reads)} lists, {recording.requests} pages, {len(recording.writes)} other requests", flush=True)
        itself = recording.decide(None)
        if itself["decision"] not in ("equivalent", "open"):
            sys.exit(f"{server} differs from itself: {itself}")
        ends = time.monotonic() + options.minutes * 60
        for each in waiting[: options.number]:
            if time.monotonic() > ends:
                break
            began = time.monotonic()
            known.append(each | recording.decide(each) | {"seconds": round(time.monotonic() - began, 1)})
            path.write_text(json.dumps(known))
            last = known[-1]
            print(f"{last['id']} {last['seconds']:>5} s {last['decision']:<10} {last['mutator']}: {last.get('shows', '')}"[:200], flush=True)


def freeze(_):
    every = [each for server in sorted(MAKERS) for each in decided(server)]
    text = results.lines(sorted(every, key=lambda each: each["id"]))
    FROZEN.write_text(text)
    DIGEST.write_text(f"{hashlib.sha256(text.encode()).hexdigest()}  {FROZEN.name}\n")
    print(f"{len(every)} mutants, {sum(each['decision'] == 'fault' for each in every)} faults; {DIGEST.read_text().strip()}")


def frozen():
    text = FROZEN.read_text()
    if hashlib.sha256(text.encode()).hexdigest() != DIGEST.read_text().split()[0]:
        sys.exit(f"{FROZEN.name} is not the list that was frozen: its sha256 is not in {DIGEST.name}")
    return json.loads(text)


def main():
    parser = argparse.ArgumentParser(prog="mutants", description=__doc__)
    commands = parser.add_subparsers(required=True)
    for name, run in (("list", list_), ("decide", decide)):
        command = commands.add_parser(name)
        command.set_defaults(run=run)
        command.add_argument("servers", nargs="*", default=sorted(MAKERS), metavar="SERVER")
        command.add_argument("--seed", type=int, default=1, help="draws the mutants, the requests and their values")
        if name == "decide":
            command.add_argument("--number", type=int, default=75, help="mutants of each server that are decided now")
            command.add_argument("--minutes", type=float, default=600, help="the most time for each server")
            command.add_argument("--requests", type=int, default=400, help="drawn lists that are compared")
            command.add_argument("--again", nargs="*", default=[], metavar="DECISION", help="mutants with this decision are decided anew")
            command.add_argument("--port", type=int, default=8790)
    commands.add_parser("freeze").set_defaults(run=freeze)
    command = commands.add_parser("run")
    command.set_defaults(run=lambda options: results.run(options, frozen()))
    command.add_argument("servers", nargs="*", default=sorted(MAKERS), metavar="SERVER")
    command.add_argument("--runner", required=True, help="the program rollcall-conformance")
    command.add_argument("--kind", default="fault", help="mutants with this decision; open and equivalent ones must not be accused")
    command.add_argument("--number", type=int, default=10000, help="mutants of each server at most")
    command.add_argument("--port", type=int, default=8791)
    commands.add_parser("score").set_defaults(run=lambda _: results.score(frozen()))
    options = parser.parse_args()
    # So that a server that was started is stopped.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    WORK.mkdir(parents=True, exist_ok=True)
    options.run(options)


if __name__ == "__main__":
    main()
