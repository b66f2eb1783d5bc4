import { openDatabase, type Db } from '#db/engine/client.ts'
import { migrate } from '#db/engine/migrate.ts'
import { resetDatabase } from '#db/engine/reset.ts'
import { isStored } from '#db/files/files.ts'
import { compareRestored } from '#server/backup/compare-restored.ts'
import { findNewestBackup } from '#server/backup/find-newest-backup.ts'
import { restore } from '#server/backup/restore.ts'
import { verifyRestored } from '#server/backup/verify-restored.ts'
import { openShopKeys } from '#server/crypto/shop-keys.ts'
import { readEnv, type Env } from '#server/env.ts'
import { openStorage } from '#server/integrations/storage/open-storage.ts'
import { recordRun, recordVerification } from '#server/monitoring/record-runs.ts'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createFindingsPrinter } from './print-findings.ts'
import { CommandError, openShopDatabase, runCommand } from './shop-database.ts'

type Drill = {
  shop: Db
  backups: string
  into: string | undefined
  onFinding: (finding: string) => void
}

/**
 * `npm run backup:drill -- --backups DIR [--into postgres://…]`: restores the newest backup below
 * DIR into an empty place, compares it byte by byte with the backup, verifies it, and removes it
 * again. `/admin/status` and the metrics of the shop at DATABASE_URL show when it passed. Findings
 * go to stderr; the last line of stdout is a summary. Exits 1 on a finding.
 */
async function main(): Promise<number> {
  const { backups, into } = parseArgs({
    options: { backups: { type: 'string' }, into: { type: 'string' } },
  }).values
  if (backups === undefined || backups === '')
    throw new CommandError('Add the folder that holds the backups: --backups DIR')
  const env = readEnv('dev', process.env)
  const shop = await openShopDatabase(env.databaseUrl)
  const startedAt = new Date()
  let findings = 0
  const print = createFindingsPrinter()
  const onFinding = (finding: string): void => {
    findings++
    print(finding)
  }
  try {
    const { createdAt, compared, files } = await drill(env, { shop, backups, into, onFinding })
    await recordVerification(shop, { name: 'restore', findings, startedAt, now: new Date() })
    process.stdout.write(`backup=${createdAt} compared=${compared} files=${files} findings=${findings}\n`)
    return findings > 0 ? 1 : 0
  } catch (error) {
    const at = new Date()
    const durationMs = at.getTime() - startedAt.getTime()
    await recordRun(shop, { kind: 'verify', name: 'restore', at, durationMs, error })
    throw error
  } finally {
    await shop.destroy()
  }
}

async function drill(
  env: Env,
  { shop, backups, into, onFinding }: Drill,
): Promise<{ createdAt: string; compared: number; files: number }> {
  const { from, manifest } = await findNewestBackup(backups)
  if (manifest.engine === 'postgres' && into === undefined) {
    throw new CommandError('Add an empty database for the drill: --into postgres://…')
  }
  const folder = await mkdtemp(join(tmpdir(), 'meridian-drill-'))
  const isSqlite = manifest.engine === 'sqlite'
  const databaseUrl = isSqlite || into === undefined ? `sqlite:${join(folder, 'drill.sqlite')}` : into
  const filesPath = join(folder, 'files')
  const target = { ...env, databaseUrl, storage: { kind: 'local', path: filesPath } as const }
  let isFilled = false
  try {
    // Without force: a place that is not empty is refused, so it can never be the shop's.
    await restore(target, { from, now: new Date(), isForced: false })
    isFilled = true
    const compared = await compareRestored({ databaseUrl, filesPath }, { from, manifest, onFinding })
    const db = openDatabase(databaseUrl, (error) => process.stderr.write(`${error.message}\n`))
    try {
      await migrate(db)
      // The shop's own keys: those of the backup are among them.
      const keys = await openShopKeys(db, env)
      const storage = await openStorage(manifest.storage === 'local' ? target.storage : env.storage)
      const { files } = await verifyRestored(
        { db, keys, storage },
        // Files in a bucket are the shop's own: customers may have deleted some since.
        {
          auditHead: manifest.auditHead,
          onFinding,
          wasDeleted: async (name) => !(await isStored(shop, name)),
        },
      )
      return { createdAt: manifest.createdAt, compared, files }
    } finally {
      await db.destroy()
    }
  } finally {
    if (isFilled && !isSqlite) await resetDatabase(databaseUrl)
    await rm(folder, { recursive: true, force: true })
  }
}

await runCommand(main)
