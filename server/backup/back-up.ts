import { findChainHead } from '#db/audit/audit.ts'
import { openDatabase, type Db } from '#db/engine/client.ts'
import { copySqlite } from '#db/engine/copy-sqlite.ts'
import { dumpPostgres } from '#db/engine/dump-postgres.ts'
import { exportSnapshot, listMigrations } from '#db/engine/snapshot-facts.ts'
import { readSnapshot } from '#db/engine/snapshot.ts'
import { isStored, listStorageKeys } from '#db/files/files.ts'
import { AppError } from '#domain/errors.ts'
import { randomBytes } from 'node:crypto'
import { chmod, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { formatHead } from '../audit/saved-heads.ts'
import type { KeyRing } from '../crypto/key-ring.ts'
import { findMasterKeys } from '../crypto/shop-keys.ts'
import { EnvError } from '../env-error.ts'
import type { Env } from '../env.ts'
import { openStorage } from '../integrations/storage/open-storage.ts'
import { backUpFiles } from './back-up-files.ts'
import { findKeysAndDamagedRows, type DamagedRows } from './find-damaged-rows.ts'
import { findNewestReadableBackup } from './find-newest-backup.ts'
import { databaseName, fileMode, folderMode, hashFile, manifestName, syncPath } from './manifest.ts'
import type { Manifest } from './manifest.ts'
import { describeMissingKeys } from './missing-keys.ts'

const sqlite = 'sqlite:'
const batch = 500

type SnapshotFacts = {
  facts: Pick<Manifest, 'migrations' | 'auditHead' | 'keyIds'>
  damaged: DamagedRows
  /** The storage keys of the files that the snapshot names. */
  files: string[]
}

/**
 * Backs up the database, and then the files that its snapshot names, into a new folder, beside the
 * running shop. It has another name until it is complete and on disk. It contains no key and no
 * session secret.
 *
 * The shop stores a file before its row. So the storage has every file of the snapshot, unless it
 * was deleted since: the manifest names those. Returns the manifest, the storage keys of files that
 * the storage has lost, and the damaged rows.
 * @throws AppError INVALID when the folder exists and is not empty
 * @throws EnvError when the environment has master keys, but not all that the backup needs
 */
export async function backUp(
  { databaseUrl, storage, encryptionKeys }: Pick<Env, 'databaseUrl' | 'storage' | 'encryptionKeys'>,
  { to, now }: { to: string; now: Date },
): Promise<{ manifest: Manifest; lost: string[]; damaged: DamagedRows }> {
  const target = resolve(to)
  const existing = await readdir(target).catch(() => [])
  if (existing.length > 0) throw new AppError('INVALID', `${target} is not empty. Name a new folder.`)
  await mkdir(dirname(target), { recursive: true, mode: folderMode })
  const partial = `${target}.partial-${randomBytes(4).toString('hex')}`
  await mkdir(partial, { mode: folderMode })
  try {
    const engine = databaseUrl.startsWith(sqlite) ? 'sqlite' : 'postgres'
    const database = join(partial, databaseName[engine])
    const ring = findMasterKeys({ databaseUrl, encryptionKeys })
    const copy = engine === 'sqlite' ? backUpSqlite : backUpPostgres
    const { facts, damaged, files } = await copy(databaseUrl, { target: database, ring })
    requireKeys(ring, facts)
    await syncPath(database)
    const { entries, missing } = await backUpFiles(files, {
      storage: await openStorage(storage),
      to: partial,
      // Without one, every file is fetched.
      previous: await findNewestReadableBackup(dirname(target)),
    })
    const deleted = await listDeleted(databaseUrl, missing)
    const manifest: Manifest = {
      format: 1,
      createdAt: now.toISOString(),
      engine,
      ...facts,
      storage: storage.kind,
      deleted,
      entries: [{ path: databaseName[engine], ...(await hashFile(database)) }, ...entries],
    }
    await writeFile(join(partial, manifestName), `${JSON.stringify(manifest, null, 1)}\n`, {
      mode: fileMode,
      flush: true,
    })
    const folders = manifest.entries.map(({ path }) => dirname(path))
    for (const folder of new Set([...folders, ...folders.map((path) => dirname(path))])) {
      await syncPath(join(partial, folder))
    }
    await rename(partial, target)
    await syncPath(dirname(target))
    return { manifest, lost: missing.filter((key) => !deleted.includes(key)), damaged }
  } catch (error) {
    await rm(partial, { recursive: true, force: true })
    throw error
  }
}

/** During a rotation, rows still need the older key. */
function requireKeys(ring: KeyRing | undefined, { keyIds }: SnapshotFacts['facts']): void {
  const problem = ring ? describeMissingKeys(ring, keyIds) : null
  if (problem !== null) throw new EnvError(`ENCRYPTION_KEYS: the backup ${problem}.`)
}

type Copy = { target: string; ring: KeyRing | undefined }

async function backUpSqlite(url: string, { target, ring }: Copy): Promise<SnapshotFacts> {
  await copySqlite(url.slice(sqlite.length), target)
  const db = openDatabase(`${sqlite}${target}`, ignoreIdleError)
  try {
    return await readFacts(db, ring)
  } finally {
    await db.destroy()
  }
}

async function backUpPostgres(url: string, { target, ring }: Copy): Promise<SnapshotFacts> {
  const db = openDatabase(url, ignoreIdleError)
  try {
    return await readSnapshot(db, async (snapshot) => {
      await dumpPostgres(url, { snapshot: await exportSnapshot(snapshot), file: target })
      await chmod(target, fileMode)
      return readFacts(snapshot, ring)
    })
  } finally {
    await db.destroy()
  }
}

/** A lost connection fails the statement that uses it next, and with it the backup. */
const ignoreIdleError = (): void => {}

async function readFacts(db: Db, ring: KeyRing | undefined): Promise<SnapshotFacts> {
  const { keyIds, damaged } = await findKeysAndDamagedRows(db, ring)
  const head = await findChainHead(db)
  return {
    facts: {
      migrations: await listMigrations(db),
      auditHead: head && formatHead(head),
      keyIds,
    },
    damaged,
    files: await listAllStorageKeys(db),
  }
}

async function listAllStorageKeys(db: Db): Promise<string[]> {
  const all: string[] = []
  for (;;) {
    const keys = await listStorageKeys(db, { after: all.at(-1) ?? '', limit: batch })
    all.push(...keys)
    if (keys.length < batch) return all
  }
}

/** Those that the shop does not name any more. */
async function listDeleted(url: string, keys: readonly string[]): Promise<string[]> {
  if (keys.length === 0) return []
  const db = openDatabase(url, ignoreIdleError)
  try {
    const deleted: string[] = []
    for (const key of keys) if (!(await isStored(db, key))) deleted.push(key)
    return deleted
  } finally {
    await db.destroy()
  }
}
