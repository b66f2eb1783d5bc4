import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, open, readdir, readFile, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { AppError } from '#domain/errors.ts'
import { z } from 'zod'

/** A file of a backup. Its path is below the backup's folder, with slashes. */
const entrySchema = z.object({
  path: z.string().regex(/^(database\.(sqlite|dump)|files\/[\w-]{2}\/[\w-]{8,64})$/),
  size: z.int().min(0),
  sha256: z.string().regex(/^[\da-f]{64}$/),
})

const manifestSchema = z.object({
  format: z.literal(1),
  createdAt: z.iso.datetime(),
  engine: z.enum(['sqlite', 'postgres']),
  /** Applied migrations, oldest first. */
  migrations: z.array(z.string()),
  /** The end of the audit chain as `seq:hash`; null when there is none. */
  auditHead: z.string().nullable(),
  /** The master keys that a restored shop needs. The backup contains none of them. */
  keyIds: z.array(z.string()),
  /** Where the shop's files were. Backups of earlier versions contain only those of `local`. */
  storage: z.enum(['local', 's3', 'uploadthing']),
  /** Storage keys of files that the database names and that were deleted during the backup. */
  deleted: z.array(z.string()).default([]),
  entries: z.array(entrySchema),
})

export type Manifest = z.infer<typeof manifestSchema>
export type Entry = z.infer<typeof entrySchema>

export const manifestName = 'manifest.json'
export const databaseName = { sqlite: 'database.sqlite', postgres: 'database.dump' } as const
export const [fileMode, folderMode] = [0o600, 0o700]
const filesFolder = 'files/'

/** A file's path in a backup. Below `files/` it is the path of the local storage. */
export const toFilePath = (key: string): string => `${filesFolder}${key.slice(-2)}/${key}`

/** The files of a backup: the path of each in the local storage, and its storage key. */
export const listBackedUpFiles = ({ entries }: Manifest): { path: string; local: string; key: string }[] =>
  entries
    .filter(({ path }) => path.startsWith(filesFolder))
    .map(({ path }) => ({ path, local: path.slice(filesFolder.length), key: basename(path) }))

/** Whether the files are in the backup, so that a restore must bring them back. */
export const hasFiles = (manifest: Manifest): boolean =>
  manifest.storage === 'local' || listBackedUpFiles(manifest).length > 0

/** Reads a backup's manifest. Throws INVALID for a folder that is not a complete backup. */
export async function readManifest(folder: string): Promise<Manifest> {
  const path = join(folder, manifestName)
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
    // The backup may be complete but unreadable: another owner, or a failing disk.
    if (code !== 'ENOENT') throw new AppError('INVALID', `${path} can’t be read: ${code}.`)
    throw new AppError('INVALID', `${folder} has no ${manifestName}, so it is not a complete backup.`)
  })
  try {
    return manifestSchema.parse(JSON.parse(text))
  } catch {
    throw new AppError('INVALID', `${path} can’t be read, or is of another version.`)
  }
}

/** Writes a new file, for its owner only, durably. Returns its size and hash. */
export async function writeHashed(
  bytes: AsyncIterable<Uint8Array>,
  to: string,
): Promise<Omit<Entry, 'path'>> {
  await mkdir(dirname(to), { recursive: true, mode: folderMode })
  const hash = createHash('sha256')
  let size = 0
  const counter = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk)
      size += chunk.byteLength
      done(null, chunk)
    },
  })
  await pipeline(
    Readable.from(bytes, { objectMode: true }),
    counter,
    createWriteStream(to, { mode: fileMode, flags: 'wx', flush: true }),
  )
  return { size, sha256: hash.digest('hex') }
}

export const copyHashed = (from: string, to: string): Promise<Omit<Entry, 'path'>> =>
  writeHashed(createReadStream(from), to)

export async function hashFile(path: string): Promise<Omit<Entry, 'path'>> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return { size: (await stat(path)).size, sha256: hash.digest('hex') }
}

/** The files below a folder, as paths with slashes; empty when it is missing. */
export async function listFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  })
  return entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name).slice(join(folder, '/').length))
}

/** Makes a new file, or the entries of a folder, survive a loss of power. */
export async function syncPath(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
