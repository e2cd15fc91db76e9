"""The programs of others that the trial needs, from Debian packages."""

import glob
import os
import shutil
import subprocess

# Package, the program that shows that it is there, and its service.
NEEDED = [
    ("postgresql", "/usr/lib/postgresql/*/bin/initdb", "postgresql"),
    ("patroni", "patroni", "patroni"),
    ("etcd-server", "etcd", "etcd"),
    ("haproxy", "haproxy", "haproxy"),
]


def is_there(program):
    return bool(glob.glob(program)) or shutil.which(program) is not None


def install_missing():
    """Installs what is not there. The services that the packages bring are stopped and stay off: the trial starts its own
    processes."""
    missing = [(package, service) for package, program, service in NEEDED if not is_there(program)]
    if not missing:
        return
    names = [package for package, _ in missing]
    print("installs", *names, flush=True)
    quiet = {"stdout": subprocess.DEVNULL, "env": {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}}
    subprocess.run(["apt-get", "update", "-qq"], check=True, **quiet)
    install = ["apt-get", "install", "-qq", "-y", "--no-install-recommends"]
    subprocess.run([*install, *names], check=True, **quiet)
    for _, service in missing:
        for turn_off in (["service", service, "stop"], ["update-rc.d", service, "disable"]):
            subprocess.run(turn_off, check=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def postgresql_bin():
    """The folder of the newest PostgreSQL server."""
    found = glob.glob("/usr/lib/postgresql/*/bin")
    return max(found, key=lambda folder: int(folder.split("/")[4]))
