import { withAdmin } from '#domain/accounts/permissions.ts'
import { findRoles, lockUser } from '#db/accounts/users.ts'
import { findCredentials } from '#db/accounts/credentials.ts'
import { AppError } from '#domain/errors.ts'
import { inTransaction, type Context } from '../context.ts'
import { hashEmail } from './blind-indexes.ts'
import { storeRoles } from './store-roles.ts'

/**
 * Grants the admin role from the command line: a new shop has no admin who could. Returns false
 * when the account already has the role. Throws NOT_FOUND when the address doesn’t have an account.
 */
export const grantAdmin = (ctx: Context, email: string): Promise<boolean> =>
  inTransaction(ctx, async (ctx) => {
    const user = await findCredentials(ctx.db, hashEmail(ctx, email))
    if (!user) throw new AppError('NOT_FOUND', `${email} doesn’t have an account.`)
    await lockUser(ctx.db, user.id)
    const held = (await findRoles(ctx.db, user.id)) ?? []
    if (held.includes('admin')) return false
    await storeRoles(ctx, { userId: user.id, before: held, after: withAdmin(true)(held) })
    return true
  })
