import type { Db } from '#db/engine/client.ts'
import { sumAvailableLots } from '#db/inventory/lots.ts'

/** The units in lots of variants whose stock an edit sets; reads nothing for none. */
export const sumLots = (db: Db, variantIds: readonly string[]): Promise<ReadonlyMap<string, number>> =>
  variantIds.length === 0 ? Promise.resolve(new Map()) : sumAvailableLots(db, variantIds)

/** Why a variant's stock can't be set: its lots hold more. The form, the API and imports say it. */
export function findLotProblem(
  { id, stockQuantity }: { id: string; stockQuantity: number },
  inLots: ReadonlyMap<string, number>,
): string | null {
  const units = inLots.get(id) ?? 0
  if (stockQuantity >= units) return null
  return `${units.toLocaleString('en-US')} units are in lots. Lower the stock of the lot on the Inventory page.`
}
