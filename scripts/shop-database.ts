import { openDatabase, type Db } from '#db/engine/client.ts'
import { isMigrated } from '#db/engine/migrate.ts'
import { tryVariable } from '#server/env-error.ts'
import { existsSync } from 'node:fs'
import { CommandError } from './run-command.ts'

/**
 * Opens a database, migrated or not. Throws EnvError if it cannot be read.
 * @param source the variable or option that names it
 */
export async function openAnyDatabase(url: string, source = 'DATABASE_URL'): Promise<Db> {
  const db = await tryVariable(source, () =>
    openDatabase(url, (error) => process.stderr.write(`${error.message}\n`)),
  )
  try {
    await tryVariable(source, () => isMigrated(db))
    return db
  } catch (error) {
    await db.destroy()
    throw error
  }
}

/**
 * Throws EnvError if a database cannot be reached. Later errors are not about its address.
 * @param source the variable or option that names it
 */
export const requireReachable = async (url: string, source?: string): Promise<void> =>
  (await openAnyDatabase(url, source)).destroy()

/**
 * Opens the database of an existing shop, for a command that runs beside it and migrates nothing.
 * Throws CommandError if the database does not exist or is not fully migrated.
 */
export async function openShopDatabase(url: string): Promise<Db> {
  const path = url.startsWith('sqlite:') ? url.slice('sqlite:'.length) : null
  if (path !== null && !existsSync(path)) throw new CommandError(`There is no database at ${path}.`)
  const db = await openAnyDatabase(url)
  if (await isMigrated(db)) return db
  await db.destroy()
  throw new CommandError('The database is not migrated. Run "npm run db:migrate" first.')
}
