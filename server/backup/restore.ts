import { openDatabase } from '#db/engine/client.ts'
import { asidePrefix, moveSchemaAside, returnSchema } from '#db/engine/aside-schema.ts'
import { checkPostgresDump, loadPostgresDump } from '#db/engine/dump-postgres.ts'
import { resetDatabase } from '#db/engine/reset.ts'
import { hasTables } from '#db/engine/snapshot-facts.ts'
import { sqliteFiles } from '#db/engine/sqlite-files.ts'
import { AppError } from '#domain/errors.ts'
import { existsSync, statSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { migrations } from '../../migrations/all.ts'
import { findMasterKeys } from '../crypto/shop-keys.ts'
import type { Env } from '../env.ts'
import {
  copyHashed,
  databaseName,
  hasFiles,
  hashFile,
  listFiles,
  manifestName,
  readManifest,
  syncPath,
  type Manifest,
} from './manifest.ts'
import { describeMissingKeys } from './missing-keys.ts'
import { nameCopy, restoreFiles, type Copy, type Steps } from './restore-files.ts'
import { undoOnError } from './undo-on-error.ts'

type Target = Pick<Env, 'databaseUrl' | 'storage' | 'encryptionKeys'>

const sqlite = 'sqlite:'
const invalid = (message: string): AppError => new AppError('INVALID', message)

/**
 * Restores a backup into the database and the storage of this environment. The shop must be
 * stopped. Checks everything before it changes anything: each file's hash, the keys, the schema,
 * that the target is empty, and that Postgres' client can read the dump. Returns the manifest and
 * what it moved aside. When it fails, everything is rolled back, or the error says what was left
 * behind. A bucket need not be empty: it gets the files that it does not have, and keeps its own.
 * @param isForced replaces a target that is not empty: a SQLite file, a folder of files and the
 * schema of Postgres are moved aside
 */
export async function restore(
  target: Target,
  { from, now, isForced }: { from: string; now: Date; isForced: boolean },
): Promise<{ manifest: Manifest; replaced: string[] }> {
  const folder = resolve(from)
  const manifest = await readManifest(folder)
  const engine = target.databaseUrl.startsWith(sqlite) ? 'sqlite' : 'postgres'
  if (manifest.engine !== engine) {
    throw invalid(`This is a ${manifest.engine} backup, but DATABASE_URL is a ${engine} database.`)
  }
  const unknown = manifest.migrations.filter((name) => !(name in migrations))
  if (unknown.length > 0) {
    throw invalid(
      `This backup was made by a newer version of the shop, with the migration ${unknown[0] ?? ''}.`,
    )
  }
  requireKeys(target, manifest)
  if (!isForced) await requireEmpty(target, manifest)
  await verifyEntries(folder, manifest)
  const source = join(folder, databaseName[engine])
  if (engine === 'postgres') await checkPostgresDump(target.databaseUrl, source)
  const time = timestamp(now)
  return undoOnError(async (onDone) => {
    const copies = await restoreFiles(target.storage, { folder, manifest, time, onDone })
    const replaced: string[] = []
    if (engine === 'sqlite') {
      copies.push(await copySqlite(source, target.databaseUrl.slice(sqlite.length), { time, onDone }))
    } else {
      replaced.push(...(await loadPostgres(source, target.databaseUrl, { time, onDone })))
    }
    for (const copy of copies) replaced.push(...(await putInPlace(copy, { time, onDone })))
    return { manifest, replaced }
  })
}

function requireKeys({ databaseUrl, encryptionKeys }: Target, { keyIds }: Manifest): void {
  const problem = describeMissingKeys(findMasterKeys({ databaseUrl, encryptionKeys }), keyIds)
  if (problem === null) return
  throw invalid(
    `This backup ${problem}. ` +
      'Set ENCRYPTION_KEYS, or in dev and demo copy secrets.json to where the restored shop reads it.',
  )
}

async function requireEmpty({ databaseUrl, storage }: Target, manifest: Manifest): Promise<void> {
  const full = (place: string): AppError =>
    invalid(`${place} is not empty. Stop the shop and add --force to replace it.`)
  if (databaseUrl.startsWith(sqlite)) {
    const path = databaseUrl.slice(sqlite.length)
    if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > 0) throw full(path)
  } else {
    const db = openDatabase(databaseUrl, () => {})
    try {
      if (await hasTables(db)) throw full('The database')
    } finally {
      await db.destroy()
    }
  }
  if (hasFiles(manifest) && storage.kind === 'local') {
    if ((await listFiles(resolve(storage.path))).length > 0) throw full(storage.path)
  }
}

/** Compares every file with its size and hash. Refuses files that the manifest does not name. */
async function verifyEntries(folder: string, { entries, engine }: Manifest): Promise<void> {
  const found = new Set(await listFiles(folder))
  found.delete(manifestName)
  for (const { path, size, sha256 } of entries) {
    if (!found.delete(path)) throw invalid(`The backup is damaged: ${path} is missing.`)
    const actual = await hashFile(join(folder, path))
    if (actual.size !== size || actual.sha256 !== sha256) {
      throw invalid(`The backup is damaged: ${path} is not what was backed up.`)
    }
  }
  const [extra] = found
  if (extra !== undefined) throw invalid(`The backup has a file that its manifest does not name: ${extra}.`)
  if (!entries.some(({ path }) => path === databaseName[engine])) throw invalid('The backup has no database.')
}

async function copySqlite(source: string, file: string, { time, onDone }: Steps): Promise<Copy> {
  const path = resolve(file)
  const partial = nameCopy(path, time)
  onDone({ undo: () => rm(partial, { force: true }), otherwise: () => `${partial} is a copy of the backup` })
  await copyHashed(source, partial)
  // An old write-ahead log beside the restored file would be applied to it.
  return { path, partial, replaces: sqliteFiles(path) }
}

async function loadPostgres(source: string, url: string, { time, onDone }: Steps): Promise<string[]> {
  const aside = await moveSchemaAside(url, `${asidePrefix}${time.toLowerCase()}`)
  if (aside !== null) {
    onDone({
      undo: () => returnSchema(url, aside),
      otherwise: () => `the schema public of the database is now ${aside}`,
    })
  }
  await loadPostgresDump(url, source)
  if (aside !== null) return [`the schema ${aside} of the database`]
  onDone({ undo: () => resetDatabase(url), otherwise: () => 'the database, which was empty, has the backup' })
  return []
}

/** Moves aside what is there, and then the copy into its place. Returns the new names. */
async function putInPlace({ path, partial, replaces }: Copy, { time, onDone }: Steps): Promise<string[]> {
  const asides: string[] = []
  for (const old of replaces) {
    if (!existsSync(old)) continue
    const aside = `${old}.before-${time}`
    await rename(old, aside)
    onDone({ undo: () => rename(aside, old), otherwise: () => `${old} is now ${aside}` })
    asides.push(aside)
  }
  await rename(partial, path)
  onDone({ undo: () => rename(path, partial), otherwise: () => `${path} is the backup’s` })
  await syncPath(dirname(path))
  return asides
}

const timestamp = (now: Date): string => now.toISOString().replace(/\W/g, '')
