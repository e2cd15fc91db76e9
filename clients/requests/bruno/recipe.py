"""Bruno, which sends the requests of a collection and judges their assertions."""

import shutil

import versions
from client import Client


def run(client: Client) -> None:
    packages = client.tools.npm(versions.BRUNO)
    path = {"PATH": client.tools.node_path()}
    shutil.copytree(client.recipe / "collection", client.work, dirs_exist_ok=True)
    program = packages / "node_modules/.bin/bru"
    variables = ["--env-var", f"base={client.base_url}", "--env-var", f"token={client.token}"]
    client.call([program, "run", ".", "--env", "demo", *variables], env=path)
