import { findUserKey } from '#db/crypto/keys.ts'
import {
  listItemOwners,
  listPrescribedOrders,
  listRefundedCents,
  listStrayFills,
  type PrescribedOrder,
} from '#db/dispensing/fill-figures.ts'
import { listFills, listFillsOfOrders } from '#db/dispensing/fills.ts'
import { listItems } from '#db/dispensing/items.ts'
import { listLineReviews } from '#db/dispensing/line-reviews.ts'
import type { Db } from '#db/engine/client.ts'
import { eachPage, eachRow } from '#db/engine/each-row.ts'
import { readSnapshot } from '#db/engine/snapshot.ts'
import { listOrderHolds } from '#db/orders/payment-holds.ts'
import { listLineRefunds } from '#db/orders/refunds.ts'
import type { Fill, Item } from '#domain/dispensing/fill-rules.ts'
import type { ShopKeys } from '../crypto/key-ring.ts'
import { unwrapUserKey } from '../crypto/user-key.ts'
import { readFill, readItem } from '../dispensing/item-reader.ts'
import { readOrderContent } from '../orders/order-reader.ts'
import { findItemFaults, findOrderFaults } from './fill-findings.ts'

const batchSize = 200

export type FillsSummary = { items: number; fills: number; orders: number; findings: number }

/**
 * Verifies the fills against the items that authorize them, the reviews, the orders and their
 * payments in one snapshot, beside the running shop. Memory is bounded, except for one number per
 * fill that counts and per refunded order.
 * @param keys the shop's keys, which open the orders and the customers' keys
 * @param onFinding called with each finding as one sentence
 */
export async function verifyFills(
  { db, keys }: { db: Db; keys: ShopKeys },
  onFinding: (message: string) => void,
): Promise<FillsSummary> {
  return readSnapshot(db, async (db) => {
    const summary: FillsSummary = { items: 0, fills: 0, orders: 0, findings: 0 }
    const find = (message: string): void => {
      summary.findings++
      onFinding(message)
    }
    for (const { id, problem } of await listStrayFills(db)) find(`Fill ${id}: ${problem}.`)
    const units = new Map<string, number>()
    const owners = eachRow((page) => listItemOwners(db, page), { key: 'userId', limit: batchSize })
    for await (const { userId } of owners) {
      const therapy = await openTherapy({ db, keys }, userId, find)
      summary.items += therapy.items.length
      summary.fills += therapy.fills.length
      for (const fill of therapy.fills) if (fill.status !== 'released') units.set(fill.id, fill.units)
      for (const fault of findItemFaults(therapy.items, therapy.fills)) find(fault)
    }
    const refunds = await listRefundedCents(db)
    const read = (page: { after: string; limit: number }) => listPrescribedOrders(db, page)
    for await (const orders of eachPage(read, { key: 'id', limit: batchSize })) {
      summary.orders += orders.length
      await verifyOrders({ db, keys }, orders, { units, refunds, find })
    }
    return summary
  })
}

/** A customer's items and fills. What cannot be decrypted is a finding. */
async function openTherapy(
  ctx: { db: Db; keys: ShopKeys },
  userId: string,
  find: (message: string) => void,
): Promise<{ items: Item[]; fills: Fill[] }> {
  const wrapped = await findUserKey(ctx.db, userId)
  const key = wrapped === null ? null : nullIfSealed(() => unwrapUserKey(ctx, userId, wrapped))
  if (wrapped !== null && key === null) {
    find(`The key of customer ${userId} could not be opened.`)
    return { items: [], fills: [] }
  }
  const [items, fills] = [await listItems(ctx.db, userId), await listFills(ctx.db, userId)]
  const openEach = <Row extends { id: string }, Opened>(
    what: string,
    rows: readonly Row[],
    open: (row: Row) => Opened | null,
  ): Opened[] =>
    rows.flatMap((row) => {
      const opened = nullIfSealed(() => open(row))
      if (opened === null) find(`${what} ${row.id} could not be decrypted.`)
      return opened === null ? [] : [opened]
    })
  return {
    items: openEach('Item', items, (row) => key && readItem(key, row)),
    fills: openEach('Fill', fills, (row) => key && readFill(key, row)),
  }
}

/** Null when the row was not sealed with this key or was tampered with. */
function nullIfSealed<T>(open: () => T | null): T | null {
  try {
    return open()
  } catch {
    return null
  }
}

async function verifyOrders(
  { db, keys }: { db: Db; keys: ShopKeys },
  orders: readonly PrescribedOrder[],
  known: {
    units: ReadonlyMap<string, number>
    refunds: ReadonlyMap<string, number>
    find: (message: string) => void
  },
): Promise<void> {
  const ids = orders.map(({ id }) => id)
  const reviews = await listLineReviews(db, ids)
  const fills = await listFillsOfOrders(db, ids)
  const holds = await listOrderHolds(db, ids)
  const lineRefunds = await listLineRefunds(db, ids)
  for (const order of orders) {
    const content = nullIfSealed(() => readOrderContent(keys, order))
    if (!content) {
      known.find(`Order ${order.id} could not be decrypted.`)
      continue
    }
    const faults = findOrderFaults({
      order,
      content,
      reviews: byLine(reviews, order.id),
      fills: byLine(fills, order.id),
      units: known.units,
      hold: holds.get(order.id) ?? null,
      refundedCents: known.refunds.get(order.id) ?? 0,
      lineRefunds,
    })
    for (const fault of faults) known.find(fault)
  }
}

/** An order's rows by their line. The lists are of one batch. */
const byLine = <Row extends { orderId: string | null; lineId: string }>(
  rows: readonly Row[],
  orderId: string,
): Map<string, Row> => new Map(rows.filter((row) => row.orderId === orderId).map((row) => [row.lineId, row]))
