import { listFillsOfOrders, type FillRow } from '#db/dispensing/fills.ts'
import { findLabelFacts, listIngredients, type LabelFacts } from '#db/dispensing/label-facts.ts'
import { listLineReviews, type LineReviewRow } from '#db/dispensing/line-reviews.ts'
import { pipeline } from '#db/engine/sql.ts'
import { listLineRefunds } from '#db/orders/refunds.ts'
import { findPrescription } from '#db/prescriptions/prescriptions.ts'
import { can } from '#domain/accounts/permissions.ts'
import { strengthLabel } from '#domain/catalog/catalog.ts'
import { primaryIdentifier } from '#domain/catalog/primary-identifier.ts'
import { utcDay } from '#domain/days.ts'
import { auxiliaryWarnings, storageTexts } from '#domain/dispensing/auxiliary-warnings.ts'
import { rxNumber } from '#domain/dispensing/dispensing.ts'
import { formatStrengthText } from '#domain/dispensing/dose.ts'
import { expandDirections } from '#domain/dispensing/expand-directions.ts'
import { daysSupplyOf, refillsLeft, type Fill, type Item } from '#domain/dispensing/fill-rules.ts'
import { labelBounds, type LabelChoices } from '#domain/dispensing/label-choices.ts'
import { discardAfter, findLabelGaps } from '#domain/dispensing/label-rules.ts'
import { toInitials, type DispensingLabel, type LabelFlags } from '#domain/dispensing/label.ts'
import { formatQuantity } from '#domain/dispensing/quantity.ts'
import { findSupplyMismatch } from '#domain/dispensing/supply-mismatch.ts'
import { AppError } from '#domain/errors.ts'
import { compareExpiry, mergeLots, type LotUnits } from '#domain/inventory/lots.ts'
import { linesLeftToShip, type OrderContent, type OrderLine } from '#domain/orders/orders.ts'
import { getStaffNames } from '../accounts/get-staff-names.ts'
import { recordRead } from '../audit/record-audit.ts'
import type { Context } from '../context.ts'
import type { KeyRing } from '../crypto/key-ring.ts'
import { openUserKey } from '../crypto/user-key.ts'
import { readChoicesOfLine } from '../dispensing/label-choices.ts'
import { findLabelFlags } from '../dispensing/label-flags.ts'
import { readAllTherapy, type Therapy } from '../dispensing/read-therapy.ts'
import { findOrder, type CustomerOrder } from '../orders/find-order.ts'
import { readOrderContent } from '../orders/order-reader.ts'
import { readTranscription } from '../prescriptions/prescription-reader.ts'
import { notFoundForUser } from '../note-refusal.ts'
import { requirePermission } from '../require-user.ts'
import { toPharmacy } from './printed-pharmacy.ts'

/** A label with what is recorded for it, what is missing, and what FDA's label says. */
export type LabelView = {
  label: DispensingLabel
  choices: LabelChoices
  version: number
  gaps: string[]
  /** What the case says of the quantity: it does not fit the directions. Null when it does. */
  supplyMismatch: string | null
  flags: LabelFlags
  /** The latest day that the label can say. */
  latestDiscardAfter: string
  isFirstFill: boolean
  /** Who recorded the answer and the decision, by name. */
  names: { counseling: string | null; remsDecision: string | null }
  canEdit: boolean
}

const lineNotFound = 'This order has no such prescription line.'
const nothingLeft = 'No units of this line are left to ship, so it has no label.'

/**
 * The label of a prescription line of an order, as it stands now: a draft until a pharmacist has
 * cleared the line and recorded what the label needs. Its quantity is what ships: not what was
 * refunded or restocked before. The read is audited. Throws UNAUTHENTICATED, FORBIDDEN, NOT_FOUND,
 * and CONFLICT for a line without a prescription item, or with nothing left to ship.
 */
export async function getLabel(
  ctx: Context,
  { orderId, lineId }: { orderId: string; lineId: string },
): Promise<LabelView> {
  requirePermission(ctx, 'orders.medicines')
  const order = await findOrder(ctx, orderId)
  await recordRead(ctx, { action: 'label.read', subjectId: order.userId, objectId: orderId })
  return readLabel(ctx, await readDispensedOrder(ctx, order), lineId)
}

/** `getLabel` of an order that was read. Not audited: the caller writes the audit row. */
export async function readLabel(ctx: Context, dispensed: DispensedOrder, lineId: string): Promise<LabelView> {
  const { order } = dispensed
  const { line, patientName, number, review, item, fill, fills } = await findDispensedLine(
    ctx,
    dispensed,
    lineId,
  )
  const facts = await findLabelFacts(ctx.db, line.productVariantId)
  const stored = await readChoicesOfLine(ctx, lineId)
  const { version } = stored
  const lots = mergeLots(line.lots ?? [])
  const choices = withPickedLots(stored.choices, lots)
  const names = await getStaffNames(ctx, [
    review.decidedBy,
    choices.counseling?.by ?? null,
    choices.remsDecision?.by ?? null,
  ])
  const isCleared = review.status === 'cleared'
  const filledOn = utcDay((isCleared && review.decidedAt) || ctx.now)
  // Later fills don't change what this label says.
  const fillsUntilThis = fills.filter(({ id }) => id <= fill.id)
  const directions = expandDirections(item.directions, item.medicine.form)
  const label: DispensingLabel = {
    orderId: order.id,
    lineId,
    rxNumber: rxNumber(number),
    patientName,
    medicine: toPrintedMedicine(line, facts),
    genericFor: findPrescribedBrand(item, line),
    quantity: formatQuantity(fill.units, item.medicine),
    daysSupply: fill.daysSupply,
    directions: directions.text,
    prescriberName: item.prescriberName,
    filledOn,
    refillsLeft: refillsLeft(item, fillsUntilThis),
    storage: storageTexts[choices.storage],
    discardAfter: discardAfter({ filledOn, lotExpiry: choices.lotExpiry, chosen: choices.discardAfter }),
    lot: choices.lot,
    warnings: [...choices.warnings.map((id) => auxiliaryWarnings[id].text), ...choices.otherWarnings],
    pharmacistPhone: ctx.shop.supportPhone,
    hasGuideEnclosed: choices.guide === 'enclosed',
    initials: isCleared && review.decidedBy !== null ? toInitials(names.get(review.decidedBy) ?? '–') : null,
    pharmacy: toPharmacy(facts),
  }
  const ingredients = (await listIngredients(ctx.db, [line.productVariantId])).get(line.productVariantId)
  const flags = await findLabelFlags(
    ingredients?.names ?? line.medicine?.ingredientSet ?? null,
    ingredients?.keys,
  )
  const lotGap = findLotGap(stored.choices, lots)
  const isFirstFill = !fillsUntilThis.some(
    ({ id, itemId, status }) => itemId === item.id && id !== fill.id && status !== 'released',
  )
  const hasErrorProneCode = directions.errorProne.length > 0
  return {
    label,
    choices,
    version,
    gaps: [
      ...findLabelGaps({ label, choices, flags, hasErrorProneCode, isFirstFill }),
      ...(lotGap === null ? [] : [lotGap]),
    ],
    supplyMismatch: findSupplyMismatch({
      directions: item.directions,
      units: fill.units,
      unit: item.medicine.unit,
      daysSupply: fill.daysSupply,
    }),
    flags,
    latestDiscardAfter: discardAfter({ filledOn, lotExpiry: choices.lotExpiry, chosen: null }),
    isFirstFill,
    names: {
      counseling: names.get(choices.counseling?.by ?? '') ?? null,
      remsDecision: names.get(choices.remsDecision?.by ?? '') ?? null,
    },
    canEdit: can(ctx.user, 'prescriptions.clear') && ctx.user?.id !== order.userId,
  }
}

/** What is wrong when the label names another lot than the order holds. */
function findLotGap({ lot }: LabelChoices, lots: readonly LotUnits[]): string | null {
  if (lot === null || lots.length === 0 || lots.some(({ lotNumber }) => lot.includes(lotNumber))) return null
  const picked = lots.map(({ lotNumber }) => lotNumber).join(', ')
  return `The label says lot ${lot}, but the order holds lot ${picked}. Change the one that is wrong.`
}

/** The lots that were picked, until the pharmacist records another one. */
function withPickedLots(choices: LabelChoices, lots: readonly LotUnits[]): LabelChoices {
  const first = lots.toSorted(compareExpiry)[0]
  if (choices.lot !== null || !first) return choices
  const lot = lots.map(({ lotNumber }) => lotNumber).join(', ')
  return lot.length > labelBounds.lot ? choices : { ...choices, lot, lotExpiry: first.expiresOn }
}

/** What the labels of an order's lines have in common. */
export type DispensedOrder = {
  order: CustomerOrder
  content: OrderContent
  /** The lines with what is left to ship. */
  left: OrderLine[]
  reviews: LineReviewRow[]
  /** The order's fills that were not released. */
  fillRows: FillRow[]
  /** The customer's key and therapy, read once. Throws NOT_FOUND, and UnsealError. */
  readTherapy: () => Promise<{ key: KeyRing } & Therapy>
}

/** Reads what all labels of an order need. Throws UnsealError. */
export async function readDispensedOrder(ctx: Context, order: CustomerOrder): Promise<DispensedOrder> {
  const content = readOrderContent(ctx.keys, order)
  const [reviews, fillRows, refunds] = await pipeline(
    listLineReviews(ctx.db, [order.id]),
    listFillsOfOrders(ctx.db, [order.id]),
    listLineRefunds(ctx.db, [order.id]),
  )
  let therapy: Promise<{ key: KeyRing } & Therapy> | null = null
  return {
    order,
    content,
    left: linesLeftToShip(content, refunds),
    reviews,
    fillRows,
    readTherapy: () => (therapy ??= readCustomerTherapy(ctx, order.userId)),
  }
}

async function readCustomerTherapy(ctx: Context, userId: string): Promise<{ key: KeyRing } & Therapy> {
  const key = await openUserKey(ctx, userId)
  if (!key) throw new AppError('NOT_FOUND')
  return { key, ...(await readAllTherapy(ctx, key, userId)) }
}

type DispensedLine = {
  line: OrderLine
  /** As the prescription names the patient, who may not be the account's holder. */
  patientName: string
  /** The prescription's. */
  number: number
  review: LineReviewRow
  item: Item
  fill: Fill
  /** All fills of the customer. */
  fills: Fill[]
}

async function findDispensedLine(
  ctx: Context,
  { content, left, reviews, fillRows, readTherapy }: DispensedOrder,
  lineId: string,
): Promise<DispensedLine> {
  const ordered = content.lines.find(({ id, product }) => id === lineId && product.category === 'Rx')
  if (!ordered) throw notFoundForUser(ctx, lineId, lineNotFound)
  const review = reviews.find((one) => one.lineId === lineId)
  if (review?.status === 'refused') {
    throw new AppError('CONFLICT', 'A pharmacist refused this line. It has no label.')
  }
  const fillId = review?.fillId ?? fillRows.find((row) => row.lineId === lineId)?.id
  const { key, items, fills } = await readTherapy()
  const stored = fills.find(({ id }) => id === fillId)
  const item = items.find(({ id }) => id === stored?.itemId)
  const prescription = item && (await findPrescription(ctx.db, item.prescriptionId))
  if (!review || !stored || !prescription) {
    throw new AppError(
      'CONFLICT',
      'This line has no prescription item yet. Transcribe the prescription first.',
    )
  }
  // A dispensed fill holds what was dispensed. Any other holds what was ordered.
  const isDispensed = stored.status === 'dispensed'
  const line = isDispensed ? ordered : left.find(({ id }) => id === lineId)
  if (!line) throw new AppError('CONFLICT', nothingLeft)
  const units = (isDispensed ? undefined : line.units) ?? stored.units
  const fill = units === stored.units ? stored : { ...stored, units, daysSupply: daysSupplyOf(item, units) }
  const patientName = readTranscription(key, prescription)?.patientName ?? content.customer.name
  const allFills = fills.map((one) => (one.id === fill.id ? fill : one))
  return { line, patientName, number: prescription.number, review, item, fill, fills: allFills }
}

function toPrintedMedicine(line: OrderLine, facts: LabelFacts | null): DispensingLabel['medicine'] {
  const { medicine, variant, product } = line
  const { ndc = null, din = null, labeler = null } = facts ?? {}
  return {
    name: medicine?.substances ?? product.name,
    brandName: variant.brandName,
    strength: formatStrengthText(medicine?.strength ?? strengthLabel(variant)),
    form: (medicine?.formText ?? variant.dosageForm ?? '').toLowerCase(),
    labeler,
    identifier: primaryIdentifier({ ndc, din, upc: null }),
  }
}

/** The prescribed brand, when another product is dispensed for it. */
function findPrescribedBrand({ medicine }: Item, { variant }: OrderLine): string | null {
  const { brandName } = medicine
  return brandName !== null && brandName !== '' && brandName !== variant.brandName ? brandName : null
}
