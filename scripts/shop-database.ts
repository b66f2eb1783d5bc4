import { openDatabase, type Db } from '#db/engine/client.ts'
import { isMigrated } from '#db/engine/migrate.ts'
import { AppError } from '#domain/errors.ts'
import { existsSync } from 'node:fs'

/** Something that whoever started the command can mend; shown as one sentence. */
export class CommandRefused extends Error {}

/**
 * Opens the database of a shop that is there already, for a command that works beside it and changes no tables.
 * Throws CommandRefused when there is none, or its tables are not those of this version.
 */
export async function openShopDatabase(url: string): Promise<Db> {
  const path = url.startsWith('sqlite:') ? url.slice('sqlite:'.length) : null
  if (path !== null && !existsSync(path)) throw new CommandRefused(`There is no database at ${path}.`)
  const db = openDatabase(url, (error) => process.stderr.write(`${error.message}\n`))
  if (await isMigrated(db)) return db
  await db.destroy()
  throw new CommandRefused('The database is not migrated; run "npm run db:migrate" first.')
}

/** Runs a command: its number is the exit code, and what it refuses is one line on stderr with 1. */
export async function runCommand(main: () => Promise<number>): Promise<void> {
  try {
    process.exitCode = await main()
  } catch (error) {
    if (!(error instanceof CommandRefused) && !(error instanceof AppError)) throw error
    process.stderr.write(`${error.message}\n`)
    process.exitCode = 1
  }
}
