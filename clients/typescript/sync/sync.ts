// Keeps a copy of all directory users in a file of JSON lines: `BASE_URL=… TOKEN=… node sync.js users.jsonl`.
// The first run reads all of them, each further run those that have changed since.

import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { records } from "./paging";

interface User {
    id: string;
    timestamp: { updated_at: string | null };
}

// docs: begin
async function sync(file: string): Promise<string> {
    const lines = existsSync(file) ? readFileSync(file, "utf8").split("\n").filter(Boolean) : [];
    const copy = new Map(lines.map((line) => JSON.parse(line) as User).map((user) => [user.id, user]));
    const list = new URL(`${process.env.BASE_URL}/directory/users`);
    // A user who was deleted has to be known as deleted.
    list.search = new URLSearchParams({ "filter[trashed]": "with", sort: "updated_at,id", "page[size]": "100" }).toString();
    const newest = [...copy.values()].flatMap((user) => user.timestamp.updated_at ?? []).sort().at(-1);
    if (newest !== undefined) {
        // A second earlier: a change that was committed late may have a timestamp that the last run has passed already.
        list.searchParams.set("filter[updated_after]", new Date(Date.parse(newest) - 1000).toISOString());
    }
    let [added, changed] = [0, 0];
    for await (const user of records<User>(list, process.env.TOKEN ?? "")) {
        const before = copy.get(user.id);
        if (before === undefined) added += 1;
        else if (!isDeepStrictEqual(before, user)) changed += 1;
        copy.set(user.id, user);
    }
    // A new file takes the place of the old one, so that a copy is never half written.
    const users = [...copy.keys()].sort().map((id) => `${JSON.stringify(copy.get(id))}\n`);
    writeFileSync(`${file}.new`, users.join(""));
    renameSync(`${file}.new`, file);
    return `${copy.size} users: ${added} added, ${changed} changed`;
}
// docs: end

void sync(process.argv[2] ?? "users.jsonl").then(console.log);
