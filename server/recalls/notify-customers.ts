import { groupBy } from '#domain/group-by.ts'
import { lockUser } from '#db/accounts/users.ts'
import { insertRecallNotice, listRecallNotices, type RecallNoticeRow } from '#db/recalls/recall-notices.ts'
import { newId } from '#domain/ids.ts'
import { orderRef } from '#domain/orders/order-ref.ts'
import { paths } from '#domain/paths.ts'
import { findEmail } from '../accounts/person-reader.ts'
import { inTransaction, type Context } from '../context.ts'
import type { ShopKeys } from '../crypto/key-ring.ts'
import { blindIndex } from '../crypto/tokens.ts'
import { queueMail } from '../mail/queue-mail.ts'
import type { RecalledOrder } from './find-recall-effects.ts'
import { openNotice, sealNotice } from './sealed-notice.ts'

type Keys = Pick<ShopKeys, 'indexKey'>
export const recallKeyOf = (keys: Keys, recallId: string): string => blindIndex(keys, 'recall', recallId)
export const orderKeyOf = (keys: Keys, orderId: string): string => blindIndex(keys, 'recalled-order', orderId)
const personKeyOf = (keys: Keys, { userId, recall }: Pick<RecalledOrder, 'userId' | 'recall'>): string =>
  blindIndex(keys, 'recalled-person', `${recall.id} ${userId}`)

/** The orders whose customers were never notified of the recall. */
export async function listNewToCustomers(
  { db, keys }: Pick<Context, 'db' | 'keys'>,
  recalled: readonly RecalledOrder[],
): Promise<RecalledOrder[]> {
  const personKeys = [...new Set(recalled.map((order) => personKeyOf(keys, order)))]
  const notified = new Set(
    (await listRecallNotices(db, 'personKey', personKeys)).map(({ personKey }) => personKey),
  )
  return recalled.filter((order) => !notified.has(personKeyOf(keys, order)))
}

export type Notified = { customers: number; orders: number }

/**
 * Notifies customers of recalls of what shipped to them. A customer gets one email about all
 * recalls that are new to them, and never a second one about the same recall. It names no medicine,
 * and links to the orders, whose pages have the recall.
 */
export async function notifyCustomers(
  ctx: Context,
  recalled: readonly RecalledOrder[],
  signal?: AbortSignal,
): Promise<Notified> {
  const notified: Notified = { customers: 0, orders: 0 }
  const failures: unknown[] = []
  for (const [userId, orders] of groupBy(recalled, (order) => order.userId)) {
    if (signal?.aborted) break
    try {
      const result = await inTransaction(ctx, (ctx) => notifyCustomer(ctx, userId, orders))
      if (result.isMailed) notified.customers++
      notified.orders += result.orders
    } catch (error) {
      // A failure for one customer must not keep the others from their email. The job tries again.
      failures.push(error)
    }
  }
  if (failures.length > 0) throw failures[0]
  return notified
}

async function notifyCustomer(
  ctx: Context,
  userId: string,
  recalled: readonly RecalledOrder[],
): Promise<{ isMailed: boolean; orders: number }> {
  const { db, keys } = ctx
  // Another process that notifies the same customer waits, or has finished.
  await lockUser(db, userId)
  const keyed = recalled.map((order) => ({
    ...order,
    personKey: personKeyOf(keys, order),
    orderKey: orderKeyOf(keys, order.orderId),
  }))
  const personKeys = [...new Set(keyed.map(({ personKey }) => personKey))]
  // Their keys say what the customer was notified of, also when a notice cannot be decrypted.
  const earlier = groupBy(await listRecallNotices(db, 'personKey', personKeys), ({ personKey }) => personKey)
  const added = keyed.filter(
    ({ personKey, orderKey }) => !earlier.get(personKey)?.some((notice) => notice.orderKey === orderKey),
  )
  const news = added.filter(({ personKey }) => !earlier.has(personKey))
  const mailId = news.length > 0 ? await sendRecallMail(ctx, userId, news) : null
  let orders = 0
  for (const { recall, orderId, lineIds, personKey, orderKey } of added) {
    const id = newId(ctx.now.getTime())
    const known = earlier.get(personKey)
    const notice = {
      recallId: recall.id,
      orderId,
      lineIds,
      mailId: known ? findMailId(ctx, known) : mailId,
      at: ctx.now.toISOString(),
    }
    const isNew = await insertRecallNotice(db, {
      id,
      recallKey: recallKeyOf(keys, recall.id),
      orderKey,
      personKey,
      sealedNotice: sealNotice(keys, id, notice),
    })
    if (isNew) orders++
  }
  return { isMailed: mailId !== null, orders }
}

/** The email of these notices of one recall, from those that can be decrypted. */
function findMailId(ctx: Context, notices: readonly RecallNoticeRow[]): string | null {
  for (const row of notices) {
    const notice = openNotice(ctx, row)
    if (notice && notice.mailId !== null) return notice.mailId
  }
  return null
}

/** Returns the email's id; null when the account has no address any more. */
async function sendRecallMail(
  ctx: Context,
  userId: string,
  recalled: readonly RecalledOrder[],
): Promise<string | null> {
  const address = await findEmail(ctx, userId)
  if (address === null) return null
  const { publicOrigin, supportEmail } = ctx.shop
  const orderIds = [...new Set(recalled.map(({ orderId }) => orderId))]
  const [first = null, ...others] = orderIds
  const only = others.length === 0 ? first : null
  return queueMail(ctx, {
    to: { address },
    template: 'recall-notice',
    props: {
      orderRefs: orderIds.map(orderRef),
      link: publicOrigin + (only === null ? paths.orderHistory : paths.order(only)),
      supportEmail,
    },
  })
}
