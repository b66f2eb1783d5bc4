import { addressText } from '#domain/accounts/addresses.ts'
import { readUser } from '#server/accounts/update-user.ts'
import { readUserAddresses } from '#server/accounts/get-user.ts'
import type { Context } from '#server/context.ts'
import { listUserOrders } from '#server/orders/list-orders.ts'
import { listUserPrescriptions } from '#server/prescriptions/list-prescriptions.ts'
import { orderReply } from '../../../http/order-reply.server.ts'
import { prescriptionReply } from '../../../http/prescription-reply.server.ts'
import type { TabName } from './user-labels.ts'

/** How many orders stand on one page. */
const pageSize = 50

/** What one tab of a user's page shows: no other is read, and each look is written down. */
export async function readTab(
  ctx: Context,
  { id, tab, after }: { id: string; tab: TabName; after: string | null },
) {
  switch (tab) {
    case 'profile': {
      const { cellPhone, homePhone } = (await readUser(ctx, id)).person
      return { tab, cellPhone, homePhone }
    }
    case 'medical': {
      const { person } = await readUser(ctx, id)
      const { dateOfBirth, gender, weight, currentMedications, allergies } = person
      return { tab, dateOfBirth, gender, weight, currentMedications, allergies }
    }
    case 'addresses': {
      const { person, saved } = await readUserAddresses(ctx, id)
      return {
        tab,
        shipping: linesOf(person, 'shipping'),
        billing: linesOf(person, 'billing'),
        saved: saved.map((address) => ({
          id: address.id,
          isDefault: address.isDefault,
          text: addressText(address),
        })),
      }
    }
    case 'prescriptions':
      return { tab, prescriptions: (await listUserPrescriptions(ctx, id)).map(prescriptionReply) }
    case 'orders': {
      const found = await listUserOrders(ctx, id, { after, limit: pageSize + 1 })
      const orders = found.slice(0, pageSize).map((order) => {
        const { createdAt, status, total, items } = orderReply(order)
        return { id: order.id, createdAt, status, total, count: items.length }
      })
      return {
        tab,
        orders,
        isLater: after !== null,
        next: found.length > pageSize ? orders.at(-1)?.id : null,
      }
    }
    default:
      return tab satisfies never
  }
}

type Sides = Awaited<ReturnType<typeof readUserAddresses>>['person']

/** An address of the profile in one line; null when nothing is said of it. */
const linesOf = (person: Sides, side: 'shipping' | 'billing'): string | null =>
  addressText({
    streetAddress: person[`${side}Street`] ?? '',
    city: person[`${side}City`] ?? '',
    stateProvince: person[`${side}State`] ?? '',
    zipCode: person[`${side}Zip`] ?? '',
    country: person[`${side}Country`] ?? '',
  }) || null
