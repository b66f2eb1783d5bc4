import { listRecalls } from '#db/screening/recalls.ts'
import { can } from '#domain/accounts/permissions.ts'
import { sumUnits, usableUntil, type LotUnits } from '#domain/inventory/lots.ts'
import { listLineRefunds } from '#db/orders/refunds.ts'
import { canCancel } from '#domain/orders/order-status.ts'
import { linesLeftToShip, type OrderLine } from '#domain/orders/orders.ts'
import type { Recall } from '#domain/screening/recall.ts'
import { formerStaff, getStaffNames } from '../accounts/get-staff-names.ts'
import { recordRead } from '../audit/record-audit.ts'
import type { Context } from '../context.ts'
import { findLotProblems } from '../inventory/find-lot-problems.ts'
import { findReplacements } from '../inventory/replaceable-lots.ts'
import { requirePermission } from '../require-user.ts'
import { findArrival } from './find-arrival.ts'
import { findOrder } from './find-order.ts'
import { findRecallProblems, type RecallProblem } from './find-recall-problems.ts'
import { openContent } from './sealed-order.ts'
import { visibleLines } from './visible-lines.ts'

/** A line of an order with its lots and those that could replace them. */
export type OrderLotLine = Pick<OrderLine, 'id' | 'product' | 'variant'> & {
  quantity: number
  lots: LotUnits[]
  /** The units of the line that are in no lot. */
  inNoLot: number
  /** Why its lots must not ship, or should not; null when they may. */
  problem: string | null
  /** Recalls that keep the line from shipping until someone has acted. */
  recalls: (RecallProblem & Pick<Recall, 'lots' | 'lotNote'>)[]
  /** Looks at the packs that staff recorded. */
  checks: { recallId: string; lotNumber: string; reason: string | null; at: string; by: string }[]
  /** Lots with enough units that last long enough. */
  choices: { id: string; lotNumber: string; expiresOn: string }[]
}

export type OrderLots = {
  orderId: string
  /** Whether lots can still be changed, by this user. */
  canChange: boolean
  /** Whether this user may record that a recall of all lots does not affect a pack. */
  canOverrule: boolean
  lines: OrderLotLine[]
}

/**
 * The lots that an order's lines hold. The read is audited. Throws UNAUTHENTICATED, FORBIDDEN, and
 * NOT_FOUND.
 */
export async function getOrderLots(ctx: Context, orderId: string): Promise<OrderLots> {
  const user = requirePermission(ctx, 'orders.medicines')
  const row = await findOrder(ctx, orderId)
  await recordRead(ctx, { action: 'order.read', subjectId: row.userId, objectId: orderId })
  const isOpen = canCancel(row.status)
  const content = openContent(ctx.keys, row)
  const refunds = await listLineRefunds(ctx.db, [orderId])
  const lines = visibleLines(ctx, row, linesLeftToShip(content, refunds))
  const recalls = isOpen ? await findRecallProblems(ctx, lines, content) : []
  const reports = await listReports(ctx, recalls)
  const { packChecks = [] } = content
  const names = await getStaffNames(
    ctx,
    packChecks.map(({ by }) => by),
  )
  const arrivesBy = isOpen ? await findArrival(ctx, row, { lines, shipTo: content.shipTo }) : null
  const lotProblems = isOpen ? await findLotProblems(ctx, lines, arrivesBy) : []
  const problems = new Map(lotProblems.map(({ lineId, message }) => [lineId, message]))
  const replacementsOf = await findReplacements(ctx, isOpen ? lines.filter(({ isTracked }) => isTracked) : [])
  const view: OrderLotLine[] = []
  for (const line of lines) {
    const { id, product, variant, quantity, lots = [], daysSupply, isTracked } = line
    const ownRecalls = recalls
      .filter(({ lineId }) => lineId === id)
      .map((recall) => {
        const report = reports.get(recall.recallId)
        return { ...recall, lots: report?.lots ?? [], lotNote: report?.lotNote ?? null }
      })
    const checks = packChecks.filter(({ lineId }) => lineId === id)
    if (!isTracked && ownRecalls.length + checks.length === 0) continue
    const until = usableUntil(ctx.now, daysSupply, arrivesBy)
    const available = isTracked ? replacementsOf(line) : []
    view.push({
      id,
      product,
      variant,
      quantity,
      lots,
      inNoLot: isTracked ? quantity - sumUnits(lots) : 0,
      problem: problems.get(id) ?? null,
      recalls: ownRecalls,
      checks: checks.map(({ recallId, lotNumber, reason, at, by }) => ({
        recallId,
        lotNumber,
        reason,
        at,
        by: (by === null ? undefined : names.get(by)) ?? formerStaff,
      })),
      choices: available
        .filter((lot) => lot.quantity >= quantity && lot.expiresOn >= until)
        .map((lot) => ({ id: lot.id, lotNumber: lot.lotNumber, expiresOn: lot.expiresOn })),
    })
  }
  const canChange = isOpen && can(user, 'orders.ship') && user.id !== row.userId
  return { orderId, canChange, canOverrule: canChange && can(user, 'lots.quarantine'), lines: view }
}

/** What the reports say of lots, by recall. */
async function listReports(
  { db }: Pick<Context, 'db'>,
  recalls: readonly RecallProblem[],
): Promise<Map<string, Recall>> {
  if (recalls.length === 0) return new Map()
  const ids = [...new Set(recalls.map(({ recallId }) => recallId))]
  return new Map((await listRecalls(db, { ids })).map((recall) => [recall.id, recall]))
}
