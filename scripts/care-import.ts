import { listRecallTasks } from '#db/screening/recalls.ts'
import { migrate } from '#db/engine/migrate.ts'
import { startContext } from '#server/context.ts'
import { openShopKeys } from '#server/crypto/shop-keys.ts'
import { createLog } from '#server/log.ts'
import { printRecallResult } from '#server/recalls/print-recall-result.ts'
import { applyRecalls } from '#server/recalls/apply-recalls.ts'
import { importCareLists } from '#server/screening/import-care-lists.ts'
import { printCareImport } from '#server/screening/print-care-import.ts'
import { CareFolderError } from '#server/screening/read-care-folder.ts'
import { getShopFacts } from '#server/shop-facts.ts'
import { join, resolve } from 'node:path'
import { readOptions, runCommand } from './run-command.ts'
import { openNamedDatabase, readCommandEnv } from './shop-database.ts'

/**
 * npm run care:import -- [--from FOLDER]
 *
 * Loads the lists that orders are screened with, and applies new recalls to the stock and to
 * orders. Without a folder, the lists that the project commits.
 * Problems go to stderr, each with its file and line. The last line of stdout is the summary.
 */

const usage = 'npm run care:import -- [--from FOLDER]'
const committedFolder = join(import.meta.dirname, '../db/seed/care')

async function main(): Promise<number> {
  const { from } = readOptions(usage, { from: { type: 'string' } })
  const folder = from === undefined ? committedFolder : resolve(from)
  const env = readCommandEnv()
  const db = await openNamedDatabase(env.databaseUrl)
  try {
    await migrate(db)
    const now = new Date()
    const reports = await importCareLists(db, { folder, committedFolder, now })
    const { lines, problems } = await printCareImport(db, reports)
    for (const line of problems) process.stderr.write(`${line}\n`)
    const ctx = startContext({
      db,
      log: createLog('warn'),
      keys: await openShopKeys(db, env),
      shop: getShopFacts(env),
    })
    const tasks = (await listRecallTasks(db)).filter(({ requestedAt }) => requestedAt >= now)
    const result = await applyRecalls(
      ctx,
      tasks.map(({ recallId }) => recallId),
    )
    for (const line of printRecallResult(result)) process.stdout.write(`${line}\n`)
    for (const line of lines) process.stdout.write(`${line}\n`)
    return problems.length > 0 ? 1 : 0
  } finally {
    await db.destroy()
  }
}

await runCommand(main, CareFolderError)
