import { listAddresses as listRows } from '#db/accounts/shipping-addresses.ts'
import { addressSchema, type SavedAddress } from '#domain/accounts/addresses.ts'
import { AppError } from '#domain/errors.ts'
import { recordRead } from '../audit/record-audit.ts'
import type { Context } from '../context.ts'
import type { KeyRing } from '../crypto/key-ring.ts'
import { bindings } from '../crypto/bindings.ts'
import { unseal } from '../crypto/sealing.ts'
import { requireUser } from '../require-user.ts'
import { openUserKey } from '../crypto/user-key.ts'

/**
 * The signed-in user's saved addresses, the default first, then the newest. The read is audited.
 * Throws UNAUTHENTICATED.
 */
export async function listAddresses(ctx: Context): Promise<SavedAddress[]> {
  const { id } = requireUser(ctx)
  const key = await openUserKey(ctx, id)
  if (!key) throw new AppError('UNAUTHENTICATED')
  await recordRead(ctx, { action: 'addresses.read', subjectId: id })
  return openAddresses(ctx, key, id)
}

/** The same with a user's key. Not audited: the caller does that. */
export async function openAddresses(
  ctx: Pick<Context, 'db'>,
  key: KeyRing,
  userId: string,
): Promise<SavedAddress[]> {
  return (await listRows(ctx.db, userId)).map(({ sealedAddress, ...address }) => ({
    ...address,
    ...addressSchema.parse(JSON.parse(unseal(key, bindings.shippingAddress(address.id), sealedAddress))),
  }))
}
