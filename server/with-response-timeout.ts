import { setMaxListeners } from 'node:events'

/**
 * Runs a request that is aborted unless its response begins in time, or when `stop` aborts. The
 * response's body has no limit: a large file on a slow line takes minutes. A signal of
 * `AbortSignal.any` can lose its timeout to the garbage collector of Node 20.
 */
export async function withResponseTimeout<T>(
  ms: number,
  request: (signal: AbortSignal) => Promise<T>,
  stop?: AbortSignal,
): Promise<T> {
  const limit = new AbortController()
  const abort = (): void => limit.abort()
  const timer = setTimeout(abort, ms)
  // Dozens of requests may share one signal. Each stops listening when it ends.
  if (stop) setMaxListeners(0, stop)
  stop?.addEventListener('abort', abort)
  if (stop?.aborted) abort()
  try {
    return await request(limit.signal)
  } finally {
    clearTimeout(timer)
    stop?.removeEventListener('abort', abort)
  }
}
