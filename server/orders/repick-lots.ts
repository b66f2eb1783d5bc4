import { listAvailableLots, returnToLots, takeFromLots } from '#db/inventory/lots.ts'
import { lockVariants } from '#db/inventory/lock-variants.ts'
import { takeUnreserved } from '#db/inventory/stock.ts'
import { sumLotChanges, toLotChanges, type LotChange } from '#db/inventory/stock-change.ts'
import { lockOrder, updateOrderLines } from '#db/orders/orders.ts'
import { listLineRefunds } from '#db/orders/refunds.ts'
import { AppError } from '#domain/errors.ts'
import {
  lotsOfUnits,
  pickLots,
  replaceLots,
  sumUnits,
  usableUntil,
  type LotDays,
  type LotUnits,
} from '#domain/inventory/lots.ts'
import { noLineRefunds, unitsLeftToShip, type LineRefunds } from '#domain/orders/line-refunds.ts'
import { canCancel } from '#domain/orders/order-status.ts'
import { linesLeftToShip, remainingLines, type OrderLine } from '#domain/orders/orders.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { inTransaction, type Context } from '../context.ts'
import { recordStock } from '../inventory/record-stock.ts'
import { requirePermission } from '../require-user.ts'
import { retryOnConflict } from '../retry-on-conflict.ts'
import { findArrival } from './find-arrival.ts'
import { findOrder, refuseOwnOrder, type CustomerOrder } from './find-order.ts'
import { openContent, sealOrder } from './sealed-order.ts'

type Choice = {
  lineId: string
  /** The lot that was taken from the shelf; null to pick what expires first. */
  lotId: string | null
}

/** `isChanged`: false when the line keeps the lots that it had. */
type Repick = { isChanged: boolean }

/**
 * Picks the lots of a line again, before its order ships: its lot is in quarantine, or another one
 * was taken from the shelf. The former units return to their lots. Units that other customers have
 * reserved are not picked. Throws UNAUTHENTICATED, FORBIDDEN, NOT_FOUND, INVALID (lineId), and
 * CONFLICT when the order has shipped or no lot has enough.
 */
export async function repickLots(
  ctx: Context,
  { orderId, ...choice }: Choice & { orderId: string },
): Promise<Repick> {
  requirePermission(ctx, 'orders.ship')
  return retryOnConflict(async () => {
    const row = await findOrder(ctx, orderId)
    refuseOwnOrder(ctx, row)
    return inTransaction(ctx, async (ctx) => {
      const repick = await repickLine(ctx, row, choice)
      if (!repick) return null
      await recordAudit(ctx, { action: 'order.changed', subjectId: row.userId, objectId: orderId })
      return repick
    })
  })
}

/**
 * `repickLots` in the caller's transaction.
 * @param daysSupply how long the line's units last; what the order has of it when omitted
 * @returns null and changes nothing when the order has changed since it was read
 */
export async function repickLine(
  ctx: Context,
  row: CustomerOrder,
  { lineId, lotId, daysSupply }: Choice & { daysSupply?: number },
): Promise<Repick | null> {
  // Before the stock, as every change of an order locks them.
  const locked = await lockOrder(ctx.db, row.id)
  if (locked?.version !== row.version) return null
  const content = openContent(ctx.keys, row)
  const line = remainingLines(content).find(({ id, isTracked }) => id === lineId && isTracked)
  if (!line) throw new AppError('INVALID', undefined, { fields: { lineId: 'Choose a line of this order.' } })
  if (!canCancel(row.status)) {
    throw new AppError('CONFLICT', 'This order has already shipped or was cancelled.')
  }
  const allRefunds = await listLineRefunds(ctx.db, [row.id])
  const refunds = allRefunds.get(lineId) ?? noLineRefunds
  const known = daysSupply ?? line.daysSupply
  const left = linesLeftToShip(content, allRefunds)
  const arrivesBy = await findArrival(ctx, row, { lines: left, shipTo: content.shipTo })
  const lastingUntil = usableUntil(ctx.now, known, arrivesBy)
  // A lot that staff choose must last until the arrival. Otherwise those that do come first.
  const usable = lotId === null ? usableUntil(ctx.now, known) : lastingUntil
  const pick = { refunds, lotId, usableUntil: usable, lastingUntil }
  const { lots, isChanged } = await swapLots(ctx, line, pick)
  const changedLine = { ...line, lots, ...(known !== undefined && { daysSupply: known }) }
  const lines = content.lines.map((one) => (one.id === lineId ? changedLine : one))
  const changed = {
    ...row,
    sealedOrder: sealOrder(ctx.keys, row.id, { ...content, lines }),
    updatedAt: ctx.now,
  }
  return (await updateOrderLines(ctx.db, changed)) ? { isChanged } : null
}

/**
 * Returns the units that are left to ship to their lots and picks as many again. Returns all lots
 * of the line, and whether other units were picked.
 */
async function swapLots(
  ctx: Context,
  { productVariantId: variantId, quantity: ordered, lots = [], product }: OrderLine,
  { refunds, lotId, ...days }: LotDays & { refunds: LineRefunds; lotId: string | null },
): Promise<Repick & { lots: LotUnits[] }> {
  const { db } = ctx
  const positions = unitsLeftToShip(ordered, refunds)
  const quantity = positions.length
  const returned = lotsOfUnits(lots, positions)
  await lockVariants(db, [variantId])
  const available = new Set(
    (await returnToLots(db, returned)).flatMap(({ id, status }) => (status === 'available' ? [id] : [])),
  )
  const back = returned.filter(({ lotId }) => available.has(lotId))
  const inNoLot = quantity - sumUnits(returned)
  const change = await takeUnreserved(db, { variantId, quantity: quantity - sumUnits(back) - inNoLot })
  const all = await listAvailableLots(db, variantId)
  const candidates = lotId === null ? all : all.filter(({ id }) => id === lotId)
  const onHand = lotId === null ? (change?.after ?? 0) + quantity : sumUnits(candidates)
  const picked = change && pickLots(candidates, { quantity, onHand, ...days })
  if (!picked || !(await takeFromLots(db, picked))) {
    throw new AppError(
      'CONFLICT',
      `${product.name}: ${lotId === null ? 'no other stock has' : 'this lot doesn’t have'} ${quantity === 1 ? '1 unit that lasts' : `${quantity} units that last`} long enough.`,
    )
  }
  const changes = mergeChanges([...toLotChanges(back, 1), ...toLotChanges(picked, -1)])
  const isChanged = changes.length > 0 || change.after !== change.before
  if (isChanged) {
    const entry = { change: { ...change, lots: changes }, notes: 'Other lots for an order' }
    await recordStock(ctx, { ...entry, transactionType: 'adjustment' })
  }
  return { isChanged, lots: replaceLots(lots, { quantity: ordered, positions, picked }) }
}

/** One change a lot; lots that gain what they lose are left out. */
const mergeChanges = (changes: readonly LotChange[]): LotChange[] =>
  [...sumLotChanges(changes)].flatMap(([lotId, change]) => (change === 0 ? [] : [{ lotId, change }]))
