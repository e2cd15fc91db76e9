"""httpYac, which sends the requests of an HTTP file and judges their tests."""

import versions
from client import Client


def run(client: Client) -> None:
    packages = client.tools.npm(versions.HTTPYAC)
    path = {"PATH": client.tools.node_path()}
    program = packages / "node_modules/.bin/httpyac"
    requests = client.bring("demo.http", client.work / "demo.http")
    variables = ["--var", f"base={client.base_url}", f"token={client.token}"]
    client.call([program, "send", requests, "--all", "--bail", "--output", "short", *variables], env=path)
