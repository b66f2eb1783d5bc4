import { setTimeout as sleep } from 'node:timers/promises'

/** The result of work that cannot be aborted. Rejects with `late` when it takes longer. */
export async function withTimeout<T>(ms: number, work: Promise<T>, late: () => Error): Promise<T> {
  const timer = new AbortController()
  const fail = async (): Promise<never> => {
    await sleep(ms, undefined, { signal: timer.signal })
    throw late()
  }
  try {
    return await Promise.race([work, fail()])
  } finally {
    timer.abort()
  }
}
