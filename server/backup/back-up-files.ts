import { link, lstat, mkdir, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { forEachConcurrent } from '../for-each-concurrent.ts'
import type { Storage } from '../integrations/storage/storage.ts'
import type { CompleteBackup } from './find-newest-backup.ts'
import { copyHashed, folderMode, toFilePath, writeHashed, type Entry } from './manifest.ts'

const filesAtOnce = 8
/** Another file system, one without links, a file of another user, and too many links. */
const withoutLinks = ['EXDEV', 'EPERM', 'EMLINK', 'ENOSYS', 'EOPNOTSUPP', 'ENOTSUP']

/**
 * Backs up stored files into a backup's folder, as they are in the storage: sealed ones stay
 * sealed. The shop never rewrites a file, so one that the previous backup has becomes a hard link
 * to it. Returns the entries, and the keys that the storage does not have.
 */
export async function backUpFiles(
  keys: readonly string[],
  { storage, to, previous }: { storage: Storage; to: string; previous: CompleteBackup | null },
): Promise<{ entries: Entry[]; missing: string[] }> {
  const earlier = new Map(previous?.manifest.entries.map((entry) => [entry.path, entry]))
  const entries: Entry[] = []
  const missing: string[] = []
  await forEachConcurrent(keys, filesAtOnce, async (key) => {
    const path = toFilePath(key)
    const known = earlier.get(path)
    if (previous && known && (await reuseFile(known, { from: previous.from, to }))) {
      entries.push(known)
      return
    }
    const bytes = await storage.get(key)
    if (bytes === null) missing.push(key)
    else entries.push({ path, ...(await writeHashed(bytes, join(to, path))) })
  })
  return { entries: entries.toSorted((a, b) => (a.path < b.path ? -1 : 1)), missing }
}

/**
 * Links a file of the previous backup into this one, or copies it where no link is possible.
 * Returns false when the previous backup does not have it as its manifest says. The content of a
 * link is not read: the drill reads all of it.
 */
async function reuseFile(
  { path, size, sha256 }: Entry,
  folders: { from: string; to: string },
): Promise<boolean> {
  const [from, to] = [join(folders.from, path), join(folders.to, path)]
  const found = await lstat(from).catch(() => null)
  if (!found?.isFile() || found.size !== size) return false
  await mkdir(dirname(to), { recursive: true, mode: folderMode })
  try {
    await link(from, to)
    return true
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    // It was deleted a moment ago, with its backup.
    if (code === 'ENOENT') return false
    if (!withoutLinks.includes(code)) throw error
  }
  const copied = await copyHashed(from, to)
  if (copied.size === size && copied.sha256 === sha256) return true
  await rm(to)
  return false
}
