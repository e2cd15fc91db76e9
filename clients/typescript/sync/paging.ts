// All records of a list, page by page.

import { setTimeout } from "node:timers/promises";
import LinkHeader from "http-link-header";

const WAITS = [500, 1000, 2000, 4000, 8000, 16000];

// docs: begin
// The records of all pages. `Link` leads from page to page; the address in it has the whole query.
export async function* records<T>(list: URL, token: string): AsyncGenerator<T> {
    let page: URL | undefined = list;
    while (page !== undefined) {
        const answer: Response = await get(page, token);
        yield* (await answer.json()) as T[];
        const next = LinkHeader.parse(answer.headers.get("Link") ?? "").rel("next")[0]?.uri;
        page = next === undefined ? undefined : new URL(next, page);
        if (page && page.origin !== list.origin) {
            throw new Error(`the next page, ${page}, is on another server, which must not get the token`);
        }
    }
}

// An answer. After a 429, a 503 or a broken connection it is asked for again, when `Retry-After` allows it.
async function get(page: URL, token: string): Promise<Response> {
    for (const wait of WAITS) {
        const headers = { Authorization: `Bearer ${token}` };
        // Reads the whole answer, so that a connection that breaks off within it is noticed here.
        const [answer, body] = await fetch(page, { headers, signal: AbortSignal.timeout(60_000) })
            .then(async (answer) => [answer, await answer.text()] as const)
            .catch(() => [undefined, ""] as const);
        if (answer?.ok) return new Response(body, answer);
        if (answer && answer.status !== 429 && answer.status !== 503) throw new Error(`${answer.status}: ${body}`);
        await setTimeout(retryAfter(answer) ?? wait);
    }
    throw new Error(`${page} was asked for ${WAITS.length} times`);
}

// The milliseconds that an answer asks to wait: it says seconds, or a date.
function retryAfter(answer?: Response): number | undefined {
    const after = answer?.headers.get("Retry-After");
    if (!after) return undefined;
    const milliseconds = /^\d+$/.test(after) ? Number(after) * 1000 : Date.parse(after) - Date.now();
    return Number.isNaN(milliseconds) ? undefined : Math.max(milliseconds, 0);
}
// docs: end
