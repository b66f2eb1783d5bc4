import {
  openCrashingPostgres,
  type CrashingPostgres,
  type CrashingPostgresOptions,
} from '#tests/support/postgres.ts'
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Starts a Postgres that can be crashed, with its data in this folder.
 * @param work runs with it
 */
export async function withOwnPostgres<T>(
  folder: string | null,
  work: (postgres: CrashingPostgres) => Promise<T>,
  options: CrashingPostgresOptions = {},
): Promise<T> {
  const home = mkdtempSync('/tmp/meridian-postgres-')
  chmodSync(home, 0o755)
  const data = join(folder ?? home, 'cluster')
  const programs = join(home, 'programs')
  mkdirSync(data)
  mkdirSync(programs)
  try {
    const postgres = await openCrashingPostgres(data, programs, options)
    await postgres.start()
    try {
      return await work(postgres)
    } finally {
      await postgres.crash()
    }
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}
