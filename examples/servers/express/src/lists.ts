// The conventions that all lists share: filters, sort, include and page.
import type { Request, Response } from "express";
import { z } from "zod";
import { db } from "./database/connection";
import { type Filters, trashed } from "./filters";
import { firstPage, pageInQuery, setPageLinks } from "./habits";

const pageSize = 25;

const commaList = (allowed: string[]) =>
  z
    .string()
    .default("")
    .transform((text) => text.split(",").map((part) => part.trim()).filter(Boolean))
    .pipe(z.array(z.enum(allowed)));

export const includeInQuery = (relations: string[]) =>
  commaList(relations.flatMap((name) => [name, `${name}-count`, `${name}-exists`]));

// The bare parameter ?filter=text has no effect. Beside filter[name]=value, qs numbers its parts:
// filter=text&filter[state]=active becomes ["text", { state: "active" }].
function onlyNamedFilters(filter: unknown) {
  if (typeof filter !== "object" || filter === null) return {};
  const numberedParts = Object.entries(filter).filter(([name, part]) => /^\d+$/.test(name) && typeof part === "object");
  return Object.assign({}, filter, ...numberedParts.map(([, part]) => part));
}

export function defineList(options: { from: string; filters: Filters; sortFields: string[]; relations: string[] }) {
  const filters: Filters = { ...options.filters, trashed };
  const filterSchemas = Object.entries(filters).map(([name, { schema }]) => [name, schema.optional()]);
  const listQuery = z.object({
    filter: z.preprocess(onlyNamedFilters, z.object({ ...Object.fromEntries(filterSchemas), trashed: trashed.schema })),
    sort: commaList(options.sortFields.flatMap((field) => [field, `-${field}`])),
    include: includeInQuery(options.relations),
    page: pageInQuery,
  });

  return async function list(req: Request, res: Response) {
    const { filter, sort, include, page } = listQuery.parse(req.query);
    const query = db(options.from);
    for (const [name, value] of Object.entries(filter)) {
      if (value !== undefined) filters[name].apply(query, value);
    }
    const [{ total }]: any[] = await query.clone().count({ total: "*" });
    const offset = (page - firstPage) * pageSize;
    for (const field of [...sort, "id"]) {
      if (field.startsWith("-")) query.orderBy(field.slice(1), "desc");
      else query.orderBy(field);
    }
    const rows = await query.select("*").limit(pageSize).offset(offset);
    res.set("X-Total-Count", String(total));
    setPageLinks(res, page, offset + rows.length >= total);
    return { rows, include };
  };
}
