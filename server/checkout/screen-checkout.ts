import { screenCart, type ShoppingAlerts } from '../alerts/screen-shopping.ts'
import type { Context } from '../context.ts'
import { findChosenPrescription } from '../dispensing/find-chosen-prescription.ts'
import { requireUser } from '../require-user.ts'

/**
 * The alerts of the cart, for the people whom the form chose. Ids of another account find no
 * record, and the checkout refuses them. Throws UNAUTHENTICATED.
 */
export async function screenCheckout(
  ctx: Context,
  { patientId, prescriptionId }: { patientId: string | null; prescriptionId: string | null },
): Promise<ShoppingAlerts | null> {
  const prescription = await findChosenPrescription(ctx, requireUser(ctx).id, prescriptionId)
  return screenCart(ctx, null, { patientId, prescription })
}
