import { findLot, type LotRow } from '#db/inventory/lots.ts'
import { lockVariants } from '#db/inventory/lock-variants.ts'
import { changeStock, findIsOnSale, findStock } from '#db/inventory/stock.ts'
import { shopSubjectId } from '#domain/audit/audit.ts'
import { AppError } from '#domain/errors.ts'
import { isId } from '#domain/ids.ts'
import { maxStock, type InventoryTransaction } from '#domain/inventory/inventory.ts'
import { signedChange } from '#domain/inventory/inventory-messages.ts'
import { normalizeLotNumber } from '#domain/inventory/lot-fields.ts'
import type { LotStatus } from '#domain/inventory/lots.ts'
import type { Adjustment } from '#domain/inventory/stock-adjustment.ts'
import { toTransaction, type LedgerChange } from '#domain/ledger/ledger.ts'
import { recallName } from '#domain/screening/recall.ts'
import { requirePermission } from '../require-user.ts'
import { findRecorded, retryWithKey } from '../retry-with-key.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { inTransaction, type Context } from '../context.ts'
import { findChange } from '../ledger/find-change.ts'
import { adjustLot } from '../lots/adjust-lot.ts'
import { findFullRecall } from '../screening/find-full-recall.ts'
import { holdIfRecalled } from './quarantine-lot.ts'
import { recordStock } from './record-stock.ts'

/** The lot may be left out: the units are then in none. */
type AdjustmentInput = Omit<Adjustment, 'lotNumber' | 'expiryDate'> &
  Partial<Pick<Adjustment, 'lotNumber' | 'expiryDate'>> & {
    requestKey?: string | undefined
    keepsOffSale?: boolean | undefined
  }

/** A row of the ledger with its lot as it now is, if it has one. */
export type AdjustmentRow = InventoryTransaction & {
  lotNumber?: string
  expiryDate?: string
  lotStatus?: LotStatus
}

/** What an undo needs. */
export type UndoableAdjustment = AdjustmentRow & {
  /** Whether the variant was on sale before; null for a repeated call, which no longer knows. */
  wasOnSale: boolean | null
}

/**
 * Adds to or subtracts from a variant's stock, in a lot or in none, and returns the ledger row. An
 * adjustment may take reserved stock: damaged units are gone, and a paid checkout without stock is
 * refunded. Throws UNAUTHENTICATED, FORBIDDEN, INVALID (variantId, lotNumber, expiryDate), and
 * CONFLICT when the stock or the lot would go below zero or above the maximum, or the lot is not
 * available. A lot that is recalled goes into quarantine at once: its `lotStatus` says so, and
 * another row takes its units out of the stock. Calls with the same `requestKey`
 * change the stock once and return the same row; CONFLICT when the key belongs to another change.
 */
export async function adjustStock(ctx: Context, input: AdjustmentInput): Promise<AdjustmentRow> {
  const { wasOnSale: _, ...row } = await adjustStockWithUndo(ctx, input)
  return row
}

/** `adjustStock` for a page that offers to undo it. */
export async function adjustStockWithUndo(ctx: Context, input: AdjustmentInput): Promise<UndoableAdjustment> {
  requirePermission(ctx, 'stock.write')
  return retryWithKey(input.requestKey, () => inTransaction(ctx, (ctx) => adjustInTransaction(ctx, input)))
}

async function adjustInTransaction(ctx: Context, input: AdjustmentInput): Promise<UndoableAdjustment> {
  const { variantId, quantityChange, transactionType, notes, requestKey, keepsOffSale } = input
  const { lotNumber = null, expiryDate = null } = input
  // Concurrent submissions of one form wait here, and find what the first one wrote.
  if (isId(variantId)) await lockVariants(ctx.db, [variantId])
  const earlier = await findEarlier(ctx, input)
  if (earlier) return { ...earlier, wasOnSale: null }
  const wasOnSale = isId(variantId) ? await findIsOnSale(ctx.db, variantId) : null
  const change = isId(variantId)
    ? await changeStock(ctx.db, { variantId, change: quantityChange, now: ctx.now, keepsOffSale })
    : null
  if (!change) return throwNotAdjusted(ctx, variantId, quantityChange)
  const lot = await adjustLot(ctx, change, { lotNumber, expiryDate })
  const lots = lot ? [{ lotId: lot.id, change: quantityChange }] : []
  const entry = { change: { ...change, lots }, transactionType, notes, id: requestKey }
  const row = await recordStock(ctx, entry)
  const isHeld = lot !== null && quantityChange > 0 && (await holdIfRecalled(ctx, lot))
  if (!lot && quantityChange > 0) await requireNoRecall(ctx, variantId)
  await recordAudit(ctx, { action: 'stock.adjusted', subjectId: shopSubjectId, objectId: variantId })
  const adjusted = lot ? withLot(row, isHeld ? { ...lot, status: 'quarantined' } : lot) : row
  return { ...adjusted, wasOnSale }
}

const withLot = (row: InventoryTransaction, { lotNumber, expiresOn, status }: LotRow): AdjustmentRow => ({
  ...row,
  lotNumber,
  expiryDate: expiresOn,
  lotStatus: status,
})

type Recorded = { change: LedgerChange; lot: LotRow | null }

/** The row that an earlier call with the same key wrote; null when there was none. */
async function findEarlier(ctx: Context, input: AdjustmentInput): Promise<AdjustmentRow | null> {
  const earlier = await findRecorded(input.requestKey, {
    find: (id) => findChangeWithLot(ctx, id),
    isSame: (recorded) => isSameAdjustment(recorded, input),
    conflict: ({ change: { change } }) =>
      `This request already changed the stock by ${signedChange(change)}. Check the stock before you change it again.`,
  })
  if (!earlier) return null
  const row = toTransaction(earlier.change)
  return earlier.lot ? withLot(row, earlier.lot) : row
}

async function findChangeWithLot(ctx: Context, id: string): Promise<Recorded | null> {
  const change = await findChange(ctx, id)
  const [lotUnits] = change?.lots ?? []
  return change && { change, lot: lotUnits ? await findLot(ctx.db, lotUnits.lotId) : null }
}

const isSameAdjustment = ({ change, lot }: Recorded, input: AdjustmentInput): boolean =>
  change.variantId === input.variantId &&
  change.change === input.quantityChange &&
  change.type === input.transactionType &&
  change.notes === input.notes &&
  normalizeLotNumber(lot?.lotNumber ?? '') === normalizeLotNumber(input.lotNumber ?? '') &&
  // Only a new lot needs its expiry date, and a removal ignores it.
  (input.expiryDate == null || input.quantityChange < 0 || lot?.expiresOn === input.expiryDate)

/** Throws INVALID (lotNumber) for units in no lot of a package of which all lots are recalled. */
async function requireNoRecall(ctx: Context, productVariantId: string): Promise<void> {
  const recallId = await findFullRecall(ctx, productVariantId)
  if (recallId === null) return
  const lotNumber = `${recallName(recallId)} is for all lots of this package. Enter the lot, which then goes into quarantine, or return the units.`
  throw new AppError('INVALID', undefined, { fields: { lotNumber } })
}

/** Throws the reason why the stock was not changed. */
async function throwNotAdjusted(ctx: Context, variantId: string, quantityChange: number): Promise<never> {
  const stock = isId(variantId) ? await findStock(ctx.db, variantId) : null
  if (stock === null) {
    throw new AppError('INVALID', undefined, { fields: { variantId: 'This variant doesn’t exist.' } })
  }
  const sentence =
    quantityChange < 0
      ? `You can’t remove ${-quantityChange} units. There are ${stock} on hand.`
      : `Stock can’t exceed ${maxStock} units. There are ${stock} on hand.`
  throw new AppError('CONFLICT', sentence, { fields: { quantityChange: sentence } })
}
