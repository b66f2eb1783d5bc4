/**
 * Calls `work` for each item, at most `limit` at a time. After an error it starts no more calls,
 * waits for those that are running, and throws the error.
 */
export async function forEachConcurrent<T>(
  items: readonly T[],
  limit: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const rest = items.values()
  const failures: unknown[] = []
  // The workers share one iterator.
  const worker = async (): Promise<void> => {
    for (const item of rest) {
      if (failures.length > 0) return
      await work(item).catch((error: unknown) => failures.push(error))
    }
  }
  await Promise.all(Array.from({ length: limit }, worker))
  if (failures.length > 0) throw failures[0]
}
