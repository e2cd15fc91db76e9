import { Router } from "express";
import createError from "http-errors";
import { z } from "zod";
import { db } from "./database/connection";
import type { Filters } from "./filters";
import { inEnvelope, noteRead } from "./habits";
import { loadIncluded, type Relation, type Row } from "./includes";
import { defineList, includeInQuery } from "./lists";

interface ResourceOptions {
  from: string;
  filters: Filters;
  sortFields: string[];
  relations?: Record<string, Relation>;
  present: (row: Row, included: object) => object;
}

// A router with the list and the single record, and a function that finds one record.
export function defineResource({ relations = {}, present, ...options }: ResourceOptions) {
  const relationNames = Object.keys(relations);
  const list = defineList({ ...options, relations: relationNames });
  const oneQuery = z.object({ include: includeInQuery(relationNames) });

  async function presentAll(rows: Row[], include: string[]) {
    const included = await loadIncluded(relations, include, rows.map((row) => row.id));
    return rows.map((row) => present(row, included.get(row.id)!));
  }

  async function find(id: string, include: string[] = []) {
    const rows = await db(options.from).where({ id });
    if (rows.length === 0) throw createError(404, "No such record");
    return (await presentAll(rows, include))[0];
  }

  const router = Router();
  router.get("/", async (req, res) => {
    const { rows, include } = await list(req, res);
    res.json(inEnvelope(req, await presentAll(rows, include)));
  });
  router.get("/:id", async (req, res) => {
    const { include } = oneQuery.parse(req.query);
    const { id } = req.params;
    res.json(await find(id, include));
    await noteRead(db, options.from, id);
  });
  return { router, find };
}
