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
import { parseKeyRing, type KeyRing } from './key-ring.ts'

const sqlite = 'sqlite:'
const schema = z.object({ ENCRYPTION_KEYS: z.string(), SESSION_SECRET: z.string().min(32).optional() })
type Secrets = { ENCRYPTION_KEYS: string; SESSION_SECRET: string }

/** What a shop that was given no secrets keeps of its own. */
export type KeptSecrets = { ring: KeyRing; sessionSecret: string }

/** Where development and the demo keep what production takes from its environment: beside a SQLite file, else in ./data. */
function secretsFile(databaseUrl: string): string {
  const path = databaseUrl.startsWith(sqlite) ? databaseUrl.slice(sqlite.length) : ''
  return join(path === '' || path === ':memory:' ? 'data' : dirname(path), 'secrets.json')
}

/**
 * The secrets of a shop that was given none: made at its first start, then read. Only their owner may read the file. The ring is the
 * file's at any moment: a key that `addKeptKey` puts there seals in every process from then on.
 * Throws when the file is there and holds no keys.
 */
export function keptSecrets(databaseUrl: string): KeptSecrets {
  const file = secretsFile(databaseUrl)
  if (!statSync(file, { throwIfNoEntry: false })) make(file)
  const { SESSION_SECRET } = read(file)
  return { ring: followRing(file), sessionSecret: SESSION_SECRET }
}

/**
 * Puts a new key before those of the file, which stay: other databases may lie beside the same file. Returns the ring, or null when
 * there is no file. Throws CONFLICT while another process is at it.
 */
export function addKeptKey(databaseUrl: string): KeyRing | null {
  const file = secretsFile(databaseUrl)
  if (!statSync(file, { throwIfNoEntry: false })) return null
  const lock = takeLock(`${file}.lock`)
  try {
    const secrets = read(file)
    const own = write(file, { ...secrets, ENCRYPTION_KEYS: `${newKey()},${secrets.ENCRYPTION_KEYS}` })
    renameSync(own, file)
    syncFolder(file)
    return parseKeyRing(read(file).ENCRYPTION_KEYS)
  } finally {
    rmSync(lock)
  }
}

function takeLock(lock: string): string {
  try {
    closeSync(openSync(lock, 'wx'))
    return lock
  } catch (error) {
    if (!isCode(error, 'EEXIST')) throw error
    throw new AppError('CONFLICT', `Another process changes the keys. If none does, delete ${lock}.`)
  }
}

/** The file's ring, read anew when the file is another one than before. */
function followRing(file: string): KeyRing {
  let [ring, version] = [parseKeyRing(read(file).ENCRYPTION_KEYS), versionOf(file)]
  const newest = (): KeyRing => {
    const found = versionOf(file)
    // Gone with the folder while the shop runs: what was read goes on to count.
    if (found !== null && found !== version)
      [ring, version] = [parseKeyRing(read(file).ENCRYPTION_KEYS), found]
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

function versionOf(file: string): string | null {
  const stats = statSync(file, { throwIfNoEntry: false })
  return stats ? `${stats.ino} ${stats.mtimeMs}` : null
}

function read(file: string): Secrets {
  const text = readFileSync(file, 'utf8')
  try {
    const secrets = schema.parse(JSON.parse(text))
    parseKeyRing(secrets.ENCRYPTION_KEYS)
    // A file of before there were sessions has no secret for them; its keys are as secret.
    return { SESSION_SECRET: secrets.ENCRYPTION_KEYS, ...secrets }
  } catch (error) {
    throw new Error(`${file} holds no ENCRYPTION_KEYS that can be read.`, { cause: error })
  }
}

/** Written whole under another name and then linked: of two that start at once the first wins, and none reads half a file. */
function make(file: string): void {
  mkdirSync(dirname(file), { recursive: true })
  const own = write(file, {
    ENCRYPTION_KEYS: newKey(),
    SESSION_SECRET: randomBytes(32).toString('base64url'),
  })
  try {
    linkSync(own, file)
    syncFolder(file)
  } catch (error) {
    if (!isCode(error, 'EEXIST')) throw error
  } finally {
    rmSync(own)
  }
}

/** Writes the secrets beside the file, on the disk before anything is sealed with them. Returns the path. */
function write(file: string, secrets: Secrets): string {
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
