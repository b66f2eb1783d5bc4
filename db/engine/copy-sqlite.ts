import { Database } from './better-sqlite3.ts'
import { createPrivateFile } from './sqlite-files.ts'

/** Pages per step. Between two steps, other work of this process runs. */
const pagesPerStep = 2000

/**
 * Copies a database by SQLite's online backup, beside the running shop. Writers are not blocked:
 * only the write-ahead log grows until the copy is complete. The open transaction keeps all steps
 * on one snapshot. Without it, each write of another process would start the copy again, and on a
 * busy shop it would never end.
 */
export async function copySqlite(path: string, target: string): Promise<void> {
  const source = new Database(path, { readonly: true, fileMustExist: true })
  try {
    source.exec('begin')
    source.prepare('select count(*) from sqlite_master').get()
    createPrivateFile(target)
    await source.backup(target, { progress: () => pagesPerStep })
    source.exec('commit')
  } finally {
    source.close()
  }
}
