import { findChainHead } from '#db/audit/audit.ts'
import { listKeyIds } from '#db/crypto/sealed-values.ts'
import { openDatabase, type Db } from '#db/engine/client.ts'
import { copySqlite } from '#db/engine/copy-sqlite.ts'
import { dumpPostgres } from '#db/engine/dump-postgres.ts'
import { exportSnapshot, listMigrations } from '#db/engine/snapshot-facts.ts'
import { readSnapshot } from '#db/engine/snapshot.ts'
import { AppError } from '#domain/errors.ts'
import { randomBytes } from 'node:crypto'
import { chmod, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { formatHead } from '../audit/saved-heads.ts'
import { sealedColumns } from '../crypto/sealed-columns.ts'
import type { Env } from '../env.ts'
import {
  copyHashed,
  databaseName,
  fileMode,
  folderMode,
  hashFile,
  listFiles,
  manifestName,
  syncPath,
  type Entry,
  type Manifest,
} from './manifest.ts'

const sqlite = 'sqlite:'
/** What the local storage names its files. Unfinished ones have another name. */
const storedPath = /^[\w-]{2}\/[\w-]{8,64}$/

type SnapshotFacts = Pick<Manifest, 'migrations' | 'auditHead' | 'keyIds'>

/**
 * Backs up the database and the local files into a new folder, beside the running shop. It has
 * another name until it is complete and on disk. It contains no key and no session secret.
 *
 * Files are copied before the database, and newer ones after it. So every file of
 * the database's snapshot is there, unless it was uploaded and deleted again during the backup.
 * @throws AppError INVALID when the folder exists and is not empty
 */
export async function backUp(
  { databaseUrl, storage }: Pick<Env, 'databaseUrl' | 'storage'>,
  { to, now }: { to: string; now: Date },
): Promise<Manifest> {
  const target = resolve(to)
  const existing = await readdir(target).catch(() => [])
  if (existing.length > 0) throw new AppError('INVALID', `${target} is not empty. Name a new folder.`)
  await mkdir(dirname(target), { recursive: true, mode: folderMode })
  const partial = `${target}.partial-${randomBytes(4).toString('hex')}`
  await mkdir(partial, { mode: folderMode })
  try {
    const entries = new Map<string, Entry>()
    const copyFiles = async (): Promise<void> => {
      if (storage.kind === 'local') await copyNewFiles(resolve(storage.path), partial, entries)
    }
    await copyFiles()
    const engine = databaseUrl.startsWith(sqlite) ? 'sqlite' : 'postgres'
    const database = join(partial, databaseName[engine])
    const facts = await (engine === 'sqlite' ? backUpSqlite : backUpPostgres)(databaseUrl, database)
    await syncPath(database)
    entries.set(databaseName[engine], { path: databaseName[engine], ...(await hashFile(database)) })
    await copyFiles()
    const manifest: Manifest = {
      format: 1,
      createdAt: now.toISOString(),
      engine,
      ...facts,
      storage: storage.kind,
      entries: [...entries.values()],
    }
    await writeFile(join(partial, manifestName), `${JSON.stringify(manifest, null, 1)}\n`, {
      mode: fileMode,
      flush: true,
    })
    for (const folder of new Set(manifest.entries.map(({ path }) => dirname(path)))) {
      await syncPath(join(partial, folder))
    }
    await syncPath(partial)
    await rename(partial, target)
    await syncPath(dirname(target))
    return manifest
  } catch (error) {
    await rm(partial, { recursive: true, force: true })
    throw error
  }
}

async function backUpSqlite(url: string, target: string): Promise<SnapshotFacts> {
  await copySqlite(url.slice(sqlite.length), target)
  const db = openDatabase(`${sqlite}${target}`, ignoreIdleError)
  try {
    return await readFacts(db)
  } finally {
    await db.destroy()
  }
}

async function backUpPostgres(url: string, target: string): Promise<SnapshotFacts> {
  const db = openDatabase(url, ignoreIdleError)
  try {
    return await readSnapshot(db, async (snapshot) => {
      await dumpPostgres(url, { snapshot: await exportSnapshot(snapshot), file: target })
      await chmod(target, fileMode)
      return readFacts(snapshot)
    })
  } finally {
    await db.destroy()
  }
}

/** A lost connection fails the statement that uses it next, and with it the backup. */
const ignoreIdleError = (): void => {}

async function readFacts(db: Db): Promise<SnapshotFacts> {
  const keyIds = new Set<string>()
  for (const column of sealedColumns) for (const id of await listKeyIds(db, column)) keyIds.add(id)
  const head = await findChainHead(db)
  return {
    migrations: await listMigrations(db),
    auditHead: head && formatHead(head),
    keyIds: [...keyIds].toSorted(),
  }
}

/** Copies what has not been copied yet. A file that is deleted during the copy is skipped. */
async function copyNewFiles(root: string, backup: string, entries: Map<string, Entry>): Promise<void> {
  for (const name of await listFiles(root)) {
    const path = `files/${name}`
    if (!storedPath.test(name) || entries.has(path)) continue
    try {
      entries.set(path, { path, ...(await copyHashed(join(root, name), join(backup, path))) })
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
      await rm(join(backup, path), { force: true })
    }
  }
}
