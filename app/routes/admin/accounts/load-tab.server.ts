import { formatAddress } from '#domain/accounts/addresses.ts'
import { can } from '#domain/accounts/permissions.ts'
import { getLicense } from '#server/accounts/pharmacist-license.ts'
import { needsRecentCode } from '#server/accounts/recent-code.ts'
import { hasSecondFactor } from '#server/accounts/reset-second-factor.ts'
import { getUserAddresses, getUserContact } from '#server/accounts/get-user.ts'
import { listSignIns } from '#server/accounts/list-sign-ins.ts'
import type { Context } from '#server/context.ts'
import { listUserOrders } from '#server/orders/list-orders.ts'
import { getUserRecords } from '#server/patients/get-user-records.ts'
import { listUserPrescriptions } from '#server/prescriptions/list-prescriptions.ts'
import { orderReply } from '../../../http/order-reply.server.ts'
import { prescriptionReply } from '../../../http/prescription-reply.server.ts'
import type { TabName } from './user-labels.ts'

/** Orders per page. */
const pageSize = 50

/** The data of one tab of a user's page. Only this tab is read, and each read is audited. */
export async function loadTab(
  ctx: Context,
  { id, tab, after }: { id: string; tab: TabName; after: string | null },
) {
  switch (tab) {
    case 'profile': {
      const { cellPhone, homePhone } = await getUserContact(ctx, id)
      if (!can(ctx.user, 'roles.manage')) return { tab, cellPhone, homePhone, license: null }
      const license = { current: await getLicense(ctx, id), needsCode: needsRecentCode(ctx) }
      return { tab, cellPhone, homePhone, license, hasSecondFactor: await hasSecondFactor(ctx, id) }
    }
    case 'medical': {
      const records = await getUserRecords(ctx, id)
      const patients = records.map(
        ({ id, isSelf, name, dateOfBirth, gender, weight, currentMedications, allergies, view }) => ({
          id,
          isSelf,
          name,
          dateOfBirth,
          gender,
          weight,
          currentMedications,
          allergies,
          view,
        }),
      )
      return { tab, patients }
    }
    case 'addresses': {
      const { person, saved } = await getUserAddresses(ctx, id)
      return {
        tab,
        shipping: addressLine(person, 'shipping'),
        billing: addressLine(person, 'billing'),
        saved: saved.map((address) => ({
          id: address.id,
          isDefault: address.isDefault,
          text: formatAddress(address),
        })),
      }
    }
    case 'prescriptions':
      return { tab, prescriptions: (await listUserPrescriptions(ctx, id)).map(prescriptionReply) }
    case 'orders': {
      const page = await listUserOrders(ctx, id, { after, limit: pageSize + 1 })
      const orders = page.slice(0, pageSize).map((order) => {
        const { createdAt, status, total, items } = orderReply(order)
        return { id: order.id, createdAt, status, total, count: items.length }
      })
      return {
        tab,
        orders,
        isPastFirstPage: after !== null,
        next: page.length > pageSize ? orders.at(-1)?.id : null,
      }
    }
    case 'sign-ins': {
      const { activities, next } = await listSignIns(ctx, id, { before: after })
      const signIns = activities.map(({ at, ...entry }) => ({ ...entry, at: at.toISOString() }))
      return { tab, signIns, isPastFirstPage: after !== null, next }
    }
    default:
      return tab satisfies never
  }
}

type ProfileAddresses = Awaited<ReturnType<typeof getUserAddresses>>['person']

/** An address of the profile on one line; null when it is empty. */
const addressLine = (person: ProfileAddresses, side: 'shipping' | 'billing'): string | null =>
  formatAddress({
    streetAddress: person[`${side}Street`] ?? '',
    city: person[`${side}City`] ?? '',
    stateProvince: person[`${side}State`] ?? '',
    zipCode: person[`${side}Zip`] ?? '',
    country: person[`${side}Country`] ?? '',
  }) || null
