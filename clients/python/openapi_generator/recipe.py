"""OpenAPI Generator, generator `python`.

Its functions lack annotations, so our program alone is held to --strict.
"""

import versions
from client import Client


def run(client: Client) -> None:
    client.openapi_generator("python", client.work, "--additional-properties=packageName=rollcall_client")
    imports = [versions.PYDANTIC, versions.URLLIB3, *versions.PYTHON_DATEUTIL]
    python = client.tools.python([versions.MYPY, *versions.REQUESTS, *imports])
    client.bring("../next_page.py", client.work / "next_page.py")
    client.bring("call.py", client.work / "call.py")
    client.step("check", [python / "bin/mypy", "-p", "rollcall_client"])
    client.step("check-call", [python / "bin/mypy", "--strict", "--follow-imports=silent", "call.py"])
    client.call([python / "bin/python", "call.py"])
