import { findPasswordHash, lockUser } from '#db/accounts/users.ts'
import { AppError } from '#domain/errors.ts'
import { inTransaction, type Context } from '../context.ts'
import { hashPassword } from './passwords.ts'
import { proveOwner } from './verify-owner.ts'
import { requireUser } from '../require-user.ts'
import { setPassword } from './set-password.ts'

/**
 * Changes the password of whoever is signed in: every other session and every link into the account ends, and a mail tells it.
 * Throws what `proveOwner` throws, and CONFLICT where an identity provider signs in or another change came first.
 */
export async function changePassword(
  ctx: Context,
  { currentPassword, newPassword }: { currentPassword: string; newPassword: string },
  { supportEmail }: { supportEmail: string },
): Promise<void> {
  const user = requireUser(ctx)
  const proven = await proveOwner(ctx, { currentPassword, code: '' })
  if (proven === null) throw new AppError('CONFLICT', 'This account has no password here.')
  const passwordHash = await hashPassword(newPassword)
  await inTransaction(ctx, async (ctx) => {
    await lockUser(ctx.db, user.id)
    if ((await findPasswordHash(ctx.db, user.id)) !== proven) {
      throw new AppError('CONFLICT', 'The password was changed elsewhere just now.')
    }
    await setPassword(ctx, {
      userId: user.id,
      passwordHash,
      supportEmail,
      keepSessionId: user.sessionId,
    })
  })
}
