import { httpStatus } from '#domain/errors.ts'
import type { Context } from '#server/context.ts'
import { toAppError } from '#server/errors.ts'

/** Logs why something is unavailable. The door that responds logs unexpected errors. */
export function logOutage(ctx: Pick<Context, 'log' | 'requestId'>, error: unknown): void {
  const { code } = toAppError(error)
  if (code === 'INTERNAL' || httpStatus(code) < 500) return
  ctx.log.warn({ err: error, code, requestId: ctx.requestId }, 'unavailable')
}
