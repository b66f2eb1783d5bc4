import type { Db } from '#db/engine/client.ts'
import { parseAddress } from '#domain/accounts/addresses.ts'
import type { ShipTo } from '#domain/checkout/checkout.ts'
import { finalizeCheckout, type FinalizedCheckout } from '#server/checkout/finalize-checkout.ts'
import type { CheckoutInput } from '#server/checkout/create-checkout.ts'
import { startCheckout } from '#server/checkout/start-checkout.ts'
import type { Context } from '#server/context.ts'
import { confirmDemoPayment } from '#server/integrations/payments/demo-payments.ts'
import type { Payment } from '#server/integrations/payments/payments.ts'
import { makeUser } from './accounts.ts'
import { signedIn, testContext } from './context.ts'

const text = '12 Harbour Lane, Portland, ME 04101, United States'
export const shipTo: ShipTo = { text, parts: parseAddress(text) }

/** Card numbers of demo payments. */
export const goodCard = '4242 4242 4242 4242'
export const declinedCard = '4000 0000 0000 0002'

/** Creates a customer and returns their context. */
export async function asCustomer(db: Db, overrides: Partial<Context> = {}): Promise<Context> {
  const id = await makeUser(db)
  const user = signedIn(id, { firstName: 'Zoë', lastName: 'O’Hara', email: 'zoe@customer.example' })
  return testContext(db, { user, ...overrides })
}

/** Starts a checkout of one variant, by default of one unit, shipped to Portland. */
export const openCheckout = (
  ctx: Context,
  productVariantId: string,
  { quantity = 1, ...overrides }: Partial<CheckoutInput> & { quantity?: number } = {},
) =>
  startCheckout(ctx, { items: [{ productVariantId, quantity }], shipTo, prescriptionId: null, ...overrides })

/** Confirms the payment, as the browser does, with a card that succeeds. */
export const pay = (db: Db, { clientSecret }: Pick<Payment, 'clientSecret'>): Promise<Payment> =>
  confirmDemoPayment(db, { clientSecret, cardNumber: goodCard })

/** Buys one variant: checkout, payment and order. */
export async function buy(
  ctx: Context,
  productVariantId: string,
  overrides: Parameters<typeof openCheckout>[2] = {},
): Promise<FinalizedCheckout> {
  const { payment } = await openCheckout(ctx, productVariantId, overrides)
  await pay(ctx.db, payment)
  return finalizeCheckout(ctx, payment.id)
}
