/**
 * Runs a request that is aborted unless its answer begins in time. The body of the answer has no
 * limit: a large file on a slow line takes minutes.
 */
export async function untilAnswer<T>(ms: number, request: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const limit = new AbortController()
  const timer = setTimeout(() => limit.abort(), ms)
  try {
    return await request(limit.signal)
  } finally {
    clearTimeout(timer)
  }
}
