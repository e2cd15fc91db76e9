"""Every mutant that the tools make of the four servers, and the draw among them."""

import hashlib
import json
import random
import subprocess
from collections import defaultdict
from pathlib import Path

import python_source

HERE = Path(__file__).resolve().parent
SERVERS = HERE.parent
ROOT = SERVERS.parent.parent
TOOLS = ROOT / "target" / "mutants" / "tools"

# The application, without its seeds, its settings and its start: another company is no fault of the API.
FILES = {
    "django": ["directory/*.py", "config/urls.py"],
    "express": ["src/*.ts", "src/routes/*.ts", "src/database/schema.ts"],
    "fastapi": ["app/*.py", "app/routers/*.py"],
    "rails": ["app/**/*.rb"],
}
LEFT_OUT = {"directory/habits.py", "src/server.ts", "src/settings.ts", "app/seed.py", "app/people.py", "app/settings.py", "app/__main__.py"}


def files(server):
    folder = SERVERS / server
    paths = {path for pattern in FILES[server] for path in folder.glob(pattern)}
    names = {str(path.relative_to(folder)) for path in paths if path.read_text().strip()}
    return sorted(names - LEFT_OUT)


def offset(code, place):
    line, column = place
    return sum(len(each) for each in code.splitlines(keepends=True)[:line]) + column


def of_javascript(server):
    command = ["node", str(HERE / "javascript.mjs"), str(TOOLS), *files(server)]
    told = json.loads(subprocess.run(command, cwd=SERVERS / server, check=True, capture_output=True).stdout)
    for name, found in told.items():
        code = (SERVERS / server / name).read_text()
        for mutator, start, end, replacement in found:
            yield name, f"stryker {mutator}", offset(code, start), offset(code, end), replacement


def of_python(server):
    for name in files(server):
        for mutator, start, end, replacement in python_source.mutants((SERVERS / server / name).read_text()):
            yield name, mutator, start, end, replacement


def of_ruby(server):
    command = ["ruby", str(HERE / "ruby_source.rb"), *files(server)]
    told = json.loads(subprocess.run(command, cwd=SERVERS / server, check=True, capture_output=True).stdout)
    for name, found in told.items():
        code = (SERVERS / server / name).read_bytes()
        for mutator, start, end, replacement in found:
            yield name, f"ruby {mutator}", len(code[:start].decode()), len(code[:end].decode()), replacement


MAKERS = {"django": of_python, "express": of_javascript, "fastapi": of_python, "rails": of_ruby}


def mutants(server):
    """Each mutant as a dictionary; its id is made of its place and its replacement."""
    found = {}
    for name, mutator, start, end, replacement in MAKERS[server](server):
        code = (SERVERS / server / name).read_text()
        digest = hashlib.sha256(f"{name} {start} {end} {replacement}".encode()).hexdigest()[:8]
        found[digest] = {
            "id": f"{server}-{digest}",
            "server": server,
            "mutator": mutator,
            "file": name,
            "line": code.count("\n", 0, start) + 1,
            "start": start,
            "end": end,
            "original": code[start:end],
            "replacement": replacement,
        }
    return sorted(found.values(), key=lambda each: each["id"])


def drawn(server, seed):
    """The mutants of one server in the order of the draw: mutators take turns, so that none outweighs the others."""
    chance = random.Random(f"{seed} {server}")
    by_mutator = defaultdict(list)
    for each in mutants(server):
        # Operators of one family, such as the comparisons, are one mutator here.
        by_mutator[each["mutator"].split("_")[0]].append(each)
    groups = [by_mutator[name] for name in sorted(by_mutator)]
    for group in groups:
        chance.shuffle(group)
    while groups:
        chance.shuffle(groups)
        yield from [group.pop() for group in groups]
        groups = [group for group in groups if group]


def mutated(mutant):
    """The text of the file with the mutant in it."""
    code = (SERVERS / mutant["server"] / mutant["file"]).read_text()
    if code[mutant["start"] : mutant["end"]] != mutant["original"]:
        raise ValueError(f"{mutant['id']} was made of another version of {mutant['server']}/{mutant['file']}; list and decide anew")
    return code[: mutant["start"]] + mutant["replacement"] + code[mutant["end"] :]
