import { deleteSomeImports, listActiveImports } from '#db/catalog/csv-imports.ts'
import { advanceImport } from '../catalog/csv/advance-import.ts'
import type { JobContext } from '../job-context.ts'

/** So few that writers on SQLite hardly wait. */
const deleteBatchSize = 1000
const retentionMs = 7 * 24 * 3600_000
/** No file takes as long to come. */
const uploadTimeoutMs = 3600_000

/**
 * Goes on with files of variants that are being checked or applied, until none is or `signal` says stop. Several processes take turns. One
 * that fails stands in no other's way; what it failed of is thrown in the end.
 */
export async function advanceImports(
  { db, log, now }: Pick<JobContext, 'db' | 'log' | 'now'>,
  signal: AbortSignal,
): Promise<void> {
  const failures: unknown[] = []
  for (const id of await listActiveImports(db)) {
    await advanceImport({ db, log, now: now() }, id, { signal }).catch((error: unknown) =>
      failures.push(error),
    )
  }
  if (failures.length > 0) throw failures[0]
}

/** Deletes files that were thrown away, broke off, or have lain for a week: what they changed stands in the history of the catalogue. */
export async function deleteOldImports(
  { db, now }: Pick<JobContext, 'db' | 'now'>,
  signal: AbortSignal,
): Promise<void> {
  const nowMs = now().getTime()
  const limits = {
    receivingBefore: new Date(nowMs - uploadTimeoutMs),
    before: new Date(nowMs - retentionMs),
    limit: deleteBatchSize,
  }
  while (!signal.aborted && (await deleteSomeImports(db, limits)));
}
