import type pg from 'pg'

const checkMs = 1000

/** Waits for a statement's answer. Returns it, or throws its error. */
export type AnswerWatch = <T>(client: pg.PoolClient, answer: Promise<T>) => Promise<T>

type Unanswered = { statements: number; since: number }

/**
 * Breaks a connection whose server has answered nothing for this long, so that its statements fail
 * and the pool opens another one. A server that hangs, or that a firewall cut off, never closes its
 * connections. Without a limit, ten such statements would occupy the pool for good.
 */
export function watchAnswers(limitMs: number): AnswerWatch {
  const unanswered = new Map<pg.PoolClient, Unanswered>()
  let timer: NodeJS.Timeout | null = null
  function check(): void {
    const overdue = performance.now() - limitMs
    for (const [client, { since }] of unanswered) if (since < overdue) client.connection.stream.destroy()
    timer = unanswered.size > 0 ? setTimeout(check, checkMs).unref() : null
  }
  return async (client, answer) => {
    let waiting = unanswered.get(client)
    if (!waiting) unanswered.set(client, (waiting = { statements: 0, since: performance.now() }))
    waiting.statements++
    timer ??= setTimeout(check, checkMs).unref()
    try {
      return await answer
    } finally {
      // The statements behind it are answered in order, so the server is at work on the next one.
      waiting.since = performance.now()
      if (--waiting.statements === 0) unanswered.delete(client)
    }
  }
}
