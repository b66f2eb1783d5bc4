import { backUp } from '#server/backup/back-up.ts'
import { readEnv } from '#server/env.ts'
import { parseArgs } from 'node:util'
import { CommandError, openShopDatabase, runCommand } from './shop-database.ts'

/**
 * `npm run backup -- --to DIR`: backs up DATABASE_URL and the files of a local STORAGE into a new
 * folder, beside the running shop. Contains no keys. The last line of stdout is a summary.
 */
async function main(): Promise<number> {
  const { to } = parseArgs({ options: { to: { type: 'string' } } }).values
  if (to === undefined || to === '') throw new CommandError('Add the new folder of the backup: --to DIR')
  const env = readEnv('dev', process.env)
  // Says what is wrong before anything is written.
  await (await openShopDatabase(env.databaseUrl)).destroy()
  const { entries, migrations, auditHead, keyIds } = await backUp(env, { to, now: new Date() })
  if (env.storage.kind !== 'local') {
    process.stdout.write(`Files are at ${env.storage.kind}: back them up with its own tools.\n`)
  }
  process.stdout.write(`The backup needs the keys ${keyIds.join(', ')}, which it does not contain.\n`)
  const bytes = entries.reduce((sum, { size }) => sum + size, 0)
  process.stdout.write(
    `files=${entries.length - 1} bytes=${bytes} schema=${migrations.at(-1) ?? 'none'} head=${auditHead ?? 'none'} to=${to}\n`,
  )
  return 0
}

await runCommand(main)
