import { perCatalog } from '../catalog/catalog-memo.ts'
import type { Db } from '../engine/client.ts'

/** Counting this many matches costs more than finding the first ones. */
const many = 200
/** Bounds memory, because visitors choose the texts. A collection that is full is cleared. */
const maxTexts = 500

/** Texts, with their `countTo`, that had many matches when last counted. */
const commonKeys = new Set<string>()
const totalsOf = perCatalog(async () => new Map<string, number>())

export type KnownTotal = { total: number | null; keep: (total: number) => void }

/**
 * How many documents match a text that has many matches. It is counted once per change of the
 * catalog: the total is null when it must be counted, and `keep` takes the new one. For other
 * texts, nothing is looked up, because reading the catalog's version costs a query.
 */
export async function findKnownTotal(
  db: Db,
  { text, countTo }: { text: string; countTo: number },
): Promise<KnownTotal> {
  const key = `${countTo} ${text}`
  if (!commonKeys.has(key)) {
    const keep = (total: number): void => {
      if (total < many) return
      if (commonKeys.size >= maxTexts) commonKeys.clear()
      commonKeys.add(key)
    }
    return { total: null, keep }
  }
  // Before the count, so that a total is never older than its version.
  const totals = await totalsOf(db)
  const keep = (total: number): void => {
    if (totals.size >= maxTexts) totals.clear()
    totals.set(key, total)
  }
  return { total: totals.get(key) ?? null, keep }
}
