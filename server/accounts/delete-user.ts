import { deleteUserKey } from '#db/crypto/keys.ts'
import { deleteNotesOfUser } from '#db/orders/orders.ts'
import { deleteUser as deleteRow } from '#db/accounts/users.ts'
import { emailKey } from '#domain/accounts/accounts.ts'
import { AppError } from '#domain/errors.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { inTransaction, type Context } from '../context.ts'
import { discardFilesOf } from '../files/register-file.ts'
import { lockActorAndUser } from './lock-actor.ts'
import { proveOwner, type Proof } from './verify-owner.ts'
import { requireAdmin, requireUser } from '../require-user.ts'

/** What an admin is told who would delete themself: so the last one always stays. */
export const adminsStay = 'An administrator cannot delete their own account. Another administrator can.'

/**
 * Deletes a customer's own account. They prove that it is theirs by the password; where an identity provider signs in, by their
 * e-mail address. Throws UNAUTHENTICATED, CONFLICT to an admin, INVALID naming the field, TOO_MANY after many wrong passwords.
 */
export async function deleteOwnAccount(
  ctx: Context,
  { email, ...proof }: Proof & { email: string },
): Promise<void> {
  const user = requireUser(ctx)
  if (user.isAdmin) throw new AppError('CONFLICT', adminsStay)
  const passwordHash = await proveOwner(ctx, proof)
  if (passwordHash === null && emailKey(email) !== emailKey(user.email)) {
    throw new AppError('INVALID', undefined, {
      fields: { email: 'Please enter the email address of this account.' },
    })
  }
  await deleteUser(ctx, user.id)
}

/**
 * Deletes a user with everything that hangs on the row and what was noted of their orders, and destroys their key, so that nothing it sealed
 * can be read again, wherever a copy of it lies; the files' bytes follow with the next sweep. The log of who did what stays. For the user themself
 * and for an admin. Throws UNAUTHENTICATED, FORBIDDEN, NOT_FOUND, and CONFLICT to an admin about themself.
 */
export async function deleteUser(ctx: Context, userId: string): Promise<void> {
  const actor = requireUser(ctx)
  if (userId !== actor.id) requireAdmin(ctx)
  else if (actor.isAdmin) throw new AppError('CONFLICT', adminsStay)
  await inTransaction(ctx, async (ctx) => {
    await lockActorAndUser(ctx, userId)
    await recordAudit(ctx, { action: 'account.deleted', subjectId: userId })
    await discardFilesOf(ctx, userId)
    await deleteNotesOfUser(ctx.db, userId)
    await deleteUserKey(ctx.db, userId)
    await deleteRow(ctx.db, userId)
  })
}
