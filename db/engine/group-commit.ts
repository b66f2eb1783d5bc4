import { CompiledQuery, type QueryResult } from 'kysely'

/** The handle that writes. */
export type Writer = {
  execute: <R>(query: CompiledQuery) => QueryResult<R>
  isInTransaction: () => boolean
  close: () => void
}

/** One transaction of the program, from its turn at the writer until `commit` or `rollback`, which end the turn. */
export type Turn = {
  execute: <R>(query: CompiledQuery) => QueryResult<R>
  /** Resolves when what was written is on the disk, and throws if it is not. */
  commit: () => Promise<void>
  rollback: () => Promise<void>
}

/** One transaction of the database, which several of the program share. */
type Group = {
  ended: Promise<void>
  resolve: () => void
  reject: (error: unknown) => void
  /** Why nothing of it was kept. */
  failure: { error: unknown } | null
}

/** A first-come, first-served lock: `await lock()` gives the function that frees it. */
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
  // Everybody in the group hears of its failure; one that nobody waits for yet must not end the process.
  ended.catch(() => {})
  return { ended, resolve, reject, failure: null }
}

/**
 * Group commit (docs/decisions/0016-group-commit.md): transactions run one after another, first come, first served;
 * those that are ready together share one COMMIT and so one wait for the disk, and none is told that it is committed
 * before that COMMIT came back. The first of a group needs no savepoint, because it is undone by ROLLBACK while it is alone.
 * @param whenFree runs what another process may hold up
 */
export function groupCommit(writer: Writer, whenFree: <T>(attempt: () => T) => Promise<T>) {
  const lock = mutex()
  let open: Group | null = null

  const control = (statement: string): void => void writer.execute(CompiledQuery.raw(statement))

  /** Nothing of a group is kept: everybody in it hears why, and the writer comes back clean. */
  function abandon(group: Group, error: unknown): void {
    if (group.failure) return
    group.failure = { error }
    group.reject(error)
    open = null
    if (writer.isInTransaction()) control('rollback')
  }

  /** The COMMIT that everybody in the open group waits for. */
  function commitOpen(): void {
    const group = open
    if (!group) return
    try {
      control('commit')
      open = null
      group.resolve()
    } catch (error) {
      abandon(group, error)
    }
  }

  async function commitInTurn(): Promise<void> {
    const free = await lock()
    commitOpen()
    free()
  }

  /** Once everything that the event loop has ready has joined, and in turn, so that later ones cannot delay it. */
  const commitSoon = (): void => void setImmediate(() => void commitInTurn())

  async function begin(): Promise<Turn> {
    const free = await lock()
    const isFirst = open === null
    try {
      if (isFirst) await whenFree(() => control('begin immediate'))
      else control('savepoint member')
    } catch (error) {
      if (open && !writer.isInTransaction()) abandon(open, error)
      free()
      throw error
    }
    const group = (open ??= newGroup())

    function execute<R>(query: CompiledQuery): QueryResult<R> {
      // Without this a statement after the failure would commit by itself.
      if (group.failure) throw group.failure.error
      try {
        return writer.execute<R>(query)
      } catch (error) {
        // On a full disk and the like SQLite undoes the whole transaction, not the statement alone.
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
            group.resolve()
            return
          }
          // What it saw of the others may be why it gave up, so it is told no sooner than they are.
          control('rollback to member')
          control('release member')
        }),
    }
  }

  /** One statement, all of it or nothing. */
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

  /** A statement that SQLite runs outside of transactions only: a pragma, `vacuum`. */
  async function executeAlone<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const free = await lock()
    try {
      commitOpen()
      return await whenFree(() => writer.execute<R>(query))
    } finally {
      free()
    }
  }

  /** Commits what is open and closes the handle. */
  async function close(): Promise<void> {
    const free = await lock()
    commitOpen()
    writer.close()
    free()
  }

  return { begin, write, executeAlone, close }
}
