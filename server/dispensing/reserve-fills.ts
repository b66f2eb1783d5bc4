import { insertFills } from '#db/dispensing/fills.ts'
import { updateItem } from '#db/dispensing/items.ts'
import * as checkoutMessages from '#domain/checkout/checkout-messages.ts'
import type { Medicine } from '#domain/dispensing/medicine.ts'
import { daysSupplyOf, type Fill, type Item } from '#domain/dispensing/fill-rules.ts'
import { problemMessage } from '#domain/dispensing/line-messages.ts'
import { resolveLine, type ChosenPrescription, type LineResolution } from '#domain/dispensing/resolve-line.ts'
import { AppError } from '#domain/errors.ts'
import { newId } from '#domain/ids.ts'
import type { Context } from '../context.ts'
import type { KeyRing } from '../crypto/key-ring.ts'
import { openUserKey } from '../crypto/user-key.ts'
import { getSettings } from '../settings/get-settings.ts'
import { findChosenPrescription } from './find-chosen-prescription.ts'
import { readTherapy, type Therapy } from './read-therapy.ts'
import { sealFill } from './sealed-item.ts'

/** A line of a checkout as far as dispensing needs it. Other categories have no medicine. */
export type LineToFill = {
  id: string
  product: { name: string }
  medicine?: Medicine | undefined
  units?: number | undefined
}

/** The conditional update of an item failed: another fill or edit came first. Callers retry. */
export class StaleItemError extends Error {}

/**
 * Reserves a fill for each line that an item covers, in the checkout's transaction, which has
 * locked the customer. Lines for which a pharmacist must first transcribe the chosen prescription
 * reserve nothing yet. Returns the days' supply of each fill, by line. Throws INVALID
 * (prescriptionId) for another medicine or too many units, CONFLICT when it is too early or nothing
 * is left, and StaleItemError.
 */
export async function reserveFills(
  ctx: Context,
  checkout: {
    userId: string
    checkoutId: string
    prescriptionId: string | null
    lines: readonly LineToFill[]
  },
): Promise<Map<string, number>> {
  const { userId, checkoutId, prescriptionId, lines } = checkout
  const daysSupply = new Map<string, number>()
  if (!lines.some(({ medicine }) => medicine)) return daysSupply
  const key = await openUserKey(ctx, userId)
  if (!key) throw new AppError('UNAUTHENTICATED')
  const therapy = await readTherapy(ctx, key, userId)
  const chosen = await findChosenPrescription(ctx, userId, prescriptionId)
  const { refillOpensAtPercent: opensAtPercent } = await getSettings(ctx)
  for (const { id, medicine, units, product } of lines) {
    if (!medicine || units === undefined) continue
    const line = { id, medicine, units }
    const resolution = resolveLine(line, therapy, chosen, { now: ctx.now, opensAtPercent })
    if (resolution.kind === 'to review' || canStillChoose(resolution, chosen)) continue
    if (resolution.kind !== 'covered') throw toRefusal(product.name, resolution, chosen !== null)
    const { item } = resolution
    const fill = await reserveFill(ctx, key, therapy, { item, lineId: id, units, checkoutId })
    daysSupply.set(id, fill.daysSupply)
  }
  return daysSupply
}

/** A client of the API may name the prescription with the order. */
const canStillChoose = (resolution: LineResolution, chosen: ChosenPrescription | null): boolean =>
  chosen === null &&
  (resolution.kind === 'needs prescription' ||
    (resolution.kind === 'refused' && resolution.problem.kind === 'different'))

/** What refuses a line before payment. */
export function toRefusal(
  name: string,
  resolution: Extract<LineResolution, { kind: 'refused' | 'needs prescription' }>,
  hasChosen: boolean,
): AppError {
  if (resolution.kind === 'needs prescription') {
    const message = hasChosen
      ? `${name}: Not covered: this prescription is for another medicine.`
      : checkoutMessages.choosePrescription
    return new AppError('INVALID', undefined, { fields: { prescriptionId: message } })
  }
  const { item, problem } = resolution
  const message = `${name}: ${problemMessage(problem, { ...item.medicine, brand: item.dispenseAsWritten })}`
  return problem.kind === 'different' || problem.kind === 'too many'
    ? new AppError('INVALID', undefined, { fields: { prescriptionId: message } })
    : new AppError('CONFLICT', message)
}

/**
 * Adds a fill to an item at the version that was read, and to `therapy`, so that the next line
 * counts it. Throws StaleItemError.
 */
export async function reserveFill(
  ctx: Pick<Context, 'db' | 'now'>,
  key: KeyRing,
  therapy: Therapy,
  {
    item,
    lineId,
    units,
    checkoutId = null,
    orderId = null,
  }: { item: Item; lineId: string; units: number; checkoutId?: string | null; orderId?: string | null },
): Promise<Fill> {
  const { db, now } = ctx
  if (!(await updateItem(db, { id: item.id, version: item.version, updatedAt: now }))) {
    throw new StaleItemError()
  }
  const id = newId(now.getTime())
  const content = {
    units,
    daysSupply: daysSupplyOf(item, units),
    ingredientSet: item.medicine.ingredientSet,
    patientId: item.patientId,
  }
  await insertFills(db, [
    {
      id,
      itemId: item.id,
      checkoutId,
      orderId,
      lineId,
      status: 'reserved',
      sealedFill: sealFill(key, id, content),
      pharmacistId: null,
      createdAt: now,
      clearedAt: null,
      dispensedAt: null,
      releasedAt: null,
    },
  ])
  const fill: Fill = {
    ...content,
    id,
    itemId: item.id,
    lineId,
    status: 'reserved',
    dispensedAt: null,
    isUnordered: orderId === null,
  }
  therapy.fills.push(fill)
  therapy.items.splice(therapy.items.indexOf(item), 1, { ...item, version: item.version + 1 })
  return fill
}
