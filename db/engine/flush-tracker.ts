/** What a writer's flushes depend on. */
export type FlushedWriter = {
  /** Resolves when everything committed before the call is on disk. */
  flush: () => Promise<void>
  /** Differs after each commit of this process or another one. */
  version: () => number
}

/** Knows what is on disk: of this process, and of others that write to the same database. */
export class FlushTracker {
  readonly #writer: FlushedWriter
  /** The latest flush: everything committed so far is on disk once it resolves. */
  #flushed: Promise<void> = Promise.resolve()
  /** What the latest flush covers. */
  #flushedVersion: number | null = null
  /** The check that the next callers of `whenDurable` share. */
  #check: Promise<void> | null = null
  #failure: { error: unknown } | null = null

  constructor(writer: FlushedWriter) {
    this.#writer = writer
  }

  /** Why no transaction can begin any more: what was committed may not be on disk. */
  get failure(): { error: unknown } | null {
    return this.#failure
  }

  /** The latest flush. */
  get flushed(): Promise<void> {
    return this.#flushed
  }

  /** Flushes what was committed so far. Rejects once any flush has failed. */
  flush(): Promise<void> {
    this.#flushedVersion = this.#readVersion()
    this.#flushed = this.#flushAfterAll()
    this.#flushed.catch((error: unknown) => (this.#failure ??= { error }))
    return this.#flushed
  }

  /**
   * Resolves when everything that a read could have seen is on disk. Callers that arrive before the
   * check runs share it. It runs in a microtask, so it comes after all of them.
   */
  whenDurable(): Promise<void> {
    return (this.#check ??= Promise.resolve().then(() => this.#flushWhatIsNew()))
  }

  /** The system reports a failure once. What follows in the log is not on disk either. */
  async #flushAfterAll(): Promise<void> {
    if (!this.#failure) await this.#writer.flush()
    if (this.#failure) throw this.#failure.error
  }

  #flushWhatIsNew(): Promise<void> {
    this.#check = null
    // Another process may have committed since, and may still be flushing.
    const version = this.#readVersion()
    return version === null || version !== this.#flushedVersion ? this.flush() : this.#flushed
  }

  /** Null when it cannot be read. Then the next response flushes again. */
  #readVersion(): number | null {
    try {
      return this.#writer.version()
    } catch {
      return null
    }
  }
}
