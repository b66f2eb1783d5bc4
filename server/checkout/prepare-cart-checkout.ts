import { formatAddress, type Address } from '#domain/accounts/addresses.ts'
import { variantLabel } from '#domain/catalog/catalog.ts'
import * as checkoutMessages from '#domain/checkout/checkout-messages.ts'
import { lineFieldId, withChosen } from '#domain/dispensing/line-state.ts'
import type { ChosenPrescription } from '#domain/dispensing/resolve-line.ts'
import { AppError } from '#domain/errors.ts'
import type { Context } from '../context.ts'
import { findChosenPrescription } from '../dispensing/find-chosen-prescription.ts'
import { requireUser } from '../require-user.ts'
import { requireUsablePrescription } from './check-prescription.ts'
import type { CheckoutInput } from './create-checkout.ts'
import type { CheckoutLine, CheckoutLines } from './get-checkout-lines.ts'
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
  const blocked = lines.flatMap((line) => (line.problem === null ? [] : [fieldOf(line, line.problem)]))
  if (blocked.length > 0) failLines('CONFLICT', blocked)
}

/**
 * What no prescription will ever cover is refused before payment, beside each line. Where another
 * prescription would help, the field to choose one says so.
 */
function requireCovered(cart: CheckoutLines, chosen: ChosenPrescription | null): void {
  const refused = listRefused(cart, chosen)
  const needsChoice = cart.lines.some(
    ({ prescription }) => prescription && withChosen(prescription, chosen).kind === 'choose',
  )
  if (needsChoice) {
    failLines('INVALID', [['prescriptionId', checkoutMessages.choosePrescription], ...refused.map(toField)])
  }
  const mismatch = refused.find(({ state }) => state.needsPrescription)
  const fields = refused.filter((line) => line !== mismatch).map(toField)
  if (mismatch) failLines('INVALID', [['prescriptionId', toField(mismatch)[1]], ...fields])
  if (fields.length > 0) failLines('CONFLICT', fields)
}

const listRefused = ({ lines }: CheckoutLines, chosen: ChosenPrescription | null) =>
  lines.flatMap((line) => {
    const state = line.prescription && withChosen(line.prescription, chosen)
    return state?.kind === 'refused' ? [{ line, state }] : []
  })

const toField = ({ line, state }: ReturnType<typeof listRefused>[number]): FieldError =>
  fieldOf(line, state.message)

/** Messages by field for the lines that are refused while no prescription is chosen. */
export const findUncovered = (cart: CheckoutLines): Record<string, string> =>
  Object.fromEntries(listRefused(cart, null).map(toField))

/** The error of a line: two packs of one product differ by strength, pack or form. */
const fieldOf = ({ product, variant }: CheckoutLine, message: string): FieldError => [
  lineFieldId(variant.id),
  `${product.name}, ${variantLabel(variant)}: ${message}`,
]

type FieldError = [field: string, message: string]

function failLines(code: 'CONFLICT' | 'INVALID', errors: readonly FieldError[]): never {
  throw new AppError(code, undefined, { fields: Object.fromEntries(errors) })
}

function fail(code: 'CONFLICT' | 'INVALID', field: string, message: string): never {
  throw new AppError(code, message, { fields: { [field]: message } })
}
