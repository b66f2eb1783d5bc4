import { listReserved } from '#db/inventory/admin-stock.ts'
import { findLots, listVariantsLots, type LotRow } from '#db/inventory/lots.ts'
import { listStocks } from '#db/inventory/stock.ts'
import { groupBy } from '#domain/group-by.ts'
import { leavesReserved, sumUnits, type LotUnits } from '#domain/inventory/lots.ts'
import type { Context } from '../context.ts'

/** The lots of a line of an order. */
type LineLots = { lots?: readonly LotUnits[] | undefined }

/** Lots as they are now, by id. */
export type StoredLots = ReadonlyMap<string, LotRow>

export async function readLots(db: Context['db'], lines: readonly LineLots[]): Promise<StoredLots> {
  const ids = lines.flatMap(({ lots = [] }) => lots.map(({ lotId }) => lotId))
  const rows = ids.length === 0 ? [] : await findLots(db, ids)
  return new Map(rows.map((lot) => [lot.id, lot]))
}

/** The stock of a variant, and its available lots with units, by expiry date. */
export type VariantStock = { onHand: number; reserved: number; available: LotRow[] }

export async function readVariantStock(
  db: Context['db'],
  variantIds: readonly string[],
): Promise<(variantId: string) => VariantStock> {
  const ids = [...new Set(variantIds)]
  if (ids.length === 0) return () => ({ onHand: 0, reserved: 0, available: [] })
  const stocks = await listStocks(db, ids)
  const reserved = await listReserved(db, ids)
  const lots = await listVariantsLots(db, ids)
  const usable = lots.filter(({ status, quantity }) => status === 'available' && quantity > 0)
  const lotsOf = groupBy(usable, ({ variantId }) => variantId)
  return (variantId) => {
    const available = lotsOf.get(variantId) ?? []
    // A deleted variant has no stock to read, but its lots can still be chosen.
    const onHand = stocks.get(variantId)
    return onHand === undefined
      ? { onHand: sumUnits(available), reserved: 0, available }
      : { onHand, reserved: reserved.get(variantId) ?? 0, available }
  }
}

/** The units of a line that return to the stock when its lots are replaced. */
export const unitsThatReturn = ({ lots = [] }: LineLots, stored: StoredLots): LotUnits[] =>
  lots.filter(({ lotId }) => stored.get(lotId)?.status === 'available')

/**
 * Whether the lots of a line can be replaced without units that customers who are checking out have
 * reserved.
 */
export const canReplaceLots = (line: LineLots, stored: StoredLots, stock: VariantStock): boolean =>
  leavesReserved(sumUnits(line.lots ?? []) - sumUnits(unitsThatReturn(line, stored)), stock)

/** Finds the available lots that may replace those of these lines. Without lines, reads nothing. */
export async function findReplacements<Line extends LineLots & { productVariantId: string }>(
  { db }: Pick<Context, 'db'>,
  lines: readonly Line[],
): Promise<(line: Line) => LotRow[]> {
  const stored = await readLots(db, lines)
  const stockOf = await readVariantStock(
    db,
    lines.map(({ productVariantId }) => productVariantId),
  )
  return (line) => {
    const stock = stockOf(line.productVariantId)
    return canReplaceLots(line, stored, stock) ? stock.available : []
  }
}
