"""A PostgreSQL cluster of three nodes that fails over: etcd, Patroni and HAProxy on loopback."""

import json
import os
import subprocess
import urllib.error
import urllib.request

import processes

NODES = 3
PATRONI = """\
scope: rollcall
name: node{n}
restapi: {{listen: '127.0.0.1:{rest}', connect_address: '127.0.0.1:{rest}'}}
etcd3: {{hosts: [{etcd}]}}
bootstrap:
  dcs:
    ttl: 20
    loop_wait: 5
    retry_timeout: 5
    maximum_lag_on_failover: 1048576
    synchronous_mode: true
    postgresql:
      use_pg_rewind: true
      parameters: {{max_connections: 100, wal_keep_size: 512MB}}
  initdb: [{{encoding: UTF8}}, {{locale: C.UTF-8}}, data-checksums]
postgresql:
  listen: 127.0.0.1:{sql}
  connect_address: 127.0.0.1:{sql}
  data_dir: {data}
  bin_dir: {bin}
  pgpass: {folder}/pgpass{n}
  authentication:
    superuser: {{username: postgres, password: trial}}
    replication: {{username: replicator, password: trial}}
  parameters: {{unix_socket_directories: '{folder}', shared_buffers: 64MB}}
  pg_hba: [host all all 127.0.0.1/32 trust, host replication all 127.0.0.1/32 trust, local all all trust]
"""
HAPROXY = """\
global
    maxconn 1000
defaults
    mode tcp
    timeout connect 2s
    timeout check 3s
    timeout client 30m
    timeout server 30m
    # A node that refuses a connection is no primary any more: the next one is tried at once, and checks are close together
    # while a node is changing.
    retries 1
    option redispatch 1
    default-server inter 500ms fastinter 100ms downinter 100ms fall 2 rise 1 on-marked-down shutdown-sessions
"""
LISTEN = """\
listen {name}
    bind 127.0.0.1:{port}
    option httpchk GET {check}
    http-check expect status 200
"""


class Cluster:
    """The ports from `first_port` on are its own."""

    def __init__(self, folder, first_port, bin_folder, user):
        self.folder, self.bin, self.user = folder, bin_folder, user
        ports = iter(range(first_port, first_port + 20))
        nodes = range(NODES)
        self.etcd_client, self.etcd_peer = [next(ports) for _ in nodes], [next(ports) for _ in nodes]
        self.sql, self.rest = [next(ports) for _ in nodes], [next(ports) for _ in nodes]
        self.primary_port, self.replica_port = next(ports), next(ports)
        self.etcd, self.patroni, self.haproxy = {}, {}, None

    def start(self):
        for n in range(NODES):
            self.start_etcd(n)
        for n in range(NODES):
            self.configure_node(n)
            self.start_node(n)
        self.start_haproxy()
        self.wait_until_whole(180)

    def stop(self):
        if self.haproxy:
            processes.stop(self.haproxy)
        for n in self.patroni:
            self.kill_node(n)
        for process in self.etcd.values():
            processes.stop(process)

    # etcd

    def start_etcd(self, n):
        address = "http://127.0.0.1:{}".format
        members = ",".join(f"etcd{m}={address(port)}" for m, port in enumerate(self.etcd_peer))
        client, peer = address(self.etcd_client[n]), address(self.etcd_peer[n])
        self.etcd[n] = processes.start(
            ["etcd", "--name", f"etcd{n}", "--data-dir", f"{self.folder}/etcd{n}", "--initial-cluster", members,
             "--listen-client-urls", client, "--advertise-client-urls", client,
             "--listen-peer-urls", peer, "--initial-advertise-peer-urls", peer,
             "--heartbeat-interval", "200", "--election-timeout", "2000"],
            f"{self.folder}/etcd{n}.log", self.user)

    def etcd_leader(self):
        """The number of the member that leads, asked of each."""
        for n, port in enumerate(self.etcd_client):
            status = ask(port, "/v3/maintenance/status", {})
            if status["leader"] == status["header"]["member_id"]:
                return n
        raise ValueError("etcd has no leader")

    def kill_etcd(self, n):
        processes.kill(self.etcd[n])

    # Patroni and PostgreSQL

    def data(self, n):
        return f"{self.folder}/data{n}"

    def configure_node(self, n):
        with open(f"{self.folder}/patroni{n}.yml", "w") as file:
            file.write(PATRONI.format(
                n=n, rest=self.rest[n], sql=self.sql[n], data=self.data(n), bin=self.bin, folder=self.folder,
                etcd=", ".join(f"'127.0.0.1:{port}'" for port in self.etcd_client)))

    def start_node(self, n):
        self.patroni[n] = processes.start(
            ["patroni", f"{self.folder}/patroni{n}.yml"], f"{self.folder}/patroni{n}.log", self.user)

    def kill_node(self, n):
        """As when the machine of the node fails: Patroni goes first, so that it restarts nothing."""
        processes.kill(self.patroni[n])
        processes.kill_postmaster(self.data(n))

    def members(self):
        for port in self.rest:
            try:
                return ask(port, "/cluster")["members"]
            except (OSError, ValueError):
                continue
        raise ValueError("no node answers")

    def leader(self):
        """The number of the node that says itself that it is the primary."""
        for n, port in enumerate(self.rest):
            try:
                if ask(port, "/primary"):
                    return n
            except (OSError, ValueError):
                continue
        raise ValueError("there is no primary")

    def wait_until_whole(self, patience=120):
        """Until there is a leader, a synchronous standby and one more replica."""
        def is_whole():
            for n, process in self.patroni.items():
                if process.poll() is not None:
                    raise RuntimeError(f"Patroni has ended; its log is {self.folder}/patroni{n}.log")
            found = self.members()
            running = [member for member in found if member["state"] in ("running", "streaming")]
            roles = sorted(member["role"] for member in running)
            return roles == ["leader", "replica", "sync_standby"] and self.leader() is not None
        processes.wait_for("a leader with two replicas", is_whole, patience)

    def switch_over(self):
        """Makes the synchronous standby the leader, as an operator does before work on a machine."""
        names = {member["role"]: member["name"] for member in self.members()}
        port = self.rest[int(names["leader"].removeprefix("node"))]
        ask(port, "/switchover", {"leader": names["leader"], "candidate": names["sync_standby"]}, patience=60)

    def sql_on(self, port, statement, database="postgres"):
        done = subprocess.run(
            [f"{self.bin}/psql", "-XAtq", "-h", "127.0.0.1", "-p", str(port), "-U", "postgres", "-c", statement, database],
            check=True, capture_output=True, text=True, cwd="/")
        return done.stdout.strip()

    # HAProxy

    def start_haproxy(self):
        path = f"{self.folder}/haproxy.cfg"
        with open(path, "w") as file:
            file.write(HAPROXY)
            for name, port, check in (("primary", self.primary_port, "/primary"),
                                      ("replica", self.replica_port, "/replica?lag=1MB")):
                file.write(LISTEN.format(name=name, port=port, check=check))
                for n in range(NODES):
                    file.write(f"    server node{n} 127.0.0.1:{self.sql[n]} check port {self.rest[n]}\n")
        os.chmod(path, 0o644)
        self.haproxy = processes.start(["haproxy", "-db", "-f", path], f"{self.folder}/haproxy.log", self.user)


def ask(port, path, body=None, patience=3):
    """What a service of the cluster says, as JSON if it is; an error if its status is none of success."""
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(f"http://127.0.0.1:{port}{path}", data, {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=patience) as answer:
        text = answer.read()
    try:
        return json.loads(text)
    except ValueError:
        return text
