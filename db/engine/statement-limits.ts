/** How long Postgres may take, in milliseconds. 0 is no limit. SQLite is in this process. */
export type StatementLimits = {
  /** Enforced by the server: one statement, and its wait for a lock. */
  statementMs: number
  lockMs: number
  /** The same: a transaction of a process that was cut off keeps its locks until then. */
  idleInTransactionMs: number
  /** Enforced here, for a server that hangs or is gone. Longer than the others. */
  answerMs: number
  /** Whether a statement may take longer while the server still works on it. */
  checksServer?: boolean
}

/** For requests. Longer than any statement of a page or a call, and than a lock held on purpose. */
export const requestLimits: StatementLimits = {
  statementMs: 30_000,
  lockMs: 20_000,
  idleInTransactionMs: 60_000,
  answerMs: 35_000,
}

/** For jobs: retention or a verification of a large shop may be minutes at one statement. */
export const jobLimits: StatementLimits = { ...requestLimits, statementMs: 0, checksServer: true }

/** For migrations, backups and commands, which an operator watches. */
export const noLimits: StatementLimits = { statementMs: 0, lockMs: 0, idleInTransactionMs: 0, answerMs: 0 }

const settingsOf = (limits: StatementLimits): [name: string, ms: number][] => [
  ['statement_timeout', limits.statementMs],
  ['lock_timeout', limits.lockMs],
  ['idle_in_transaction_session_timeout', limits.idleInTransactionMs],
]

/** Options of a connection to the server itself. They replace those of the database or the role. */
export const startupOptions = (limits: StatementLimits): string[] =>
  settingsOf(limits).map(([name, ms]) => `-c ${name}=${ms}`)

/**
 * What lifts limits for one transaction. Behind a pooler, the database has the limits of requests
 * (docs/operations.md), because a connection has no settings of its own there.
 */
export const liftLimits = (limits: StatementLimits): string[] =>
  settingsOf(limits)
    .filter(([, ms]) => ms === 0)
    .map(([name]) => `set local ${name} = 0`)
