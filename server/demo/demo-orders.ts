import { findAuditedObject } from '#db/audit/audit.ts'
import { findProfile } from '#db/accounts/users.ts'
import { formatAddress, type Address } from '#domain/accounts/addresses.ts'
import { dayMs } from '#domain/days.ts'
import { AppError } from '#domain/errors.ts'
import { requireUser } from '../require-user.ts'
import { finalizeCheckout } from '../checkout/finalize-checkout.ts'
import { startCheckout } from '../checkout/start-checkout.ts'
import type { Context } from '../context.ts'
import { confirmDemoPayment, demoPayments } from '../integrations/payments/demo-payments.ts'
import { clearOnce, settlePayment, transcribeOnce } from './demo-dispensing.ts'
import { elenasPrescription } from './demo-prescriptions.ts'
import { setOrderStatus, type OrderEdit } from '../orders/set-order-status.ts'

type DemoOrder = {
  /**
   * The request id that the audit log records, so that each step is done only once across starts.
   */
  name: string
  daysAgo: number
  /** Variants of the demo catalog. */
  items: { productVariantId: string; quantity: number }[]
  prescriptionId?: string
  /** Whether a pharmacist has cleared its prescription line, an hour after the order. */
  isCleared?: true
  changes: (OrderEdit & { daysAgo: number })[]
}

/** The oldest first, so that ids sort like dates. */
const ordersWith = (prescriptionId: string): DemoOrder[] => [
  {
    name: 'demo-order-1',
    daysAgo: 32,
    items: [
      // Loratadine (APO-Loratadine) 10 mg, 12 tablets; acetaminophen 325 mg, 100 tablets; metformin
      // 500 mg, 30 tablets, whose refill is due today.
      { productVariantId: '01980000-b9e7-7b56-8628-266afaaac195', quantity: 2 },
      { productVariantId: '01980000-d6fe-78bf-806e-16af45483fcf', quantity: 1 },
      { productVariantId: '01980000-5be1-7997-831d-c5445a60f658', quantity: 1 },
    ],
    prescriptionId,
    isCleared: true,
    changes: [
      { daysAgo: 31, status: 'shipped', carrier: 'USPS', trackingNumber: '9400100000000000000042' },
      { daysAgo: 27, status: 'delivered' },
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
/**
 * A context of some time ago, which sends no email. Demo payments keep time by it, so that what was
 * authorized then is captured then.
 */
export const contextAt = (ctx: Context, now: Date, requestId: string): Context => ({
  ...ctx,
  now,
  requestId,
  suppressesMail: true,
  payments: demoPayments(ctx.db, () => now),
})

/**
 * Creates the demo customer's missing orders through the shop's own use cases, with the clock set
 * back relative to the account's creation. An interrupted start therefore resumes the checkout that
 * it created. Items that the catalog does not sell are left out.
 * @param customer the context of the customer
 * @param pharmacist the context of a pharmacist
 */
export async function createDemoOrders(
  customer: Context,
  pharmacist: Context,
  { shipTo, prescriptionId }: { shipTo: Address; prescriptionId: string },
): Promise<void> {
  // A real payment provider has not been paid for them.
  if (customer.payments.kind !== 'demo') return
  const account = await findProfile(customer.db, requireUser(customer).id)
  if (!account) return
  const { createdAt, id: patientId } = account
  const at = (ctx: Context, daysAgo: number, requestId: string): Context =>
    contextAt(ctx, new Date(createdAt.getTime() - daysAgo * dayMs), requestId)
  for (const { name, daysAgo, changes, isCleared, ...order } of ordersWith(prescriptionId)) {
    const orderId = await placeOrderOnce(at(customer, daysAgo, name), { ...order, shipTo })
    if (orderId === null) continue
    if (isCleared) {
      const reviewer = at(pharmacist, daysAgo - 0.1, name)
      await transcribeOnce(reviewer, { patientId, orderId }, elenasPrescription, createdAt)
      await clearOnce(reviewer, { patientId, orderId })
      await settlePayment(reviewer, orderId)
    }
    for (const { daysAgo: changedDaysAgo, ...edit } of changes) {
      await changeOrderOnce(
        at(pharmacist, changedDaysAgo, `${name}-${edit.status}`),
        patientId,
        orderId,
        edit,
      )
    }
  }
}

type OrderToPlace = Pick<DemoOrder, 'items' | 'prescriptionId'> & { shipTo: Address }

/** The order's id; null when this shop cannot place it. */
export async function placeOrderOnce(
  ctx: Context,
  { items, shipTo, prescriptionId }: OrderToPlace,
): Promise<string | null> {
  const { requestId } = ctx
  const existingId = await findAuditedObject(ctx.db, {
    subjectId: requireUser(ctx).id,
    action: 'order.placed',
    requestId,
  })
  if (existingId !== null) return existingId
  try {
    const input = {
      items,
      shipTo: { text: formatAddress(shipTo), parts: shipTo },
      prescriptionId: prescriptionId ?? null,
    }
    const { payment } = await startCheckout(ctx, input, { resume: true })
    await confirmDemoPayment(ctx.db, { clientSecret: payment.clientSecret, cardNumber: card, now: ctx.now })
    return (await finalizeCheckout(ctx, payment.id)).order.id
  } catch (error) {
    const isRefused = error instanceof AppError && (error.code === 'INVALID' || error.code === 'CONFLICT')
    if (!isRefused) throw error
    ctx.log.info({ err: error, requestId }, 'demo order skipped')
    return null
  }
}

/** Changes an order unless an earlier start did. */
export async function changeOrderOnce(
  ctx: Context,
  subjectId: string,
  id: string,
  edit: OrderEdit,
): Promise<void> {
  const { requestId } = ctx
  const changedOrderId = await findAuditedObject(ctx.db, { subjectId, action: 'order.changed', requestId })
  if (changedOrderId === null) await setOrderStatus(ctx, id, edit)
}
