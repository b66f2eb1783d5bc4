import { lockUser } from '#db/accounts/users.ts'
import { findPasswordHash } from '#db/accounts/credentials.ts'
import { AppError } from '#domain/errors.ts'
import { inTransaction, type Context } from '../context.ts'
import { hashPassword } from './passwords.ts'
import { requireStrongPassword } from './require-strong-password.ts'
import { verifyOwner } from './verify-owner.ts'
import { requireUser } from '../require-user.ts'
import { setPassword } from './set-password.ts'

/**
 * Changes the signed-in user's password, ends their other sessions, deletes every link into the
 * account, and notifies them by email. Throws what `verifyOwner` throws, INVALID
 * (newPassword) when the new password is easy to guess, and CONFLICT when an identity provider
 * signs the user in or a concurrent change won.
 */
export async function changePassword(
  ctx: Context,
  { currentPassword, newPassword }: { currentPassword: string; newPassword: string },
  { supportEmail }: { supportEmail: string },
): Promise<void> {
  const user = requireUser(ctx)
  await requireStrongPassword('newPassword', { password: newPassword, email: user.email })
  const currentHash = await verifyOwner(ctx, { currentPassword, code: '' })
  if (currentHash === null) throw new AppError('CONFLICT', 'This account doesn’t have a password.')
  const passwordHash = await hashPassword(newPassword, ctx.clientAddress)
  await inTransaction(ctx, async (ctx) => {
    await lockUser(ctx.db, user.id)
    if ((await findPasswordHash(ctx.db, user.id)) !== currentHash) {
      throw new AppError('CONFLICT', 'Your password was just changed in another browser.')
    }
    await setPassword(ctx, {
      userId: user.id,
      passwordHash,
      supportEmail,
      keepSessionId: user.sessionId,
    })
  })
}
