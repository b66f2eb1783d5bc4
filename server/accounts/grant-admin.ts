import { findCredentials, setAdmin } from '#db/accounts/users.ts'
import { emailKey } from '#domain/accounts/accounts.ts'
import { AppError } from '#domain/errors.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { inTransaction, type Context } from '../context.ts'
import { blindIndex } from '../crypto/tokens.ts'

/**
 * Gives an account the admin role, from the machine itself: the first admin of a shop has nobody who could. Returns false when it
 * has the role already. Throws NOT_FOUND when the address has no account.
 */
export const grantAdmin = (ctx: Context, email: string): Promise<boolean> =>
  inTransaction(ctx, async (ctx) => {
    const user = await findCredentials(ctx.db, blindIndex(ctx.keys, 'email', emailKey(email)))
    if (!user) throw new AppError('NOT_FOUND', `${email} has no account.`)
    const isNew = await setAdmin(ctx.db, user.id)
    if (isNew) await recordAudit(ctx, { action: 'role.changed', subjectId: user.id })
    return isNew
  })
