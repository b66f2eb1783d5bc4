import { sumPlainSales } from '#db/ledger/plain-rows.ts'
import { listBatchesBetween, listBatchRows } from '#db/ledger/sealed-rows.ts'
import type { LedgerChange } from '#domain/ledger/ledger.ts'
import type { Context } from '../context.ts'
import { openLedgerRow, openSums } from './sealed-ledger.ts'
import { openLedger } from './walk-ledger.ts'

/** Units by variant id. */
type Units = Map<string, number>

/**
 * The units that orders sold in two periods that follow each other, less cancellations, by variant.
 * A batch within a period is read from its sums, so only the batches at the periods' ends are
 * decrypted row by row.
 */
export async function sumSales(
  ctx: Pick<Context, 'db' | 'keys'>,
  { before, from, to }: { before: Date; from: Date; to: Date },
): Promise<{ units: Units; previousUnits: Units }> {
  const [units, previousUnits]: [Units, Units] = [new Map(), new Map()]
  const add = (period: Units, variantId: string, count: number): void =>
    void period.set(variantId, (period.get(variantId) ?? 0) + count)
  const addChanges = (changes: readonly LedgerChange[]): void => {
    for (const { variantId, type, change, at } of changes) {
      if (type !== 'sale' && type !== 'cancellation') continue
      if (at >= from.getTime() && at < to.getTime()) add(units, variantId, -change)
      else if (at >= before.getTime() && at < from.getTime()) add(previousUnits, variantId, -change)
    }
  }
  const { inbox, lastBatchId } = await openLedger(ctx, null)
  addChanges(inbox)
  for (const batch of await listBatchesBetween(ctx.db, { from: before, to })) {
    if (lastBatchId === null || batch.id > lastBatchId) continue
    const isWithin = (start: Date, end: Date): boolean => batch.fromAt >= start && batch.toAt < end
    const period = isWithin(from, to) ? units : isWithin(before, from) ? previousUnits : null
    if (period) {
      for (const [variantId, count] of openSums(ctx.keys, batch)) add(period, variantId, count)
    } else {
      addChanges((await listBatchRows(ctx.db, batch.id, null)).map((row) => openLedgerRow(ctx.keys, row)))
    }
  }
  for (const row of await sumPlainSales(ctx.db, { before, from, to })) {
    add(units, row.variantId, row.units)
    add(previousUnits, row.variantId, row.previousUnits)
  }
  return { units, previousUnits }
}
