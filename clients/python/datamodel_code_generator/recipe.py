"""datamodel-code-generator, Pydantic 2. It makes models and no calls, so the program brings the requests."""

import versions
from client import Client

ANNOTATED = ["--use-annotated", "--strict-nullable", "--enum-field-as-literal", "one"]


def run(client: Client) -> None:
    generator = client.tools.python([versions.DATAMODEL_CODE_GENERATOR])
    python = client.tools.python([versions.MYPY, versions.PYDANTIC, *versions.REQUESTS])
    command = [generator / "bin/datamodel-codegen", "--input", client.contract]
    command += ["--input-file-type", "openapi", "--output-model-type", "pydantic_v2.BaseModel"]
    client.step("generate", [*command, *ANNOTATED, "--output", "models.py"])
    client.step("generate-default", [*command, "--output", "default_models.py"])
    client.bring("../next_page.py", client.work / "next_page.py")
    client.bring("call.py", client.work / "call.py")
    client.step("check", [python / "bin/mypy", "--strict", "models.py", "call.py"])
    client.call([python / "bin/python", "call.py"])
