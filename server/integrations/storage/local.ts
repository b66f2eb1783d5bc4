import { randomBytes } from 'node:crypto'
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { checkKey, type Storage } from './storage.ts'

const temporarySuffix = '.tmp'
/** Bytes per write. Each write is a round trip to the thread pool. */
const writeBytes = 256 * 1024

const hasCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code
const isMissing = (error: unknown): boolean => hasCode(error, 'ENOENT')

/** Makes a folder's entries durable. Otherwise a power loss can undo the rename of a file. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/**
 * Files in a folder, readable only by their owner, spread over 256 subfolders by the random end of
 * their id. A file gets its name only after all of its bytes are on disk.
 */
export function openLocalStorage(path: string): Storage {
  const root = resolve(path)
  const folderPath = (key: string): string => {
    checkKey(key)
    return join(root, key.slice(-2))
  }

  /**
   * Makes one of the subfolders. Returns whether it was missing. On a full disk, Node's recursive
   * `mkdir` reports ENOENT instead of ENOSPC, so it makes the root alone.
   */
  async function makeFolder(folder: string): Promise<boolean> {
    try {
      await mkdir(folder, { mode: 0o700 })
      return true
    } catch (error) {
      if (hasCode(error, 'EEXIST')) return false
      if (!isMissing(error)) throw error
      await mkdir(root, { recursive: true, mode: 0o700 })
      return makeFolder(folder)
    }
  }

  async function put(key: string, bytes: AsyncIterable<Uint8Array>): Promise<void> {
    const folder = folderPath(key)
    if (await makeFolder(folder)) await syncFolder(root)
    const unfinished = join(folder, `${key}.${randomBytes(6).toString('hex')}${temporarySuffix}`)
    try {
      const handle = await open(unfinished, 'wx', 0o600)
      try {
        // Not `writev`: on an almost full disk it writes a part and reports the size instead of
        // throwing.
        for await (const batch of toBatches(bytes)) await handle.writeFile(Buffer.concat(batch))
        await handle.sync()
      } finally {
        await handle.close()
      }
      await rename(unfinished, join(folder, key))
    } catch (error) {
      await rm(unfinished, { force: true })
      throw error
    }
    await syncFolder(folder)
  }

  async function get(key: string): Promise<AsyncIterable<Uint8Array> | null> {
    try {
      const handle = await open(join(folderPath(key), key), 'r')
      return handle.createReadStream({ highWaterMark: writeBytes })
    } catch (error) {
      if (isMissing(error)) return null
      throw error
    }
  }

  async function remove(key: string): Promise<void> {
    await rm(join(folderPath(key), key), { force: true })
  }

  async function deleteLeftovers(before: Date): Promise<void> {
    for (const folder of await listFolder(root)) {
      for (const name of await listFolder(join(root, folder))) {
        if (!name.endsWith(temporarySuffix)) continue
        const file = join(root, folder, name)
        if (await isOlder(file, before)) await rm(file, { force: true })
      }
    }
  }

  return { put, get, delete: remove, deleteLeftovers }
}

/** The names in a folder; empty when the folder is missing. */
async function listFolder(folder: string): Promise<string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    if (isMissing(error) || hasCode(error, 'ENOTDIR')) return []
    throw error
  }
}

async function isOlder(file: string, than: Date): Promise<boolean> {
  try {
    return (await stat(file)).mtime < than
  } catch (error) {
    if (isMissing(error)) return false
    throw error
  }
}

async function* toBatches(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array[]> {
  let batch: Uint8Array[] = []
  let size = 0
  for await (const chunk of bytes) {
    batch.push(chunk)
    size += chunk.byteLength
    if (size < writeBytes) continue
    yield batch
    batch = []
    size = 0
  }
  if (batch.length > 0) yield batch
}
