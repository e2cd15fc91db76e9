import type { Knex } from "knex";

export type Row = Record<string, any>;

export interface Relation {
  many: boolean;
  // Every row carries the identifier of the record that it belongs to, as owner_id.
  rows: (ownerIds: string[]) => Knex.QueryBuilder<any, any>;
  present: (rows: Row[]) => object[] | Promise<object[]>;
}

// Gives the `included` object of each owner: records for R, a number for R-count, true or false for R-exists.
export async function loadIncluded(relations: Record<string, Relation>, include: string[], ownerIds: string[]) {
  const included = new Map<string, Row>(ownerIds.map((id) => [id, {}]));
  for (const [name, relation] of Object.entries(relations)) {
    const wanted = (suffix: string) => include.includes(name + suffix);
    if (!wanted("") && !wanted("-count") && !wanted("-exists")) continue;
    const member = name.replaceAll("-", "_");
    const rows: Row[] = await relation.rows(ownerIds);
    const records = wanted("") ? await relation.present(rows) : [];
    for (const [ownerId, target] of included) {
      const count = rows.filter((row) => row.owner_id === ownerId).length;
      const owned = records.filter((_, position) => rows[position].owner_id === ownerId);
      if (wanted("")) target[member] = relation.many ? owned : (owned[0] ?? null);
      if (wanted("-count")) target[`${member}_count`] = count;
      if (wanted("-exists")) target[`${member}_exists`] = count > 0;
    }
  }
  return included;
}
