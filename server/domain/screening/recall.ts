import type { RecallScope } from './recall-outcome.ts'

/** The list of the recalls that staff recorded. No import replaces it. */
export const recordedRecalls = 'recorded-recalls'

/** A recall as the shop keeps it. */
export type Recall = {
  /**
   * The FDA's recall number; "product-" and the product's number in the list without lots; "SHOP-"
   * and letters and digits of a recall that staff recorded.
   */
  id: string
  list: string
  recallClass: string
  status: string
  firm: string
  reason: string
  product: string
  /** YYYY-MM-DD. */
  initiated: string | null
  reported: string
  allLots: boolean
  /** What the report says of lots where none, or not all, could be read. */
  lotNote: string | null
  /** Eleven digits of a package, the nine of a product, or the code of a variant. */
  codes: readonly string[]
  /** As printed. */
  lots: readonly string[]
}

export const toScope = ({ status, allLots, lots, lotNote }: Recall): RecallScope => ({
  status,
  isForAllLots: allLots,
  listsAllLots: lots.length > 0 && lotNote === null,
  lots,
})

/**
 * "Recall D-0929-2023", or "recall D-0929-2023" inside a sentence; the list without lots has
 * numbers of FDA's dashboard.
 */
export const recallName = (id: string, { inSentence = false } = {}): string =>
  `${inSentence ? 'r' : 'R'}ecall ${id.replace(/^product-/, 'of FDA product ')}`

/** What an edition of a list changes about its recalls, by their ids. */
export type RecallChanges = { added: string[]; changed: string[]; removed: string[] }

/** Equal for recalls that mean the same for stock and orders. */
const fingerprint = ({ status, recallClass, reason, product, allLots, codes, lots }: Recall): string =>
  JSON.stringify([status, recallClass, reason, product, allLots, codes.toSorted(), lots.toSorted()])

/** @param after the recalls that the list will have afterwards */
export function compareRecalls(before: readonly Recall[], after: readonly Recall[]): RecallChanges {
  const old = new Map(before.map((recall) => [recall.id, fingerprint(recall)]))
  const ids = new Set(after.map(({ id }) => id))
  return {
    added: after.filter(({ id }) => !old.has(id)).map(({ id }) => id),
    changed: after
      .filter((recall) => (old.get(recall.id) ?? fingerprint(recall)) !== fingerprint(recall))
      .map(({ id }) => id),
    removed: [...old.keys()].filter((id) => !ids.has(id)),
  }
}
