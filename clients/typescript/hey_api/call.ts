// Calls a server with the client that hey-api made.

import assert from "node:assert/strict";
import { client } from "./generated/client.gen";
import * as api from "./generated";
import { nextPage } from "./next_page";

client.setConfig({ baseUrl: process.env.BASE_URL ?? "", auth: process.env.TOKEN ?? "" });

// Answers the id of a workspace user that was included.
async function filterSortInclude(): Promise<string> {
    // docs: begin
    const { data: users } = await api.listDirectoryUsers({
        query: {
            "filter[state]": "active",
            sort: ["-created_at", "id"],
            include: ["manager-user", "workspace-user"],
            "page[size]": 200,
        },
    });
    // docs: end
    assert(users && users.length > 0 && users.every((user) => user.state === "active"));
    const created = users.map((user) => user.timestamp.created_at);
    assert.deepEqual(created, created.toSorted().reverse());
    const managers = users.flatMap((user) => user.included.manager_user ?? []);
    assert.deepEqual(managers.map((manager) => manager.id), users.flatMap((user) => user.manager_id ?? []));
    assert(managers.length > 0 && managers.length < users.length);
    assert(users.some((user) => user.timestamp.expires_at === null));
    const workspaceUser = users.flatMap((user) => user.included.workspace_user ?? [])[0];
    assert(workspaceUser);
    return workspaceUser.id;
}

// Follows the links, then asks for the second page by its number.
async function allPages(): Promise<void> {
    const ids: string[] = [];
    let total = 0;
    let page: string | undefined;
    do {
        const query = { "page[size]": 50, "page[total]": true, ...(page === undefined ? {} : { page }) };
        const { data, response } = await api.listDirectoryUsers({ query });
        assert(data && response);
        ids.push(...data.map((user) => user.id));
        total = Number(response.headers.get("X-Total-Count"));
        page = nextPage(response.headers.get("Link"));
    } while (page !== undefined);
    assert.equal(new Set(ids).size, total);
    assert.equal(ids.length, total);
    const { data: second } = await api.listDirectoryUsers({ query: { "page[size]": 50, page: "2" } });
    assert.deepEqual(second?.map((user) => user.id), ids.slice(50, 100));
}

// One field twice is a bad sort.
async function refused(): Promise<void> {
    const { error } = await api.listDirectoryUsers({ query: { sort: ["id", "-id"] } });
    assert(error);
    assert.equal(error.status, 400);
    assert.equal(error.errors[0]?.parameter, "sort");
}

async function deprecateAttribute(): Promise<void> {
    const { data: attributes } = await api.listDirectoryAttributes({
        query: { "filter[state]": "active", "page[size]": 1 },
    });
    const attribute = attributes?.[0]?.id;
    assert(attribute);
    const { data } = await api.deprecateDirectoryAttribute({
        path: { attribute },
        body: { expires_after_days: 30, expires_at: null },
    });
    assert.equal(data?.state, "expiring");
    assert.equal(typeof data.timestamp.expires_at, "string");
}

async function restoreWorkspaceUser(user: string): Promise<void> {
    await api.deprecateWorkspaceUser({ path: { user }, body: {} });
    const { data } = await api.restoreWorkspaceUser({ path: { user }, body: { roles: true } });
    assert.equal(data?.state, "active");
}

async function main(): Promise<void> {
    const workspaceUser = await filterSortInclude();
    await allPages();
    await refused();
    await deprecateAttribute();
    await restoreWorkspaceUser(workspaceUser);
}

void main();
