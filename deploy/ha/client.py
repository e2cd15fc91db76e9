"""A client of two servers: it asks the other one when one does not answer."""

import http.client
import itertools
import json
import re
import time
from urllib.parse import urlsplit

PATIENCE = 10
PAUSE = 0.1


class Client:
    """For one thread. `ledger` gets every answer that no outage explains."""

    def __init__(self, ports, token, ledger, stopped):
        self.ports, self.token, self.ledger, self.stopped = ports, token, ledger, stopped
        self.turns = itertools.cycle(ports)
        self.connections = {}

    def get(self, path, headers=None):
        return self.ask("GET", path, headers=headers)

    def ask(self, method, path, body=None, headers=None):
        """Asks the servers in turn until one answers with success: the answer's headers and its JSON. `None` if the trial
        ended before, or if the answer is a fault."""
        while not self.stopped.is_set():
            try:
                status, answer, text = self.once(next(self.turns), method, path, body, headers or {})
            except (OSError, http.client.HTTPException):
                time.sleep(PAUSE)
                continue
            if status == 503 and answer.get("Retry-After"):
                time.sleep(PAUSE)
                continue
            if status == 200:
                self.ledger.succeeded(method)
                return answer, json.loads(text)
            self.ledger.wrong(f"{method} {path}: {status} {text[:300].decode(errors='replace')}")
            if status < 500:
                return None
            time.sleep(PAUSE)
        return None

    def once(self, port, method, path, body, headers):
        if port not in self.connections:
            self.connections[port] = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
        connection = self.connections[port]
        headers = {**headers, "Authorization": f"Bearer {self.token}"}
        if body is not None:
            headers["Content-Type"] = "application/json"
        try:
            connection.request(method, path, None if body is None else json.dumps(body), headers)
            answer = connection.getresponse()
            return answer.status, answer.headers, answer.read()
        except (OSError, http.client.HTTPException):
            connection.close()
            raise

    def all_of(self, path):
        """Every record of a list, page after page by its links, each page from the next server. `None` if the trial ended
        before."""
        records = []
        while path:
            answered = self.get(path)
            if answered is None:
                return None
            headers, page = answered
            records += page
            path = next_page(headers)
        return records


def next_page(headers):
    """Path and query of the link to the next page."""
    found = re.search(r'<([^>]*)>; rel="next"', headers.get("Link", ""))
    if not found:
        return None
    link = urlsplit(found[1])
    return f"{link.path}?{link.query}"
