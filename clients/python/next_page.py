"""The next page of a list, for clients that hand out the header `Link` as it is."""

from urllib.parse import parse_qs, urlsplit

from requests.utils import parse_header_links


def next_page(link: str) -> str | None:
    """The value of `page` in the link to the next page: a string, of which a client need not know more."""
    links = {one.get("rel"): one["url"] for one in parse_header_links(link)}
    return parse_qs(urlsplit(links["next"]).query)["page"][0] if "next" in links else None
