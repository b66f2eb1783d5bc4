import { attachFills } from '#db/dispensing/fills.ts'
import { undecidedReview, type LineReviewRow } from '#db/dispensing/line-reviews.ts'
import { findItem } from '#db/dispensing/items.ts'
import { findPrescription } from '#db/prescriptions/prescriptions.ts'
import { lockUser } from '#db/accounts/users.ts'
import { findCurrentPatient } from '#db/patients/patients.ts'
import { patientOf } from '#domain/prescriptions/prescriptions.ts'
import { resolveLine } from '#domain/dispensing/resolve-line.ts'
import { AppError } from '#domain/errors.ts'
import type { Context } from '../context.ts'
import { openUserKey } from '../crypto/user-key.ts'
import { getSettings } from '../settings/get-settings.ts'
import { findChosenPrescription } from './find-chosen-prescription.ts'
import { readTherapy } from './read-therapy.ts'
import { reserveFill, toRefusal, type LineToFill } from './reserve-fills.ts'

/** A line for a pharmacist to review, before its order is stored. */
export type NewLineReview = Omit<LineReviewRow, 'version'>

type NewOrderLines = {
  orderId: string
  checkoutId: string
  userId: string
  /** What the customer chose. Whether it is theirs and usable was checked before. */
  prescriptionId: string | null
  lines: readonly (LineToFill & { product: { category: string } })[]
}

/**
 * The reviews of an order's prescription lines, in the transaction that creates the order. The
 * fills that the checkout reserved become the order's. A line without one needs the chosen
 * prescription. Throws INVALID (prescriptionId) and CONFLICT like `reserveFills`, CONFLICT for a
 * dependant who was removed, and StaleItemError.
 */
export async function prepareLineReviews(ctx: Context, order: NewOrderLines): Promise<NewLineReview[]> {
  const { orderId, checkoutId, userId } = order
  const lines = order.lines.filter(({ product }) => product.category === 'Rx')
  if (lines.length === 0) return []
  const fills = new Map(
    (await attachFills(ctx.db, { checkoutId, orderId })).map((fill) => [fill.lineId, fill]),
  )
  const assignments = new Map<string, Assignment>()
  for (const [lineId, { id: fillId, itemId }] of fills) {
    const item = await findItem(ctx.db, itemId)
    assignments.set(lineId, { fillId, itemId, prescriptionId: item?.prescriptionId ?? null })
  }
  const others = lines.filter(({ id }) => !fills.has(id))
  if (others.length > 0) {
    for (const [lineId, assignment] of await assignLines(ctx, order, others)) {
      assignments.set(lineId, assignment)
    }
  }
  const patients = await listPatientsOf(ctx, assignments)
  for (const id of new Set(patients.values()))
    if (id !== userId) await requireCurrentPatient(ctx, { id, userId })
  return lines.map(({ id: lineId }) => ({
    lineId,
    orderId,
    patientId: patients.get(assignments.get(lineId)?.prescriptionId ?? '') ?? userId,
    ...(assignments.get(lineId) ?? { prescriptionId: null, itemId: null, fillId: null }),
    ...undecidedReview,
    sealedDecision: null,
    createdAt: ctx.now,
  }))
}

/** A checkout may have reserved a fill before the customer removed the dependant. */
async function requireCurrentPatient(
  { db }: Context,
  patient: { id: string; userId: string },
): Promise<void> {
  if (await findCurrentPatient(db, patient)) return
  throw new AppError('CONFLICT', 'This prescription is for someone who was removed from the account.')
}

/** Whom the assigned prescriptions are for, by prescription. */
async function listPatientsOf(
  { db }: Pick<Context, 'db'>,
  assignments: ReadonlyMap<string, Assignment>,
): Promise<Map<string, string>> {
  const ids = new Set([...assignments.values()].flatMap(({ prescriptionId }) => prescriptionId ?? []))
  const rows = await Promise.all([...ids].map((id) => findPrescription(db, id)))
  return new Map(rows.flatMap((row) => (row ? [[row.id, patientOf(row)] as const] : [])))
}

type Assignment = Pick<NewLineReview, 'prescriptionId' | 'itemId' | 'fillId'>

/**
 * Assigns lines without a reserved fill to an item, or to the prescription that the customer chose.
 */
async function assignLines(
  ctx: Context,
  { orderId, userId, prescriptionId }: NewOrderLines,
  lines: readonly LineToFill[],
): Promise<Map<string, Assignment>> {
  const key = (await lockUser(ctx.db, userId)) ? await openUserKey(ctx, userId) : null
  if (!key) throw new AppError('NOT_FOUND')
  const therapy = await readTherapy(ctx, key, userId)
  const chosen = await findChosenPrescription(ctx, userId, prescriptionId)
  const { refillOpensAtPercent: opensAtPercent } = await getSettings(ctx)
  const assignments = new Map<string, Assignment>()
  for (const { id: lineId, medicine, units, product } of lines) {
    // A line from before migration 0032 names no medicine. A pharmacist compares it by hand.
    const resolution =
      medicine && units !== undefined
        ? resolveLine({ id: lineId, medicine, units }, therapy, chosen, { now: ctx.now, opensAtPercent })
        : resolveUnknownMedicine(prescriptionId)
    if (resolution.kind === 'to review') {
      assignments.set(lineId, { prescriptionId, itemId: null, fillId: null })
    } else if (resolution.kind === 'covered' && units !== undefined) {
      const { item } = resolution
      const fill = await reserveFill(ctx, key, therapy, { item, lineId, units, orderId })
      assignments.set(lineId, { prescriptionId: item.prescriptionId, itemId: item.id, fillId: fill.id })
    } else if (resolution.kind !== 'covered') {
      throw toRefusal(product.name, resolution, chosen !== null)
    }
  }
  return assignments
}

const resolveUnknownMedicine = (prescriptionId: string | null) =>
  prescriptionId === null
    ? ({ kind: 'needs prescription' } as const)
    : ({ kind: 'to review', prescriptionId } as const)
