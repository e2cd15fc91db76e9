"""A server that runs from a copy of its source, with one mutant in it or without."""

import http.client
import json
import os
import shutil
import signal
import subprocess
import time
from contextlib import contextmanager
from urllib.parse import urlencode

from sources import ROOT, SERVERS, mutated

TOKEN = "Token-of_the.mutants-0123456789"
# Seconds until a mutant counts as dead: one that does not answer, on a busy machine, and one that answers with an error.
PATIENCE, PATIENCE_WITH_ERRORS = 60, 4
# Seconds until a request counts as not answered.
TIMEOUT = 10
NO_ANSWER = 599


def copy_of_source(server, mutant, name):
    """A folder like examples/servers/SERVER. Its ../../../target/servers/SERVER leads to what the server has installed."""
    tree = ROOT / "target" / "mutants" / f"tree-{name}"
    folder, installed = tree / "examples" / "servers" / server, tree / "target" / "servers" / server
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(SERVERS / server, folder)
    real = ROOT / "target" / "servers" / server
    if not installed.exists():
        installed.parent.mkdir(parents=True, exist_ok=True)
        if server == "express":
            # It copies its source beside its packages.
            installed.mkdir()
            shutil.copy(real / "installed.json", installed)
            shutil.copy(real / "package.json", installed)
            (installed / "node_modules").symlink_to(real / "node_modules")
        else:
            installed.symlink_to(real)
    if mutant:
        path = folder / mutant["file"]
        path.write_text(mutated(mutant))
        # Caches of compiled source look at the time and the size of a file: no two mutants may have both in common.
        moment = 1_000_000_000 + int(mutant["id"].rpartition("-")[2], 16) % 500_000_000
        os.utime(path, (moment, moment))
    return folder


class Client:
    """Requests over one connection. The answer is (status, content type, body)."""

    def __init__(self, port):
        self.port, self.sent, self.connection = port, 0, None

    def close(self):
        if self.connection:
            self.connection.close()
        self.connection = None

    def send(self, method, path, query=(), body=None, token=TOKEN, headers=None):
        self.sent += 1
        address = f"/api/v1{path}" + (f"?{urlencode(query)}" if query else "")
        told = {"Accept": "application/json"} | ({"Authorization": f"Bearer {token}"} if token is not None else {})
        data = None if body is None else json.dumps(body)
        if data is not None:
            told["Content-Type"] = "application/json"
        for attempt in (1, 2):
            try:
                if self.connection is None:
                    self.connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=TIMEOUT)
                self.connection.request(method, address, data, told | (headers or {}))
                answer = self.connection.getresponse()
                return answer.status, answer.headers.get_content_type(), answer.read()
            except (OSError, http.client.HTTPException):
                self.close()
                if attempt == 2:
                    return NO_ANSWER, "", b""


@contextmanager
def running(server, mutant, port, name, seed=1):
    """A client of the server, or None if it does not start."""
    folder = copy_of_source(server, mutant, name)
    environment = os.environ | {"PORT": str(port), "TOKEN": TOKEN, "SEED": str(seed), "HABITS": ""}
    # Without compiled packages a start of FastAPI takes seconds; the time of a mutated file tells its compiled forms apart.
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    with open(folder.parent / f"{server}.log", "w") as log:
        process = subprocess.Popen([folder / "start"], env=environment, stdout=log, stderr=log, start_new_session=True)
        client, latest, answered = Client(port), time.monotonic() + PATIENCE, False
        try:
            while (status := client.send("GET", "/directory/dimensions")[0]) != 200:
                if status != NO_ANSWER and not answered:
                    latest, answered = time.monotonic() + PATIENCE_WITH_ERRORS, True
                if process.poll() is not None or time.monotonic() > latest:
                    break
                time.sleep(0.05)
            yield client if status == 200 else None
        finally:
            # A server that ends may wait for open connections.
            client.close()
            try:
                os.killpg(process.pid, signal.SIGTERM)
                process.wait(5)
            except (ProcessLookupError, subprocess.TimeoutExpired):
                pass
            try:
                os.killpg(process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            process.wait()
