import { randomBytes } from 'node:crypto'
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { parseKeyRing, type KeyRing } from './key-ring.ts'

const sqlite = 'sqlite:'
const schema = z.object({ ENCRYPTION_KEYS: z.string(), SESSION_SECRET: z.string().min(32).optional() })

/** What a shop that was given no secrets keeps of its own. */
export type KeptSecrets = { ring: KeyRing; sessionSecret: string }

/** Where development and the demo keep what production takes from its environment: beside a SQLite file, else in ./data. */
function secretsFile(databaseUrl: string): string {
  const path = databaseUrl.startsWith(sqlite) ? databaseUrl.slice(sqlite.length) : ''
  return join(path === '' || path === ':memory:' ? 'data' : dirname(path), 'secrets.json')
}

/**
 * The secrets of a shop that was given none: made at its first start, then read. Only their owner may read the file.
 * Throws when the file is there and holds no keys.
 */
export function keptSecrets(databaseUrl: string): KeptSecrets {
  const file = secretsFile(databaseUrl)
  try {
    return read(file)
  } catch (error) {
    if (!isCode(error, 'ENOENT')) throw error
  }
  make(file)
  return read(file)
}

function read(file: string): KeptSecrets {
  const text = readFileSync(file, 'utf8')
  try {
    const secrets = schema.parse(JSON.parse(text))
    // A file of before there were sessions has no secret for them; its keys are as secret.
    return {
      ring: parseKeyRing(secrets.ENCRYPTION_KEYS),
      sessionSecret: secrets.SESSION_SECRET ?? secrets.ENCRYPTION_KEYS,
    }
  } catch (error) {
    throw new Error(`${file} holds no ENCRYPTION_KEYS that can be read.`, { cause: error })
  }
}

/** Written whole under another name and then linked: of two that start at once the first wins, and none reads half a file. */
function make(file: string): void {
  mkdirSync(dirname(file), { recursive: true })
  const own = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`
  const secrets = {
    ENCRYPTION_KEYS: `${newKeyId()}:${randomBytes(32).toString('base64')}`,
    SESSION_SECRET: randomBytes(32).toString('base64url'),
  }
  writeFileSync(own, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600, flag: 'wx' })
  try {
    linkSync(own, file)
  } catch (error) {
    if (!isCode(error, 'EEXIST')) throw error
  } finally {
    rmSync(own)
  }
}

const newKeyId = (): string => `k${randomBytes(3).toString('hex')}`

const isCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code
