"""What the recipe of one client works with."""

import shutil
from dataclasses import dataclass
from pathlib import Path

from command import run
from outcome import Outcome
from tools import Tools


@dataclass
class Client:
    """One generator and one language."""

    recipe: Path  # the folder of the recipe, with the program that calls the server
    work: Path  # a fresh folder for what is generated
    contract: Path
    tools: Tools
    base_url: str
    token: str
    outcome: Outcome

    def step(self, name: str, command: list[str | Path], env: dict[str, str] | None = None) -> None:
        """Runs a command as one step of this client."""
        words = [str(word) for word in command]
        self.outcome.steps.append(run(name, words, self.work / f"{name}.log", self.work, env))

    def call(self, command: list[str | Path], env: dict[str, str] | None = None) -> None:
        """Runs the program that calls the server; it finds the address and the token in its environment."""
        self.step("call", command, {**(env or {}), "BASE_URL": self.base_url, "TOKEN": self.token})

    def bring(self, name: str, to: Path) -> Path:
        """Copies a file of the recipe to where the compiler wants it."""
        to.parent.mkdir(parents=True, exist_ok=True)
        return Path(shutil.copy(self.recipe / name, to))

    def openapi_generator(self, generator: str, to: Path, *options: str) -> None:
        """Generates with OpenAPI Generator: code alone, without its tests and pages."""
        java = self.tools.system("java")
        parts = "models,apis,supportingFiles,modelTests=false,apiTests=false,modelDocs=false,apiDocs=false"
        command = [java, "-jar", self.tools.openapi_generator(), "generate", "-g", generator]
        command += ["-i", self.contract, "-o", to, "--global-property", parts]
        self.step("generate", [*command, *options])
