/** What runs beside requests. */
export type RunKind = 'job' | 'verify' | 'backup'

/** The last runs of a job or a command, whichever process ran it. */
export type RunsTable = {
  kind: RunKind
  name: string
  succeededAt: Date | null
  failedAt: Date | null
  /** The error's code of the last failure. Never its message, which can hold values. */
  failure: string | null
  /** What the last run reported in numbers, such as `findings=0`. */
  summary: string | null
  /** How long the last run took. */
  durationMs: number | null
}
