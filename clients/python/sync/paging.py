"""All records of a list, page by page."""

import time
from collections.abc import Iterator
from typing import Any
from urllib.parse import urljoin, urlsplit

import requests
from requests.exceptions import ChunkedEncodingError, ConnectionError
from urllib3.util import Retry

Record = dict[str, Any]
WAITS = [0.5, 1, 2, 4, 8, 16]


# docs: begin
def records(server: str, token: str, path: str, query: dict[str, str]) -> Iterator[Record]:
    """The records of all pages. `Link` leads from page to page; the address in it has the whole query."""
    page, parameters = server + path, query
    while page:
        answer = get(page, parameters, token)
        yield from answer.json()
        page, parameters = urljoin(page, answer.links["next"]["url"]) if "next" in answer.links else "", {}
        if page and urlsplit(page)[:2] != urlsplit(server)[:2]:
            raise ValueError(f"the next page, {page}, is on another server, which must not get the token")


def get(page: str, query: dict[str, str], token: str) -> requests.Response:
    """An answer. After a 429, a 503 or a broken connection it is asked for again, when `Retry-After` allows it."""
    for wait in WAITS:
        try:
            answer = requests.get(page, query, headers={"Authorization": f"Bearer {token}"}, timeout=60)
            if answer.status_code not in (429, 503):
                answer.raise_for_status()
                return answer
            wait = Retry().get_retry_after(answer.raw) or wait
        except (ChunkedEncodingError, ConnectionError):
            pass
        time.sleep(wait)
    raise TimeoutError(f"{page} was asked for {len(WAITS)} times")


# docs: end
