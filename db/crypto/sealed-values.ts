import { sql, type RawBuilder } from 'kysely'
import { getEngine, type Db } from '../engine/client.ts'

/** A column of sealed values and the column that identifies its rows, both by their SQL names. */
export type SealedColumn = { table: string; column: string; row: string }
export type SealedValue = { row: string; value: string }

/** Values of a column that do not start with `prefix`, by row, after `after`. */
export async function listSealedUnderOtherKeys(
  db: Db,
  { table, column, row }: SealedColumn,
  { prefix, after, limit }: { prefix: string; after: string; limit: number },
): Promise<SealedValue[]> {
  const { rows } = await sql<SealedValue>`
    select ${sql.ref(row)} as ${sql.ref('row')}, ${sql.ref(column)} as ${sql.ref('value')} from ${sql.table(table)}
    where ${sql.ref(row)} > ${after} and substr(${sql.ref(column)}, 1, ${sql.lit(prefix.length)}) <> ${prefix}
    order by ${sql.ref(row)} limit ${limit}
  `.execute(db)
  return rows
}

/**
 * Replaces values in one short transaction. A row that has changed since is left as it is. Returns
 * how many were replaced.
 */
export async function replaceSealed(
  db: Db,
  { table, column, row }: SealedColumn,
  values: readonly { row: string; from: string; to: string }[],
): Promise<number> {
  return db.transaction().execute(async (tx) => {
    let changed = 0n
    for (const { row: id, from, to } of values) {
      const { numAffectedRows = 0n } = await sql`
        update ${sql.table(table)} set ${sql.ref(column)} = ${to}
        where ${sql.ref(row)} = ${id} and ${sql.ref(column)} = ${from}
      `.execute(tx)
      changed += numAffectedRows
    }
    return Number(changed)
  })
}

/** The id of the key that sealed a value (`v1.ID.…`), or any text when it was not sealed. */
function keyIdOf(db: Db, column: string): RawBuilder<string> {
  const from4 = sql`substr(${sql.ref(column)}, 4, 33)`
  return getEngine(db) === 'postgres'
    ? sql`split_part(${from4}, '.', 1)`
    : sql`substr(${from4}, 1, instr(${from4}, '.') - 1)`
}

/** How many of a column's values each key sealed, by its id. Reads the whole column. */
export async function countKeyIds(db: Db, { table, column }: SealedColumn): Promise<Map<string, number>> {
  const { rows } = await sql<{ id: string; values: number | string }>`
    select ${keyIdOf(db, column)} as ${sql.ref('id')}, count(*) as ${sql.ref('values')}
    from ${sql.table(table)} where ${sql.ref(column)} is not null group by 1
  `.execute(db)
  return new Map(rows.map(({ id, values }) => [id, Number(values)]))
}

/**
 * The first rows whose value names none of these keys, and what the value has in the place of the
 * id, which is any text.
 */
export async function listRowsOfOtherKeys(
  db: Db,
  { table, column, row }: SealedColumn,
  { keyIds, limit }: { keyIds: readonly string[]; limit: number },
): Promise<{ row: string; keyId: string | null }[]> {
  const { rows } = await sql<{ row: string; key: string | null }>`
    select ${sql.ref(row)} as ${sql.ref('row')},
      case when substr(${sql.ref(column)}, 1, 3) = 'v1.' then ${keyIdOf(db, column)} end as ${sql.ref('key')}
    from ${sql.table(table)}
    where ${sql.ref(column)} is not null and ${keyIdOf(db, column)} not in (${sql.join(keyIds)})
    order by ${sql.ref(row)} limit ${limit}
  `.execute(db)
  return rows.map(({ row, key }) => ({ row, keyId: key }))
}
