import { formerStaff, getStaffNames } from '../accounts/get-staff-names.ts'
import { readAlertDecisions } from './alert-decisions.ts'
import { listInForce } from './list-checked-lists.ts'
import { screenLines } from './screen-lines.ts'
import { toCaseAlert, toNotChecked, type CaseAlert, type CaseScreening } from '#domain/alerts/case-alert.ts'
import { sumUnits } from '#domain/inventory/lots.ts'
import { shownAlert } from '#domain/alerts/alert-decision.ts'
import { alertLineName } from '#domain/alerts/alert-text.ts'
import type { LineReviewRow } from '#db/dispensing/line-reviews.ts'
import { daysSupplyOf, type Item } from '#domain/dispensing/fill-rules.ts'
import { remainingLines, type OrderContent, type OrderLine } from '#domain/orders/orders.ts'
import type { Alert } from '#domain/screening/alert.ts'
import type { Context } from '../context.ts'
import type { KeyRing } from '../crypto/key-ring.ts'
import { blindIndex } from '../crypto/tokens.ts'
import type { Therapy } from '../dispensing/read-therapy.ts'
import type { LineToScreen } from '../screening/screen-case.ts'

/** The alerts of an order beside what its pharmacists see of them. */
export type OrderAlerts = {
  view: CaseScreening
  /** The alerts that a line's decision counts: those about it. */
  alertsOf: (lineId: string) => Alert[]
  find: (alertId: string) => { patientId: string; alert: Alert; view: CaseAlert } | null
  /** The prescription item with which a line was screened; null when none is known. */
  itemIdOf: (lineId: string) => string | null
  /** What the lists say about a line when another item fills it, for that item's patient. */
  screenWith: (lineId: string, item: Item) => Promise<Pick<CaseScreening, 'alerts' | 'notChecked'>>
}

type OrderToScreen = {
  userId: string
  content: OrderContent
  reviews: readonly LineReviewRow[]
  therapy: Therapy
  /** By line: the item that the pharmacist fills it from. */
  chosenItems?: ReadonlyMap<string, Item>
}

/**
 * What the lists say about an order's lines that were not refused, for the patient of each, with
 * the decisions on it. Unrecorded: the caller writes the audit row.
 * @param key the customer's
 */
export async function readOrderAlerts(
  ctx: Context,
  key: KeyRing,
  order: OrderToScreen,
): Promise<OrderAlerts> {
  const { userId, therapy } = order
  const { byPatient, itemIds } = groupByPatient(order)
  const screen = async (patientId: string, lines: readonly LineToScreen[]) => ({
    patientId,
    screening: await screenLines(ctx, key, { userId, patientId, lines, therapy }),
  })
  const [screenings, stored, lists] = await Promise.all([
    Promise.all([...byPatient].map(([patientId, lines]) => screen(patientId, lines))),
    readAlertDecisions(ctx, key, userId),
    listInForce(ctx),
  ])
  const names = await getStaffNames(
    ctx,
    stored.map(({ by }) => by),
  )
  const decisions = stored.map((each) => ({ ...each, by: names.get(each.by) ?? formerStaff }))
  // An alert names medicines, so forms and errors carry this instead.
  const idOf =
    (patientId: string) =>
    (alert: Alert): string =>
      blindIndex(ctx.keys, 'alert', `${patientId} ${shownAlert(alert)}`).slice(0, 22)
  const toAlerts = ({ patientId, screening }: Awaited<ReturnType<typeof screen>>) =>
    screening.alerts.map((alert) => ({
      patientId,
      alert,
      view: toCaseAlert(alert, { patientId, decisions, now: ctx.now, idOf: idOf(patientId) }),
    }))
  const alerts = screenings.flatMap(toAlerts)
  return {
    view: {
      alerts: alerts.map(({ view }) => view),
      notChecked: screenings.flatMap(({ screening }) => toNotChecked(screening)),
      lists,
    },
    alertsOf: (lineId) =>
      alerts.filter(({ view }) => view.lineIds.includes(lineId)).map(({ alert }) => alert),
    find: (alertId) => alerts.find(({ view }) => view.id === alertId) ?? null,
    itemIdOf: (lineId) => itemIds.get(lineId) ?? null,
    screenWith: async (lineId, item) => {
      const chosenItems = new Map([...(order.chosenItems ?? []), [lineId, item]])
      const { patientId } = item
      const lines = groupByPatient({ ...order, chosenItems }).byPatient.get(patientId) ?? []
      const screened = await screen(patientId, lines)
      const views = toAlerts(screened).map(({ view }) => view)
      return {
        alerts: views.filter(({ lineIds }) => lineIds.includes(lineId)),
        notChecked: toNotChecked(screened.screening),
      }
    },
  }
}

/** The lines to screen together, and the item with which each is screened. */
function groupByPatient({ userId, content, reviews, therapy, chosenItems }: OrderToScreen) {
  const byPatient = new Map<string, LineToScreen[]>()
  const itemIds = new Map<string, string>()
  for (const line of remainingLines(content)) {
    const item = chosenItems?.get(line.id) ?? findItem(line, reviews, therapy)
    if (item) itemIds.set(line.id, item.id)
    const review = reviews.find(({ lineId }) => lineId === line.id)
    const patientId = item?.patientId ?? review?.patientId ?? line.patientId ?? userId
    byPatient.set(patientId, [...(byPatient.get(patientId) ?? []), toLineToScreen(line, item)])
  }
  return { byPatient, itemIds }
}

/**
 * The item that a line's review names, else the only one of the same ingredients: of the chosen
 * prescription's patient, if one was chosen.
 */
function findItem(line: OrderLine, reviews: readonly LineReviewRow[], { items }: Therapy): Item | null {
  const review = reviews.find(({ lineId }) => lineId === line.id)
  if (review?.itemId) return items.find(({ id }) => id === review.itemId) ?? null
  const same = items.filter(
    ({ medicine, patientId, status }) =>
      status === 'active' &&
      medicine.ingredientSet === line.medicine?.ingredientSet &&
      (!review?.prescriptionId || patientId === review.patientId),
  )
  return same.length === 1 ? (same[0] ?? null) : null
}

const toLineToScreen = (line: OrderLine, item: Item | null): LineToScreen => ({
  id: line.id,
  variantId: line.productVariantId,
  name: alertLineName(line.product, line.variant),
  itemId: item?.id ?? null,
  fill:
    item && line.units !== undefined
      ? { units: line.units, unit: item.medicine.unit, daysSupply: daysSupplyOf(item, line.units) }
      : null,
  lots: knownLots(line),
})

/** The lots of a line; null when those of some units are not known. */
function knownLots({ lots = [], quantity }: OrderLine): string[] | null {
  const isKnown = lots.length > 0 && sumUnits(lots) >= quantity
  return isKnown ? lots.map(({ lotNumber }) => lotNumber) : null
}
