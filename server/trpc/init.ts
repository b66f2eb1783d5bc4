import { AppError, statusOf, type ErrorCode } from '#domain/errors.ts'
import { initTRPC, TRPCError, type TRPC_ERROR_CODE_KEY } from '@trpc/server'
import { z } from 'zod'
import { requireAdmin } from '../require-user.ts'
import type { Context } from '../context.ts'
import { toAppError } from '../errors.ts'

/** What a browser is told of a failure: nothing of what caused it. */
type Failure = {
  code: ErrorCode
  httpStatus: number
  fields: Readonly<Record<string, string>>
  retryAfter: number | null
  /** What stands there now, when somebody has changed it meanwhile; else null. */
  current: unknown
}

const t = initTRPC.context<Context>().create({
  isDev: false,
  errorFormatter: ({ error, shape: { code } }) => {
    const { message, ...failure } = toFailure(error)
    return { code, message, data: failure }
  },
})

function toFailure(error: TRPCError): Failure & { message: string } {
  const { code, message, fields, retryAfter = null, current = null } = appErrorOf(error)
  return { code, message, httpStatus: statusOf(code), fields, retryAfter, current }
}

/** What went wrong, in the shop's own codes: what a procedure threw, what its input failed, or what the call itself is not. */
function appErrorOf(error: TRPCError): AppError {
  const { cause } = error
  if (cause instanceof AppError) return cause
  if (cause instanceof z.ZodError) return new AppError('INVALID', undefined, { fields: fieldsOf(cause) })
  const code = trpcErrorCodes[error.code]
  return code ? new AppError(code, undefined, { cause: error }) : toAppError(cause ?? error)
}

/** The first complaint about each field. */
function fieldsOf(error: z.ZodError): Record<string, string> {
  const fields: Record<string, string> = {}
  for (const { path, message } of error.issues) fields[path.map(String).join('.') || 'input'] ??= message
  return fields
}

/** What tRPC itself refuses. */
const trpcErrorCodes: Partial<Record<TRPC_ERROR_CODE_KEY, ErrorCode>> = {
  PARSE_ERROR: 'BAD_REQUEST',
  BAD_REQUEST: 'BAD_REQUEST',
  NOT_FOUND: 'NOT_FOUND',
  METHOD_NOT_SUPPORTED: 'METHOD_NOT_ALLOWED',
  PAYLOAD_TOO_LARGE: 'TOO_LARGE',
  UNSUPPORTED_MEDIA_TYPE: 'UNSUPPORTED_TYPE',
}

/** The status of a call, or of a batch of which each failed the same way. */
export function statusOfCalls(errors: readonly TRPCError[], calls: number): number | undefined {
  const [status, ...more] = new Set(errors.map((error) => toFailure(error).httpStatus))
  return errors.length === calls && more.length === 0 ? status : undefined
}

/** Whether somebody has to look at a failure. */
export const isUnexpected = (error: TRPCError): boolean => appErrorOf(error).code === 'INTERNAL'

export const router = t.router

/**
 * Everything under /trpc is the back office's: whoever is no admin gets no further, and its input is not looked at. The use cases check
 * again.
 */
export const adminProcedure = t.procedure.use(({ ctx, next }) => {
  requireAdmin(ctx)
  return next()
})
