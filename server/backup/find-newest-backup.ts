import { AppError } from '#domain/errors.ts'
import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { manifestName, readManifest, type Manifest } from './manifest.ts'

/**
 * The newest complete backup below a folder. Throws INVALID when there is none, or for a manifest
 * that cannot be read: it could be the newest.
 */
export async function findNewestBackup(backups: string): Promise<{ from: string; manifest: Manifest }> {
  const names = await readdir(backups).catch(() => [])
  const folders = names.map((name) => resolve(backups, name))
  const complete = folders.filter((folder) => existsSync(join(folder, manifestName)))
  let newest: { from: string; manifest: Manifest } | null = null
  for (const from of complete) {
    const manifest = await readManifest(from)
    if (newest === null || manifest.createdAt > newest.manifest.createdAt) newest = { from, manifest }
  }
  if (newest === null) throw new AppError('INVALID', `There is no complete backup in ${backups}.`)
  return newest
}
