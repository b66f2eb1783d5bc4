import { paths } from '#domain/paths.ts'
import type { UserSummary } from '#server/accounts/list-users.ts'
import type { Person } from '#server/accounts/get-profile.ts'

/** A user as /api writes one: both names of an address's lines, and where the ID document is when there is one. */
export const userReply = ({ hasIdDocument, ...person }: Person) => ({
  ...person,
  shippingStreetAddress: person.shippingStreet,
  shippingStateProvince: person.shippingState,
  shippingZipCode: person.shippingZip,
  billingStreetAddress: person.billingStreet,
  billingStateProvince: person.billingState,
  billingZipCode: person.billingZip,
  profileImageUrl: null,
  idDocumentPath: hasIdDocument ? paths.api.userIdDocument(person.id) : null,
})

/** The accounts of a list, as they are read. */
export async function* userSummaries(users: AsyncIterable<UserSummary>) {
  for await (const user of users) yield { ...user, profileImageUrl: null }
}
