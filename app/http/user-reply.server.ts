import { paths } from '#domain/paths.ts'
import type { UserSummary } from '#server/accounts/list-users.ts'
import type { Person } from '#server/accounts/get-profile.ts'

/**
 * A user in /api responses, with both naming sets for addresses and the URL of the ID document,
 * if any.
 */
export const userReply = ({ hasIdDocument, weightOn: _weightOn, ...person }: Person) => ({
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

/** Many users, one at a time. */
export async function* userSummaries(users: AsyncIterable<UserSummary>) {
  for await (const user of users) yield { ...user, profileImageUrl: null }
}
