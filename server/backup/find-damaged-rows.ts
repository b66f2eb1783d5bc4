import type { Db } from '#db/engine/client.ts'
import { countKeyIds, listRowsOfOtherKeys } from '#db/crypto/sealed-values.ts'
import type { KeyRing } from '../crypto/key-ring.ts'
import { sealedColumns } from '../crypto/sealed-columns.ts'

/**
 * Rows whose sealed value names no key: how many, and the first as `table ID`, with the id of a key
 * when the value has one. It is public, but of a damaged value only what has the form of an id is.
 */
export type DamagedRows = { count: number; rows: { row: string; keyId: string | null }[] }

/** An id that this many values name is a key that is missing. Fewer are damaged rows. */
const missingKeyValues = 10
const maxListed = 100
const keyIdForm = /^[\w-]{1,32}$/

/**
 * Finds the ids of the keys that the database needs, and the rows that are damaged. Without keys
 * to compare with, each id counts as needed.
 */
export async function findKeysAndDamagedRows(
  db: Db,
  ring: KeyRing | undefined,
): Promise<{ keyIds: string[]; damaged: DamagedRows }> {
  const perColumn = []
  const total = new Map<string, number>()
  for (const column of sealedColumns) {
    const counts = await countKeyIds(db, column)
    perColumn.push({ column, counts })
    for (const [id, count] of counts) total.set(id, (total.get(id) ?? 0) + count)
  }
  const isNeeded = (id: string, count: number): boolean =>
    !ring || ring.keys.has(id) || (count >= missingKeyValues && keyIdForm.test(id))
  const keyIds = [...total].flatMap(([id, count]) => (isNeeded(id, count) ? [id] : [])).toSorted()
  const known = [...(ring?.keys.keys() ?? []), ...keyIds]

  const damaged: DamagedRows = { count: 0, rows: [] }
  for (const { column, counts } of perColumn) {
    const others = [...counts].filter(([id]) => !known.includes(id))
    if (others.length === 0) continue
    damaged.count += others.reduce((sum, [, count]) => sum + count, 0)
    const limit = maxListed - damaged.rows.length
    // The ids of damaged values are any text, and there can be many. So the known ones are named.
    const rows = await listRowsOfOtherKeys(db, column, { keyIds: known, limit })
    for (const { row, keyId } of rows) {
      const named = keyId !== null && keyIdForm.test(keyId) ? keyId : null
      damaged.rows.push({ row: `${column.table} ${row}`, keyId: named })
    }
  }
  return { keyIds, damaged }
}
