"""A program that is built: its version, its machine, and the C library that it needs."""

import re
import subprocess
import sys
import tempfile
from functools import cached_property
from pathlib import Path

# The names of a machine, by the name that readelf has for it.
MACHINES = {
    "Advanced Micro Devices X86-64": {"wheel": "x86_64", "npm": "x64", "deb": "amd64"},
    "AArch64": {"wheel": "aarch64", "npm": "arm64", "deb": "arm64"},
}

LICENCE = "MIT OR Apache-2.0"
LICENCES = ["LICENSE-MIT", "LICENSE-APACHE"]
ABOUT = """\
`{name}` is part of Rollcall, which makes the Directory and Workspace Provisioning API checkable. This package has the
program for Linux, and needs no compiler.

    {name} --help
"""


class Program:
    """One program in the folder that deploy/dist has filled."""

    def __init__(self, folder: Path, name: str, summary: str):
        self.folder, self.name, self.summary = folder, name, summary
        self.path = folder / name

    @property
    def about(self) -> str:
        """The text that a registry shows."""
        return ABOUT.format(name=self.name)

    @cached_property
    def version(self) -> str:
        return self._run(self.path.resolve(), "--version").split()[-1]

    @cached_property
    def glibc(self) -> tuple[int, int] | None:
        """The oldest glibc that the program runs with; none if it is static."""
        found = re.findall(r"\bGLIBC_(\d+)\.(\d+)", self._elf)
        versions = [(int(major), int(minor)) for major, minor in found]
        if "INTERP" in self._elf and not versions:
            sys.exit(f"{self.path}: it is neither static nor linked with glibc")
        return max(versions, default=None)

    @property
    def machine(self) -> str:
        return self.machine_for("wheel")

    def machine_for(self, kind: str) -> str:
        """The machine, as packages of a kind call it."""
        name = re.search(r"Machine:\s+(.+)", self._elf)
        known = MACHINES.get(name[1].strip() if name else "")
        if known is None:
            sys.exit(f"{self.path}: no packages are made for the machine {name and name[1]}")
        return known[kind]

    def needs(self) -> str:
        """The C library, for people."""
        return "static" if self.glibc is None else f"glibc {self.glibc[0]}.{self.glibc[1]} or newer"

    def licences(self) -> list[Path]:
        return [self.folder / name for name in LICENCES]

    def manual(self) -> dict[str, bytes]:
        """Its manual pages by their file names."""
        with tempfile.TemporaryDirectory() as folder:
            self._run(self.path.resolve(), "man", folder)
            return {page.name: page.read_bytes() for page in sorted(Path(folder).iterdir())}

    @cached_property
    def _elf(self) -> str:
        return self._run("readelf", "--wide", "--file-header", "--program-headers", "--version-info", self.path)

    def _run(self, *command: str | Path) -> str:
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout
