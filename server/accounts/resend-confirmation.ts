import { serverPaths } from '#domain/server-paths.ts'
import { findSecurityFields } from '#db/accounts/credentials.ts'
import { AppError } from '#domain/errors.ts'
import { inTransaction, type Context } from '../context.ts'
import { consumeRate } from '../limit-rate.ts'
import { queueMail } from '../mail/queue-mail.ts'
import { createOneTimeToken } from './one-time-token.ts'
import { requireUser } from '../require-user.ts'

/**
 * Emails a new confirmation link; the previous link stops working. Throws CONFLICT when the address
 * is already confirmed, TOO_MANY.
 */
export async function resendConfirmation(ctx: Context, { origin }: { origin: string }): Promise<void> {
  const user = requireUser(ctx)
  const guards = await findSecurityFields(ctx.db, user.id)
  if (guards?.emailConfirmedAt) throw new AppError('CONFLICT', 'Your email address is already confirmed.')
  await consumeRate(ctx, 'reset', `confirm-email ${user.id}`)
  await inTransaction(ctx, async (ctx) => {
    const token = await createOneTimeToken(ctx, { purpose: 'confirm-email', userId: user.id })
    await queueMail(ctx, {
      to: { address: user.email },
      template: 'confirm-email',
      props: { link: origin + serverPaths.confirmEmailWith(token) },
    })
  })
}
