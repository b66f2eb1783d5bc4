import { isId } from '#domain/ids.ts'
import { screenCart, type ShoppingAlerts } from '../alerts/screen-shopping.ts'
import type { Context } from '../context.ts'
import { findChosenPrescription } from '../dispensing/find-chosen-prescription.ts'

/**
 * The alerts of the cart, for the people whom the form chose. Ids of another account find no
 * record, and the checkout refuses them.
 */
export async function screenCheckout(
  ctx: Context,
  { patientId, prescriptionId }: { patientId: string | null; prescriptionId: string | null },
): Promise<ShoppingAlerts | null> {
  const isKnown = prescriptionId !== null && isId(prescriptionId)
  const prescription = await findChosenPrescription(ctx, isKnown ? prescriptionId : null)
  return screenCart(ctx, null, { patientId, prescription })
}
