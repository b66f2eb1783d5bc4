import { statusOf } from '#domain/errors.ts'
import type { Context } from '#server/context.ts'
import { toAppError } from '#server/errors.ts'

/** Leaves in the log why something is unavailable; what is unexpected is logged as an error where it is answered. */
export function warnOfOutage(ctx: Pick<Context, 'log' | 'requestId'>, error: unknown): void {
  const { code } = toAppError(error)
  if (code === 'INTERNAL' || statusOf(code) < 500) return
  ctx.log.warn({ err: error, code, requestId: ctx.requestId }, 'unavailable')
}
