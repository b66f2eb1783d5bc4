import type { Context } from '../context.ts'
import { findUser } from './find-user.ts'
import { openAddresses } from './list-addresses.ts'
import { openProfile } from './sealed-user.ts'

/**
 * The country that the checkout would start with: the profile's, else of the default address. Empty
 * for a visitor. Not audited: like the name in the header, it is shown on pages to its owner only.
 */
export async function findOwnCountry(ctx: Context): Promise<string> {
  const user = ctx.user && (await findUser(ctx, ctx.user.id))
  if (!user) return ''
  const { shippingCountry } = openProfile(user.key, user.row)
  return shippingCountry || ((await openAddresses(ctx, user.key, user.row.id))[0]?.country ?? '')
}
