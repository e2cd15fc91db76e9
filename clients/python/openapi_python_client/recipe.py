"""openapi-python-client.

Everything is held to --strict but client.py, four lines of which no contract can change.
"""

import os

import versions
from client import Client


def run(client: Client) -> None:
    generator = client.tools.python([versions.OPENAPI_PYTHON_CLIENT])
    imports = [versions.HTTPX, versions.ATTRS, *versions.PYTHON_DATEUTIL, *versions.REQUESTS]
    python = client.tools.python([versions.MYPY, *imports])
    search_path = {"PATH": f"{generator / 'bin'}:{os.environ['PATH']}"}  # it looks for ruff there
    generate = [generator / "bin/openapi-python-client", "generate", "--path", client.contract]
    generate += ["--output-path", "rollcall_client", "--meta", "none", "--fail-on-warning"]
    client.step("generate", generate, env=search_path)
    client.bring("../next_page.py", client.work / "next_page.py")
    client.bring("call.py", client.work / "call.py")
    client.bring("mypy.ini", client.work / "mypy.ini")
    client.step("check", [python / "bin/mypy", "--strict", "rollcall_client", "call.py"])
    client.call([python / "bin/python", "call.py"])
