import { AppError } from '#domain/errors.ts'
import { isId } from '#domain/ids.ts'
import type { Context } from './context.ts'

/**
 * Notes that a signed-in user was refused, for the audit log. It is written when the request ends,
 * because the refusal rolls back the transaction it is thrown in.
 * @param objectId the order, file or person that was asked for; null for a permission
 */
export function noteRefusal(ctx: Pick<Context, 'user' | 'refusals'>, objectId: string | null = null): void {
  if (ctx.user) ctx.refusals?.add(objectId !== null && isId(objectId) ? objectId : null)
}

/**
 * The error for private data that is missing or another user's, which looks the same. Notes the
 * refusal when the id could be another user's.
 */
export function notFoundForUser(
  ctx: Pick<Context, 'user' | 'refusals'>,
  objectId: string,
  message?: string,
): AppError {
  if (isId(objectId)) noteRefusal(ctx, objectId)
  return new AppError('NOT_FOUND', message)
}
