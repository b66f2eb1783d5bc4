import { isUniqueViolation } from '#db/engine/sql.ts'
import { AppError } from '#domain/errors.ts'

/**
 * Runs a write that first looks for the row of its key. Runs it once more when a concurrent copy of
 * the request wrote that row: now it is found.
 */
export const retryWithKey = <T>(requestKey: string | undefined, write: () => Promise<T>): Promise<T> =>
  write().catch((error: unknown) => {
    if (requestKey !== undefined && isUniqueViolation(error)) return write()
    throw error
  })

/**
 * The row that an earlier call with the same key wrote; null when there was none. Throws CONFLICT
 * when this call would write another row. The caller holds a lock that concurrent submissions of
 * one form wait for.
 */
export async function findRecorded<Row>(
  requestKey: string | undefined,
  {
    find,
    isSame,
    conflict,
  }: {
    find: (id: string) => Promise<Row | null>
    isSame: (row: Row) => boolean
    /** What the key's row recorded, for the user. */
    conflict: (row: Row) => string
  },
): Promise<Row | null> {
  const row = requestKey === undefined ? null : await find(requestKey)
  if (row && !isSame(row)) throw new AppError('CONFLICT', conflict(row))
  return row
}
