"""An npm package in two parts, as esbuild has it: a launcher, and a package for the platform that has the program.

The launcher's package brings the platform's package in its own node_modules, so that one file can be installed without a
registry.
"""

import io
import json
import tarfile
from pathlib import Path

from program import LICENCE, Program

LAUNCHER = """\
#!/usr/bin/env node
"use strict";
// Runs the program of the package for this platform.
const { spawnSync } = require("node:child_process");
const platform = `${process.platform}-${process.arch}`;
let program;
try {
  program = require.resolve(`@rollcall/NAME-${platform}/NAME`);
} catch {
  console.error(`NAME: this package has no program for ${platform}`);
  process.exit(2);
}
const { error, signal, status } = spawnSync(program, process.argv.slice(2), { stdio: "inherit" });
if (error) console.error(`NAME: ${error.message}`);
if (signal) process.kill(process.pid, signal);
process.exitCode = status ?? 2;
"""


def write(program: Program, folder: Path) -> Path:
    """Writes the package, and answers where it is."""
    name, cpu = program.name, program.machine_for("npm")
    inner = f"@rollcall/{name}-linux-{cpu}"
    launcher = about(program, name) | {
        "bin": {name: "launch.js"},
        "optionalDependencies": {inner: program.version},
        "bundleDependencies": [inner],
        "engines": {"node": ">=18"},
    }
    platform = about(program, inner) | {"os": ["linux"], "cpu": [cpu]}
    if program.glibc is not None:
        platform["libc"] = ["glibc"]
    files = {
        "package.json": text(launcher),
        "README.md": program.about.encode(),
        "launch.js": LAUNCHER.replace("NAME", name).encode(),
        **{licence.name: licence.read_bytes() for licence in program.licences()},
        f"node_modules/{inner}/package.json": text(platform),
        f"node_modules/{inner}/{name}": program.path.read_bytes(),
    }
    executable = {"launch.js", f"node_modules/{inner}/{name}"}
    package = folder / f"{name}-{program.version}.tgz"
    with tarfile.open(package, "w:gz", compresslevel=6) as archive:
        for path, content in files.items():
            entry = tarfile.TarInfo(f"package/{path}")
            entry.size, entry.mode = len(content), 0o755 if path in executable else 0o644
            archive.addfile(entry, io.BytesIO(content))
    return package


def about(program: Program, name: str) -> dict[str, object]:
    return {"name": name, "version": program.version, "description": program.summary, "license": LICENCE}


def text(value: dict[str, object]) -> bytes:
    return (json.dumps(value, indent=2) + "\n").encode()
