import { formatAddress, type Address } from '#domain/accounts/addresses.ts'
import * as checkoutMessages from '#domain/checkout/checkout-messages.ts'
import { lineFieldId, withChosen } from '#domain/dispensing/line-state.ts'
import type { ChosenPrescription } from '#domain/dispensing/resolve-line.ts'
import { AppError } from '#domain/errors.ts'
import type { Context } from '../context.ts'
import { findChosenPrescription } from '../dispensing/find-chosen-prescription.ts'
import { requireUser } from '../require-user.ts'
import { requireUsablePrescription } from './check-prescription.ts'
import type { CheckoutInput } from './create-checkout.ts'
import type { CheckoutLines } from './get-checkout-lines.ts'
import { requireAlertsRead } from './require-alerts-read.ts'

/** The cart's checkout form after its fields were parsed. */
export type CartCheckoutForm = {
  /** From `computeFingerprint`: the lines that the form showed. */
  seenFingerprint: string
  /** Whether the form asked the customer to accept changes. */
  hasShownChanges: boolean
  isAccepted: boolean
  /** `ShoppingAlerts.toConfirm.id` of what the customer confirmed reading; null for none. */
  readAlertsId: string | null
  /** Whose alerts the form showed, for items without a prescription; empty for the customer. */
  alertsPatientId: string
  address: Address
  prescriptionId: string | null
  /** Who the items without a prescription are for; null for the customer. */
  patientId: string | null
}

/**
 * Checks that the cart can be paid as the customer saw it: no higher price, no lower quantity
 * (specification, section 9, "Prices"), and that its prescriptions allow it.
 * Returns the input for `startCheckout`. Throws CONFLICT (order, lines by id), INVALID (accepted,
 * alertsRead, patientId, prescriptionId, lines by id), and UNAVAILABLE when the shop cannot take
 * payments.
 */
export async function prepareCartCheckout(
  ctx: Context,
  cart: CheckoutLines,
  form: CartCheckoutForm,
): Promise<CheckoutInput> {
  const { payments } = ctx
  requireBuyable(cart)
  const items = cart.lines.map(({ variant, quantity }) => ({ productVariantId: variant.id, quantity }))
  if (form.seenFingerprint !== cart.fingerprint) fail('CONFLICT', 'order', checkoutMessages.cartChanged)
  const hasChanged = cart.lines.some((line) => line.priceNote !== null)
  if ((hasChanged || form.hasShownChanges) && !form.isAccepted) {
    fail('INVALID', 'accepted', checkoutMessages.accept)
  }
  const { prescriptionId, patientId } = form
  const { id: userId } = requireUser(ctx)
  if (prescriptionId !== null) await requireUsablePrescription(ctx, userId, prescriptionId)
  const prescription = await findChosenPrescription(ctx, userId, prescriptionId)
  const confirmedAlerts = await requireAlertsRead(ctx, items, (id) => id === form.readAlertsId, {
    isShown: (patientId ?? '') === form.alertsPatientId,
    choice: { patientId, prescription },
  })
  if (payments.kind === 'stripe' && payments.publishableKey === null) {
    throw new AppError('UNAVAILABLE', checkoutMessages.unavailable)
  }
  if (cart.needsPrescription) requireCovered(cart, prescription)
  return {
    items,
    shipTo: { text: formatAddress(form.address), parts: form.address },
    prescriptionId,
    patientId,
    confirmedAlerts,
  }
}

function requireBuyable({ lines }: CheckoutLines): void {
  const blocked = lines.find((line) => line.problem !== null)
  if (blocked) fail('CONFLICT', 'order', `${blocked.product.name}: ${blocked.problem}`)
}

/** What no prescription will ever cover is refused before payment, beside each line. */
function requireCovered({ lines }: CheckoutLines, chosen: ChosenPrescription | null): void {
  const states = lines.flatMap(({ prescription, product, variant }) =>
    prescription
      ? [{ ...withChosen(prescription, chosen), name: product.name, field: lineFieldId(variant.id) }]
      : [],
  )
  if (states.some(({ kind }) => kind === 'choose')) {
    fail('INVALID', 'prescriptionId', checkoutMessages.choosePrescription)
  }
  const refused = states.filter(({ kind }) => kind === 'refused')
  const mismatch = refused.find((state) => state.needsPrescription)
  if (mismatch) fail('INVALID', 'prescriptionId', `${mismatch.name}: ${mismatch.message}`)
  if (refused.length === 0) return
  throw new AppError('CONFLICT', undefined, {
    fields: Object.fromEntries(refused.map(({ field, name, message }) => [field, `${name}: ${message}`])),
  })
}

function fail(code: 'CONFLICT' | 'INVALID', field: string, message: string): never {
  throw new AppError(code, message, { fields: { [field]: message } })
}
