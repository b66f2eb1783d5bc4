import { deleteUserKey } from '#db/crypto/keys.ts'
import { deleteUserOrderNotes } from '#db/orders/orders.ts'
import { deleteUser as deleteRow } from '#db/accounts/users.ts'
import { normalizeEmail } from '#domain/accounts/accounts.ts'
import { AppError } from '#domain/errors.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { inTransaction, type Context } from '../context.ts'
import { requestErasure } from '../crypto/request-erasure.ts'
import { discardUserFiles } from '../files/register-file.ts'
import { lockActorAndUser } from './lock-actor.ts'
import { verifyOwner, type OwnerProof } from './verify-owner.ts'
import { requireAdmin, requireUser } from '../require-user.ts'

/** Admins cannot delete themselves, so at least one always remains. */
export const adminSelfDeletionMessage =
  'You can’t delete your own account while you’re an administrator. Ask another administrator.'

/**
 * Deletes the signed-in customer's account. They confirm with their password, or with their email
 * address when an identity provider signs them in. Throws UNAUTHENTICATED, CONFLICT for an admin,
 * INVALID with the field, TOO_MANY after too many wrong passwords.
 */
export async function deleteAccount(
  ctx: Context,
  { email, ...proof }: OwnerProof & { email: string },
): Promise<void> {
  const user = requireUser(ctx)
  if (user.isAdmin) throw new AppError('CONFLICT', adminSelfDeletionMessage)
  const passwordHash = await verifyOwner(ctx, proof)
  if (passwordHash === null && normalizeEmail(email) !== normalizeEmail(user.email)) {
    throw new AppError('INVALID', undefined, {
      fields: { email: 'Enter this account’s email address.' },
    })
  }
  await deleteUser(ctx, user.id)
}

/**
 * Deletes a user, every row that references the user, and the notes on their orders. Destroys the
 * user's key, so that no copy of what it sealed can be decrypted; a job erases the key from the
 * database's files. The next sweep deletes the bytes of their files. The audit log stays. For the
 * user or an admin. Throws UNAUTHENTICATED, FORBIDDEN, NOT_FOUND, and CONFLICT when an admin
 * deletes their own account.
 */
export async function deleteUser(ctx: Context, userId: string): Promise<void> {
  const actor = requireUser(ctx)
  if (userId !== actor.id) requireAdmin(ctx)
  else if (actor.isAdmin) throw new AppError('CONFLICT', adminSelfDeletionMessage)
  await inTransaction(ctx, async (ctx) => {
    await lockActorAndUser(ctx, userId)
    await recordAudit(ctx, { action: 'account.deleted', subjectId: userId })
    await discardUserFiles(ctx, userId)
    await deleteUserOrderNotes(ctx.db, userId)
    await deleteUserKey(ctx.db, userId)
    await deleteRow(ctx.db, userId)
    await requestErasure(ctx, 'key')
  })
}
