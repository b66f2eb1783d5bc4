import { findLabelFacts } from '#db/dispensing/label-facts.ts'
import { listLineRefunds } from '#db/orders/refunds.ts'
import { addressLines } from '#domain/accounts/addresses.ts'
import { needsClearance } from '#domain/orders/order-status.ts'
import { linesLeftToShip, remainingLines, type OrderContent } from '#domain/orders/orders.ts'
import type { PackedLine, PackingSlip, ShippingLabel } from '#domain/orders/packages.ts'
import { findNewAlerts } from '../alerts/find-new-alerts.ts'
import { recordRead } from '../audit/record-audit.ts'
import type { Context } from '../context.ts'
import { readLabelChoices } from '../dispensing/label-choices.ts'
import { findShippingProblems } from '../dispensing/ship-lines.ts'
import type { LotProblem } from '../inventory/find-lot-problems.ts'
import { findRecallProblems } from './find-recall-problems.ts'
import { requirePermission } from '../require-user.ts'
import { findOrder, type CustomerOrder } from './find-order.ts'
import { findOrderLotProblems } from './find-order-lot-problems.ts'
import { listPackFacts } from './list-pack-facts.ts'
import { openContent } from './sealed-order.ts'
import { linesToShip, visibleLines, visibleProblems } from './visible-lines.ts'

/**
 * What is printed on the outside of an order's package, and nothing else of the order. The read is
 * audited. Throws UNAUTHENTICATED, FORBIDDEN, and NOT_FOUND.
 */
export async function getShippingLabel(ctx: Context, id: string): Promise<ShippingLabel> {
  const { row, content } = await openForPacking(ctx, id)
  return toShippingLabel(ctx, row, content)
}

/**
 * What an order's package contains, for the packer and the customer. Lines that a pharmacist has
 * not cleared say so. The read is audited. Throws like `getShippingLabel`.
 */
export async function getPackingSlip(ctx: Context, id: string): Promise<PackingSlip> {
  const { row, content } = await openForPacking(ctx, id)
  const remaining = linesLeftToShip(content, await listLineRefunds(ctx.db, [id]))
  const lines = visibleLines(ctx, row, remaining)
  const choices = await readLabelChoices(ctx, id)
  const packs = await listPackFacts(ctx, lines)
  const toShip = linesToShip(ctx, row, remaining)
  const packingProblems = await findPackingProblems(ctx, row, { lines: toShip, content })
  const warnings = new Map(
    packingProblems.flatMap(({ lineId, message, isBlocking }) => (isBlocking ? [] : [[lineId, message]])),
  )
  const problems = new Map(
    [
      ...packingProblems.filter(({ isBlocking }) => isBlocking),
      ...(await findNewAlerts(ctx, { orderId: id, userId: row.userId, content, lines: toShip })),
      ...(await findShippingProblems(ctx, { orderId: id, userId: row.userId, lines: toShip })),
    ].map(({ lineId, message }) => [lineId, message]),
  )
  return {
    ...(await toShippingLabel(ctx, row, content)),
    placedAt: row.createdAt.toISOString(),
    lines: lines.map(
      ({ id: lineId, productVariantId, product, variant, quantity, lots = [] }): PackedLine => ({
        id: lineId,
        product,
        variant,
        quantity,
        pack: packs.get(productVariantId) ?? null,
        lots: [...lots],
        enclosures: [
          ...(product.category === 'Rx' ? ['Label', 'Leaflet'] : []),
          ...(choices.get(lineId)?.guide === 'enclosed' ? ['Medication Guide'] : []),
        ],
        problem: problems.get(lineId) ?? null,
        warning: warnings.get(lineId) ?? null,
      }),
    ),
  }
}

/**
 * What recalls and lots mean for packing these lines, as the signed-in user may read it. Empty once
 * the order has left.
 */
async function findPackingProblems(
  ctx: Context,
  row: CustomerOrder,
  { lines, content }: { lines: ReturnType<typeof linesToShip>; content: OrderContent },
): Promise<LotProblem[]> {
  if (needsClearance(row.status)) return []
  const recalls = (await findRecallProblems(ctx, lines, content)).map(
    ({ lineId, message }) => ({ lineId, message, isBlocking: true, kind: 'recall' }) as const,
  )
  return [
    ...visibleProblems(ctx, row, lines, recalls),
    ...(await findOrderLotProblems(ctx, row, { lines, content })),
  ]
}

async function openForPacking(
  ctx: Context,
  id: string,
): Promise<{ row: CustomerOrder; content: OrderContent }> {
  requirePermission(ctx, 'orders.read')
  const row = await findOrder(ctx, id)
  await recordRead(ctx, { action: 'order.read', subjectId: row.userId, objectId: id })
  return { row, content: openContent(ctx.keys, row) }
}

async function toShippingLabel(
  ctx: Context,
  { id, carrier, trackingNumber }: CustomerOrder,
  content: OrderContent,
): Promise<ShippingLabel> {
  const { shipTo, customer } = content
  const [first] = remainingLines(content)
  const facts = first ? await findLabelFacts(ctx.db, first.productVariantId) : null
  return {
    orderId: id,
    fromLines: facts?.pharmacyAddress?.split('\n') ?? [],
    toLines: [customer.name, ...addressLines(shipTo.text, shipTo.parts)].filter(Boolean),
    carrier,
    trackingNumber,
  }
}
