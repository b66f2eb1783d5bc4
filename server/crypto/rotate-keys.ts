import type { Db } from '#db/engine/client.ts'
import { listSealedOtherwise, replaceSealed } from '#db/crypto/sealed-values.ts'
import type { AssociatedData } from './bindings.ts'
import type { KeyRing } from './key-ring.ts'
import { seal, unseal } from './sealing.ts'
import { sealedColumns, type MasterKeyColumn } from './sealed-columns.ts'

/** So few that writers on SQLite wait some milliseconds for it at most. */
const batch = 100
/** One for the rows, one for those that were written meanwhile; a third finds nothing unless a process still seals as before. */
const maxPasses = 3

export type Rotation = {
  /** Values that were sealed anew, by `table.column`. */
  rewrapped: Map<string, number>
  /** What could not be, with how many rows: a key that is missing, a value that does not open. */
  faults: Map<string, number>
  /** Whether the last pass still found values that were sealed under an older key since. */
  isOutrun: boolean
}

/**
 * Seals everything that stands under an older key of the ring under its current one, beside the running shop: each row on condition
 * that it still holds what was read. Broken off, it is run again; run again, it finds nothing.
 */
export async function rotateKeys(db: Db, ring: KeyRing): Promise<Rotation> {
  const rewrapped = new Map<string, number>()
  for (let passes = 1; ; passes++) {
    const faults = new Map<string, number>()
    let found = 0
    for (const column of sealedColumns) {
      const count = await rewrapColumn(db, ring, column, faults)
      if (count > 0) add(rewrapped, nameOf(column), count)
      found += count
    }
    if (found === 0 || passes === maxPasses) return { rewrapped, faults, isOutrun: found > 0 }
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
    const values = await listSealedOtherwise(db, column, { prefix, after, limit: batch })
    const fresh = values.flatMap(({ row, value }) => {
      const to = rewrap(ring, column.binding(row), value)
      if (to !== null) return [{ row, from: value, to }]
      add(faults, faultOf(ring, column, value), 1)
      return []
    })
    if (fresh.length > 0) count += await replaceSealed(db, column, fresh)
    after = values.at(-1)?.row ?? after
    if (values.length < batch) return count
  }
}

function rewrap(ring: KeyRing, data: AssociatedData, value: string): string | null {
  try {
    return seal(ring, data, unseal(ring, data, value))
  } catch {
    // Node's own errors say no more than that it does not open; `faultOf` says why, and the rows behind it are still done.
    return null
  }
}

function faultOf(ring: KeyRing, column: MasterKeyColumn, value: string): string {
  const keyId = /^v1\.([\w-]{1,32})\./.exec(value)?.[1]
  if (keyId === undefined) return `${nameOf(column)} holds no sealed value`
  return ring.keys.has(keyId)
    ? `${nameOf(column)} does not open with the key ${keyId}`
    : `${nameOf(column)} is sealed under the key ${keyId}, which is missing`
}

const nameOf = ({ table, column }: MasterKeyColumn): string => `${table}.${column}`

const add = (counts: Map<string, number>, name: string, count: number): void =>
  void counts.set(name, (counts.get(name) ?? 0) + count)
