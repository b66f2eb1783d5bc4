import { describeDatabase } from '#db/engine/describe-database.ts'
import { listRuns } from '#db/monitoring/runs.ts'
import { runCommand, type CommandName } from '#tests/support/commands.ts'
import { eachEngine, onEngine } from '#tests/support/engines.ts'
import { productionEnv } from '#tests/support/production-env.ts'
import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'

const { scripts } = z
  .object({ scripts: z.record(z.string(), z.string()) })
  .parse(JSON.parse(readFileSync('package.json', 'utf8')))

/** An environment whose database does not exist, and which no command can create. */
const noDatabase = {
  DATABASE_URL: 'sqlite:/dev/null/shop.sqlite',
  ENCRYPTION_KEYS: productionEnv.ENCRYPTION_KEYS,
  SESSION_SECRET: productionEnv.SESSION_SECRET,
}

// The other tests of these commands start bundles of them.
test('npm run catalog:import starts from its sources, with its options of Node', () => {
  const { status, stdout, stderr } = spawnSync('npm', ['run', '--silent', 'catalog:import'], {
    encoding: 'utf8',
    env: { ...process.env, ...noDatabase },
  })
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
  expect(stderr).toContain('Usage: npm run catalog:import -- --ndc FILE')
})

/** The commands without options of Node, and what each reports without arguments. */
const reports = {
  'audit:verify': 'There is no database at /dev/null/shop.sqlite.\n',
  backup: 'Add the new folder of the backup: --to DIR\n',
  dev: 'DATABASE_URL: ',
  'emergency:access': 'Add the account’s email: --email name@example.com\n',
  'fills:verify': 'There is no database at /dev/null/shop.sqlite.\n',
  'keys:rotate': 'There is no database at /dev/null/shop.sqlite.\n',
  restore: 'Add the folder of the backup: --from DIR\n',
  'stock:verify': 'There is no database at /dev/null/shop.sqlite.\n',
  'users:admin': 'Add the account’s email: --email name@example.com\n',
}

// In one process: a start with tsx takes over a second of CPU time, most of it for shared sources.
test('every other command starts from its sources', () => {
  const files = Object.keys(reports).map((name) => /^tsx (scripts\/\S+\.ts)$/.exec(scripts[name] ?? '')?.[1])
  const tsx = ['--import', import.meta.resolve('tsx')]
  const { stdout, stderr } = spawnSync(process.execPath, [...tsx, 'tests/server/start-sources.ts'], {
    encoding: 'utf8',
    env: { ...process.env, ...noDatabase, SOURCES: JSON.stringify(files) },
    // A command that starts after all would run on.
    timeout: 60_000,
  })
  expect(stderr).toBe('')
  expect(JSON.parse(stdout)).toEqual(
    Object.values(reports).map((report) => ({ code: 1, out: '', err: expect.stringContaining(report) })),
  )
})

const measured = ['bench', 'bench:back-office', 'bench:csv', 'bench:orders', 'bench:scale']
const commandsOfTests = [...measured, 'bench:screening', 'bench:search', 'test:compose', 'test:faults']

test('the benchmarks and the fault tests print how they are called', () => {
  const files = commandsOfTests.map((name) => /^tsx (tests\/\S+\.ts)$/.exec(scripts[name] ?? '')?.[1])
  const source = ['--import', import.meta.resolve('tsx'), 'tests/server/start-sources.ts', '--help']
  const { stdout } = spawnSync(process.execPath, source, {
    encoding: 'utf8',
    env: { ...process.env, SOURCES: JSON.stringify(files) },
    timeout: 60_000,
  })
  expect(JSON.parse(stdout)).toEqual(
    commandsOfTests.map((name) => ({
      code: 0,
      out: expect.stringMatching(new RegExp(`^Usage: npm run ${name} -- .+\\n$`)),
      err: '',
    })),
  )
})

/** Each command with the arguments that it needs, as they are after its name. */
const calls: [CommandName, string[]][] = [
  ['audit-verify', []],
  ['backup', ['--to', 'backup']],
  ['backup-drill', ['--backups', 'backups']],
  ['care-import', []],
  ['catalog-import', ['--ndc', 'ndc.tsv']],
  ['db', ['migrate']],
  ['db', ['reset']],
  ['emergency-access', ['--email', 'first@shop.example', '--reason', 'No phone']],
  ['fills-verify', []],
  ['keys-rotate', []],
  ['restore', ['--from', 'backup']],
  ['stock-verify', []],
  ['users-admin', ['--email', 'first@shop.example']],
]

/** Runs a command in a folder of its own. Nothing may be left there. */
async function runAlone(name: CommandName, args: string[], env: Record<string, string> = {}) {
  const cwd = mkdtempSync(join(tmpdir(), 'meridian-command-'))
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }))
  const { ENCRYPTION_KEYS, SESSION_SECRET } = productionEnv
  const DATABASE_URL = 'sqlite:shop.sqlite'
  const result = await runCommand(name, {
    args,
    cwd,
    env: { DATABASE_URL, ENCRYPTION_KEYS, SESSION_SECRET, ...env },
  })
  expect(readdirSync(cwd)).toEqual([])
  return result
}

test.each(calls)('%s %j names an option that it does not have, and does nothing', async (name, args) => {
  const { code, out, err } = await runAlone(name, [...args, '--nonsense'])
  expect({ code, out }).toEqual({ code: 1, out: '' })
  expect(err).toMatch(/^Unknown option '--nonsense'\.\nUsage: npm run [^\n]+\n$/)
})

test.each(calls)('%s %j prints one line per mistake in its environment', async (name, args) => {
  const { code, out, err } = await runAlone(name, args, { PORT: 'http', SESSION_SECRET: 'short' })
  const mistakes = 'SESSION_SECRET: must have at least 32 characters\n'
  expect({ code, out, err }).toEqual({ code: 1, out: '', err: `PORT: must be a number\n${mistakes}` })
})

test.each(calls)('%s %j names DATABASE_URL when its database is away', async (name, args) => {
  const DATABASE_URL = 'postgres://shop:no-secret@127.0.0.1:1/nothing'
  const { code, out, err } = await runAlone(name, args, { DATABASE_URL })
  const line = 'DATABASE_URL: connect ECONNREFUSED 127.0.0.1:1\n'
  expect({ code, out, err }).toEqual({ code: 1, out: '', err: line })
})

/** The commands that use an existing shop. */
const creating = ['db', 'restore', 'catalog-import', 'care-import']
const callsOfShop = calls.filter(([name]) => !creating.includes(name))

/** Runs a command without DATABASE_URL in a clone with development packages. */
async function runInClone(name: CommandName, args: string[], env: Record<string, string> = {}) {
  const cwd = mkdtempSync(join(tmpdir(), 'meridian-clone-'))
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }))
  mkdirSync(join(cwd, 'node_modules', 'vite'), { recursive: true })
  const result = await runCommand(name, { args, cwd, env: { NODE_ENV: '', ...env, DATABASE_URL: '' } })
  return { ...result, cwd }
}

test.each(calls)('%s %j without DATABASE_URL creates nothing in a release', async (name, args) => {
  const err = 'DATABASE_URL: is required in a release: take it from the shop’s environment\n'
  // Its build has no development packages.
  expect(await runAlone(name, args, { DATABASE_URL: '', NODE_ENV: '' })).toMatchObject({
    code: 1,
    out: '',
    err,
  })
  const production = await runInClone(name, args, { NODE_ENV: 'production' })
  expect(production).toMatchObject({ code: 1, out: '', err })
  expect(readdirSync(production.cwd)).toEqual(['node_modules'])
})

test.each(callsOfShop)('%s %j without DATABASE_URL needs the development database', async (name, args) => {
  const { code, out, err, cwd } = await runInClone(name, args)
  expect({ code, out }).toEqual({ code: 1, out: '' })
  expect(err).toBe('There is no database at ./data/meridian.sqlite.\n')
  expect(readdirSync(cwd)).toEqual(['node_modules'])
})

test('in a clone, db:migrate creates the development database, and later commands use it', async () => {
  const { code, database, cwd } = await runInClone('db', ['migrate'])
  const line = `Database: SQLite, ${join(realpathSync(cwd), 'data/meridian.sqlite')}\n`
  expect({ code, database }).toEqual({ code: 0, database: line })
  const verified = await runCommand('stock-verify', { cwd, env: { DATABASE_URL: '', NODE_ENV: '' } })
  expect(verified).toMatchObject({ code: 0, database: line, out: expect.stringContaining('findings=0') })
})

test('a database is named by its engine and place, and never with its password', () => {
  expect(describeDatabase('postgres://shop:no-secret@db.example:6432/meridian?sslmode=verify-full')).toBe(
    'Postgres, meridian at db.example, port 6432',
  )
  expect(describeDatabase('postgres://shop@localhost/meridian?host=/var/run/postgresql')).toBe(
    'Postgres, meridian at /var/run/postgresql, port 5432',
  )
  expect(describeDatabase('sqlite:/var/lib/shop.sqlite')).toBe('SQLite, /var/lib/shop.sqlite')
})

test('only db:seed creates orders, and an unknown command of the database is refused', async () => {
  expect(await runAlone('db', ['migrate', '--orders', '10'])).toMatchObject({
    code: 1,
    out: '',
    err: "Unknown option '--orders'.\nUsage: npm run db:migrate\n",
  })
  expect(await runAlone('db', ['migrat'])).toMatchObject({
    code: 1,
    out: '',
    err: 'Unknown command "db:migrat". Use db:migrate, db:seed or db:reset.\n',
  })
})

test('an option without its value is named', async () => {
  expect((await runAlone('backup', ['--to'])).err).toBe(
    "Option '--to <value>' argument missing.\nUsage: npm run backup -- --to DIR\n",
  )
  expect((await runAlone('db', ['seed', '--orders', 'ten'])).err).toBe(
    '--orders needs a whole number, such as --orders 1000.\n',
  )
})

eachEngine((_engine, _openDb, openWithUrl) => {
  test('a key of the same id that did not seal the database is named', async () => {
    const { url } = await openWithUrl()
    const { ENCRYPTION_KEYS } = productionEnv
    const other = `test:${Buffer.alloc(32, 9).toString('base64')}`
    expect(await runAlone('stock-verify', [], { DATABASE_URL: url, ENCRYPTION_KEYS })).toMatchObject({
      code: 0,
    })
    expect(await runAlone('stock-verify', [], { DATABASE_URL: url, ENCRYPTION_KEYS: other })).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringMatching(/^ENCRYPTION_KEYS: the key "test" does not open this database\.[^\n]+\n$/),
    })
  })

  test.each(['audit', 'fills', 'stock'] as const)(
    '%s-verify records that it could not finish',
    async (name) => {
      const { db, url } = await openWithUrl()
      const { ENCRYPTION_KEYS } = productionEnv
      const run = (env: Record<string, string>) =>
        runAlone(`${name}-verify`, [], { DATABASE_URL: url, ENCRYPTION_KEYS, ...env })
      expect(await run({})).toMatchObject({ code: 0 })
      const other = `test:${Buffer.alloc(32, 9).toString('base64')}`
      expect(await run({ ENCRYPTION_KEYS: other })).toMatchObject({ code: 1, out: '' })
      expect(await listRuns(db)).toMatchObject([
        { kind: 'verify', name, failedAt: expect.any(Date), failure: 'Error' },
      ])
    },
  )

  test('the summary of an audit log without rows has no head', async () => {
    const { url } = await openWithUrl()
    const { code, database, out } = await runAlone('audit-verify', [], { DATABASE_URL: url })
    expect({ code, database, out }).toEqual({
      code: 0,
      database: `Database: ${describeDatabase(url)}\n`,
      out: 'chained=0 waiting=0 findings=0 head=none\n',
    })
  })

  test('a backup without keys names none, and one into a place that is missing fails in one line', async () => {
    const { url } = await openWithUrl()
    const to = mkdtempSync(join(tmpdir(), 'meridian-backup-'))
    onTestFinished(() => rmSync(to, { recursive: true, force: true }))
    const env = { DATABASE_URL: url, STORAGE: `local:${join(to, 'files')}`, ENCRYPTION_KEYS: '' }
    const done = await runAlone('backup', ['--to', join(to, 'backup')], env)
    expect(done).toMatchObject({ code: 0, out: expect.stringMatching(/^files=0 missing=0 [^\n]+\n$/) })
    writeFileSync(join(to, 'file'), '')
    const failed = await runAlone('backup', ['--to', join(to, 'file', 'backup')], env)
    expect(failed).toMatchObject({ code: 1, out: '', err: expect.stringMatching(/^E[A-Z]+: [^\n]+\n$/) })
  })
})

const standInUsage = 'Usage: npm run stripe:stand-in -- [--port 12111] [--shop http://localhost:3000]'

test.each([
  [['--nonsense'], `Unknown option '--nonsense'.\n${standInUsage}`],
  [['--port', 'http'], '--port needs a whole number from 0 to 65535, such as --port 12111.'],
  [['--port', '65536'], '--port needs a whole number from 0 to 65535, such as --port 12111.'],
  [['--shop', 'localhost:3000'], '--shop needs an address, such as --shop http://localhost:3000.'],
])('stripe:stand-in does not start with %j', (args, message) => {
  expect(runStandIn(args)).toEqual({ status: 1, stdout: '', stderr: `${message}\n` })
})

test('stripe:stand-in names a port that is in use', async () => {
  const blocker = createServer().listen(0, '127.0.0.1')
  onTestFinished(() => void blocker.close())
  await once(blocker, 'listening')
  const { port } = blocker.address() as AddressInfo
  const stderr = `listen EADDRINUSE: address already in use 127.0.0.1:${port}\n`
  expect(runStandIn(['--port', String(port)])).toEqual({ status: 1, stdout: '', stderr })
})

function runStandIn(args: string[]) {
  const source = ['--import', import.meta.resolve('tsx'), resolve('tests/mocks/stripe/start.ts')]
  const { status, stdout, stderr } = spawnSync(process.execPath, [...source, ...args], {
    encoding: 'utf8',
    // One that starts after all would run on.
    timeout: 20_000,
  })
  return { status, stdout, stderr }
}

test('a SQLite file that db:reset can’t delete is named', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'meridian-reset-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const { code, out, err } = await runAlone('db', ['reset'], { DATABASE_URL: `sqlite:${folder}` })
  expect({ code, out }).toEqual({ code: 1, out: '' })
  expect(err).toMatch(/^The database can’t be emptied: [^\n]+\n$/)
  expect(err).toContain(folder)
})

onEngine('postgres', (_openDb, openWithUrl) => {
  test.each([
    ['No space left on device', 'ENOSPC'],
    ['Disk quota exceeded', 'EDQUOT'],
    ['server version mismatch', 'PG_DUMP_FAILED'],
  ])('a backup whose pg_dump reports "%s" fails in one line and records %s', async (problem, failure) => {
    const { db, url } = await openWithUrl()
    const folder = mkdtempSync(join(tmpdir(), 'meridian-backup-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const program = `#!/bin/sh\necho 'pg_dump: error: ${problem}' >&2\nexit 1\n`
    writeFileSync(join(folder, 'pg_dump'), program, { mode: 0o755 })
    const env = { DATABASE_URL: url, ENCRYPTION_KEYS: '', PATH: `${folder}:${process.env['PATH'] ?? ''}` }
    const failed = await runAlone('backup', ['--to', join(folder, 'backup')], env)
    const err = `pg_dump failed: pg_dump: error: ${problem}\n`
    expect(failed).toMatchObject({ code: 1, out: '', err })
    expect(await listRuns(db)).toMatchObject([{ kind: 'backup', succeededAt: null, failure }])
    expect(readdirSync(folder)).toEqual(['pg_dump'])
  })

  test('a table of another role fails a command in one line that names it', async () => {
    const { db, url } = await openWithUrl()
    const role = `reader_${randomBytes(6).toString('hex')}`
    await sql`create role ${sql.id(role)} login`.execute(db)
    onTestFinished(async () => {
      await sql`drop owned by ${sql.id(role)}`.execute(db)
      await sql`drop role ${sql.id(role)}`.execute(db)
    })
    await sql`grant select on schema_migrations to ${sql.id(role)}`.execute(db)
    const asRole = new URL(url)
    asRole.username = role
    const { ENCRYPTION_KEYS } = productionEnv
    const failed = await runAlone('audit-verify', [], { DATABASE_URL: asRole.href, ENCRYPTION_KEYS })
    expect(failed).toMatchObject({ code: 1, out: '' })
    expect(failed.err).toMatch(/^permission denied for table \w+\n$/)
  })

  test('a backup through a pooler fails in one line and records why', async () => {
    const { db, url } = await openWithUrl()
    const env = { DATABASE_URL: `${url}?pooler=transaction`, ENCRYPTION_KEYS: '' }
    const err = 'DATABASE_URL points to a pooler. Backups and restores need the server itself.\n'
    expect(await runAlone('backup', ['--to', 'backup'], env)).toMatchObject({ code: 1, out: '', err })
    expect(await listRuns(db)).toMatchObject([{ kind: 'backup', failure: 'POOLED_DATABASE_URL' }])
  })

  test('a Postgres database that db:reset reaches and can’t empty does not name DATABASE_URL', async () => {
    const { url } = await openWithUrl()
    const readOnly = `${url}?options=-c%20default_transaction_read_only%3Don`
    expect(await runAlone('db', ['reset'], { DATABASE_URL: readOnly })).toMatchObject({
      code: 1,
      out: '',
      err: 'The database can’t be emptied: cannot execute DROP SCHEMA in a read-only transaction\n',
    })
  })
})
