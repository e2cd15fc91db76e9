from rest_framework.pagination import PageNumberPagination
from rest_framework.response import Response


class LinkHeaderPagination(PageNumberPagination):
    """The bare list as the body; the other pages and the total in headers."""

    def get_paginated_response(self, data):
        links = {"next": self.get_next_link(), "prev": self.get_previous_link()}
        headers = {"X-Total-Count": self.page.paginator.count}
        if any(links.values()):
            headers["Link"] = ", ".join(f'<{url}>; rel="{rel}"' for rel, url in links.items() if url)
        return Response(data, headers=headers)
