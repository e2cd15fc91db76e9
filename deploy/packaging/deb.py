"""A package for Debian and Ubuntu: the program, its manual pages, and its completions."""

import gzip
import shutil
import subprocess
import tempfile
from pathlib import Path

from program import LICENCE, Program


def write(program: Program, folder: Path) -> Path | str:
    """Writes the package, and answers where it is; or says why there is none."""
    if shutil.which("dpkg-deb") is None:
        return "no .deb: dpkg-deb is not installed"
    package = folder / f"{program.name}_{program.version}_{program.machine_for('deb')}.deb"
    with tempfile.TemporaryDirectory() as name:
        root = Path(name)
        root.chmod(0o755)
        for path, content in files(program).items():
            target = root / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content)
            target.chmod(0o755 if path.parent.name == "bin" else 0o644)
        command = ["dpkg-deb", "--root-owner-group", "--build", "-Zxz", "-z1", root, package]
        subprocess.run(command, check=True, capture_output=True)
    return package


def files(program: Program) -> dict[Path, bytes]:
    """The files of the package."""
    name, completions = program.name, program.folder / "completions"
    share = Path("usr/share")
    copied = {
        Path("usr/bin") / name: program.path,
        share / "bash-completion/completions" / name: completions / f"{name}.bash",
        share / "zsh/vendor-completions" / f"_{name}": completions / f"_{name}",
        share / "fish/vendor_completions.d" / f"{name}.fish": completions / f"{name}.fish",
    }
    found = {path: source.read_bytes() for path, source in copied.items()}
    for page, content in program.manual().items():
        found[share / "man/man1" / f"{page}.gz"] = gzip.compress(content, 9, mtime=0)
    licences = [licence.read_text() for licence in program.licences()]
    found[share / "doc" / name / "copyright"] = "\n\n".join([LICENCE, *licences]).encode()
    found[Path("DEBIAN/control")] = control(program).encode()
    return found


def control(program: Program) -> str:
    depends = ""
    if program.glibc is not None:
        depends = f"Depends: libc6 (>= {program.glibc[0]}.{program.glibc[1]}), libgcc-s1\n"
    return (
        f"Package: {program.name}\nVersion: {program.version}\nArchitecture: {program.machine_for('deb')}\n"
        f"Maintainer: the authors of Rollcall\n{depends}Recommends: ca-certificates\nSection: devel\nPriority: optional\n"
        f"Description: {program.summary}\n A part of Rollcall.\n"
    )

