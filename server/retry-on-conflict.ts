import { AppError } from '#domain/errors.ts'

const maxAttempts = 5

/**
 * Runs an optimistic change until it succeeds. `attempt` reads the current row and returns null
 * when a concurrent request changed it before the write.
 * @param exhausted the error after five attempts: UNAVAILABLE by default
 */
export async function retryOnConflict<T>(
  attempt: () => Promise<T | null>,
  exhausted: () => AppError = () => new AppError('UNAVAILABLE', undefined, { retryAfter: 1 }),
): Promise<T> {
  for (let count = 0; count < maxAttempts; count++) {
    const result = await attempt()
    if (result !== null) return result
  }
  throw exhausted()
}
