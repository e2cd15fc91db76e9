// Habits of real teams. HABITS=name,name switches them on. With each of them the server still conforms.
import type { Response } from "express";
import type { Knex } from "knex";
import { z } from "zod";
import { anyDate } from "./dates";
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
