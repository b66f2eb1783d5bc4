import { chmodSync, closeSync, mkdirSync, openSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/** For the owner only: the file has blind indexes, ids and times, and keys that are wrapped. */
const fileMode = 0o600
const folderMode = 0o700
const otherUsers = 0o077

/** The files of a database. SQLite gives the log and its index the permissions of the first. */
export const sqliteFiles = (path: string): string[] => [path, `${path}-wal`, `${path}-shm`]

/** Creates the file, and folders that are missing, with access for the owner only. */
export function createPrivateFile(path: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: folderMode })
  closeSync(openSync(path, 'a', fileMode))
}

/** A file that other users could read. With an error, they still can. */
export type OpenFile = { file: string; error: Error | null }

/**
 * Removes other users' access to a database that an earlier version created. Returns the files that
 * had any. A file that belongs to another user stays as it is.
 */
export function restrictAccess(path: string): OpenFile[] {
  return sqliteFiles(path).flatMap((file) => {
    const found = statSync(file, { throwIfNoEntry: false })
    // A wrong DATABASE_URL can name a folder, which nothing could enter with these permissions.
    return found?.isFile() && (found.mode & otherUsers) !== 0 ? [{ file, error: restrict(file) }] : []
  })
}

function restrict(file: string): Error | null {
  try {
    chmodSync(file, fileMode)
    return null
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}
