// The next page of a list, for clients that hand out the header `Link` as it is.

import LinkHeader from "http-link-header";

// The value of `page` in the link to the next page: a string, of which a client need not know more.
export function nextPage(link: string | null): string | undefined {
    const next = LinkHeader.parse(link ?? "").rel("next")[0];
    return next === undefined ? undefined : (new URL(next.uri).searchParams.get("page") ?? undefined);
}
