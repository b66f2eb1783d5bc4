import {
  findLot,
  findLotEvent,
  insertLotEvent,
  setLotStatus,
  writeOffUnits,
  type LotEventRow,
  type LotRow,
} from '#db/inventory/lots.ts'
import { lockVariants } from '#db/inventory/lock-variants.ts'
import { moveLot } from '#db/inventory/stock.ts'
import { shopSubjectId, type AuditAction } from '#domain/audit/audit.ts'
import { utcDay } from '#domain/days.ts'
import { AppError } from '#domain/errors.ts'
import { formatDay } from '#domain/format-day.ts'
import { isId, newId } from '#domain/ids.ts'
import type { WriteOff } from '#domain/inventory/lot-list.ts'
import { alreadyRecordedMessage } from '#domain/inventory/inventory-messages.ts'
import { lotStatusPhrases, type LotAction, type LotStatus } from '#domain/inventory/lots.ts'
import { isSame } from '#domain/is-same.ts'
import { recallName } from '#domain/screening/recall.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { inTransaction, type Context } from '../context.ts'
import { requirePermission } from '../require-user.ts'
import { findRecorded, retryWithKey } from '../retry-with-key.ts'
import { findLotRecall } from '../screening/find-line-recalls.ts'
import { toLotEntry } from './lot-entry.ts'
import { recordStock } from './record-stock.ts'

/** Throws NOT_FOUND. */
export async function requireLot({ db }: Pick<Context, 'db'>, lotId: string): Promise<LotRow> {
  const lot = isId(lotId) ? await findLot(db, lotId) : null
  if (!lot) throw new AppError('NOT_FOUND', 'Lot not found')
  return lot
}

/**
 * Puts a lot into quarantine: its units leave the stock by a ledger row, and are not sold. Throws
 * UNAUTHENTICATED, FORBIDDEN, NOT_FOUND, and CONFLICT when the lot is not available.
 */
export async function quarantineLot(ctx: Context, input: { lotId: string; reason: string }): Promise<void> {
  requirePermission(ctx, 'lots.quarantine')
  await holdLot(ctx, input)
}

/**
 * `quarantineLot` for a caller that decided it: an import of recalls, for which no user has to hold
 * the permission. Throws NOT_FOUND and CONFLICT.
 */
export const holdLot = (ctx: Context, { lotId, reason }: { lotId: string; reason: string }): Promise<void> =>
  moveStatus(ctx, { lotId, reason, from: 'available', to: 'quarantined', action: 'quarantined' })

/**
 * Returns the units of a quarantined lot to the stock. Throws UNAUTHENTICATED, FORBIDDEN,
 * NOT_FOUND, and CONFLICT when it is not in quarantine, has expired or is recalled.
 */
export async function releaseLot(
  ctx: Context,
  { lotId, reason }: { lotId: string; reason: string },
): Promise<void> {
  requirePermission(ctx, 'lots.quarantine')
  const problem = await findReleaseProblem(ctx, await requireLot(ctx, lotId))
  if (problem) throw new AppError('CONFLICT', problem.message)
  await moveStatus(ctx, { lotId, reason, from: 'quarantined', to: 'available', action: 'released' })
}

/** Why a lot in quarantine can't return to the stock; null when it can. */
export async function findReleaseProblem(
  ctx: Pick<Context, 'db' | 'now'>,
  { expiresOn, lotNumber, variantId }: Pick<LotRow, 'expiresOn' | 'lotNumber' | 'variantId'>,
): Promise<{ message: string; recallId: string | null } | null> {
  if (expiresOn < utcDay(ctx.now)) {
    const message = `Lot ${lotNumber} expired on ${formatDay(expiresOn)}. It can’t be sold.`
    return { message, recallId: null }
  }
  const recallId = await findLotRecall(ctx, { variantId, lotNumber })
  if (recallId === null) return null
  const message = `${recallName(recallId)} applies to lot ${lotNumber}. It can’t be sold: destroy it or return it, and write it off.`
  return { message, recallId }
}

/**
 * Puts a lot into quarantine in the transaction that received it, when it is recalled. Returns
 * whether it is.
 */
export async function holdIfRecalled(ctx: Context, lot: LotRow): Promise<boolean> {
  const recallId = lot.status === 'available' ? await findLotRecall(ctx, lot) : null
  if (recallId === null) return false
  await holdLot(ctx, { lotId: lot.id, reason: recallName(recallId) })
  return true
}

/** Takes an expired lot out of the stock. Returns false when another process did. */
export async function expireLot(ctx: Context, lotId: string): Promise<boolean> {
  try {
    await moveStatus(ctx, { lotId, reason: null, from: 'available', to: 'expired', action: 'expired' })
    return true
  } catch (error) {
    if (error instanceof AppError && error.code === 'CONFLICT') return false
    throw error
  }
}

/**
 * Removes units of a lot that is not available from the shelf: destroyed, or returned to the
 * supplier. They left the stock before, so the ledger gets no row. Throws UNAUTHENTICATED,
 * FORBIDDEN, NOT_FOUND, and CONFLICT when the lot is available, has fewer units, or has changed
 * since `version`. Calls with the same `requestKey` write the units off once: those after the first
 * return false. CONFLICT when the key belongs to another event.
 */
export async function writeOffLot(ctx: Context, input: WriteOff & { lotId: string }): Promise<boolean> {
  requirePermission(ctx, 'stock.write')
  const { lotId, quantity, version, reason, requestKey } = input
  const { lotNumber, variantId } = await requireLot(ctx, lotId)
  return retryWithKey(requestKey, () =>
    inTransaction(ctx, async (ctx) => {
      // Concurrent submissions of one form wait here, and find what the first one wrote.
      await lockVariants(ctx.db, [variantId])
      if (await findWriteOff(ctx, input)) return false
      if (!(await writeOffUnits(ctx.db, { id: lotId, quantity, version }))) {
        const message = `Lot ${lotNumber} has changed since you opened it. Check it and try again.`
        throw new AppError('CONFLICT', message)
      }
      await recordLotEvent(ctx, { id: requestKey, lotId, action: 'written-off', reason, quantity })
      return true
    }),
  )
}

/** The event of an earlier call with the same key. Throws CONFLICT for another event. */
const findWriteOff = (
  { db }: Context,
  { lotId, quantity, reason, requestKey }: WriteOff & { lotId: string },
): Promise<LotEventRow | null> =>
  findRecorded(requestKey, {
    find: (id) => findLotEvent(db, id),
    isSame: (event) => isSame(event, { ...event, lotId, action: 'written-off', quantity, reason }),
    conflict: (event) => alreadyRecordedMessage(event.quantity ?? 0),
  })

type Move = { lotId: string; reason: string | null; from: LotStatus; to: LotStatus; action: LotAction }

/** One of the statuses is `available`, so the units enter or leave the stock. */
async function moveStatus(ctx: Context, { lotId, reason, from, to, action }: Move): Promise<void> {
  const { variantId } = await requireLot(ctx, lotId)
  await inTransaction(ctx, async (ctx) => {
    await lockVariants(ctx.db, [variantId])
    const lot = await setLotStatus(ctx.db, { id: lotId, from, to })
    if (!lot) {
      const { lotNumber, status } = await requireLot(ctx, lotId)
      throw new AppError('CONFLICT', `Lot ${lotNumber} ${lotStatusPhrases[status]}.`)
    }
    const { quantity } = lot
    const change =
      quantity > 0 && (await moveLot(ctx.db, { lotId, variantId, quantity }, to === 'available' ? 1 : -1))
    if (change) await recordStock(ctx, toLotEntry(lot, change, to, reason))
    await recordLotEvent(ctx, { lotId, action, reason })
  })
}

async function recordLotEvent(
  ctx: Context,
  {
    id = newId(ctx.now.getTime()),
    ...event
  }: {
    id?: string | undefined
    lotId: string
    action: LotAction
    reason: string | null
    quantity?: number
  },
): Promise<void> {
  await insertLotEvent(ctx.db, { ...event, id, actorId: ctx.user?.id ?? null, at: ctx.now })
  const auditAction: AuditAction = `lot.${event.action}`
  await recordAudit(ctx, { action: auditAction, subjectId: shopSubjectId, objectId: event.lotId })
}
