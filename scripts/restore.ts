import { openDatabase, type Db } from '#db/engine/client.ts'
import { dropDrillMarker } from '#db/engine/drill-marker.ts'
import { migrate } from '#db/engine/migrate.ts'
import type { Manifest } from '#server/backup/manifest.ts'
import { restore } from '#server/backup/restore.ts'
import { verifyRestored } from '#server/backup/verify-restored.ts'
import { openShopKeys } from '#server/crypto/shop-keys.ts'
import type { Env } from '#server/env.ts'
import { openStorage } from '#server/integrations/storage/open-storage.ts'
import { runVerification } from '#server/monitoring/record-runs.ts'
import { createFindingsPrinter } from './print-findings.ts'
import { CommandError, readOptions, runCommand } from './run-command.ts'
import { openAnyDatabase, printDatabase, readCommandEnv } from './shop-database.ts'

/**
 * `npm run restore -- --from DIR [--force]`: restores a backup into DATABASE_URL and STORAGE, with
 * the shop stopped, migrates it to this version and verifies it. Refuses a target that is not empty
 * without `--force`. Records the check `restore`, also when it cannot finish: the database comes
 * with the runs of its time. Findings go to stderr; the last line of stdout is a summary. Exits 1
 * on a finding.
 */
async function main(): Promise<number> {
  const { from, force } = readOptions('npm run restore -- --from DIR [--force]', {
    from: { type: 'string' },
    force: { type: 'boolean', default: false },
  })
  if (from === undefined || from === '') throw new CommandError('Add the folder of the backup: --from DIR')
  const env = readCommandEnv()
  await keepFromDrills(env.databaseUrl)
  printDatabase(env.databaseUrl)
  const startedAt = new Date()
  const { manifest, replaced } = await restore(env, { from, now: startedAt, isForced: force })
  for (const path of replaced) process.stdout.write(`What was there is now ${path}\n`)
  const db = openDatabase(env.databaseUrl, (error) => process.stderr.write(`${error.message}\n`))
  try {
    const applied = await migrate(db)
    if (applied.length > 0) process.stdout.write(`Applied ${applied.join(', ')}.\n`)
    const { findings } = await runVerification(db, 'restore', () => verify(db, { env, manifest }), startedAt)
    return findings > 0 ? 1 : 0
  } finally {
    await db.destroy()
  }
}

async function verify(db: Db, { env, manifest }: { env: Env; manifest: Manifest }) {
  const [keys, storage] = [await openShopKeys(db, env), await openStorage(env.storage)]
  const onFinding = createFindingsPrinter()
  const { auditHead, deleted } = manifest
  const wasDeleted = async (name: string): Promise<boolean> => deleted.includes(name)
  const found = await verifyRestored({ db, keys, storage }, { auditHead, onFinding, wasDeleted })
  process.stdout.write(
    `backup=${manifest.createdAt} files=${found.files} missing=${found.missing} audit=${found.audit} stock=${found.stock} fills=${found.fills}\n`,
  )
  return { findings: found.missing + found.audit + found.stock + found.fills }
}

/** Before the restore: a drill would delete what one that was killed had restored. */
async function keepFromDrills(databaseUrl: string): Promise<void> {
  if (!databaseUrl.startsWith('postgres')) return
  const db = await openAnyDatabase(databaseUrl)
  try {
    await dropDrillMarker(db)
  } finally {
    await db.destroy()
  }
}

await runCommand(main)
