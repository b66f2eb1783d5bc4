import { openDatabase } from '#db/engine/client.ts'
import { asidePrefix, moveSchemaAside, returnSchema } from '#db/engine/aside-schema.ts'
import { checkPostgresDump, loadPostgresDump } from '#db/engine/dump-postgres.ts'
import { hasTables } from '#db/engine/snapshot-facts.ts'
import { sqliteFiles } from '#db/engine/sqlite-files.ts'
import { AppError } from '#domain/errors.ts'
import { existsSync, statSync } from 'node:fs'
import { mkdir, rename } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { migrations } from '../../migrations/all.ts'
import { findLocalSecrets } from '../crypto/local-secrets.ts'
import type { Env } from '../env.ts'
import {
  copyHashed,
  databaseName,
  folderMode,
  hashFile,
  listFiles,
  manifestName,
  readManifest,
  syncPath,
  type Manifest,
} from './manifest.ts'

type Target = Pick<Env, 'databaseUrl' | 'storage' | 'encryptionKeys'>

const sqlite = 'sqlite:'
const invalid = (message: string): AppError => new AppError('INVALID', message)

/**
 * Restores a backup into the database and the local storage of this environment. The shop must be
 * stopped. Checks everything before it changes anything: each file's hash, the keys, the schema,
 * that the target is empty, and that Postgres' client can read the dump. Returns the manifest and
 * what it moved aside.
 * @param isForced replaces a target that is not empty: a SQLite file, a folder of files and the
 * schema of Postgres are moved aside, and the schema comes back when the dump cannot be loaded
 */
export async function restore(
  target: Target,
  { from, now, isForced }: { from: string; now: Date; isForced: boolean },
): Promise<{ manifest: Manifest; replaced: string[] }> {
  const folder = resolve(from)
  const manifest = await readManifest(folder)
  const engine = target.databaseUrl.startsWith(sqlite) ? 'sqlite' : 'postgres'
  if (manifest.engine !== engine) {
    throw invalid(`This is a backup of ${manifest.engine}, and DATABASE_URL is ${engine}.`)
  }
  if (manifest.storage === 'local' && target.storage.kind !== 'local') {
    throw invalid('This backup has files. Set STORAGE to local:/path, and move them afterwards.')
  }
  const unknown = manifest.migrations.filter((name) => !(name in migrations))
  if (unknown.length > 0) {
    throw invalid(`This backup is of a newer version of the shop, with the migration ${unknown[0] ?? ''}.`)
  }
  requireKeys(target, manifest)
  if (!isForced) await requireEmpty(target, manifest)
  await verifyEntries(folder, manifest)
  const source = join(folder, databaseName[engine])
  if (engine === 'postgres') await checkPostgresDump(target.databaseUrl, source)
  const replaced = await restoreFiles(target, { folder, manifest, now })
  if (engine === 'sqlite') {
    const path = resolve(target.databaseUrl.slice(sqlite.length))
    replaced.push(...(await restoreSqlite(source, path, now)))
  } else {
    replaced.push(...(await restorePostgres(source, target.databaseUrl, now)))
  }
  return { manifest, replaced }
}

function requireKeys({ databaseUrl, encryptionKeys }: Target, { keyIds }: Manifest): void {
  const ring = encryptionKeys ?? findLocalSecrets(databaseUrl)?.ring
  const missing = keyIds.filter((id) => !ring?.keys.has(id))
  if (missing.length === 0) return
  throw invalid(
    `This backup needs the keys ${keyIds.join(', ')}, and ${missing.join(', ')} ${missing.length > 1 ? 'are' : 'is'} missing. ` +
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
  if (manifest.storage === 'local' && storage.kind === 'local') {
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

async function restoreFiles(
  { storage }: Target,
  { folder, manifest, now }: { folder: string; manifest: Manifest; now: Date },
): Promise<string[]> {
  if (manifest.storage !== 'local' || storage.kind !== 'local') return []
  const root = resolve(storage.path)
  const paths = (await listFiles(root)).length > 0 ? await moveAside([root], now) : []
  await mkdir(root, { recursive: true, mode: folderMode })
  const folders = new Set<string>([root])
  for (const { path } of manifest.entries) {
    if (!path.startsWith('files/')) continue
    const to = join(root, path.slice('files/'.length))
    await copyHashed(join(folder, path), to)
    folders.add(dirname(to))
  }
  for (const restored of folders) await syncPath(restored)
  return paths
}

async function restoreSqlite(source: string, path: string, now: Date): Promise<string[]> {
  // An old write-ahead log beside the restored file would be applied to it.
  const paths = await moveAside(sqliteFiles(path), now)
  const unfinished = `${path}.restoring-${process.pid}`
  await copyHashed(source, unfinished)
  await rename(unfinished, path)
  await syncPath(dirname(path))
  return paths
}

async function restorePostgres(source: string, url: string, now: Date): Promise<string[]> {
  const schema = await moveSchemaAside(url, `${asidePrefix}${timestamp(now).toLowerCase()}`)
  try {
    await loadPostgresDump(url, source)
  } catch (error) {
    if (schema !== null) await returnSchema(url, schema)
    throw error
  }
  return schema === null ? [] : [`the schema ${schema} of the database`]
}

const timestamp = (now: Date): string => now.toISOString().replace(/\W/g, '')

async function moveAside(paths: readonly string[], now: Date): Promise<string[]> {
  const renamed: string[] = []
  for (const path of paths) {
    if (!existsSync(path)) continue
    const aside = `${path}.before-${timestamp(now)}`
    await rename(path, aside)
    renamed.push(aside)
  }
  return renamed
}
