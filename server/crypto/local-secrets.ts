import { randomBytes } from 'node:crypto'
import {
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { AppError } from '#domain/errors.ts'
import { EnvError } from '../env-error.ts'
import { parseKeyRing, type KeyRing } from './key-ring.ts'

const sqlite = 'sqlite:'
const schema = z.object({ ENCRYPTION_KEYS: z.string(), SESSION_SECRET: z.string().min(32).optional() })
type Secrets = { ENCRYPTION_KEYS: string; SESSION_SECRET: string }

/** The secrets of a shop whose environment has none. */
export type LocalSecrets = { ring: KeyRing; sessionSecret: string }

/**
 * Where dev and demo store the secrets that production takes from its environment: beside the
 * SQLite file, otherwise in ./data.
 */
export function secretsFile(databaseUrl: string): string {
  const path = databaseUrl.startsWith(sqlite) ? databaseUrl.slice(sqlite.length) : ''
  return join(path === '' || path === ':memory:' ? 'data' : dirname(path), 'secrets.json')
}

/**
 * The secrets of a shop whose environment has none: generated at its first start, then read from a
 * file that only its owner can read. The ring follows the file: a key that `addLocalKey` adds seals
 * in every process from then on. Throws when the file holds no keys.
 */
export function localSecrets(databaseUrl: string): LocalSecrets {
  const file = secretsFile(databaseUrl)
  if (!statSync(file, { throwIfNoEntry: false })) createSecretsFile(file)
  const { SESSION_SECRET } = read(file)
  return { ring: createReloadingRing(file), sessionSecret: SESSION_SECRET }
}

/** The secrets of that file; null when there is none. Creates nothing. */
export const findLocalSecrets = (databaseUrl: string): LocalSecrets | null =>
  statSync(secretsFile(databaseUrl), { throwIfNoEntry: false }) ? localSecrets(databaseUrl) : null

/**
 * Adds a new key before the existing keys of the file. Those stay, because other databases may
 * share the file. Returns the ring, or null when there is no file. Throws CONFLICT while another
 * process changes the file.
 */
export function addLocalKey(databaseUrl: string): KeyRing | null {
  const file = secretsFile(databaseUrl)
  if (!statSync(file, { throwIfNoEntry: false })) return null
  const lock = acquireLock(`${file}.lock`)
  try {
    const secrets = read(file)
    const temporaryFile = writeTemporaryFile(file, {
      ...secrets,
      ENCRYPTION_KEYS: `${newKey()},${secrets.ENCRYPTION_KEYS}`,
    })
    renameSync(temporaryFile, file)
    syncFolder(file)
    return parseKeyRing(read(file).ENCRYPTION_KEYS)
  } finally {
    rmSync(lock)
  }
}

function acquireLock(lock: string): string {
  try {
    closeSync(openSync(lock, 'wx'))
    return lock
  } catch (error) {
    if (!isCode(error, 'EEXIST')) throw error
    throw new AppError(
      'CONFLICT',
      `Another process is changing the keys. If none is running, delete ${lock}.`,
    )
  }
}

/** The file's ring, read again when the file has changed. */
function createReloadingRing(file: string): KeyRing {
  let [ring, version] = [parseKeyRing(read(file).ENCRYPTION_KEYS), fileVersion(file)]
  const newest = (): KeyRing => {
    const latest = fileVersion(file)
    // The folder was deleted while the shop runs: keep what was read.
    if (latest !== null && latest !== version)
      [ring, version] = [parseKeyRing(read(file).ENCRYPTION_KEYS), latest]
    return ring
  }
  return {
    get current() {
      return newest().current
    },
    get keys() {
      return newest().keys
    },
  }
}

function fileVersion(file: string): string | null {
  const stats = statSync(file, { throwIfNoEntry: false })
  return stats ? `${stats.ino} ${stats.mtimeMs}` : null
}

function read(file: string): Secrets {
  const text = readFileSync(file, 'utf8')
  try {
    const secrets = schema.parse(JSON.parse(text))
    parseKeyRing(secrets.ENCRYPTION_KEYS)
    // A file from before sessions existed has no session secret; its keys are just as secret.
    return { SESSION_SECRET: secrets.ENCRYPTION_KEYS, ...secrets }
  } catch (error) {
    throw new EnvError(`${file} has no readable ENCRYPTION_KEYS.`, { cause: error })
  }
}

/**
 * Writes the whole file under another name and links it. Of two concurrent starts the first wins,
 * and neither reads a partial file.
 */
function createSecretsFile(file: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const temporaryFile = writeTemporaryFile(file, {
    ENCRYPTION_KEYS: newKey(),
    SESSION_SECRET: randomBytes(32).toString('base64url'),
  })
  try {
    linkSync(temporaryFile, file)
    syncFolder(file)
  } catch (error) {
    if (!isCode(error, 'EEXIST')) throw error
  } finally {
    rmSync(temporaryFile)
  }
}

/**
 * Writes the secrets beside the file and syncs them to disk before anything is sealed with them.
 * Returns the path.
 */
function writeTemporaryFile(file: string, secrets: Secrets): string {
  const path = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`
  const handle = openSync(path, 'wx', 0o600)
  try {
    writeSync(handle, `${JSON.stringify(secrets, null, 2)}\n`)
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
  return path
}

function syncFolder(file: string): void {
  const handle = openSync(dirname(file), 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

const newKey = (): string => `k${randomBytes(3).toString('hex')}:${randomBytes(32).toString('base64')}`

const isCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code
