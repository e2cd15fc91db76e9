"""Runs one command, keeps what it prints in a file, and measures it."""

import os
import subprocess
import time
from pathlib import Path

from outcome import Failed, Step


def run(name: str, command: list[str], log: Path, cwd: Path, env: dict[str, str] | None = None) -> Step:
    """Raises Failed with the end of the log if the command does not exit with 0."""
    began = time.monotonic()
    with log.open("a") as output:
        output.write(f"$ {' '.join(command)}\n")
        output.flush()
        try:
            process = subprocess.Popen(
                command, cwd=cwd, env={**os.environ, **(env or {})}, stdout=output, stderr=output
            )
        except FileNotFoundError as missing:
            raise Failed(f"{name}: {missing}") from missing
        _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        end = "\n".join(log.read_text(errors="replace").splitlines()[-25:])
        raise Failed(f"{name}: exit {process.returncode}; the end of {log}:\n{end}")
    return Step(name, time.monotonic() - began, usage.ru_maxrss // 1024)
