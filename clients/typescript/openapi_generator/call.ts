// Calls a server with the client that OpenAPI Generator made.

import assert from "node:assert/strict";
import { Configuration, DirectoryApi, ProblemFromJSON, ResponseError, WorkspaceApi } from "./generated";
import { nextPage } from "./next_page";

const configuration = new Configuration({
    basePath: process.env.BASE_URL ?? "",
    accessToken: process.env.TOKEN ?? "",
});
const directory = new DirectoryApi(configuration);
const workspace = new WorkspaceApi(configuration);

// Answers the id of a workspace user that was included.
async function filterSortInclude(): Promise<string> {
    // docs: begin
    const users = await directory.listDirectoryUsers({
        filterState: "active",
        sort: ["-created_at", "id"],
        include: ["manager-user", "workspace-user"],
        pageSize: 200,
    });
    // docs: end
    assert(users.length > 0 && users.every((user) => user.state === "active"));
    const created = users.map((user) => user.timestamp.createdAt.getTime());
    assert.deepEqual(created, created.toSorted((a, b) => b - a));
    const managers = users.flatMap((user) => user.included.managerUser ?? []);
    assert.deepEqual(managers.map((manager) => manager.id), users.flatMap((user) => user.managerId ?? []));
    assert(managers.length > 0 && managers.length < users.length);
    assert(users.some((user) => user.timestamp.expiresAt === null));
    const workspaceUser = users.flatMap((user) => user.included.workspaceUser ?? [])[0];
    assert(workspaceUser);
    return workspaceUser.id;
}

// Follows the links, then asks for the second page by its number.
async function allPages(): Promise<void> {
    const ids: string[] = [];
    let total = 0;
    let page: string | undefined;
    do {
        const query = { pageSize: 50, pageTotal: true, ...(page === undefined ? {} : { page }) };
        const answer = await directory.listDirectoryUsersRaw(query);
        ids.push(...(await answer.value()).map((user) => user.id));
        total = Number(answer.raw.headers.get("X-Total-Count"));
        page = nextPage(answer.raw.headers.get("Link"));
    } while (page !== undefined);
    assert.equal(new Set(ids).size, total);
    assert.equal(ids.length, total);
    const second = await directory.listDirectoryUsers({ pageSize: 50, page: "2" });
    assert.deepEqual(second.map((user) => user.id), ids.slice(50, 100));
}

// One field twice is a bad sort. The generated client hands out the body of a refusal undecoded.
async function refused(): Promise<void> {
    const answer = directory.listDirectoryUsers({ sort: ["id", "-id"] });
    const refusal: unknown = await answer.catch((error: unknown) => error);
    assert(refusal instanceof ResponseError);
    const problem = ProblemFromJSON(await refusal.response.json());
    assert.equal(problem.status, 400);
    assert.equal(problem.errors[0]?.parameter, "sort");
}

async function deprecateAttribute(): Promise<void> {
    const attributes = await directory.listDirectoryAttributes({ filterState: "active", pageSize: 1 });
    const attribute = attributes[0]?.id;
    assert(attribute);
    const answer = await directory.deprecateDirectoryAttribute({
        attribute,
        deprecateRequest: { expiresAfterDays: 30, expiresAt: null },
    });
    assert.equal(answer.state, "expiring");
    assert(answer.timestamp.expiresAt instanceof Date);
}

async function restoreWorkspaceUser(user: string): Promise<void> {
    await workspace.deprecateWorkspaceUser({ user, deprecateRequest: {} });
    const answer = await workspace.restoreWorkspaceUser({ user, restoreRequest: { roles: true } });
    assert.equal(answer.state, "active");
}

async function main(): Promise<void> {
    const workspaceUser = await filterSortInclude();
    await allPages();
    await refused();
    await deprecateAttribute();
    await restoreWorkspaceUser(workspaceUser);
}

void main();
