import { randomBytes } from 'node:crypto'
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { parseKeyRing, type KeyRing } from './key-ring.ts'

const sqlite = 'sqlite:'
const schema = z.object({ ENCRYPTION_KEYS: z.string() })

/** Where development and the demo keep what production takes from its environment: beside a SQLite file, else in ./data. */
function secretsFile(databaseUrl: string): string {
  const path = databaseUrl.startsWith(sqlite) ? databaseUrl.slice(sqlite.length) : ''
  return join(path === '' || path === ':memory:' ? 'data' : dirname(path), 'secrets.json')
}

/**
 * The keys of a shop that was given none: made at its first start, then read. Only their owner may read the file.
 * Throws when the file is there and holds no keys.
 */
export function keptKeys(databaseUrl: string): KeyRing {
  const file = secretsFile(databaseUrl)
  try {
    return read(file)
  } catch (error) {
    if (!isCode(error, 'ENOENT')) throw error
  }
  make(file)
  return read(file)
}

function read(file: string): KeyRing {
  const text = readFileSync(file, 'utf8')
  try {
    return parseKeyRing(schema.parse(JSON.parse(text)).ENCRYPTION_KEYS)
  } catch (error) {
    throw new Error(`${file} holds no ENCRYPTION_KEYS that can be read.`, { cause: error })
  }
}

/** Written whole under another name and then linked: of two that start at once the first wins, and none reads half a file. */
function make(file: string): void {
  mkdirSync(dirname(file), { recursive: true })
  const own = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`
  const secrets = { ENCRYPTION_KEYS: `${newKeyId()}:${randomBytes(32).toString('base64')}` }
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
