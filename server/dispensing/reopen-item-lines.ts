import { unclearFillsOfItem } from '#db/dispensing/fills.ts'
import { reopenLinesOfItem } from '#db/dispensing/line-reviews.ts'
import type { Context } from '../context.ts'

/**
 * Returns what was cleared on an item and has not shipped to the queue: the item was edited, closed
 * or has expired (docs/dispensing.md, rule 7). Returns the orders concerned.
 */
export async function reopenItemLines({ db }: Pick<Context, 'db'>, itemId: string): Promise<string[]> {
  await unclearFillsOfItem(db, itemId)
  return reopenLinesOfItem(db, itemId)
}
