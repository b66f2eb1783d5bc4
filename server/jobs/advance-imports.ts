import { deleteSomeImports, listActiveImports } from '#db/catalog/csv-imports.ts'
import { advanceImport } from '../catalog/csv/advance-import.ts'
import type { JobContext } from '../job-context.ts'

/** Small enough that other writers on SQLite barely wait. */
const deleteBatchSize = 1000
const retentionMs = 7 * 24 * 3600_000
/** No upload takes this long. */
const uploadTimeoutMs = 3600_000

/**
 * Continues imports that are being validated or applied until none is left or `signal` aborts.
 * Several processes take turns. A failed import does not block the others; its error is thrown at
 * the end.
 */
export async function advanceImports(
  { db, keys, log, now }: Pick<JobContext, 'db' | 'keys' | 'log' | 'now'>,
  signal: AbortSignal,
): Promise<void> {
  const failures: unknown[] = []
  for (const id of await listActiveImports(db)) {
    await advanceImport({ db, keys, log, now: now() }, id, { signal }).catch((error: unknown) =>
      failures.push(error),
    )
  }
  if (failures.length > 0) throw failures[0]
}

/**
 * Deletes discarded and incomplete imports, and those older than a week. The catalog history keeps
 * what they changed.
 */
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
