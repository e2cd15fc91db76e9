// Habits of real teams. HABITS=name,name switches them on. With each of them the server still conforms.
import type { Request, Response } from "express";
import type { Knex } from "knex";
import { z } from "zod";
import { anyDate, microsecondText } from "./dates";
import { type habitNames, serverAddress, settings } from "./settings";

const has = (habit: (typeof habitNames)[number]) => settings.HABITS.includes(habit);

// pages-from-0
export const firstPage = has("pages-from-0") ? 0 : 1;

// etag: Express hashes the body and answers 304 to a matching If-None-Match.
export const etagSetting = has("etag") ? "weak" : false;

// null-word: people whose data looks like a missing value.
export const nullWordPeople: { last_name?: string; badge_id?: string; username?: string }[] = has("null-word")
  ? [{ last_name: "Null" }, { badge_id: "null" }, { username: "undefined" }]
  : [];

// day-bounds: the time of day does not count.
export function compareTimestamp(query: Knex.QueryBuilder, column: string, operator: "<" | ">", bound: string) {
  if (has("day-bounds")) query.whereRaw(`date(??) ${operator} date(?)`, [column, bound]);
  else query.where(column, operator, bound);
}

// coerce: bodies may carry a number as text and a date without a time.
const numberOrText: z.ZodType<number | string> = has("coerce")
  ? z.union([z.number(), z.string().trim().min(1)])
  : z.number();
export const daysInBody = numberOrText.pipe(z.coerce.number<number | string>().int().min(0).max(1095));
const isoDateTime = z.iso.datetime({ offset: true, local: true });
export const dateInBody = (has("coerce") ? z.union([isoDateTime, z.iso.date()]) : isoDateTime).pipe(anyDate);

// cursor-links: a Link header whose addresses carry an opaque page value.
const toCursor = (page: number) => Buffer.from(`page:${page}`).toString("base64url");
const fromCursor = (text: string) => /^page:(\d+)$/.exec(Buffer.from(text, "base64url").toString())?.[1] ?? text;
const pageNumber = z.coerce.number<string>().int().min(firstPage).max(1_000_000_000);
export const pageInQuery = z
  .string()
  .default(String(firstPage))
  .transform((text) => (has("cursor-links") ? fromCursor(text) : text))
  .pipe(pageNumber);

export function setPageLinks(res: Response, page: number, isLastPage: boolean) {
  if (!has("cursor-links")) return;
  const address = (otherPage: number) => {
    const url = new URL(res.req.originalUrl, serverAddress);
    url.searchParams.set("page", toCursor(otherPage));
    return url.href;
  };
  if (!isLastPage) res.links({ next: address(page + 1) });
  if (page > firstPage) res.links({ prev: address(page - 1) });
}

// hal: lists are in the envelope of HAL.
export function inEnvelope(req: Request, records: object[]): object {
  if (!has("hal")) return records;
  const name = req.baseUrl.split("/").pop()!;
  return { _links: { self: { href: req.originalUrl } }, _embedded: { [name]: records }, count: records.length };
}

// queued-writes: a write is carried out after its answer, which has status 202 and the record as it was.
export const writtenStatus = has("queued-writes") ? 202 : 200;

export async function write(change: () => Promise<unknown>) {
  if (has("queued-writes")) setTimeout(async () => await change(), 150);
  else await change();
}

// read-audit: reading a record changes its updated_at.
export async function noteRead(db: Knex, view: string, id: string) {
  if (has("read-audit")) {
    await db(view.replace("_records", "s")).where({ id }).update({ updated_at: microsecondText(new Date()) });
  }
}
