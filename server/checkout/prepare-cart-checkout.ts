import { formatAddress, type Address } from '#domain/accounts/addresses.ts'
import { checkoutMessages } from '#domain/checkout/checkout-messages.ts'
import { AppError } from '#domain/errors.ts'
import type { Context } from '../context.ts'
import type { CheckoutInput } from './create-checkout.ts'
import type { CheckoutLines } from './get-checkout-lines.ts'

/** The cart's checkout form after its fields were parsed. */
export type CartCheckoutForm = {
  /** From `computeFingerprint`: the lines that the form showed. */
  seenFingerprint: string
  /** Whether the form asked the customer to accept changes. */
  hasShownChanges: boolean
  isAccepted: boolean
  address: Address
  prescriptionId: string | null
}

/**
 * Checks that the cart can be paid as the customer saw it: no higher price, no lower quantity
 * (specification, section 9, "Prices"). Returns the input for `startCheckout`.
 * Throws CONFLICT (order), INVALID (accepted, prescriptionId), and UNAVAILABLE when the shop cannot
 * take payments.
 */
export function prepareCartCheckout(
  { payments }: Pick<Context, 'payments'>,
  cart: CheckoutLines,
  form: CartCheckoutForm,
): CheckoutInput {
  requireBuyable(cart)
  if (form.seenFingerprint !== cart.fingerprint) fail('CONFLICT', 'order', checkoutMessages.cartChanged)
  const hasChanged = cart.lines.some((line) => line.priceCents !== line.addedPriceCents)
  if ((hasChanged || form.hasShownChanges) && !form.isAccepted) {
    fail('INVALID', 'accepted', checkoutMessages.accept)
  }
  if (payments.kind === 'stripe' && payments.publishableKey === null) {
    throw new AppError('UNAVAILABLE', checkoutMessages.unavailable)
  }
  if (cart.needsPrescription && form.prescriptionId === null) {
    fail('INVALID', 'prescriptionId', checkoutMessages.choosePrescription)
  }
  return {
    items: cart.lines.map(({ variant, quantity }) => ({ productVariantId: variant.id, quantity })),
    shipTo: { text: formatAddress(form.address), parts: form.address },
    prescriptionId: form.prescriptionId,
  }
}

function requireBuyable({ lines }: CheckoutLines): void {
  const blocked = lines.find((line) => line.problem !== null)
  if (blocked) fail('CONFLICT', 'order', `${blocked.product.name}: ${blocked.problem}`)
}

function fail(code: 'CONFLICT' | 'INVALID', field: string, message: string): never {
  throw new AppError(code, message, { fields: { [field]: message } })
}
