import { readsOneServer, type Db } from '../engine/client.ts'
import { readPageVersions } from './page-versions.ts'

/**
 * A read over the whole catalog that is repeated only after a change of it. The version is read
 * before the rows, so the value is never older than its version. A transaction sees changes that
 * have no version yet, so inside one each call reads.
 */
export function perCatalog<T>(read: (db: Db) => Promise<T>): (db: Db) => Promise<T> {
  const values = new WeakMap<Db, { catalog: string; value: Promise<T> }>()
  return async (db) => {
    if (!readsOneServer(db)) return read(db)
    const { catalog } = await readPageVersions(db)
    const known = values.get(db)
    if (known?.catalog === catalog) return known.value
    const value = read(db)
    values.set(db, { catalog, value })
    // The next call tries again. The error reaches this one's caller.
    value.catch(() => values.delete(db))
    return value
  }
}
