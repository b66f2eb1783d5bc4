import { CompiledQuery, type QueryResult } from 'kysely'
import { trackFlushes, type FlushedWriter } from './track-flushes.ts'

/** The database handle that writes. */
export type Writer = FlushedWriter & {
  execute: <R>(query: CompiledQuery) => QueryResult<R>
  isInTransaction: () => boolean
  close: () => void
}

/** One caller's transaction: its turn at the writer, until `commit` or `rollback` ends it. */
export type Turn = {
  execute: <R>(query: CompiledQuery) => QueryResult<R>
  /** Resolves when the writes are on disk, and throws when they are not. */
  commit: () => Promise<void>
  rollback: () => Promise<void>
}

/** One database transaction, shared by several callers. */
type Group = {
  ended: Promise<void>
  resolve: () => void
  reject: (error: unknown) => void
  /** Why the whole group was rolled back. */
  failure: { error: unknown } | null
}

/** A first-come, first-served lock: `await lock()` returns the function that releases it. */
function mutex(): () => Promise<() => void> {
  let tail = Promise.resolve()
  return async () => {
    const before = tail
    let release = (): void => {}
    tail = new Promise((resolve) => (release = resolve))
    await before
    return release
  }
}

function newGroup(): Group {
  let resolve = (): void => {}
  let reject: Group['reject'] = () => {}
  const ended = new Promise<void>((done, failed) => {
    resolve = done
    reject = failed
  })
  // Every member receives the failure. One that nothing awaits yet must not end the process.
  ended.catch(() => {})
  return { ended, resolve, reject, failure: null }
}

/**
 * Group commit (docs/decisions/0016-group-commit.md). Transactions run one at a time, first come,
 * first served. Those that are ready together share one COMMIT. None resolves before the COMMIT is
 * on disk. The next ones run during that flush. The first member of a group needs no savepoint:
 * while it is alone, ROLLBACK undoes it.
 * @param retryWhileLocked retries an attempt while another process holds the write lock
 */
export function groupCommit(writer: Writer, retryWhileLocked: <T>(attempt: () => T) => Promise<T>) {
  const lock = mutex()
  let open: Group | null = null
  const flushes = trackFlushes(writer)

  const control = (statement: string): void => void writer.execute(CompiledQuery.raw(statement))

  /** Rolls the whole group back, rejects all members, and leaves the writer clean. */
  function abandon(group: Group, error: unknown): void {
    if (group.failure) return
    group.failure = { error }
    group.reject(error)
    open = null
    if (writer.isInTransaction()) control('rollback')
  }

  /** The COMMIT that all members of the open group wait for. */
  function commitOpen(): void {
    const group = open
    if (!group) return
    const failure = flushes.getFailure()
    if (failure) return abandon(group, failure.error)
    try {
      control('commit')
    } catch (error) {
      abandon(group, error)
      return
    }
    open = null
    flushes.flush().then(group.resolve, group.reject)
  }

  async function commitInTurn(): Promise<void> {
    const free = await lock()
    try {
      commitOpen()
    } finally {
      free()
    }
  }

  /**
   * Commits after everything ready in the event loop has joined. It takes its turn, so later
   * callers cannot delay it.
   */
  const commitSoon = (): void => void setImmediate(() => void commitInTurn())

  async function begin(): Promise<Turn> {
    const free = await lock()
    const isFirst = open === null
    try {
      const failure = flushes.getFailure()
      if (failure) throw failure.error
      if (isFirst) await retryWhileLocked(() => control('begin immediate'))
      else control('savepoint member')
    } catch (error) {
      if (open && !writer.isInTransaction()) abandon(open, error)
      free()
      throw error
    }
    const group = (open ??= newGroup())

    function execute<R>(query: CompiledQuery): QueryResult<R> {
      // Without this check, a statement after the failure would commit on its own.
      if (group.failure) throw group.failure.error
      try {
        return writer.execute<R>(query)
      } catch (error) {
        // On errors such as a full disk, SQLite rolls back the whole transaction, not just the
        // statement.
        if (!writer.isInTransaction()) abandon(group, error)
        throw error
      }
    }

    async function end(finish: () => void): Promise<void> {
      try {
        if (!group.failure) finish()
      } catch (error) {
        abandon(group, error)
      } finally {
        free()
      }
      await group.ended
    }

    return {
      execute,
      commit: () => end(() => (isFirst ? commitSoon() : control('release member'))),
      rollback: () =>
        end(() => {
          if (isFirst) {
            control('rollback')
            open = null
            // What it has read may not be on disk yet.
            flushes.whenDurable().then(group.resolve, group.reject)
            return
          }
          // It may have rolled back because of other members' writes, so it waits for their commit
          // too.
          control('rollback to member')
          control('release member')
        }),
    }
  }

  /** One statement as a transaction of its own. */
  async function write<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const turn = await begin()
    let result: QueryResult<R>
    try {
      result = turn.execute<R>(query)
    } catch (error) {
      await turn.rollback()
      throw error
    }
    await turn.commit()
    return result
  }

  /** A statement that SQLite runs only outside transactions: a pragma, `vacuum`. */
  async function executeAlone<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const free = await lock()
    try {
      commitOpen()
      const result = await retryWhileLocked(() => writer.execute<R>(query))
      await flushes.flush()
      return result
    } finally {
      free()
    }
  }

  /** Commits the open group and closes the handle. */
  async function close(): Promise<void> {
    const free = await lock()
    commitOpen()
    await flushes.latest()
    writer.close()
    free()
  }

  return { begin, write, executeAlone, close, whenDurable: flushes.whenDurable }
}
