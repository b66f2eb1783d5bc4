import type { Permission } from '#domain/accounts/permissions.ts'
import { findNulField, nulMessage } from '#domain/clean-text.ts'
import { AppError, httpStatus, type ErrorCode } from '#domain/errors.ts'
import { toFieldErrors } from '#domain/parse-input.ts'
import { StaleEditError } from '#domain/stale-edit.ts'
import { initTRPC, TRPCError, type TRPC_ERROR_CODE_KEY } from '@trpc/server'
import { z } from 'zod'
import { requirePermission, requireStaff } from '../require-user.ts'
import type { Context } from '../context.ts'
import { toAppError } from '../errors.ts'
import { trace } from '../tracing.ts'

/** What the browser learns about a failure; never its cause. */
type Failure = {
  code: ErrorCode
  httpStatus: number
  fields: Readonly<Record<string, string>>
  retryAfter: number | null
  /** After a stale edit, the row as it is stored now; otherwise null. */
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
  const failure = fromTrpcError(error)
  const { code, message, fields, retryAfter = null } = failure
  const current: unknown = failure instanceof StaleEditError ? failure.current : null
  return { code, message, httpStatus: httpStatus(code), fields, retryAfter, current }
}

/**
 * Translates a tRPC error to an AppError: one that a procedure threw, invalid input, or a malformed
 * call.
 */
function fromTrpcError(error: TRPCError): AppError {
  const { cause } = error
  if (cause instanceof AppError) return cause
  if (cause instanceof z.ZodError) return new AppError('INVALID', undefined, { fields: toFieldErrors(cause) })
  const code = trpcErrorCodes[error.code]
  return code ? new AppError(code, undefined, { cause: error }) : toAppError(cause ?? error)
}

/** The codes for errors of tRPC itself. */
const trpcErrorCodes: Partial<Record<TRPC_ERROR_CODE_KEY, ErrorCode>> = {
  PARSE_ERROR: 'BAD_REQUEST',
  BAD_REQUEST: 'BAD_REQUEST',
  NOT_FOUND: 'NOT_FOUND',
  METHOD_NOT_SUPPORTED: 'METHOD_NOT_ALLOWED',
  PAYLOAD_TOO_LARGE: 'TOO_LARGE',
  UNSUPPORTED_MEDIA_TYPE: 'UNSUPPORTED_TYPE',
}

/** The HTTP status of a call, or of a batch whose calls all failed with the same status. */
export function statusOfCalls(errors: readonly TRPCError[], calls: number): number | undefined {
  const [status, ...more] = new Set(errors.map((error) => toFailure(error).httpStatus))
  return errors.length === calls && more.length === 0 ? status : undefined
}

/** Whether an error is unexpected and must be logged. */
export const isUnexpected = (error: TRPCError): boolean => fromTrpcError(error).code === 'INTERNAL'

export const router = t.router

/**
 * Refuses text that Postgres cannot store. Comes after the permission: a visitor's input is not
 * parsed.
 */
const refuseNul = t.middleware(async ({ next, getRawInput }) => {
  // A procedure without input gets no body. One that needs it reports a malformed body itself.
  const nulField = findNulField(await getRawInput().catch(() => undefined))
  if (nulField !== null) {
    throw new AppError('INVALID', undefined, { fields: { [nulField || 'input']: nulMessage } })
  }
  return next()
})

const traced = t.middleware(({ path, next }) => trace({ name: `call ${path}` }, () => next()))

/** A mutation reads what it changes, and the next queries show it. */
const readPrimary = t.middleware(({ ctx, next, type }) => {
  if (type !== 'mutation') return next()
  if (ctx.writes) ctx.writes.happened = true
  return next({ ctx: { ...ctx, reads: ctx.db } })
})

/**
 * A procedure for staff with a permission. Anyone else is refused before the input is parsed. The
 * use cases check permissions again.
 */
export const procedureFor = (permission: Permission) =>
  t.procedure
    .use(traced)
    .use(({ ctx, next }) => {
      requirePermission(ctx, permission)
      return next()
    })
    .use(readPrimary)
    .use(refuseNul)

/** A procedure for staff of any role. */
export const staffProcedure = t.procedure
  .use(traced)
  .use(({ ctx, next }) => {
    requireStaff(ctx)
    return next()
  })
  .use(readPrimary)
  .use(refuseNul)
