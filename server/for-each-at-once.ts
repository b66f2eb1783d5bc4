/**
 * Calls `work` for each item, for at most `limit` of them at once. After an error it starts no
 * more, waits for those that still run, and throws the error.
 */
export async function forEachAtOnce<T>(
  items: Iterable<T>,
  limit: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const rest = items[Symbol.iterator]()
  let isStopped = false
  const worker = async (): Promise<void> => {
    try {
      for (let next = rest.next(); !next.done && !isStopped; next = rest.next()) await work(next.value)
    } catch (error) {
      isStopped = true
      throw error
    }
  }
  const results = await Promise.allSettled(Array.from({ length: limit }, worker))
  const failed = results.find((result) => result.status === 'rejected')
  if (failed) throw failed.reason
}
