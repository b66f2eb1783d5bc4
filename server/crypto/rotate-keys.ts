import type { Db } from '#db/engine/client.ts'
import { listSealedUnderOtherKeys, replaceSealed } from '#db/crypto/sealed-values.ts'
import type { AssociatedData } from './bindings.ts'
import type { KeyRing } from './key-ring.ts'
import { requestErasure } from './request-erasure.ts'
import { noSuchKey, seal, unseal } from './sealing.ts'
import { sealedColumns, type MasterKeyColumn } from './sealed-columns.ts'

/** Small enough that writers on SQLite wait a few milliseconds for it at most. */
const batch = 100
/**
 * One pass for the rows and one for rows written in the meantime. A third finds nothing unless a
 * process still seals under an older key.
 */
const maxPasses = 3

export type Rotation = {
  /** Values that were resealed, by `table.column`. */
  rewrapped: Map<string, number>
  /**
   * What could not be resealed, with the number of rows: a missing key, a value that does not open.
   */
  faults: Map<string, number>
  /** Whether the last pass still found values under an older key. */
  isIncomplete: boolean
}

/**
 * Reseals everything under an older key of the ring with its current key, alongside the running
 * shop. Each row is updated only if it still holds the value that was read. It can be interrupted
 * and run again; a finished rotation finds nothing. Then requests that the replaced values are
 * erased from the database's files.
 */
export async function rotateKeys(db: Db, ring: KeyRing): Promise<Rotation> {
  const rewrapped = new Map<string, number>()
  for (let passes = 1; ; passes++) {
    const faults = new Map<string, number>()
    let found = 0
    for (const column of sealedColumns) {
      const count = await rewrapColumn(db, ring, column, faults)
      if (count > 0) increment(rewrapped, columnName(column), count)
      found += count
    }
    if (found > 0 && passes < maxPasses) continue
    await requestErasure({ db, now: new Date() }, 'key')
    return { rewrapped, faults, isIncomplete: found > 0 }
  }
}

async function rewrapColumn(
  db: Db,
  ring: KeyRing,
  column: MasterKeyColumn,
  faults: Map<string, number>,
): Promise<number> {
  const prefix = `v1.${ring.current}.`
  let count = 0
  let after = ''
  for (;;) {
    const values = await listSealedUnderOtherKeys(db, column, { prefix, after, limit: batch })
    const replacements = values.flatMap(({ row, value }) => {
      const to = rewrap(ring, column.binding(row), value)
      if (to !== null) return [{ row, from: value, to }]
      increment(faults, findFault(ring, column, value), 1)
      return []
    })
    if (replacements.length > 0) count += await replaceSealed(db, column, replacements)
    after = values.at(-1)?.row ?? after
    if (values.length < batch) return count
  }
}

function rewrap(ring: KeyRing, data: AssociatedData, value: string): string | null {
  try {
    return seal(ring, data, unseal(ring, data, value))
  } catch {
    // Node's error says only that the value does not open. `findFault` finds the reason, and the
    // remaining rows are still processed.
    return null
  }
}

function findFault(ring: KeyRing, column: MasterKeyColumn, value: string): string {
  const keyId = /^v1\.([\w-]{1,32})\./.exec(value)?.[1]
  if (keyId === undefined) return `${columnName(column)} does not hold a sealed value`
  return ring.keys.has(keyId)
    ? `${columnName(column)} could not be decrypted with the key ${keyId}`
    : noSuchKey(columnName(column), keyId)
}

const columnName = ({ table, column }: MasterKeyColumn): string => `${table}.${column}`

const increment = (counts: Map<string, number>, name: string, count: number): void =>
  void counts.set(name, (counts.get(name) ?? 0) + count)
