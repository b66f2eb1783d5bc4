import { spawn } from 'node:child_process'
import { createHash, type Hash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import pg from 'pg'
import { asidePrefix } from './aside-schema.ts'
import { isTransactionPooled, readPostgresEndpoint } from './postgres-endpoint.ts'

type Program = 'pg_dump' | 'pg_restore'

/** A failure of one of Postgres' programs. The run of a backup is recorded with its code. */
export class PostgresProgramError extends Error {
  readonly code: string

  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

/** What a restore replaced is not backed up. */
const withoutAside = `--exclude-schema=${asidePrefix}*`

/**
 * Writes a logical backup in pg_dump's own format.
 * @param snapshot an exported snapshot, whose transaction stays open until the dump is complete
 */
export const dumpPostgres = (url: string, { snapshot, file }: { snapshot: string; file: string }) =>
  run(
    'pg_dump',
    [
      '--format=custom',
      '--no-owner',
      '--no-privileges',
      withoutAside,
      `--snapshot=${snapshot}`,
      `--file=${file}`,
    ],
    url,
  )

/** Throws unless the client programs are installed and can read a dump, and the URL can be used. */
export const checkPostgresDump = (url: string, file: string) => run('pg_restore', ['--list', file], url)

/** Loads a dump into an empty database, all of it or nothing. */
export const loadPostgresDump = (url: string, file: string) =>
  run(
    'pg_restore',
    ['--no-owner', '--no-privileges', '--exit-on-error', '--single-transaction', '--dbname=', file],
    url,
  )

/**
 * A hash of each table's rows and each sequence's value, of a database or of a dump. A dump and the
 * database that was loaded from it have the same.
 * @param file the dump; without one, the database itself
 */
export async function digestPostgres(url: string, file?: string): Promise<Map<string, string>> {
  const digests = new Map<string, string>()
  let table: { name: string; hash: Hash } | null = null
  const onLine = (line: string): void => {
    if (table === null) {
      const [, name] = /^COPY (\S+) .* FROM stdin;$/.exec(line) ?? []
      if (name !== undefined) table = { name, hash: createHash('sha256').update(line) }
      else if (line.startsWith('SELECT pg_catalog.setval(')) digests.set(line, line)
    } else if (line === '\\.') {
      digests.set(table.name, table.hash.digest('hex'))
      table = null
    } else table.hash.update(`${line}\n`)
  }
  if (file === undefined) await run('pg_dump', ['--data-only', '--no-owner', withoutAside], url, onLine)
  else await run('pg_restore', ['--data-only', '--no-owner', '--file=-', file], url, onLine)
  return digests
}

/** Runs one of Postgres' programs. Only its own sentence becomes the error's message. */
async function run(
  program: Program,
  args: string[],
  url: string,
  onLine?: (line: string) => void,
): Promise<void> {
  if (isTransactionPooled(url)) {
    const message = 'DATABASE_URL points to a pooler. Backups and restores need the server itself.'
    throw new PostgresProgramError('POOLED_DATABASE_URL', message)
  }
  const child = spawn(program, args, {
    // Nothing else of the environment: it has the shop's keys.
    // oxlint-disable-next-line node/no-process-env
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...libpqEnvironment(url) },
    stdio: ['ignore', onLine ? 'pipe' : 'ignore', 'pipe'],
  })
  // Byte by byte: a hash must not depend on what is no text.
  if (onLine && child.stdout) createInterface(child.stdout.setEncoding('latin1')).on('line', onLine)
  let errors = ''
  child.stderr?.on('data', (text) => (errors = (errors + String(text)).slice(-2000)))
  const [code] = await once(child, 'close').catch((error: unknown) => {
    const message = `${program} could not be started. Install PostgreSQL's client programs.`
    throw new PostgresProgramError(`${program.toUpperCase()}_MISSING`, message, { cause: error })
  })
  if (code !== 0)
    throw new PostgresProgramError(nameFailure(program, errors), `${program} failed: ${errors.trim()}`)
}

/** The programs report only sentences. Without a locale in their environment, those are English. */
function nameFailure(program: Program, errors: string): string {
  if (errors.includes('No space left on device')) return 'ENOSPC'
  if (errors.includes('Disk quota exceeded')) return 'EDQUOT'
  return `${program.toUpperCase()}_FAILED`
}

/**
 * The system's certificate authorities: of Debian and of Alpine. Node has its own. libpq has none
 * before version 16, and refuses a server that it cannot verify.
 */
const systemCertificates = (): string | undefined =>
  ['/etc/ssl/certs/ca-certificates.crt', '/etc/ssl/cert.pem'].find((path) => existsSync(path))

/** The connection as libpq's variables. In arguments, other users of the machine would see them. */
function libpqEnvironment(url: string): Record<string, string> {
  const { host, port, user, password, database } = new pg.Client({ connectionString: url })
  const parameters = URL.canParse(url) ? new URL(url).searchParams : new URLSearchParams()
  const { isVerified } = readPostgresEndpoint(url)
  const found = {
    PGHOST: host,
    PGPORT: String(port),
    PGUSER: user,
    PGPASSWORD: password,
    PGDATABASE: database,
    PGSSLMODE: isVerified ? 'verify-full' : parameters.get('sslmode'),
    PGSSLROOTCERT: parameters.get('sslrootcert') ?? (isVerified ? systemCertificates() : undefined),
    PGSSLCERT: parameters.get('sslcert'),
    PGSSLKEY: parameters.get('sslkey'),
  }
  return Object.fromEntries(
    Object.entries(found).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string' && entry[1] !== '',
    ),
  )
}
