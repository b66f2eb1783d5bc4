import { AppError } from '#domain/errors.ts'

const storageFull = new Set(['SQLITE_FULL', 'ENOSPC', 'EDQUOT', '53100'])
// Postgres classes 08 (connection) and 57P (operator), a deadlock that it ended (40P01), SQLite's lock, and what sockets say.
const away = /^(08...|57P0.|53300|40P01|ECONNREFUSED|ECONNRESET|ENOTFOUND|EPIPE|ETIMEDOUT|SQLITE_BUSY.*)$/
// What pg says without a code; the last of a connection that broke between two statements of a transaction.
const lostConnection = /timeout exceeded when trying to connect|Connection terminated|is not queryable/

/** What a failure means to the caller: itself when it is ours, else by the code that the engine gave it. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (storageFull.has(code)) return new AppError('STORAGE_FULL', undefined, { cause: error })
  if (away.test(code) || (error instanceof Error && lostConnection.test(error.message))) {
    return new AppError('UNAVAILABLE', undefined, { cause: error, retryAfter: 5 })
  }
  return new AppError('INTERNAL', undefined, { cause: error })
}
