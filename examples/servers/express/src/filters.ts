import type { Knex } from "knex";
import { z } from "zod";
import { dateInQuery, millisecondText } from "./dates";
import { compareTimestamp } from "./habits";

interface Filter {
  schema: z.ZodType;
  apply: (query: Knex.QueryBuilder, value: any) => void;
}
export type Filters = Record<string, Filter>;

export const exact = (column: string, schema: z.ZodType = z.string()): Filter => ({
  schema,
  apply: (query, value) => query.where(column, value),
});

// A search for "50%" or "a_b" must not treat % and _ as wildcards.
const likePattern = (text: string) => `%${text.replace(/[\\%_]/g, "\\$&")}%`;

const search = (condition: string, column: string): Filter => ({
  schema: z.string(),
  apply: (query, text) => query.whereRaw(condition, [column, likePattern(text)]),
});
const contains = (column: string) => search("?? like ? escape '\\'", column);
export const someValueContains = (jsonColumn: string) =>
  search("exists (select 1 from json_each(??) as member where member.value like ? escape '\\')", jsonColumn);

export const exactAndSearch = (...columns: string[]): Filters =>
  Object.fromEntries(columns.flatMap((column) => [[column, exact(column)], [`${column}_search`, contains(column)]]));

// { created: "created_at" } gives filter[created_before] and filter[created_after].
export const dateFilters = (columns: Record<string, string>, toText = millisecondText): Filters => {
  const compare = (column: string, operator: "<" | ">"): Filter => ({
    schema: dateInQuery,
    apply: (query, date) => compareTimestamp(query, column, operator, toText(date)),
  });
  const pairs = Object.entries(columns).flatMap(([name, column]) => [
    [`${name}_before`, compare(column, "<")],
    [`${name}_after`, compare(column, ">")],
  ]);
  return Object.fromEntries(pairs);
};

export const trashed: Filter = {
  schema: z.enum(["without", "with", "only"]).catch("without"),
  apply: (query, choice) => {
    if (choice === "without") query.whereNull("deleted_at");
    if (choice === "only") query.whereNotNull("deleted_at");
  },
};
