/**
 * Runs `work` at most once at a time. Callers that arrive during a run share the next one, which
 * starts after all of them.
 */
export function shareNext<Result>(work: () => Promise<Result>): () => Promise<Result> {
  let running: Promise<unknown> = Promise.resolve()
  let next: Promise<Result> | null = null
  const start = (): Promise<Result> => {
    next = null
    const run = work()
    running = run
    return run
  }
  return () => (next ??= running.then(start, start))
}
