import { AppError, errorCodes } from '#domain/errors.ts'

const storageFull = new Set(['SQLITE_FULL', 'ENOSPC', 'EDQUOT', '53100'])
// Postgres classes 08 (connection) and 57P (operator), deadlocks (40P01), its limits of a statement
// (57014), a lock (55P03) and an idle transaction (25P03), SQLite's lock, and socket errors.
const away =
  /^(08...|57P0.|57014|55P03|25P03|53300|40P01|ECONNREFUSED|ECONNRESET|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|EPIPE|ETIMEDOUT|SQLITE_BUSY.*)$/
// Recognized by their message: pg's errors without a code, of which the third is a connection that
// broke between two statements of a transaction; and a prepared statement whose columns a newer
// version's migration has changed, which is prepared again next time.
const passing =
  /timeout exceeded when trying to connect|Connection terminated|is not queryable|cached plan must not change|pool after calling end/

/** A server that stops removes its Unix socket. A file that is missing is another error. */
const isStoppedSocket = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  error.code === 'ENOENT' &&
  'syscall' in error &&
  error.syscall === 'connect'

/** Maps any error to an AppError: its own if it is one, otherwise by the engine's error code. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (storageFull.has(code)) return new AppError('STORAGE_FULL', undefined, { cause: error })
  if (away.test(code) || isStoppedSocket(error) || (error instanceof Error && passing.test(error.message))) {
    return new AppError('UNAVAILABLE', undefined, { cause: error, retryAfter: 5 })
  }
  return new AppError('INTERNAL', undefined, { cause: error })
}

/**
 * What an error says to an operator. The sentence of UNAVAILABLE is written for customers, and its
 * cause says what was away, without values.
 */
export function toOperatorMessage(error: unknown): string {
  if (error instanceof AppError && error.code === 'UNAVAILABLE' && error.cause instanceof Error) {
    return error.message === errorCodes.UNAVAILABLE.sentence ? toOperatorMessage(error.cause) : error.message
  }
  // A host with two addresses fails with two errors, and a message that is empty.
  if (error instanceof AggregateError && error.message === '') return toOperatorMessage(error.errors[0])
  return error instanceof Error ? error.message : String(error)
}
