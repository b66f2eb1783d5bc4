import { openDatabase, type Db } from '#db/engine/client.ts'
import { describeDatabase } from '#db/engine/describe-database.ts'
import { isMigrated } from '#db/engine/migrate.ts'
import { EnvError, tryVariable } from '#server/env-error.ts'
import { readEnv, type Env } from '#server/env.ts'
import { existsSync } from 'node:fs'
import { CommandError } from './run-command.ts'

/**
 * Whether this folder is a release, whose build needs no development packages any more
 * (docs/operations.md). Its shop has a database of its own.
 */
const isRelease = (): boolean => process.env['NODE_ENV'] === 'production' || !existsSync('node_modules/vite')

/**
 * Reads the environment of a command. Without DATABASE_URL, the command uses the development
 * database. A command of a production shop must not: it would import into a new one, or find
 * nothing wrong in it.
 * @throws EnvError in a release without DATABASE_URL
 */
export function readCommandEnv(): Env {
  const env = readEnv('dev', process.env)
  if ((process.env['DATABASE_URL'] ?? '').trim() === '' && isRelease()) {
    throw new EnvError('DATABASE_URL: is required in a release: take it from the shop’s environment')
  }
  return env
}

/** Prints which database a command uses, so that a wrong one is seen. */
export const printDatabase = (url: string): void =>
  void process.stdout.write(`Database: ${describeDatabase(url)}\n`)

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

/** Opens and names the database that a command changes, migrated or not. */
export async function openNamedDatabase(url: string): Promise<Db> {
  const db = await openAnyDatabase(url)
  printDatabase(url)
  return db
}

/**
 * Opens and names the database of an existing shop, for a command that runs beside it and migrates
 * nothing. Throws CommandError if the database does not exist or is not fully migrated.
 */
export async function openShopDatabase(url: string): Promise<Db> {
  const path = url.startsWith('sqlite:') ? url.slice('sqlite:'.length) : null
  if (path !== null && !existsSync(path)) throw new CommandError(`There is no database at ${path}.`)
  const db = await openNamedDatabase(url)
  if (await isMigrated(db)) return db
  await db.destroy()
  throw new CommandError('The database is not migrated. Run "npm run db:migrate" first.')
}
