import { mkdir, open, type FileHandle } from 'node:fs/promises'
import { dirname } from 'node:path'
import { formatHead, parseHead, type Head, type HeadStore } from './saved-heads.ts'

const otherUsers = 0o077

/**
 * Heads in a file that is only appended to, readable by its owner: one line each, with its time.
 * Several processes may append to it.
 */
export const headFile = (path: string): HeadStore => ({
  async save(head, at) {
    const file = await openToAppend(path)
    try {
      // For a file that was created by hand. Not always: an append-only file refuses it.
      if (((await file.stat()).mode & otherUsers) !== 0) await file.chmod(0o600)
      const line = `${at.toISOString()} ${formatHead(head)}\n`
      await file.appendFile((await hasOpenLine(file)) ? `\n${line}` : line)
      await file.sync()
    } finally {
      await file.close()
    }
  },
  read: () => readHeads(path),
})

/** Throws when heads can't be appended to the file. Creates it if it is missing. */
export async function prepareHeadFile(path: string): Promise<void> {
  const file = await openToAppend(path)
  await file.close()
}

async function openToAppend(path: string): Promise<FileHandle> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  return open(path, 'a+', 0o600)
}

/** Whether the last line is incomplete, as after a full disk. */
async function hasOpenLine(file: FileHandle): Promise<boolean> {
  const { size } = await file.stat()
  if (size === 0) return false
  const { buffer } = await file.read(Buffer.alloc(1), 0, 1, size - 1)
  return buffer.toString('latin1') !== '\n'
}

async function* readHeads(path: string): AsyncGenerator<Head, void> {
  const file = await openForReading(path)
  if (!file) return
  for await (const line of file.readLines({ encoding: 'utf8' })) {
    const head = parseHead(line.slice(line.indexOf(' ') + 1))
    if (head) yield head
  }
}

/** Null when nothing was saved yet. */
async function openForReading(path: string): Promise<FileHandle | null> {
  try {
    return await open(path)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}
