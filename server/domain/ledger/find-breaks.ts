import type { LedgerChange } from './ledger.ts'

/** A row that does not start where the previous row of its variant ended. */
export type LedgerBreak = {
  /** The row's id. */
  id: string
  variantId: string
  /** The quantity that the previous row left; 0 before the first. */
  endedAt: number
  /** The quantity that the row starts at. */
  before: number
}

/** @param changes of one variant, in their sequence */
export const findBreaks = (changes: readonly LedgerChange[]): LedgerBreak[] =>
  changes.flatMap(({ id, variantId, before }, i) => {
    const previous = changes[i - 1]
    const endedAt = previous ? previous.before + previous.change : 0
    return before === endedAt ? [] : [{ id, variantId, endedAt, before }]
  })
