import type { Db } from '#db/engine/client.ts'
import { verifyStock } from '#server/checkout/verify-stock.ts'
import { testKeys } from './context.ts'

/** The sentences of `stock:verify` about stock that does not match its ledger. */
export async function findStockFaults(db: Db): Promise<string[]> {
  const found: string[] = []
  await verifyStock({ db, keys: testKeys }, (sentence) => found.push(sentence))
  return found
}
