import type pg from 'pg'

const checkMs = 1000

/** Waits for a statement's answer. Returns it, or throws its error. */
export type AnswerWatch = <T>(client: pg.PoolClient, answer: Promise<T>) => Promise<T>

type Unanswered = {
  statements: number
  /** When the first of them was sent, or the one before it was answered. */
  since: number
  /** Since when the server has been known to work on it. */
  checkedAt: number
}

/**
 * Breaks a connection whose server has answered nothing for this long, so that its statements fail
 * and the pool opens another one. A server that hangs, or that a firewall cut off, never closes its
 * connections. Without a limit, ten such statements would occupy the pool for good.
 * @param isAtWork whether the server still works on the statement, which may then go on
 */
export function watchAnswers(
  limitMs: number,
  isAtWork: (client: pg.PoolClient) => Promise<boolean> = async () => false,
): AnswerWatch {
  const unanswered = new Map<pg.PoolClient, Unanswered>()
  let timer: NodeJS.Timeout | null = null
  function check(): void {
    const now = performance.now()
    for (const [client, waiting] of unanswered)
      if (waiting.checkedAt < now - limitMs) void breakUnlessAtWork(client, waiting, now)
    timer = unanswered.size > 0 ? setTimeout(check, checkMs).unref() : null
  }
  async function breakUnlessAtWork(client: pg.PoolClient, waiting: Unanswered, now: number): Promise<void> {
    waiting.checkedAt = now
    const { since } = waiting
    if (await isAtWork(client)) return
    // Its answer may have come during the check.
    if (unanswered.get(client) === waiting && waiting.since === since) client.connection.stream.destroy()
  }
  return async (client, answer) => {
    let waiting = unanswered.get(client)
    if (!waiting) {
      const now = performance.now()
      unanswered.set(client, (waiting = { statements: 0, since: now, checkedAt: now }))
    }
    waiting.statements++
    timer ??= setTimeout(check, checkMs).unref()
    try {
      return await answer
    } finally {
      // The statements behind it are answered in order, so the server is at work on the next one.
      waiting.since = waiting.checkedAt = performance.now()
      if (--waiting.statements === 0) unanswered.delete(client)
    }
  }
}
