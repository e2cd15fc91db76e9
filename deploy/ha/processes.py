"""Processes that the trial starts, each ended by its pid. They end too when the trial itself is killed."""

import ctypes
import os
import signal
import subprocess
import time

LIBC = ctypes.CDLL(None)
PR_SET_PDEATHSIG = 1


def end_with_parent():
    LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGTERM)


def start(command, log, user=None, env=None):
    """Starts a program, its output going to a file. Only the main thread may call it: the kernel ends the process when the
    thread that started it ends."""
    as_user = {"user": user, "group": user, "extra_groups": []} if user else {}
    with open(log, "ab") as output:
        return subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=output, stderr=output, cwd="/",
            env={**os.environ, **(env or {})}, start_new_session=True, preexec_fn=end_with_parent, **as_user)


def kill(process):
    """As when a machine fails: without a chance to do anything."""
    if process.poll() is None:
        process.kill()
    process.wait()


def stop(process, patience=10):
    """Asks it to end, and kills it if it does not."""
    if process.poll() is None:
        process.terminate()
        try:
            process.wait(patience)
        except subprocess.TimeoutExpired:
            pass
    kill(process)


def children(parent):
    found = []
    for entry in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{entry}/stat") as stat:
                # The name, in parentheses, may have spaces.
                if int(stat.read().rpartition(")")[2].split()[1]) == parent:
                    found.append(int(entry))
        except OSError:
            pass  # It has ended meanwhile.
    return found


def kill_postmaster(data):
    """Kills the PostgreSQL server of a data folder with its processes. It is no child of ours but of Patroni."""
    try:
        with open(f"{data}/postmaster.pid") as pid_file:
            postmaster = int(pid_file.readline())
        with open(f"/proc/{postmaster}/cmdline") as command:
            if data not in command.read():
                return  # The file is old, and the number is another process now.
    except (OSError, ValueError):
        return
    for pid in [postmaster, *children(postmaster)]:
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
    wait_for(f"end of process {postmaster}", lambda: not os.path.exists(f"/proc/{postmaster}"), 10)


def wait_for(what, is_so, patience):
    """Waits until something is so; gives what `is_so` gave."""
    end = time.monotonic() + patience
    while True:
        try:
            found = is_so()
        except (OSError, ValueError):
            found = None
        if found:
            return found
        if time.monotonic() > end:
            raise TimeoutError(f"{what}: not within {patience} s")
        time.sleep(0.1)
