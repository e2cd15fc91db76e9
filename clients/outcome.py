"""How the check of one client ends, and what each of its steps cost."""

from dataclasses import dataclass, field


class Skipped(Exception):
    """A tool is missing, so this client was not checked."""


class Failed(Exception):
    """A step ran and did not succeed."""


@dataclass
class Step:
    """One command: what it was for, how long it took, and the most memory it held."""

    name: str
    seconds: float
    megabytes: int


@dataclass
class Outcome:
    """One line of the table at the end."""

    client: str
    result: str = "passed"
    reason: str = ""
    steps: list[Step] = field(default_factory=list)
