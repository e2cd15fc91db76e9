"""What the client does all the time: changes, reads, filters and a crawl, each in threads of its own."""

import random
import threading
import time
import traceback
import uuid
from urllib.parse import quote

from client import Client

API = "/api/v1"
WRITERS, READERS = 4, 2


class Load:
    def __init__(self, ports, token, ledger):
        self.ledger, self.ports, self.token = ledger, ports, token
        self.no_more_changes, self.stopped = threading.Event(), threading.Event()
        self.client = self.new_client()
        self.learn()
        self.writers = [self.thread(self.change, self.paths[n::WRITERS]) for n in range(WRITERS)]
        self.others = [self.thread(work) for work in [self.read] * READERS + [self.read_filters, self.crawl]]

    def thread(self, work, *words):
        def run():
            try:
                work(*words)
            except Exception as why:  # A thread that ends early would find nothing wrong any more.
                self.ledger.wrong(f"{work.__name__} ended early: {why!r}")
                traceback.print_exc()
        return threading.Thread(target=run)

    def new_client(self):
        return Client(self.ports, self.token, self.ledger, self.stopped)

    def learn(self):
        """What is there before anything fails."""
        users = self.client.all_of(f"{API}/workspace/users?filter[state]=active")
        # The owner of the token stays as it is.
        users = [user for user in users if user["handle"] != "operator"][:28]
        attributes = self.client.all_of(f"{API}/directory/attributes?filter[state]=active")[:4]
        self.emails = {user["id"]: user["email"] for user in users}
        self.paths = [f"{API}/workspace/users/{user['id']}" for user in users]
        self.paths += [f"{API}/directory/attributes/{attribute['id']}" for attribute in attributes]
        self.logged_before = {path: {entry["id"] for entry in self.log(path)} for path in self.paths}
        self.people = [person["id"] for person in self.client.all_of(f"{API}/directory/users")]
        if len(self.paths) < WRITERS or len(self.people) != len(set(self.people)):
            raise ValueError("this directory does not suit the trial")

    def log(self, path):
        return self.client.all_of(f"{API}/workspace/logs?filter[record_id]={path.rpartition('/')[2]}")

    def start(self):
        for thread in self.writers + self.others:
            thread.start()

    def stop(self):
        self.no_more_changes.set()
        self.stopped.set()
        for thread in self.writers + self.others:
            if thread.is_alive():
                thread.join()

    def finish(self, patience):
        """Lets every change be acknowledged, and ends the threads."""
        self.no_more_changes.set()
        end = time.monotonic() + patience
        for thread in self.writers:
            thread.join(max(0, end - time.monotonic()))
            if thread.is_alive():
                self.ledger.wrong(f"a change was not acknowledged for {patience} s, though all servers run")
        self.stop()
        self.stopped.clear()

    def change(self, paths):
        """Changes its records one after the other. A change is tried under one key, at one server and at the other, until it
        is acknowledged."""
        client, chance = self.new_client(), random.Random()
        while not self.no_more_changes.is_set():
            path, days = chance.choice(paths), chance.randint(30, 1000)
            key = {"Idempotency-Key": uuid.uuid4().hex}
            answered = client.ask("PATCH", f"{path}/deprecate", {"expires_after_days": days}, key)
            if answered:
                headers, record = answered
                self.ledger.acknowledge(path, days, record, headers.get("Rollcall-Position"))
            time.sleep(0.03)

    def read(self):
        """Reads records that were changed, by turns with the position of the change and without."""
        client, chance = self.new_client(), random.Random()
        while not self.stopped.is_set():
            path = chance.choice(self.paths)
            since = self.ledger.last(path)
            time.sleep(0.01)
            if not since:
                continue
            knows = since.position is not None and chance.random() < 0.7
            answered = client.get(path, {"Rollcall-Position": since.position} if knows else None)
            if answered:
                self.ledger.read(path, since, answered[1], knows)

    def read_filters(self):
        """Reads lists by filters, and looks at every record."""
        client, chance = self.new_client(), random.Random()
        while not self.stopped.is_set():
            state = chance.choice(["active", "deactivated"])
            self.list_only(client, f"{API}/directory/users?page[size]=20&filter[state]={state}", "state", state)
            user, email = chance.choice(list(self.emails.items()))
            found = self.list_only(client, f"{API}/workspace/users?filter[email]={quote(email)}", "email", email)
            if found is not None and user not in [record["id"] for record in found]:
                self.ledger.wrong(f"the filter for {email} does not find {user}")
            time.sleep(0.05)

    def list_only(self, client, path, member, value):
        answered = client.get(path)
        if answered is None:
            return None
        others = [record.get("id") for record in answered[1] if record.get(member) != value]
        if others:
            self.ledger.wrong(f"GET {path} lets others through: {others}")
        return answered[1]

    def crawl(self):
        """Reads all people in small pages, over and over, each page from the next server."""
        client, expected = self.new_client(), set(self.people)
        while not self.stopped.is_set():
            people = client.all_of(f"{API}/directory/users?page[size]=5")
            if people is not None:
                self.ledger.crawled(expected, [person["id"] for person in people])

    def judge(self):
        """Compares what was acknowledged with what is there in the end."""
        gone = 0
        for path in self.paths:
            last = self.ledger.last(path)
            answered = self.client.get(path, {"Rollcall-Position": last.position} if last and last.position else None)
            record, log = answered[1] if answered else None, self.log(path)
            if record is None or log is None:
                self.ledger.fault("lost", f"{path} cannot be read in the end")
                continue
            self.ledger.compare(path, record, [entry for entry in log if entry["id"] not in self.logged_before[path]])
            gone += self.ledger.seen_and_gone(path, log)
        return gone
