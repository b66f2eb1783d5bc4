import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

/**
 * Writes the bytes to a temporary file, which only its owner can read, for a service that needs a
 * file's size before its bytes. Memory stays flat, and an aborted upload is never sent. The file
 * is deleted when `work` ends.
 */
export async function withTemporaryFile(
  key: string,
  bytes: AsyncIterable<Uint8Array>,
  work: (path: string) => Promise<void>,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'meridian-upload-'))
  try {
    const path = join(folder, key)
    await pipeline(Readable.from(bytes, { objectMode: true }), createWriteStream(path, { mode: 0o600 }))
    await work(path)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
