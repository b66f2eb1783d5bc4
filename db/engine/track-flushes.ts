/** What a writer's flushes depend on. */
export type FlushedWriter = {
  /** Resolves when everything committed before the call is on disk. */
  flush: () => Promise<void>
  /** Differs after each commit of this process or another one. */
  version: () => number
}

/** Tracks what is on disk: of this process, and of others that write to the same database. */
export function trackFlushes(writer: FlushedWriter) {
  /** The latest flush: everything committed so far is on disk once it resolves. */
  let flushed: Promise<void> = Promise.resolve()
  /** What the latest flush covers. */
  let flushedVersion: number | null = null
  /** The check that the next callers of `whenDurable` share. */
  let durabilityCheck: Promise<void> | null = null
  let failure: { error: unknown } | null = null

  /** The system reports a failure once. What follows in the log is not on disk either. */
  async function flushAfterAll(): Promise<void> {
    if (!failure) await writer.flush()
    if (failure) throw failure.error
  }

  /** Null when it cannot be read. Then the next response flushes again. */
  function readVersion(): number | null {
    try {
      return writer.version()
    } catch {
      return null
    }
  }

  /** Flushes what was committed so far. Rejects once any flush has failed. */
  function flush(): Promise<void> {
    flushedVersion = readVersion()
    flushed = flushAfterAll()
    flushed.catch((error: unknown) => (failure ??= { error }))
    return flushed
  }

  function flushWhatIsNew(): Promise<void> {
    durabilityCheck = null
    // Another process may have committed since, and may still be flushing.
    const version = readVersion()
    return version === null || version !== flushedVersion ? flush() : flushed
  }

  return {
    flush,
    /** Resolves when the latest flush has ended, even if it failed. */
    latest: () => flushed.catch(() => {}),
    /** Why no transaction can begin any more: what was committed may not be on disk. */
    getFailure: () => failure,
    /**
     * Resolves when everything that a read could have seen is on disk. Callers that arrive before
     * the check runs share it. It runs in a microtask, so it comes after all of them.
     */
    whenDurable: (): Promise<void> => (durabilityCheck ??= Promise.resolve().then(flushWhatIsNew)),
  }
}
