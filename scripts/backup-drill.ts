import { openDatabase, type Db } from '#db/engine/client.ts'
import { withDrillDatabase } from '#db/engine/drill-database.ts'
import { migrate } from '#db/engine/migrate.ts'
import { isStored } from '#db/files/files.ts'
import { compareRestored } from '#server/backup/compare-restored.ts'
import { findNewestBackup } from '#server/backup/find-newest-backup.ts'
import { hasFiles, type Manifest } from '#server/backup/manifest.ts'
import { restore } from '#server/backup/restore.ts'
import { verifyStorage } from '#server/backup/verify-storage.ts'
import { verifyRestored } from '#server/backup/verify-restored.ts'
import { findMasterKeys, openShopKeys } from '#server/crypto/shop-keys.ts'
import type { Env } from '#server/env.ts'
import { withTimeout } from '#server/with-timeout.ts'
import { openStorage } from '#server/integrations/storage/open-storage.ts'
import { runVerification } from '#server/monitoring/record-runs.ts'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createFindingsPrinter } from './print-findings.ts'
import { CommandError, readOptions, runCommand } from './run-command.ts'
import { openShopDatabase, readCommandEnv, requireReachable } from './shop-database.ts'

type Drill = {
  shop: Db
  backups: string
  into: string | undefined
  stopped: Promise<never>
  onFinding: (finding: string) => void
}
type Result = { createdAt: string; compared: number; files: number }

/** How long a stopped drill waits for what it was doing. */
const settleMs = 3000

class Stopped extends Error {
  readonly signal: NodeJS.Signals

  constructor(signal: NodeJS.Signals) {
    super(`${signal} stopped the drill.`)
    this.signal = signal
  }
}

/**
 * Rejects with Stopped when the process is asked to end. Npm and tsx pass a signal on that the
 * process has already, so a second one changes nothing.
 */
function untilStopped(): Promise<never> {
  const stopped = new Promise<never>((_resolve, reject) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => reject(new Stopped(signal)))
  })
  // Before something waits for it, a rejection would end the process.
  stopped.catch(() => {})
  return stopped
}

/**
 * Ends the process of a stopped drill as the signal would have, with all that still runs: it is no
 * failure.
 */
function endIfStopped(error: unknown): never {
  if (error instanceof Stopped) {
    process.removeAllListeners(error.signal)
    process.kill(process.pid, error.signal)
  }
  throw error
}

/**
 * `npm run backup:drill -- --backups DIR [--into postgres://…]`: restores the newest backup below
 * DIR into an empty place, compares it byte by byte with the backup, verifies it and that STORAGE
 * has lost none of its files, and removes it again, also when it is stopped. The next drill empties
 * a Postgres database that a killed one left; nothing removes its folder. `/admin/status` and the
 * metrics of the shop at DATABASE_URL show when it passed. DRILL_DATABASE_URL is the default of
 * `--into`. Findings go to stderr; the last line of stdout is a summary. Exits 1 on a finding.
 */
async function main(): Promise<number> {
  const { backups, into } = readOptions('npm run backup:drill -- --backups DIR [--into postgres://…]', {
    backups: { type: 'string' },
    // It may have a password, which other users read in the arguments of a process.
    into: { type: 'string', default: process.env['DRILL_DATABASE_URL'] || undefined },
  })
  if (backups === undefined || backups === '')
    throw new CommandError('Add the folder that holds the backups: --backups DIR')
  const env = readCommandEnv()
  const stopped = untilStopped()
  const shop = await openShopDatabase(env.databaseUrl)
  let findings = 0
  const print = createFindingsPrinter()
  const onFinding = (finding: string): void => {
    findings++
    print(finding)
  }
  try {
    const { createdAt, compared, files } = await runVerification(shop, 'restore', async () => {
      const result = await drill(env, { shop, backups, into, stopped, onFinding }).catch(endIfStopped)
      return { ...result, findings }
    })
    process.stdout.write(`backup=${createdAt} compared=${compared} files=${files} findings=${findings}\n`)
    return findings > 0 ? 1 : 0
  } finally {
    await shop.destroy()
  }
}

async function drill(env: Env, { shop, backups, into, stopped, onFinding }: Drill): Promise<Result> {
  const { from, manifest } = await findNewestBackup(backups)
  if (manifest.engine === 'postgres' && into === undefined) {
    throw new CommandError('Add an empty database for the drill: DRILL_DATABASE_URL or --into postgres://…')
  }
  const folder = await mkdtemp(join(tmpdir(), 'meridian-drill-'))
  const filesPath = join(folder, 'files')
  let work: Promise<unknown> = Promise.resolve()
  const run = (databaseUrl: string): Promise<Result> => {
    const result = restoreAndCheck(env, { databaseUrl, filesPath, from, manifest, shop, onFinding })
    work = result.catch(() => {})
    return result
  }
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true, maxRetries: 5 })
  try {
    return await (manifest.engine === 'sqlite' || into === undefined
      ? Promise.race([stopped, run(`sqlite:${join(folder, 'drill.sqlite')}`)])
      : drillInto(into, { shop, stopped }, () => run(into)))
  } finally {
    // What a stopped drill was doing fails without the folder, but may create it once more. Only
    // the second attempt may fail.
    await remove().catch(() => {})
    await withTimeout(settleMs, work, () => new Error('It still runs.')).catch(() => {})
    await remove()
  }
}

async function drillInto(
  url: string,
  parts: Pick<Drill, 'shop' | 'stopped'>,
  work: () => Promise<Result>,
): Promise<Result> {
  const source = url === process.env['DRILL_DATABASE_URL'] ? 'DRILL_DATABASE_URL' : '--into'
  await requireReachable(url, source)
  return withDrillDatabase(url, parts, work)
}

type Place = { databaseUrl: string; filesPath: string; from: string; manifest: Manifest }

async function restoreAndCheck(
  env: Env,
  { databaseUrl, filesPath, from, manifest, shop, onFinding }: Place & Pick<Drill, 'shop' | 'onFinding'>,
): Promise<Result> {
  // In dev and demo, the keys are in a file beside the shop's database, not beside this one.
  const encryptionKeys = findMasterKeys(env) ?? null
  const target = { ...env, encryptionKeys, databaseUrl, storage: { kind: 'local', path: filesPath } as const }
  await restore(target, { from, now: new Date(), isForced: false })
  const compared = await compareRestored({ databaseUrl, filesPath }, { from, manifest, onFinding })
  const db = openDatabase(databaseUrl, (error) => process.stderr.write(`${error.message}\n`))
  try {
    await migrate(db)
    // The shop's own keys: those of the backup are among them.
    const keys = await openShopKeys(db, env)
    const live = await openStorage(env.storage)
    const storage = hasFiles(manifest) ? await openStorage(target.storage) : live
    const { files } = await verifyRestored(
      { db, keys, storage },
      // Deleted during the backup or, if it has no files and the shop's own are read, since then.
      {
        auditHead: manifest.auditHead,
        onFinding,
        wasDeleted: async (name) => !(await isStored(shop, name)),
      },
    )
    await verifyStorage({ shop, storage: live }, { manifest, onFinding })
    return { createdAt: manifest.createdAt, compared, files }
  } finally {
    await db.destroy()
  }
}

await runCommand(main)
