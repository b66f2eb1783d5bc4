import {
  createPaymentIntent,
  newBuyer,
  pay,
  placeOrder,
  sameSession,
  UnexpectedReplyError,
} from '#tests/support/buyer.ts'
import type { PlainClient } from '#tests/support/http-client.ts'
import { withRetries } from './customers.ts'
import { newJournal, type Fault } from './journal.ts'
import { addTestMedicines, openShopContext, prescribe, readUserId } from './prescribed.ts'
import { runVerifiers } from './verify-shop.ts'

const devices = 8
const medicinesPerCustomer = 10

/**
 * A customer orders the last refill of a prescription on eight devices at once, at two processes,
 * from two manufacturers: one order gets it.
 */
export const lastRefill: Fault = async (site, times) => {
  const findings: string[] = []
  const journal = newJournal()
  // No checkout expires during the trial: it checks that one order gets it, not a later release.
  const env = { CHECKOUT_HOLD_SECONDS: '900' }
  const shops = [await site.start({ env }), await site.start({ env })]
  const [origin = '', other = ''] = shops.map((shop) => shop.origin)
  const medicines = await addTestMedicines(origin, medicinesPerCustomer)
  const shop = await openShopContext(site.url)
  const itemIds: string[] = []
  let refused = 0
  for (let trial = 0; trial < times; trial += medicinesPerCustomer) {
    const buyer = await newBuyer(origin, `refill-${Date.now()}-${trial}`)
    const wanted = medicines.slice(0, times - trial)
    const userId = await readUserId(buyer)
    itemIds.push(...(await prescribe(shop, { userId, medicines: wanted, refills: 0 })))
    const clients = Array.from({ length: devices }, (_, i) =>
      withRetries(sameSession(buyer, i % 2 ? other : origin), journal),
    )
    for (const { variantIds } of wanted) {
      const results = await Promise.all(
        clients.map((client, i) => orderRefill(client, variantIds[i >> 2 ? 0 : 1], findings)),
      )
      const orders = new Set(results.filter((id) => id !== null))
      refused += results.filter((id) => id === null).length
      if (orders.size !== 1) findings.push(`${orders.size} orders got the last refill of ${variantIds[0]}`)
    }
    for (const client of [buyer, ...clients]) client.close()
  }
  const rows = await shop.db
    .selectFrom('fills')
    .select(['itemId', 'orderId'])
    .where('status', '<>', 'released')
    .execute()
  for (const itemId of itemIds) {
    const fills = rows.filter((row) => row.itemId === itemId)
    if (fills.length !== 1 || fills[0]?.orderId === null)
      findings.push(`item ${itemId} has ${fills.length} fills instead of an order's one`)
  }
  if (rows.length !== times) findings.push(`${times} last refills became ${rows.length} fills`)
  await shop.close()
  findings.push(...(await runVerifiers(site.url)))
  await Promise.all(shops.map((shop) => shop.stop()))
  return { trials: times, findings, facts: { filled: rows.length, refused } }
}

/** The id of the order, or null when another device was faster. */
async function orderRefill(
  client: PlainClient,
  productVariantId: string,
  findings: string[],
): Promise<string | null> {
  try {
    const intent = await createPaymentIntent(client, [{ productVariantId, quantity: 1 }])
    await pay(client, intent)
    return (await placeOrder(client, intent)).id
  } catch (error) {
    if (!(error instanceof UnexpectedReplyError)) throw error
    // Replaced by another device's checkout, or in progress there.
    if (error.reply.status !== 409 && error.reply.status !== 402) findings.push(error.message)
    return null
  }
}
