import { findAuditedObject } from '#db/audit/audit.ts'
import { findProfile } from '#db/accounts/users.ts'
import { addressText, type Address } from '#domain/accounts/addresses.ts'
import { AppError } from '#domain/errors.ts'
import { requireUser } from '../require-user.ts'
import { finalizeCheckout } from '../checkout/finalize-checkout.ts'
import { startCheckout } from '../checkout/create-checkout.ts'
import type { Context } from '../context.ts'
import { confirmDemoPayment } from '../integrations/payments/demo-payments.ts'
import { setOrderStatus, type OrderEdit } from '../orders/set-order-status.ts'

type DemoOrder = {
  /** How the log knows what was done for it: once, however often the demo starts. */
  name: string
  daysAgo: number
  /** Of the demo catalogue. */
  items: { productVariantId: string; quantity: number }[]
  prescriptionId?: string
  changes: (OrderEdit & { daysAgo: number })[]
}

/** The oldest first, so that lists have them in the order of their days. */
const ordersWith = (prescriptionId: string): DemoOrder[] => [
  {
    name: 'demo-order-1',
    daysAgo: 21,
    items: [
      // Loratadine (APO-Loratadine) 10 mg, 12 tablets; acetaminophen 325 mg, 100 tablets.
      { productVariantId: '01980000-b9e7-7b56-8628-266afaaac195', quantity: 2 },
      { productVariantId: '01980000-d6fe-78bf-806e-16af45483fcf', quantity: 1 },
    ],
    changes: [
      { daysAgo: 19, status: 'shipped', carrier: 'USPS', trackingNumber: '9400100000000000000042' },
      { daysAgo: 15, status: 'delivered' },
    ],
  },
  {
    name: 'demo-order-2',
    daysAgo: 5,
    // Cetirizine (Reactine) 5 mg/5 mL, 100 mL.
    items: [{ productVariantId: '01980000-2c4c-7ce7-83a8-b41e8f0b4ca5', quantity: 1 }],
    changes: [{ daysAgo: 3, status: 'shipped', carrier: 'UPS', trackingNumber: '1Z999AA10123456784' }],
  },
  {
    name: 'demo-order-3',
    daysAgo: 0,
    // Lisinopril (Auro-Lisinopril) 10 mg, 100 tablets.
    items: [{ productVariantId: '01980000-a099-7715-80ae-90e45369f5dd', quantity: 1 }],
    prescriptionId,
    changes: [],
  },
]

const card = '4242 4242 4242 4242'
const dayMs = 24 * 3600 * 1000

/**
 * Makes what is missing of the demo customer's orders by the shop's own ways, with an earlier clock: that of the account, so that a start
 * that was broken off goes on with the checkout that it began. Mails nobody. What the catalogue does not sell is left out.
 * @param customer the context of whose orders they are
 * @param pharmacist the context of an admin
 */
export async function makeDemoOrders(
  customer: Context,
  pharmacist: Context,
  { shipTo, prescriptionId }: { shipTo: Address; prescriptionId: string },
): Promise<void> {
  // Whoever else takes the money has not been paid for them.
  if (customer.payments.kind !== 'demo') return
  const account = await findProfile(customer.db, requireUser(customer).id)
  if (!account) return
  const at = (ctx: Context, daysAgo: number, requestId: string): Context => ({
    ...ctx,
    now: new Date(account.createdAt.getTime() - daysAgo * dayMs),
    requestId,
    isQuiet: true,
  })
  for (const { name, daysAgo, changes, ...order } of ordersWith(prescriptionId)) {
    const id = await placeOnce(at(customer, daysAgo, name), { ...order, shipTo })
    if (id === null) continue
    for (const { daysAgo: changedDaysAgo, ...edit } of changes) {
      await changeOnce(at(pharmacist, changedDaysAgo, `${name}-${edit.status}`), account.id, id, edit)
    }
  }
}

type Placed = Pick<DemoOrder, 'items' | 'prescriptionId'> & { shipTo: Address }

/** The order's id; null when it cannot be made here. */
async function placeOnce(ctx: Context, { items, shipTo, prescriptionId }: Placed): Promise<string | null> {
  const { requestId } = ctx
  const made = await findAuditedObject(ctx.db, {
    subjectId: requireUser(ctx).id,
    action: 'order.placed',
    requestId,
  })
  if (made !== null) return made
  try {
    const input = {
      items,
      shipTo: { text: addressText(shipTo), parts: shipTo },
      prescriptionId: prescriptionId ?? null,
    }
    const { payment } = await startCheckout(ctx, input, { resume: true })
    await confirmDemoPayment(ctx.db, { clientSecret: payment.clientSecret, cardNumber: card })
    return (await finalizeCheckout(ctx, payment.id)).order.id
  } catch (error) {
    const isRefused = error instanceof AppError && (error.code === 'INVALID' || error.code === 'CONFLICT')
    if (!isRefused) throw error
    ctx.log.info({ err: error, requestId }, 'an order of the demo is left out')
    return null
  }
}

async function changeOnce(ctx: Context, subjectId: string, id: string, edit: OrderEdit): Promise<void> {
  const { requestId } = ctx
  const done = await findAuditedObject(ctx.db, { subjectId, action: 'order.changed', requestId })
  if (done === null) await setOrderStatus(ctx, id, edit)
}
