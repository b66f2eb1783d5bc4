import { AppError } from '#domain/errors.ts'
import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { manifestName, readManifest, type Manifest } from './manifest.ts'

export type CompleteBackup = { from: string; manifest: Manifest }

/**
 * The newest complete backup below a folder. Throws INVALID when there is none, or for a manifest
 * that cannot be read: it could be the newest.
 */
export async function findNewestBackup(backups: string): Promise<CompleteBackup> {
  const manifests = []
  for (const from of await listComplete(backups)) manifests.push({ from, manifest: await readManifest(from) })
  const newest = newestOf(manifests)
  if (newest === null) throw new AppError('INVALID', `There is no complete backup in ${backups}.`)
  return newest
}

/** The same without those that cannot be read, which the drill reports. Null when there is none. */
export async function findNewestReadableBackup(backups: string): Promise<CompleteBackup | null> {
  const readable = []
  for (const from of await listComplete(backups)) {
    const manifest = await readManifest(from).catch(() => null)
    if (manifest) readable.push({ from, manifest })
  }
  return newestOf(readable)
}

async function listComplete(backups: string): Promise<string[]> {
  const names = await readdir(backups).catch(() => [])
  const folders = names.map((name) => resolve(backups, name))
  return folders.filter((folder) => existsSync(join(folder, manifestName)))
}

const newestOf = (backups: readonly CompleteBackup[]): CompleteBackup | null =>
  backups.toSorted((a, b) => (a.manifest.createdAt < b.manifest.createdAt ? 1 : -1))[0] ?? null
