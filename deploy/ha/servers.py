"""Two API servers on one database."""

import os

import processes
from cluster import ask


class Servers:
    """They listen on `ports` and have the public URL of the first."""

    def __init__(self, binary, folder, ports, cluster, token):
        self.binary, self.folder, self.ports, self.token = binary, folder, ports, token
        address = "postgres://postgres@127.0.0.1:{}/rollcall".format
        self.primary, self.replica = address(cluster.primary_port), address(cluster.replica_port)
        self.running = {}

    def fill(self, users):
        """Makes the directory that the trial works on."""
        port = self.ports[0]
        demo = self.run(["demo", "--users", str(users), "--listen", f"127.0.0.1:{port}"], "demo",
                        {"ROLLCALL_TOKEN": self.token}, ["--database", self.primary])
        self.running["demo"] = demo
        self.wait_until_ready(port, 300, demo)
        processes.stop(demo, 30)

    def start(self, n):
        public = f"http://127.0.0.1:{self.ports[0]}/api/v1"
        self.running[n] = self.run(
            ["serve", "--listen", f"127.0.0.1:{self.ports[n]}", "--public-url", public, "--log", "warn"], f"server{n}",
            {"ROLLCALL_DATABASE": self.primary, "ROLLCALL_DATABASE_REPLICA": self.replica})
        self.wait_until_ready(self.ports[n], 60, self.running[n])

    def kill(self, n):
        processes.kill(self.running[n])

    def stop(self):
        for process in self.running.values():
            processes.stop(process)

    def run(self, words, name, env, more=()):
        path = os.path.abspath(self.binary)
        return processes.start([path, *words, *more], f"{self.folder}/{name}.log", env=env)

    def wait_until_ready(self, port, patience, process):
        def is_ready():
            if process.poll() is not None:
                raise RuntimeError(f"the server on port {port} has ended; its log is in {self.folder}")
            return ask(port, "/health/ready")
        processes.wait_for(f"server on port {port}", is_ready, patience)
