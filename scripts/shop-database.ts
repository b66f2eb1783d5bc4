import { openDatabase, type Db } from '#db/engine/client.ts'
import { isMigrated } from '#db/engine/migrate.ts'
import { AppError } from '#domain/errors.ts'
import { toOperatorMessage } from '#server/errors.ts'
import { existsSync } from 'node:fs'

/** A problem that the person at the command line can fix. The message is one sentence. */
export class CommandError extends Error {}

/**
 * Opens the database of an existing shop, for a command that runs beside it and migrates nothing.
 * Throws CommandError if the database does not exist or is not fully migrated.
 */
export async function openShopDatabase(url: string): Promise<Db> {
  const path = url.startsWith('sqlite:') ? url.slice('sqlite:'.length) : null
  if (path !== null && !existsSync(path)) throw new CommandError(`There is no database at ${path}.`)
  const db = openDatabase(url, (error) => process.stderr.write(`${error.message}\n`))
  if (await isMigrated(db)) return db
  await db.destroy()
  throw new CommandError('The database is not migrated. Run "npm run db:migrate" first.')
}

/**
 * Runs a command and exits with the code it returns. A CommandError or AppError prints one line
 * to stderr and exits with 1.
 */
export async function runCommand(main: () => Promise<number>): Promise<void> {
  try {
    process.exitCode = await main()
  } catch (error) {
    if (!(error instanceof CommandError) && !(error instanceof AppError)) throw error
    process.stderr.write(`${toOperatorMessage(error)}\n`)
    process.exitCode = 1
  }
}
