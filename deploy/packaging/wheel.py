"""A wheel (PEP 427): the program goes into the folder of commands of the environment."""

import base64
import hashlib
import zipfile
from pathlib import Path

from program import LICENCE, LICENCES, Program

# The same programs give the same wheel.
DATE = (1980, 1, 1, 0, 0, 0)


def write(program: Program, folder: Path) -> Path:
    """Writes the wheel, and answers where it is."""
    stem = f"{program.name.replace('-', '_')}-{program.version}"
    info = f"{stem}.dist-info"
    files = {f"{stem}.data/scripts/{program.name}": (program.path.read_bytes(), 0o755)}
    for licence in program.licences():
        files[f"{info}/licenses/{licence.name}"] = (licence.read_bytes(), 0o644)
    files[f"{info}/METADATA"] = (metadata(program).encode(), 0o644)
    files[f"{info}/WHEEL"] = (about_wheel(program).encode(), 0o644)
    record = "".join(f"{name},sha256={digest(content)},{len(content)}\n" for name, (content, _) in files.items())
    files[f"{info}/RECORD"] = (f"{record}{info}/RECORD,,\n".encode(), 0o644)
    wheel = folder / f"{stem}-py3-none-{'.'.join(platforms(program))}.whl"
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, (content, mode) in files.items():
            entry = zipfile.ZipInfo(name, DATE)
            entry.external_attr = (0o100000 | mode) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, content)
    return wheel


def platforms(program: Program) -> list[str]:
    """The platforms that may install the wheel. A static program runs with every C library."""
    machine = program.machine_for("wheel")
    if program.glibc is None:
        return [f"manylinux_2_17_{machine}", f"musllinux_1_1_{machine}"]
    return [f"manylinux_{program.glibc[0]}_{program.glibc[1]}_{machine}"]


def metadata(program: Program) -> str:
    licences = "".join(f"License-File: {name}\n" for name in LICENCES)
    return (
        f"Metadata-Version: 2.4\nName: {program.name}\nVersion: {program.version}\nSummary: {program.summary}\n"
        f"License-Expression: {LICENCE}\n{licences}Requires-Python: >=3.8\n"
        f"Description-Content-Type: text/markdown\n\n{program.about}"
    )


def about_wheel(program: Program) -> str:
    tags = "".join(f"Tag: py3-none-{platform}\n" for platform in platforms(program))
    return f"Wheel-Version: 1.0\nGenerator: deploy/package\nRoot-Is-Purelib: false\n{tags}"


def digest(content: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
