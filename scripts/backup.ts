import { backUp } from '#server/backup/back-up.ts'
import { verifyMasterKeys } from '#server/crypto/shop-keys.ts'
import { recordBackup, recordRun } from '#server/monitoring/record-runs.ts'
import { createFindingsPrinter } from './print-findings.ts'
import { CommandError, readOptions, runCommand } from './run-command.ts'
import { openShopDatabase, readCommandEnv } from './shop-database.ts'

type Backup = Awaited<ReturnType<typeof backUp>>

/**
 * `npm run backup -- --to DIR`: backs up DATABASE_URL and its files in STORAGE into a new folder,
 * beside the running shop. Contains no keys. `/admin/status` shows when it ran. Files that are lost
 * go to stderr, and fail the next drill. Damaged rows go to stderr too; the backup is complete and
 * exits 0, and its run counts as failing. The last line of stdout is a summary.
 */
async function main(): Promise<number> {
  const { to } = readOptions('npm run backup -- --to DIR', { to: { type: 'string' } })
  if (to === undefined || to === '') throw new CommandError('Add the new folder of the backup: --to DIR')
  const env = readCommandEnv()
  // Opened first, so that it says what is wrong before anything is written.
  const db = await openShopDatabase(env.databaseUrl)
  try {
    const startedAt = new Date()
    // A backup decrypts no rows. This shows that its keys are those of the database.
    const backup = await verifyMasterKeys(db, env)
      .then(() => backUp(env, { to, now: startedAt }))
      .catch(async (error: unknown) => {
        const at = new Date()
        const durationMs = at.getTime() - startedAt.getTime()
        await recordRun(db, { kind: 'backup', name: 'backup', at, durationMs, error })
        throw error
      })
    await recordBackup(db, { damaged: backup.damaged.count, startedAt, now: new Date() })
    describe(backup, to)
    return 0
  } finally {
    await db.destroy()
  }
}

function describe({ manifest, lost, damaged }: Backup, to: string): void {
  const { entries, migrations, auditHead, keyIds } = manifest
  const print = createFindingsPrinter()
  for (const key of lost) print(`The file ${key} is not in the storage.`)
  for (const { row, keyId } of damaged.rows) {
    const key = keyId === null ? 'a key that is' : `the key "${keyId}", which is`
    print(`A row is damaged: ${row} needs ${key} not in ENCRYPTION_KEYS.`)
  }
  if (keyIds.length > 0)
    process.stdout.write(`The backup needs the keys ${keyIds.join(', ')}, which it does not contain.\n`)
  const bytes = entries.reduce((sum, { size }) => sum + size, 0)
  process.stdout.write(
    `files=${entries.length - 1} missing=${lost.length} damaged=${damaged.count} bytes=${bytes} schema=${migrations.at(-1) ?? 'none'} head=${auditHead ?? 'none'} to=${to}\n`,
  )
}

await runCommand(main)
