import { createReadStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import type { Env } from '../env.ts'
import { forEachConcurrent } from '../for-each-concurrent.ts'
import { openStorage } from '../integrations/storage/open-storage.ts'
import { isInStorage } from '../integrations/storage/storage.ts'
import { copyHashed, folderMode, hasFiles, listBackedUpFiles, listFiles, syncPath } from './manifest.ts'
import type { Manifest } from './manifest.ts'
import type { Done } from './undo-on-error.ts'

const filesAtOnce = 8

/** A whole copy beside the path that it will have, and what must be moved aside first. */
export type Copy = { path: string; partial: string; replaces: readonly string[] }
export type Steps = { time: string; onDone: (step: Done) => void }
type Source = { folder: string; manifest: Manifest }

export const nameCopy = (path: string, time: string): string => `${path}.restoring-${time}`

/**
 * Restores the files of a backup, if it has any. Returns the copy of a local folder that must still
 * be put in its place.
 */
export async function restoreFiles(storage: Env['storage'], source: Source & Steps): Promise<Copy[]> {
  if (!hasFiles(source.manifest)) return []
  if (storage.kind === 'local') return copyFiles(resolve(storage.path), source)
  await uploadFiles(storage, source)
  return []
}

/** Copies the files beside their folder. An empty one can be a mount, so it is filled as it is. */
async function copyFiles(path: string, { folder, manifest, time, onDone }: Source & Steps): Promise<Copy[]> {
  const isEmpty = (await listFiles(path)).length === 0
  const partial = isEmpty ? path : nameCopy(path, time)
  const files = listBackedUpFiles(manifest).map((file) => ({
    from: join(folder, file.path),
    to: join(partial, file.local),
  }))
  const removeFiles = async (): Promise<void> => {
    for (const { to } of files) await rm(to, { force: true })
  }
  onDone({
    undo: isEmpty ? removeFiles : () => rm(partial, { recursive: true, force: true }),
    otherwise: () => `${partial} has files of the backup`,
  })
  await mkdir(partial, { recursive: true, mode: folderMode })
  for (const { from, to } of files) await copyHashed(from, to)
  for (const copied of new Set([partial, ...files.map(({ to }) => dirname(to))])) await syncPath(copied)
  return isEmpty ? [] : [{ path, partial, replaces: [path] }]
}

/**
 * Uploads what the storage does not have. What it has stays as it is, because the shop never
 * rewrites a file.
 */
async function uploadFiles(address: Env['storage'], { folder, manifest, onDone }: Source & Steps) {
  const storage = await openStorage(address)
  // From before each upload: one that was not answered may have arrived.
  const uploaded = new Set<string>()
  onDone({
    undo: async () => {
      // It tries every file, also after one that cannot be deleted.
      await forEachConcurrent([...uploaded], filesAtOnce, async (key) => {
        const isDeleted = await storage.delete(key).then(
          () => true,
          () => false,
        )
        if (isDeleted) uploaded.delete(key)
      })
      if (uploaded.size > 0) throw new Error('Some uploaded files could not be deleted.')
    },
    otherwise: () => `up to ${uploaded.size} files that this restore uploaded are still in the storage`,
  })
  await forEachConcurrent(listBackedUpFiles(manifest), filesAtOnce, async ({ path, key }) => {
    if (await isInStorage(storage, key)) return
    uploaded.add(key)
    await storage.put(key, createReadStream(join(folder, path)))
  })
}
