import { findDefaultAddressHash, saveDefaultAddress } from '#db/accounts/shipping-addresses.ts'
import { addressSchema, type Address } from '#domain/accounts/addresses.ts'
import { newId } from '#domain/ids.ts'
import type { Context } from '../context.ts'
import { blindIndex } from '../crypto/tokens.ts'
import { bindings } from '../crypto/bindings.ts'
import { seal } from '../crypto/sealing.ts'
import { openUserKey } from '../crypto/user-key.ts'

/**
 * Saves the address of a paid order as the default address, in the order's transaction (settled
 * decisions, "Saved addresses").
 */
export async function saveAddress(
  ctx: Pick<Context, 'db' | 'keys' | 'now'>,
  userId: string,
  address: Address,
): Promise<void> {
  const text = JSON.stringify(addressSchema.parse(address))
  const addressHash = blindIndex(ctx.keys, 'address', `${userId}\n${text.toLowerCase()}`)
  if ((await findDefaultAddressHash(ctx.db, userId)) === addressHash) return
  const key = await openUserKey(ctx, userId)
  if (!key) return
  const id = newId(ctx.now.getTime())
  const sealedAddress = seal(key, bindings.shippingAddress(id), text)
  await saveDefaultAddress(ctx.db, { id, userId, addressHash, sealedAddress, now: ctx.now })
}
