import { listFillsOfOrders } from '#db/dispensing/fills.ts'
import { findItem } from '#db/dispensing/items.ts'
import type { LineReviewRow } from '#db/dispensing/line-reviews.ts'
import type { DispensingRecord } from '#domain/records/dispensing-record.ts'
import type { Context } from '../context.ts'
import type { KeyRing } from '../crypto/key-ring.ts'
import { readDecision, readFill, readItem } from '../dispensing/item-reader.ts'
import { withName, type NameOf } from './staff-names.ts'

type DispensedLine = DispensingRecord['dispensed'][number]

/**
 * How each line was decided and dispensed, for a record that outlives the account. Names instead of
 * ids: the accounts of the staff can be deleted too.
 */
export async function readDispensedLines(
  ctx: Context,
  userKey: KeyRing,
  { orderId, reviews, nameOf }: { orderId: string; reviews: readonly LineReviewRow[]; nameOf: NameOf },
): Promise<DispensedLine[]> {
  const fills = new Map((await listFillsOfOrders(ctx.db, [orderId])).map((row) => [row.lineId, row]))
  const lines: DispensedLine[] = []
  for (const review of reviews) {
    const itemRow = review.itemId === null ? null : await findItem(ctx.db, review.itemId)
    const fillRow = fills.get(review.lineId)
    const { reason, notes } = readDecision(ctx.keys, review)
    lines.push({
      lineId: review.lineId,
      status: review.status,
      prescriptionId: review.prescriptionId,
      item: itemRow && (await keepItem(readItem(userKey, itemRow), nameOf)),
      fill: fillRow
        ? {
            ...readUnits(readFill(userKey, fillRow)),
            status: fillRow.status,
            clearedAt: fillRow.clearedAt?.toISOString() ?? null,
            dispensedAt: fillRow.dispensedAt?.toISOString() ?? null,
            pharmacist: await nameOf(fillRow.pharmacistId),
          }
        : null,
      decision: { reason, notes: await Promise.all(notes.map((note) => withName(note, nameOf))) },
      decidedBy: await nameOf(review.decidedBy),
      decidedAt: review.decidedAt?.toISOString() ?? null,
      checkedBy: await nameOf(review.checkedBy),
      checkedAt: review.checkedAt?.toISOString() ?? null,
    })
  }
  return lines
}

const readUnits = ({ units, daysSupply }: { units: number; daysSupply: number }) => ({ units, daysSupply })

async function keepItem(item: ReturnType<typeof readItem>, nameOf: NameOf): Promise<DispensedLine['item']> {
  const agreements = await Promise.all(item.agreements.map((agreement) => withName(agreement, nameOf)))
  return { ...item, agreements, ...(item.closed && { closed: await withName(item.closed, nameOf) }) }
}
