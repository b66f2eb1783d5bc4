import { isUniqueViolation } from '#db/engine/sql.ts'

/**
 * Runs a write that first looks for the row of its key. Runs it once more when a copy of the
 * request wrote that row at the same moment: now it is found.
 */
export const retryWithKey = <T>(requestKey: string | undefined, write: () => Promise<T>): Promise<T> =>
  write().catch((error: unknown) => {
    if (requestKey !== undefined && isUniqueViolation(error)) return write()
    throw error
  })
