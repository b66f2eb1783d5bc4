import { listStockOf } from '#db/recalls/recalled-stock.ts'
import { remainingLines, type OrderContent } from '#domain/orders/orders.ts'
import { isHeldBack } from '#domain/orders/pack-checks.ts'
import { toScope, type Recall } from '#domain/screening/recall.ts'
import { isOngoing, judgeRecall, judgeUnits } from '#domain/screening/recall-outcome.ts'
import { listCodes } from '#domain/screening/recall-codes.ts'
import type { Context } from '../context.ts'
import { eachShippedOrder } from '../orders/each-shipped-order.ts'
import { eachUnshippedOrder } from '../orders/each-unshipped-order.ts'
import { readPackages, type ReadNdcPackages } from './package-codes.ts'

/** A lot in stock that a recall takes out of it. */
type RecalledLot = { lotId: string; lotNumber: string; recall: Recall; quantity: number }
/** Units in no lot, of a package of which all lots are recalled. */
type LooseUnits = { variantId: string; recall: Recall; units: number }
/** Lines of an order that a recall affects. */
export type RecalledOrder = { orderId: string; userId: string; recall: Recall; lineIds: string[] }

/** A package on sale without a count of its units, of which all lots are recalled. */
type Untracked = { variantId: string; recall: Recall }

/** What recalls mean for the stock. */
export type RecalledStock = { lots: RecalledLot[]; loose: LooseUnits[]; untracked: Untracked[] }
/** What recalls mean for orders. */
type RecalledOrders = {
  /** Orders that do not ship until staff act. */
  open: RecalledOrder[]
  /** Orders whose customers are notified. */
  shipped: RecalledOrder[]
  /** How many shipped orders could not be decrypted. Their customers are not notified. */
  unreadable: number
}

/** What recalls mean for the stock and the orders of the shop. */
type RecallEffects = RecalledStock &
  RecalledOrders & {
    /** The packages on sale that a recall names. */
    packages: number
    /** The deleted packages that it names: their buyers are notified too. */
    deletedIds: string[]
    /** How many of the recalls name no package of the catalog. */
    outsideCatalog: number
  }

/** What these recalls mean for the shop, whether they are in the list or in a file. */
export async function findRecallEffects(
  ctx: Context,
  recalls: readonly Recall[],
  readNdcPackages?: ReadNdcPackages,
): Promise<RecallEffects> {
  const { recallsOf, packages, deletedIds, outsideCatalog } = await matchCatalog(
    ctx,
    recalls,
    readNdcPackages,
  )
  const stock = await findRecalledStock(ctx, recallsOf)
  return { packages, deletedIds, outsideCatalog, ...stock, ...(await findRecalledOrders(ctx, recallsOf)) }
}

type RecallsOf = ReadonlyMap<string, readonly Recall[]>

/**
 * The orders that the recalls affect. Only the orders know their lines, so the open ones and those
 * that shipped in the setting's days are decrypted. One that cannot be is logged and skipped. Units
 * that were refunded before they could ship never reached the customer.
 */
export async function findRecalledOrders(ctx: Context, recallsOf: RecallsOf): Promise<RecalledOrders> {
  const found: RecalledOrders = { open: [], shipped: [], unreadable: 0 }
  if (recallsOf.size === 0) return found
  found.open = await findOpenOrders(ctx, recallsOf)
  for await (const { row, content } of eachShippedOrder(ctx)) {
    if (!content) found.unreadable++
    else found.shipped.push(...judgeOrder(row, content, recallsOf))
  }
  return found
}

/** The open orders that do not ship until staff act. */
export async function findOpenOrders(
  ctx: Pick<Context, 'db' | 'keys' | 'log'>,
  recallsOf: RecallsOf,
): Promise<RecalledOrder[]> {
  const open: RecalledOrder[] = []
  for await (const { row, content } of eachUnshippedOrder(ctx))
    open.push(...judgeOrder(row, content, recallsOf))
  return open
}

/** The recalls by the variants whose package they name, deleted variants too. */
export async function matchCatalog(
  ctx: Pick<Context, 'db'>,
  recalls: readonly Recall[],
  readNdcPackages?: ReadNdcPackages,
) {
  const byCode = new Map<string, Recall[]>()
  for (const recall of recalls)
    for (const code of recall.codes) byCode.set(code, [...(byCode.get(code) ?? []), recall])
  const recallsOf = new Map<string, Recall[]>()
  const matched = new Set<string>()
  const deletedIds: string[] = []
  let packages = 0
  for (const { id, deletedAt, ...own } of await readPackages(ctx, [...byCode.keys()], readNdcPackages)) {
    const found = new Set(listCodes({ variantId: id, ...own }).flatMap((code) => byCode.get(code) ?? []))
    if (found.size === 0) continue
    recallsOf.set(id, [...found])
    if (deletedAt !== null) {
      deletedIds.push(id)
      continue
    }
    packages++
    for (const recall of found) matched.add(recall.id)
  }
  return { recallsOf, packages, deletedIds, outsideCatalog: recalls.length - matched.size }
}

/**
 * The lots in stock that are recalled. Where all lots are, also the units in no lot, and the
 * packages on sale without a count.
 */
export async function findRecalledStock(
  { db }: Pick<Context, 'db'>,
  recallsOf: RecallsOf,
): Promise<RecalledStock> {
  const lots: RecalledLot[] = []
  const loose: LooseUnits[] = []
  const untracked: Untracked[] = []
  if (recallsOf.size === 0) return { lots, loose, untracked }
  const stock = await listStockOf(db, [...recallsOf.keys()])
  for (const { variantId, loose: units, isOnSaleUntracked, lots: own } of stock) {
    const recalls = recallsOf.get(variantId) ?? []
    for (const { id: lotId, lotNumber, quantity } of own) {
      const recall = recalls.find((one) => judgeRecall(toScope(one), [lotNumber])?.effect === 'block')
      if (recall) lots.push({ lotId, lotNumber, recall, quantity })
    }
    const recall = recalls.find(({ allLots, status }) => allLots && isOngoing(status))
    if (recall && units > 0) loose.push({ variantId, recall, units })
    if (recall && isOnSaleUntracked) untracked.push({ variantId, recall })
  }
  return { lots, loose, untracked }
}

/** The recalls that hold back an order's lines, each with its lines. */
function judgeOrder(
  { id: orderId, userId }: { id: string; userId: string | null },
  content: OrderContent,
  recallsOf: RecallsOf,
): RecalledOrder[] {
  if (userId === null) return []
  const found = new Map<string, RecalledOrder>()
  for (const { id: lineId, productVariantId, quantity, lots = [] } of remainingLines(content)) {
    for (const recall of recallsOf.get(productVariantId) ?? []) {
      const effect = judgeUnits(toScope(recall), { lots, quantity })?.effect ?? null
      const units = { lineId, recallId: recall.id, effect, lots, recalledLots: recall.lots }
      if (!isHeldBack(content, units)) continue
      const known = found.get(recall.id) ?? { orderId, userId, recall, lineIds: [] }
      known.lineIds.push(lineId)
      found.set(recall.id, known)
    }
  }
  return [...found.values()]
}
