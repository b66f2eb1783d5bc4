import type { Db } from '#db/engine/client.ts'
import type { SessionUser } from '#domain/accounts/accounts.ts'
import type { Order } from '#domain/orders/orders.ts'
import { finalizeCheckout } from '#server/checkout/finalize-checkout.ts'
import { startCheckout } from '#server/checkout/start-checkout.ts'
import type { Context } from '#server/context.ts'
import { unsealMail } from '#server/mail/sealed-mail.ts'
import { addProduct, addVariant } from './catalog.ts'
import { pay, shipTo } from './checkouts.ts'
import { signedIn, testContext, testKeys } from './context.ts'
import { addPrescription } from './prescriptions.ts'

export const homeAddress = shipTo.text

type OrderOverrides = {
  items?: { productVariantId: string; quantity: number }[]
  prescriptionId?: string | null
  user?: Partial<SessionUser>
  /** Overrides of the context, such as the clock. */
  ctx?: Partial<Context>
}

/** Places a paid order through the use cases. By default, it creates a variant and orders two. */
export async function placeOrder(db: Db, userId: string, overrides: OrderOverrides = {}): Promise<Order> {
  const ctx = testContext(db, { user: signedIn(userId, overrides.user), ...overrides.ctx })
  const items = overrides.items ?? [{ productVariantId: await addVariant(db), quantity: 2 }]
  const prescriptionId = overrides.prescriptionId ?? null
  const { payment } = await startCheckout(ctx, { items, shipTo, prescriptionId })
  await pay(db, payment)
  return (await finalizeCheckout(ctx, payment.id)).order
}

/**
 * Places an order with a medicine that needs a prescription, and that prescription, under review.
 */
export async function placeRxOrder(db: Db, userId: string) {
  const prescription = await addPrescription(db, userId)
  const variantId = await addVariant(db, { productId: await addProduct(db, { category: 'Rx' }) })
  const items = [{ productVariantId: variantId, quantity: 1 }]
  const order = await placeOrder(db, userId, { items, prescriptionId: prescription.id })
  return { order, prescription, variantId }
}

/** A variant's stock. */
export const readStock = async (db: Db, id: string): Promise<number> =>
  (
    await db
      .selectFrom('productVariants')
      .select('stockQuantity')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
  ).stockQuantity

/** The emails about orders, oldest first. */
export const listOrderMails = async (db: Db) =>
  (await db.selectFrom('outbox').select(['id', 'sealedMail']).orderBy('id').execute()).flatMap((row) => {
    const mail = row.sealedMail === null ? null : unsealMail(testKeys, row.id, row.sealedMail)
    return mail && 'template' in mail && mail.template === 'order-update' ? [mail] : []
  })

/** The emailed milestones in order, with their amounts. */
export const listMilestoneMails = async (db: Db) =>
  (await listOrderMails(db)).map(({ props, to }) => [props.milestone, props.amount, to.address])
