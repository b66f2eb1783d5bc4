import { findLots } from '#db/inventory/lots.ts'
import { usableUntil, type LotUnits } from '#domain/inventory/lots.ts'
import { utcDay } from '#domain/prescriptions/prescriptions.ts'
import type { Context } from '../context.ts'

/** A line of an order with its lots, named as the signed-in user may see it. */
export type LineWithLots = {
  id: string
  product: { name: string }
  lots?: readonly LotUnits[] | undefined
  daysSupply?: number | undefined
}

/**
 * Why lines that are about to ship must be picked again: a lot is in quarantine, has expired, or
 * expires before the supply is used up. One sentence a line. Orders without lots read nothing.
 * @param arrivesBy `YYYY-MM-DD`, to name lots that expire on the way, which does not keep a line
 * from shipping
 */
export async function findLotProblems(
  { db, now }: Pick<Context, 'db' | 'now'>,
  lines: readonly LineWithLots[],
  arrivesBy: string | null = null,
): Promise<{ lineId: string; message: string }[]> {
  const ids = lines.flatMap(({ lots = [] }) => lots.map(({ lotId }) => lotId))
  if (ids.length === 0) return []
  const stored = new Map((await findLots(db, ids)).map((lot) => [lot.id, lot]))
  return lines.flatMap(({ id: lineId, product, lots = [], daysSupply }) => {
    const problems = lots.flatMap(({ lotId, lotNumber }) => {
      const lot = stored.get(lotId)
      if (lot?.status === 'quarantined') return [`Lot ${lotNumber} of ${product.name} is in quarantine.`]
      if (lot && lot.expiresOn < utcDay(now)) return [`Lot ${lotNumber} of ${product.name} has expired.`]
      if (lot && lot.expiresOn < usableUntil(now, daysSupply))
        return [`Lot ${lotNumber} of ${product.name} expires before the supply is used up.`]
      return lot && arrivesBy !== null && lot.expiresOn < arrivesBy
        ? [`Lot ${lotNumber} of ${product.name} expires before the order is expected to arrive.`]
        : []
    })
    return problems.length > 0 ? [{ lineId, message: `${problems.join(' ')} Choose other lots.` }] : []
  })
}
