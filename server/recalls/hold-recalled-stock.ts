import { lockVariant } from '#db/catalog/catalog-edit.ts'
import { listVariantNames } from '#db/inventory/admin-stock.ts'
import { sumAvailableLots } from '#db/inventory/lots.ts'
import {
  addRecallHold,
  endRecallHold,
  findRecallHoldEvent,
  insertRecallHoldEvent,
  listRecalledVariantIds,
} from '#db/recalls/recalled-stock.ts'
import { lockVariants } from '#db/inventory/lock-variants.ts'
import { changeStock, findStock, takeFromStock } from '#db/inventory/stock.ts'
import { listRecalls } from '#db/screening/recalls.ts'
import { shopSubjectId } from '#domain/audit/audit.ts'
import { labelOfRow } from '#domain/catalog/form-label.ts'
import { hasNul } from '#domain/clean-text.ts'
import { AppError } from '#domain/errors.ts'
import { newId } from '#domain/ids.ts'
import { alreadyRecordedMessage } from '#domain/inventory/inventory-messages.ts'
import { isSame } from '#domain/is-same.ts'
import type { EndHold } from '#domain/screening/recall-hold.ts'
import { isOngoing } from '#domain/screening/recall-outcome.ts'
import { recallName, type Recall } from '#domain/screening/recall.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { refreshCatalog } from '../catalog/refresh-catalog.ts'
import { saveVariantEdits } from '../catalog/save-variants.ts'
import { inTransaction, type Context } from '../context.ts'
import { holdLot } from '../inventory/quarantine-lot.ts'
import { recordStock } from '../inventory/record-stock.ts'
import { toAppError, toOperatorMessage } from '../errors.ts'
import { requirePermission } from '../require-user.ts'
import { findRecorded, retryWithKey } from '../retry-with-key.ts'
import { findLineRecalls } from '../screening/find-line-recalls.ts'
import { findRecalledStock, type RecalledStock } from './find-recall-effects.ts'

/** What left the stock: lots, and units in no lot. And how many packages went off sale. */
export type HeldStock = { lots: number; looseUnits: number; takenOffSale: number }

/**
 * Takes recalled stock out of what is sold: lots go into quarantine, and units in no lot leave the
 * stock, each by a ledger row. A package without a count of its units goes off sale. What another
 * process took out is skipped. What fails does not keep the rest on sale; an error that names all
 * of it is thrown at the end.
 */
export async function holdStock(ctx: Context, { lots, loose, untracked }: RecalledStock): Promise<HeldStock> {
  const held: HeldStock = { lots: 0, looseUnits: 0, takenOffSale: 0 }
  const steps: Step[] = [
    ...lots.map(({ lotId, lotNumber, recall }) => ({
      name: () => `lot ${lotNumber}`,
      run: async () => {
        if (await holdRecalledLot(ctx, lotId, recall)) held.lots++
      },
    })),
    ...loose.map(({ variantId, recall }) => ({
      variantId,
      name: (variant: string) => `units in no lot of ${variant}`,
      run: async () => {
        held.looseUnits += await holdLoose(ctx, variantId, recall)
      },
    })),
    ...untracked.map(({ variantId }) => ({
      variantId,
      name: (variant: string) => `${variant}, which is on sale`,
      run: async () => {
        if (await takeOffSale(ctx, variantId)) held.takenOffSale++
      },
    })),
  ]
  const failures: Failure[] = []
  for (const step of steps) await step.run().catch((error: unknown) => failures.push({ ...step, error }))
  await throwFailures(ctx, failures)
  return held
}

type Step = {
  run: () => Promise<void>
  variantId?: string
  /** @param variant its name */
  name: (variant: string) => string
}
type Failure = Step & { error: unknown }

/** How many failures an error names. The job that tries again writes it every ten minutes. */
const maxNamed = 10

/** Throws an error with the code of the first failure that names what could not be held. */
async function throwFailures({ db }: Context, failures: readonly Failure[]): Promise<void> {
  const [first] = failures
  if (!first) return
  const shown = failures.slice(0, maxNamed)
  const errors = shown.map(({ error }) => error)
  const messages = [...new Set(errors.map(toOperatorMessage))].join(' ')
  const nameOf = await readVariantNames(
    db,
    shown.flatMap(({ variantId }) => variantId ?? []),
  )
  const names = shown.map(({ name, variantId = '' }) => name(nameOf(variantId)))
  const rest = failures.length - shown.length
  const all = [...names, ...(rest > 0 ? [`${rest.toLocaleString('en-US')} more`] : [])].join('; ')
  throw new AppError(toAppError(first.error).code, `Recalled stock could not be held: ${all}.`, {
    cause: new AggregateError(errors, messages),
  })
}

/** Their names, or their ids where the database, which has just failed, does not answer. */
async function readVariantNames(db: Context['db'], ids: readonly string[]): Promise<(id: string) => string> {
  const rows = await listVariantNames(db, ids).catch(() => null)
  return (id) => {
    const row = rows?.get(id)
    return row ? `${row.productName}, ${labelOfRow(row)}` : `variant ${id}`
  }
}

/** Puts a lot into quarantine. Returns false when another process did. */
async function holdRecalledLot(ctx: Context, lotId: string, recall: Recall): Promise<boolean> {
  try {
    await holdLot(ctx, { lotId, reason: reasonOf(recall) })
    return true
  } catch (error) {
    if (error instanceof AppError && error.code === 'CONFLICT') return false
    throw error
  }
}

const reasonOf = ({ id, recallClass }: Recall): string => `${recallName(id)}, class ${recallClass}`

/** Takes all units in no lot out of the stock. Returns how many there were. */
async function holdLoose(ctx: Context, variantId: string, recall: Recall): Promise<number> {
  return inTransaction(ctx, async (ctx) => {
    await lockVariants(ctx.db, [variantId])
    const inLots = (await sumAvailableLots(ctx.db, [variantId])).get(variantId) ?? 0
    const units = ((await findStock(ctx.db, variantId)) ?? 0) - inLots
    if (units <= 0) return 0
    const change = await takeFromStock(ctx.db, { variantId, quantity: units })
    if (!change) return 0
    await recordStock(ctx, { change, transactionType: 'adjustment', notes: `Held: ${reasonOf(recall)}` })
    await addRecallHold(ctx.db, { recallId: recall.id, variantId, units })
    await recordAudit(ctx, { action: 'stock.adjusted', subjectId: shopSubjectId, objectId: variantId })
    return units
  })
}

/** Takes a variant without a count of its units off sale. Returns false when it was off sale. */
async function takeOffSale(ctx: Context, variantId: string): Promise<boolean> {
  return inTransaction(ctx, async (ctx) => {
    const before = await lockVariant(ctx.db, variantId)
    if (!before || before.trackInventory || !before.inStock) return false
    const { db, keys, now, user } = ctx
    const write = { db, keys, now, actorId: user?.id ?? null, notes: null }
    await saveVariantEdits(write, [{ before, after: { ...before, inStock: false } }])
    await refreshCatalog(ctx, [before.productId], { searchTermsChanged: false })
    await recordAudit(ctx, { action: 'variant.updated', subjectId: shopSubjectId, objectId: variantId })
    return true
  })
}

/**
 * The same for everything in stock, as a job does: lots that a file or a stock count brought in
 * since the last import of recalls.
 */
export async function holdAllRecalledStock(ctx: Context): Promise<HeldStock> {
  const pairs = await listRecalledVariantIds(ctx.db)
  if (pairs.length === 0) return { lots: 0, looseUnits: 0, takenOffSale: 0 }
  const recalls = await listRecalls(ctx.db, { ids: [...new Set(pairs.map(({ recallId }) => recallId))] })
  const byId = new Map(recalls.map((recall) => [recall.id, recall]))
  const recallsOf = new Map<string, Recall[]>()
  for (const { variantId, recallId } of pairs) {
    const recall = byId.get(recallId)
    if (recall) recallsOf.set(variantId, [...(recallsOf.get(variantId) ?? []), recall])
  }
  return holdStock(ctx, await findRecalledStock(ctx, recallsOf))
}

/** Throws CONFLICT while this recall, or another of the package, is for all lots and ongoing. */
async function requireNoOngoing(
  ctx: Context,
  { recallId, variantId }: { recallId: string; variantId: string },
): Promise<void> {
  const others = await findLineRecalls(ctx, [{ id: variantId, productVariantId: variantId, quantity: 1 }])
  const ids = [recallId, ...others.map((recall) => recall.recallId)]
  const recalls = await listRecalls(ctx.db, { ids })
  const ongoing = recalls.find(({ allLots, status }) => allLots && isOngoing(status))
  if (!ongoing) return
  const message = `${recallName(ongoing.id)} is for all lots and ongoing. These units can’t be sold.`
  throw new AppError('CONFLICT', message)
}

/**
 * Ends a hold of units in no lot, or a part of it: they return to the stock, which needs the recall
 * to have ended, or were destroyed or returned to the supplier. What happened stays on the recall's
 * page. Calls with the same `requestKey` record it once: those after the first return false.
 * Throws UNAUTHENTICATED, FORBIDDEN, INVALID, NOT_FOUND, and CONFLICT, also when the key belongs to
 * another record.
 */
export async function endHold(ctx: Context, input: EndHold & { recallId: string }): Promise<boolean> {
  const actor = requirePermission(ctx, 'lots.quarantine')
  const { recallId, variantId, held, quantity, outcome, reason, requestKey } = input
  if (hasNul(recallId)) throw new AppError('NOT_FOUND', 'Recall not found')
  if (quantity > held) {
    const message = `Enter at most ${held.toLocaleString('en-US')}.`
    throw new AppError('INVALID', message, { fields: { quantity: message } })
  }
  return retryWithKey(requestKey, () =>
    inTransaction(ctx, async (ctx) => {
      // Concurrent submissions of one form wait here, and find what the first one wrote.
      await lockVariants(ctx.db, [variantId])
      if (await findHoldEvent(ctx, input)) return false
      if (outcome === 'stock') await requireNoOngoing(ctx, { recallId, variantId })
      if (!(await endRecallHold(ctx.db, { recallId, variantId, held, quantity })))
        throw new AppError(
          'CONFLICT',
          'These units have changed since you opened the page. Check them and try again.',
        )
      if (outcome === 'stock') await returnUnits(ctx, input)
      const id = requestKey ?? newId(ctx.now.getTime())
      const event = { id, recallId, variantId, units: quantity, outcome, reason }
      await insertRecallHoldEvent(ctx.db, { ...event, actorId: actor.id, at: ctx.now })
      // The row of the log has no values. It names the event, which has them.
      await recordAudit(ctx, { action: 'recall-hold.ended', subjectId: shopSubjectId, objectId: id })
      return true
    }),
  )
}

/** The event of an earlier call with the same key. Throws CONFLICT for another event. */
function findHoldEvent({ db }: Context, input: EndHold & { recallId: string }) {
  const { recallId, variantId, quantity: units, outcome, reason, requestKey } = input
  return findRecorded(requestKey, {
    find: (id) => findRecallHoldEvent(db, id),
    isSame: (event) => isSame(event, { ...event, recallId, variantId, units, outcome, reason }),
    conflict: (event) => alreadyRecordedMessage(event.units),
  })
}

async function returnUnits(
  ctx: Context,
  { recallId, variantId, quantity, reason }: EndHold & { recallId: string },
): Promise<void> {
  const change = await changeStock(ctx.db, { variantId, change: quantity, now: ctx.now })
  if (!change) {
    const isDeleted = (await findStock(ctx.db, variantId)) === null
    throw new AppError(
      'CONFLICT',
      isDeleted
        ? 'This variant was deleted.'
        : 'These units would exceed the maximum stock. Adjust the stock first.',
    )
  }
  const notes = `Returned after ${recallName(recallId, { inSentence: true })}: ${reason}`
  await recordStock(ctx, { change, transactionType: 'adjustment', notes })
  await recordAudit(ctx, { action: 'stock.adjusted', subjectId: shopSubjectId, objectId: variantId })
}
