import type { Db } from '#db/engine/client.ts'
import { sql } from 'kysely'
import { mkdirSync, renameSync, rmdirSync } from 'node:fs'
import { onTestFinished } from 'vitest'

/**
 * From now on, the first flush of a handle of this SQLite database fails: it finds a folder where
 * the write-ahead log was.
 */
export async function replaceLog(db: Db): Promise<void> {
  const { rows } = await sql<{ file: string }>`pragma database_list`.execute(db)
  const log = `${rows[0]?.file ?? ''}-wal`
  renameSync(log, `${log}.moved`)
  mkdirSync(log)
  onTestFinished(() => {
    rmdirSync(log)
    renameSync(`${log}.moved`, log)
  })
}
