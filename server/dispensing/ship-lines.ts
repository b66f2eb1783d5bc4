import { findMedicines } from '#db/catalog/medicines.ts'
import {
  listFillsOfOrders,
  moveFills,
  undispenseFills,
  updateSealedFill,
  type FillRow,
} from '#db/dispensing/fills.ts'
import { findItem } from '#db/dispensing/items.ts'
import { listIngredients } from '#db/dispensing/label-facts.ts'
import { listLineReviews, type LineReviewRow } from '#db/dispensing/line-reviews.ts'
import { findPrescription } from '#db/prescriptions/prescriptions.ts'
import { utcDay } from '#domain/days.ts'
import { getClearance, type Clearance } from '#domain/dispensing/dispensing.ts'
import { daysSupplyOf, lastValidDay } from '#domain/dispensing/fill-rules.ts'
import { noLabelChoices } from '#domain/dispensing/label-choices.ts'
import { findMissingAnswers } from '#domain/dispensing/label-rules.ts'
import type { Medicine } from '#domain/dispensing/medicine.ts'
import type { OrderLine } from '#domain/orders/orders.ts'
import type { Context } from '../context.ts'
import { openUserKey } from '../crypto/user-key.ts'
import { getSettings } from '../settings/get-settings.ts'
import { readLabelChoices } from './label-choices.ts'
import { findLabelFlags } from './label-flags.ts'
import { openFill, openItem, sealFill } from './sealed-item.ts'

/** A line of an order that is about to ship. */
export type LineToShip = {
  id: string
  productVariantId: string
  product: { name: string; category: string }
  /** Missing on lines from before migration 0032. */
  medicine?: Pick<Medicine, 'ingredientSet'> | undefined
}

/**
 * Why these lines cannot ship, one sentence a line; empty when they can. Every prescription line
 * needs a clearance that still holds: by a pharmacist, on an item that is active and valid today,
 * with its fill, and checked by a second pharmacist if the shop requires two. What has become a
 * controlled substance since it was ordered stays here. A medicine that is flagged for a
 * Medication Guide or a REMS also needs the pharmacist's recorded decision.
 */
export async function findShippingProblems(
  ctx: Pick<Context, 'db' | 'keys' | 'now' | 'shop'>,
  { orderId, userId, lines }: { orderId: string; userId: string; lines: readonly LineToShip[] },
): Promise<{ lineId: string; message: string }[]> {
  const toClear = lines.filter(({ product }) => product.category === 'Rx')
  if (toClear.length === 0) return []
  const reviews = new Map((await listLineReviews(ctx.db, [orderId])).map((review) => [review.lineId, review]))
  const fills = new Map((await listFillsOfOrders(ctx.db, [orderId])).map((fill) => [fill.lineId, fill]))
  const { twoPharmacists } = await getSettings(ctx)
  const undecided = await findUndecidedFlags(ctx, orderId, toClear)
  const controlled = await findControlled(ctx, toClear)
  const problems: { lineId: string; message: string }[] = []
  for (const { id: lineId, product } of toClear) {
    const review = reviews.get(lineId)
    // Refused lines do not ship.
    if (review?.status === 'refused') continue
    const status = fills.get(lineId)?.status
    const problem =
      clearanceProblems[getClearance(review, { twoPharmacists })] ??
      (status === 'cleared' || status === 'dispensed' ? null : 'has no cleared fill') ??
      (status === 'dispensed' ? null : await itemProblem(ctx, userId, review)) ??
      (status !== 'dispensed' && controlled.has(lineId)
        ? 'can no longer be sold. A pharmacist must refuse it'
        : null) ??
      (status === 'dispensed' ? null : flagProblem(undecided.get(lineId)))
    if (problem) problems.push({ lineId, message: `${product.name} ${problem}.` })
  }
  return problems
}

const clearanceProblems: Record<Clearance, string | null> = {
  waiting: 'waits for a pharmacist',
  asked: 'waits for the customer’s answer',
  unchecked: 'waits for a second pharmacist',
  cleared: null,
  refused: null,
}

async function itemProblem(
  ctx: Pick<Context, 'db' | 'keys' | 'now'>,
  userId: string,
  review: LineReviewRow | undefined,
): Promise<string | null> {
  const row = review?.itemId ? await findItem(ctx.db, review.itemId) : null
  const key = row && (await openUserKey(ctx, userId))
  if (!row || !key) return 'has no prescription item'
  if (row.status === 'closed') return 'is on a prescription that was closed'
  const prescription = await findPrescription(ctx.db, row.prescriptionId)
  if (prescription?.status !== 'approved') return 'is on a prescription that is not approved'
  const lastDay = lastValidDay(openItem(key, row))
  return lastDay < utcDay(ctx.now) ? 'is on a prescription that has expired' : null
}

/** By line, the schedule of what is a controlled substance today. Other lines are left out. */
export async function findControlled(
  { db }: Pick<Context, 'db'>,
  lines: readonly Pick<LineToShip, 'id' | 'productVariantId'>[],
): Promise<Map<string, string>> {
  const rows = await findMedicines(
    db,
    lines.map(({ productVariantId }) => productVariantId),
  )
  const schedules = new Map(rows.map((row) => [row.id, row.controlledSchedule]))
  return new Map(
    lines.flatMap(({ id, productVariantId }) => {
      const schedule = schedules.get(productVariantId)
      return schedule ? [[id, schedule]] : []
    }),
  )
}

/**
 * By line, what the medicine is flagged for and no pharmacist has decided yet: "Medication Guide".
 * Lines without any are left out.
 */
export async function findUndecidedFlags(
  ctx: Pick<Context, 'db' | 'keys'>,
  orderId: string,
  lines: readonly Pick<LineToShip, 'id' | 'productVariantId' | 'medicine'>[],
): Promise<Map<string, string[]>> {
  const variantIds = lines.map(({ productVariantId }) => productVariantId)
  const ingredients = await listIngredients(ctx.db, variantIds)
  const choices = await readLabelChoices(ctx, orderId)
  const undecided = new Map<string, string[]>()
  for (const { id, productVariantId, medicine } of lines) {
    // A variant that is gone from the catalog keeps the ingredients that were ordered.
    const { names, keys } = ingredients.get(productVariantId) ?? { names: null, keys: [] }
    const flags = await findLabelFlags(names ?? medicine?.ingredientSet ?? null, keys)
    const missing = findMissingAnswers(flags, choices.get(id) ?? noLabelChoices)
    if (missing.length > 0) undecided.set(id, missing)
  }
  return undecided
}

const flagProblem = (missing: readonly string[] | undefined): string | null =>
  missing ? `waits for the pharmacist’s decision on its ${missing.join(' and ')}` : null

type OrderToShip = {
  id: string
  /** Null when the account was deleted, and the fills with it. */
  userId: string | null
}
type FilledLine = Pick<OrderLine, 'id' | 'units'>

/**
 * Marks the cleared fills of the lines that ship as dispensed, in the shipment's transaction. Each
 * then has only the units that ship, without what was refunded or restocked before.
 */
export async function dispenseFills(
  ctx: Pick<Context, 'db' | 'keys' | 'now'>,
  order: OrderToShip,
  lines: readonly FilledLine[],
): Promise<void> {
  const fills = await moveFills(ctx.db, {
    orderId: order.id,
    lineIds: lines.map(({ id }) => id),
    from: ['cleared'],
    to: 'dispensed',
    now: ctx.now,
  })
  await setFillUnits(ctx, order, { fills, lines })
}

/**
 * Undoes `dispenseFills` in the caller's transaction: the fills have the ordered units again.
 * @param lines those of the order, as placed
 */
export async function undoDispensing(
  ctx: Pick<Context, 'db' | 'keys'>,
  order: OrderToShip,
  { dispensedAt, lines }: { dispensedAt: Date; lines: readonly FilledLine[] },
): Promise<void> {
  const fills = await undispenseFills(ctx.db, { orderId: order.id, dispensedAt })
  await setFillUnits(ctx, order, { fills, lines })
}

/** Gives each fill the units of its line. */
async function setFillUnits(
  ctx: Pick<Context, 'db' | 'keys'>,
  { userId }: OrderToShip,
  { fills, lines }: { fills: readonly FillRow[]; lines: readonly FilledLine[] },
): Promise<void> {
  const key = fills.length > 0 && userId !== null ? await openUserKey(ctx, userId) : null
  if (!key) return
  for (const row of fills) {
    // Lines from before migration 0032 have no units.
    const units = lines.find(({ id }) => id === row.lineId)?.units
    const fill = openFill(key, row)
    if (units === undefined || units === fill.units) continue
    const item = await findItem(ctx.db, row.itemId)
    if (!item) continue
    const daysSupply = daysSupplyOf(openItem(key, item), units)
    await updateSealedFill(ctx.db, row.id, sealFill(key, row.id, { ...fill, units, daysSupply }))
  }
}

/**
 * Releases the fills of an order's lines that will not leave the pharmacy, in the caller's
 * transaction. Dispensed fills stay.
 * @param lineIds only these lines; all when omitted
 */
export const releaseOrderFills = async (
  { db, now }: Pick<Context, 'db' | 'now'>,
  orderId: string,
  lineIds: readonly string[] | null = null,
): Promise<void> => {
  await moveFills(db, { orderId, lineIds, from: ['reserved', 'cleared'], to: 'released', now })
}
