import { listLinesOf, type StoredCartLine } from '#db/cart/carts.ts'
import { findMedicines, type MedicineRow } from '#db/catalog/medicines.ts'
import { shownAlert } from '#domain/alerts/alert-decision.ts'
import { countAlerts, type AlertCount } from '#domain/alerts/alert-counts.ts'
import {
  alertsToConfirm,
  hasAlertsForDependants,
  toCustomerAlerts,
  type CustomerAlerts,
  type PatientScreening,
} from '#domain/alerts/customer-alerts.ts'
import { alertLineName } from '#domain/alerts/alert-text.ts'
import { packLabel } from '#domain/catalog/catalog.ts'
import { formLabel, toFormDetail } from '#domain/catalog/form-label.ts'
import type { Alert } from '#domain/screening/alert.ts'
import { isTooSoon, type ChosenPrescription } from '#domain/dispensing/resolve-line.ts'
import { groupBy } from '#domain/group-by.ts'
import { recordRead } from '../audit/record-audit.ts'
import { findCurrentCart } from '../cart/find-cart.ts'
import { listLines } from '../cart/cart-lines.ts'
import type { Context } from '../context.ts'
import { blindIndex } from '../crypto/tokens.ts'
import { openUserKey } from '../crypto/user-key.ts'
import { readAllTherapy } from '../dispensing/read-therapy.ts'
import { resolveLines } from '../dispensing/resolve-lines.ts'
import { listInForce } from './list-checked-lists.ts'
import { screenLines } from './screen-lines.ts'

/** What the customer chose at checkout. */
export type CheckoutChoice = {
  /** Who the items without a prescription are for; null for the customer. */
  patientId: string | null
  /** For the lines without a prescription item of their own. */
  prescription: Pick<ChosenPrescription, 'patientId'> | null
}

/** The alerts of a cart, each for the person who will take its line. */
export type ShoppingAlerts = {
  view: CustomerAlerts
  /** The high alerts about items without a prescription; null when there are none. */
  toConfirm: {
    /** Stands for these alerts in the form. Changed ones and another person's have another id. */
    id: string
    /** What the confirmation adds to the report. */
    counts: AlertCount[]
  } | null
  /** Whether a dependant has alerts, which a card for the customer does not show. */
  hasAlertsForDependants: boolean
}

const noChoice: CheckoutChoice = { patientId: null, prescription: null }

/**
 * What the lists say about the cart of the signed-in customer, or of the visitor with this cookie
 * token: its lines with each other, and with the record of each line's patient. Null for an empty
 * cart.
 */
export async function screenCart(
  ctx: Context,
  token: string | null,
  choice: CheckoutChoice = noChoice,
): Promise<ShoppingAlerts | null> {
  const cart = await findCurrentCart(ctx, token)
  if (!cart) return null
  const lines = (await listLines(ctx, cart)).filter(({ isDeleted }) => !isDeleted)
  return lines.length === 0 ? null : (await screenForCustomer(ctx, lines, choice)).alerts
}

/**
 * What the lists say about a variant for the patient of the signed-in customer's prescription, or
 * for the customer. Null for a visitor, and when nothing is on record about the patient. While no
 * variant `isChosen`, any one of the product stands for all, and the alerts name the product.
 */
export async function screenVariant(
  ctx: Context,
  variantId: string | null,
  { isChosen }: { isChosen: boolean } = { isChosen: true },
): Promise<CustomerAlerts | null> {
  if (!ctx.user || variantId === null) return null
  const lines = await listLinesOf(ctx.db, [{ variantId, quantity: 1, priceCents: 0 }])
  const { alerts, hasRecord } = await screenForCustomer(
    ctx,
    lines,
    noChoice,
    isChosen ? alertLineName : ({ name }) => name,
  )
  return hasRecord && alerts ? alerts.view : null
}

/** What the lists say about items that the signed-in customer is about to pay. */
export async function screenItems(
  ctx: Context,
  items: readonly { variantId: string; quantity: number }[],
  choice: CheckoutChoice = noChoice,
): Promise<ShoppingAlerts | null> {
  const lines = await listLinesOf(
    ctx.db,
    items.map((item) => ({ ...item, priceCents: 0 })),
  )
  return (await screenForCustomer(ctx, lines, choice)).alerts
}

/**
 * The alerts of lines, each screened for its own patient. Each read of what is on record is
 * audited.
 */
async function screenForCustomer(
  ctx: Context,
  stored: readonly StoredCartLine[],
  choice: CheckoutChoice,
  nameLine: typeof alertLineName = alertLineName,
): Promise<{ alerts: ShoppingAlerts | null; hasRecord: boolean }> {
  const lists = await listInForce(ctx)
  // Nothing is compared, so there is nothing to say.
  if (lists.length === 0) return { alerts: null, hasRecord: false }
  const userId = ctx.user?.id ?? null
  const key = userId === null ? null : await openUserKey(ctx, userId)
  // What was dispensed is still taken when its prescription has lost its approval.
  const therapy = key && userId !== null ? await readAllTherapy(ctx, key, userId) : { items: [], fills: [] }
  const prescribed =
    userId === null ? new Map<string, PrescribedFor>() : await findPrescribed(ctx, userId, stored, choice)
  const byPatient = new Map<string | null, StoredCartLine[]>()
  for (const line of stored) {
    const known = prescribed.get(line.variant.id)
    const patientId = known ? known.patientId : choice.patientId || userId
    byPatient.set(patientId, [...(byPatient.get(patientId) ?? []), line])
  }
  const names = await nameLines(ctx, stored, nameLine)
  const screenings: (PatientScreening & { hasRecord: boolean })[] = []
  for (const [patientId, lines] of byPatient) {
    const screening = await screenLines(ctx, key, {
      userId,
      patientId,
      therapy,
      lines: lines.map(({ variant }) => ({
        id: variant.id,
        variantId: variant.id,
        name: names.get(variant.id) ?? '',
        itemId: prescribed.get(variant.id)?.itemId ?? null,
        fill: null,
        lots: null,
      })),
    })
    const { dependantName, hasRecord } = screening
    screenings.push({ patientId, dependantName, hasRecord, screening })
    if (userId === null || !hasRecord) continue
    await recordRead(ctx, {
      action: 'alerts.read',
      subjectId: userId,
      ...(dependantName === null || patientId === null ? {} : { objectId: patientId }),
    })
  }
  const otc = new Set(
    stored.flatMap(({ product, variant }) => (product.category === 'OTC' ? variant.id : [])),
  )
  const toConfirm = alertsToConfirm(screenings, (id) => otc.has(id))
  return {
    alerts: {
      view: toCustomerAlerts(screenings, lists),
      hasAlertsForDependants: hasAlertsForDependants(screenings),
      toConfirm:
        toConfirm.length === 0
          ? null
          : {
              id: confirmationId(ctx, toConfirm),
              counts: countAlerts(
                toConfirm.map(({ alert }) => alert),
                'confirmed',
              ),
            },
    },
    hasRecord: screenings.some((each) => each.hasRecord),
  }
}

/**
 * How alerts name lines, by variant: with manufacturer, pack and form where two have the same name.
 */
async function nameLines(
  { db }: Pick<Context, 'db'>,
  lines: readonly StoredCartLine[],
  nameLine: typeof alertLineName,
): Promise<Map<string, string>> {
  const names = new Map(lines.map(({ product, variant }) => [variant.id, nameLine(product, variant)]))
  const variantsOf = groupBy([...names], ([, name]) => name)
  const alike = [...variantsOf.values()].flatMap((same) => (same.length > 1 ? same.map(([id]) => id) : []))
  if (alike.length === 0) return names
  for (const medicine of await findMedicines(db, alike)) {
    const facts = [medicine.manufacturer, packLabel(medicine), formBeside(medicine)]
    names.set(medicine.id, `${names.get(medicine.id)} (${facts.filter(Boolean).join(', ')})`)
  }
  return names
}

/** What a pack in units of its form ("24 tablets") does not say about the form. */
function formBeside({ dosageForm, labelForm, packageUnit }: MedicineRow): string {
  const formDetail = toFormDetail(dosageForm, labelForm)
  return dosageForm === packageUnit ? formDetail : formLabel({ dosageForm, formDetail })
}

/** Alerts name medicines, so the form carries this instead. */
const confirmationId = (
  { keys }: Pick<Context, 'keys'>,
  alerts: readonly { patientId: string | null; alert: Alert }[],
): string => {
  const shown = alerts.map(({ patientId, alert }) => `${patientId} ${shownAlert(alert)}`)
  return blindIndex(keys, 'alert', shown.toSorted().join('\n')).slice(0, 22)
}

/** Whose prescription a line is for, and the item that covers it: a refill is no duplicate. */
type PrescribedFor = { patientId: string; itemId: string | null }

/**
 * Whom the customer's prescription lines are for, by variant: the patient of the chosen
 * prescription, else of the only item that is for this medicine, else the customer.
 */
async function findPrescribed(
  ctx: Context,
  userId: string,
  lines: readonly StoredCartLine[],
  { prescription }: CheckoutChoice,
): Promise<Map<string, PrescribedFor>> {
  const resolutions = await resolveLines(
    ctx,
    userId,
    lines.flatMap(({ variant, quantity, prescribed }) =>
      prescribed
        ? [
            {
              variantId: variant.id,
              medicine: prescribed.medicine,
              units: prescribed.unitsPerPack * quantity,
            },
          ]
        : [],
    ),
  )
  return new Map(
    [...resolutions].map(([variantId, { all, ofPatients }]): [string, PrescribedFor] => {
      const resolution = prescription ? ofPatients.get(prescription.patientId) : all
      const item = resolution?.kind === 'covered' || resolution?.kind === 'refused' ? resolution.item : null
      const isUsed =
        resolution?.kind === 'covered' || (resolution?.kind === 'refused' && isTooSoon(resolution.problem))
      return [
        variantId,
        {
          patientId: prescription?.patientId ?? item?.patientId ?? userId,
          itemId: isUsed ? (item?.id ?? null) : null,
        },
      ]
    }),
  )
}
