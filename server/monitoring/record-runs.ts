import type { Db } from '#db/engine/client.ts'
import { saveRuns, type RunRow } from '#db/monitoring/runs.ts'
import { EnvError } from '../env-error.ts'

type Run = Pick<RunRow, 'kind' | 'name'> & {
  at: Date
  durationMs: number
  /** Null when it succeeded. */
  error: unknown
  summary?: string | null
}

/** An error by its code, or its class: a message can hold values. */
function nameFailure(error: unknown): string {
  if (!(error instanceof Error)) return 'UNKNOWN'
  const code = 'code' in error && typeof error.code === 'string' ? error.code : error.name
  return /^[\w.-]{1,60}$/.test(code) ? code : 'UNKNOWN'
}

const toRow = ({ kind, name, at, durationMs, error, summary = null }: Run): RunRow => ({
  kind,
  name,
  succeededAt: error === null ? at : null,
  failedAt: error === null ? null : at,
  failure: error === null ? null : nameFailure(error),
  summary,
  durationMs: Math.round(durationMs),
})

/** Stores one run at once. */
export const recordRun = (db: Db, run: Run): Promise<void> => saveRuns(db, [toRow(run)])

/** Records a command that verifies something. Findings are a failure. */
export async function recordVerification(
  db: Db,
  { name, findings, startedAt, now }: { name: string; findings: number; startedAt: Date; now: Date },
): Promise<void> {
  await saveRuns(db, [
    {
      ...toRow({
        kind: 'verify',
        name,
        at: now,
        durationMs: now.getTime() - startedAt.getTime(),
        error: null,
      }),
      summary: `findings=${findings}`,
      ...(findings > 0 && { succeededAt: null, failedAt: now, failure: 'FINDINGS' }),
    },
  ])
}

/**
 * Records a backup that is complete. With damaged rows, the run also fails a millisecond later: the
 * alert BackupFailed leads to the repair, and BackupOld stays off. One row, so that a crash leaves
 * no success alone.
 */
export async function recordBackup(
  db: Db,
  { damaged, startedAt, now }: { damaged: number; startedAt: Date; now: Date },
): Promise<void> {
  const durationMs = now.getTime() - startedAt.getTime()
  await saveRuns(db, [
    {
      ...toRow({ kind: 'backup', name: 'backup', at: now, durationMs, error: null }),
      ...(damaged > 0 && { failedAt: new Date(now.getTime() + 1), failure: 'DAMAGED_ROWS' }),
    },
  ])
}

/** Records a command that could not finish what it verifies. */
export const recordFailedVerification = (
  db: Db,
  { name, error, startedAt, now }: { name: string; error: unknown; startedAt: Date; now: Date },
): Promise<void> =>
  recordRun(db, {
    kind: 'verify',
    name,
    at: now,
    durationMs: now.getTime() - startedAt.getTime(),
    error: error instanceof EnvError ? (error.cause ?? error) : error,
  })

/**
 * Runs what a command verifies, and records its findings, or why it could not finish. Throws that
 * error, also when the database does not take the record.
 * @param startedAt when the command began, if it did other work before
 */
export async function runVerification<Summary extends { findings: number }>(
  db: Db,
  name: string,
  verify: () => Promise<Summary>,
  startedAt: Date = new Date(),
): Promise<Summary> {
  try {
    const summary = await verify()
    await recordVerification(db, { name, findings: summary.findings, startedAt, now: new Date() })
    return summary
  } catch (error) {
    await recordFailedVerification(db, { name, error, startedAt, now: new Date() }).catch(() => {})
    throw error
  }
}

export type RunRecorder = {
  note: (run: Omit<Run, 'kind'>) => void
  /** Stores what was noted since the last time. */
  flush: (db: Db) => Promise<void>
}

/**
 * Notes the runs of jobs and stores them together: some run every second, and each commit is a
 * write to the disk.
 */
export function createRunRecorder(): RunRecorder {
  let noted = new Map<string, RunRow>()
  return {
    note: (run) => {
      const row = toRow({ ...run, kind: 'job' })
      const earlier = noted.get(run.name)
      noted.set(run.name, {
        ...row,
        succeededAt: row.succeededAt ?? earlier?.succeededAt ?? null,
        failedAt: row.failedAt ?? earlier?.failedAt ?? null,
        failure: row.failure ?? earlier?.failure ?? null,
      })
    },
    flush: async (db) => {
      const rows = noted
      noted = new Map()
      try {
        await saveRuns(db, [...rows.values()])
      } catch (error) {
        for (const [name, row] of rows) if (!noted.has(name)) noted.set(name, row)
        throw error
      }
    },
  }
}
