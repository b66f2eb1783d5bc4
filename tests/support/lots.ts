import type { Db } from '#db/engine/client.ts'
import type { LotUnits } from '#domain/inventory/lots.ts'
import { adjustmentSchema } from '#domain/inventory/stock-adjustment.ts'
import { verifyStock } from '#server/checkout/verify-stock.ts'
import type { Context } from '#server/context.ts'
import { adjustStock } from '#server/inventory/adjust-stock.ts'
import { readOrderLines } from '#server/orders/order-reader.ts'
import { testDay } from './catalog.ts'
import { testKeys } from './context.ts'

export const dayMs = 24 * 3600 * 1000
export const dayAfter = (days: number): Date => new Date(testDay.getTime() + days * dayMs)
export const expiryAfter = (days: number): string => dayAfter(days).toISOString().slice(0, 10)

export type LotInput = { lotNumber?: string; expiryDate?: string }
export const adjust = (ctx: Context, variantId: string, quantityChange: number, lot: LotInput = {}) =>
  adjustStock(
    ctx,
    adjustmentSchema.parse({ variantId, quantityChange, transactionType: 'adjustment', ...lot }),
  )

export async function verify(db: Db): Promise<string[]> {
  const messages: string[] = []
  await verifyStock({ db, keys: testKeys }, (message) => void messages.push(message))
  return messages
}

export async function stockOf(db: Db, id: string): Promise<number> {
  const query = db.selectFrom('productVariants').select('stockQuantity').where('id', '=', id)
  return (await query.executeTakeFirstOrThrow()).stockQuantity
}

export async function lotsOf(
  db: Db,
  variantId: string,
): Promise<Record<string, [status: string, quantity: number]>> {
  const lots = await db.selectFrom('stockLots').selectAll().where('variantId', '=', variantId).execute()
  return Object.fromEntries(lots.map((lot) => [lot.lotNumber, [lot.status, lot.quantity]]))
}

export async function idOf(db: Db, lotNumber: string): Promise<string> {
  const lot = await db
    .selectFrom('stockLots')
    .select('id')
    .where('lotNumber', '=', lotNumber)
    .executeTakeFirst()
  if (!lot) throw new Error(`There is no lot ${lotNumber}.`)
  return lot.id
}

/** The lots that an order's only line holds. */
export async function pickedBy(db: Db, orderId: string): Promise<LotUnits[]> {
  const row = await db.selectFrom('orders').selectAll().where('id', '=', orderId).executeTakeFirstOrThrow()
  return readOrderLines(testKeys, row)[0]?.lots ?? []
}

export const toText = (lots: readonly LotUnits[]): string =>
  lots.map(({ lotNumber, quantity }) => `${lotNumber}×${quantity}`).join(' ')
