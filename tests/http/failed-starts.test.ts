import { EnvError } from '#server/env-error.ts'
import { readEnv } from '#server/env.ts'
import { eachEngine } from '#tests/support/engines.ts'
import { freePort } from '#tests/support/free-port.ts'
import { productionEnv } from '#tests/support/production-env.ts'
import { spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

/** Runs the command of `npm start` with only this environment, and waits until it exits. */
async function runToEnd(env: Record<string, string>): Promise<{ code: number | null; output: string }> {
  const child = spawn(process.execPath, ['build/server/index.js'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'] ?? '', ...env },
    // One that started after all would run on.
    timeout: 60_000,
    killSignal: 'SIGKILL',
  })
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString('utf8')))
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString('utf8')))
  const code = await new Promise<number | null>((done) => child.once('close', done))
  return { code, output }
}

/**
 * Reads the environment of a start. The first test proves that a start prints the message and ends;
 * a process for each value would take half a second of CPU time.
 */
const readProductionEnv = (values: Record<string, string>) => () =>
  readEnv('production', { ...productionEnv, ...values })

/** A shop that does not notice what is wrong with its environment ends at this. */
const noDatabase = { DATABASE_URL: 'postgres://shop:no-secret@127.0.0.1:1/nothing' }

test('production without its environment stops with one line per mistake', async () => {
  const { code, output } = await runToEnd({ PORT: 'http' })
  expect(code).toBe(1)
  const lines = output.trim().split('\n')
  const mistakes = ['PORT', ...Object.keys(productionEnv)]
  expect(lines).toHaveLength(mistakes.length)
  for (const name of mistakes) expect(lines.filter((line) => line.startsWith(`${name}: `))).toHaveLength(1)
  expect(output).not.toMatch(/\bat .*\.js:/)
  // Written for the person who sets them.
  expect(output).toContain('PORT: must be a number\n')
  expect(output).toContain('DATABASE_URL: is required\n')
})

test.each([
  ['http://shop.example', 'PUBLIC_ORIGIN'],
  ['https://shop.example/path', 'PUBLIC_ORIGIN'],
  ['shop.example', 'PUBLIC_ORIGIN'],
])('production refuses %s as its origin', (origin, name) => {
  const read = readProductionEnv({ PUBLIC_ORIGIN: origin })
  expect(read).toThrow(EnvError)
  expect(read).toThrow(name)
})

test.each([
  ['SMTP_URL', 'https://mail.shop.example'],
  ['SMTP_URL', 'mail.shop.example:25'],
  ['MAIL_FROM', 'Meridian'],
  ['MAIL_FROM', 'Meridian <no-reply@shop.example>\r\nBcc: all@shop.example'],
  ['ENCRYPTION_KEYS', 'a:c2hvcnQ='],
  ['ENCRYPTION_KEYS', `${productionEnv.ENCRYPTION_KEYS},${productionEnv.ENCRYPTION_KEYS}`],
  ['TRUSTED_PROXY_HOPS', '-1'],
  ['RATE_LIMITS', 'never'],
  ['SESSION_SECRET', '\t'],
  ['SMTP_URL', 'smtp:mail.shop.example'],
  ['STRIPE_SECRET_KEY', 'pk_test_no_secret'],
  ['STRIPE_WEBHOOK_SECRET', 'sk_test_no_secret'],
])('production refuses %s %j in one line that does not repeat it', (name, value) => {
  const read = readProductionEnv({ [name]: value })
  expect(read).toThrow(EnvError)
  expect(read).toThrow(new RegExp(`^${name}: [^\\n]+$`))
  expect(read).not.toThrow(value)
})

test('production turns its rate limits off only on a loopback host', async () => {
  const refused = await runToEnd({
    ...productionEnv,
    PUBLIC_ORIGIN: 'https://shop.example',
    RATE_LIMITS: 'off',
  })
  expect(refused.code).toBe(1)
  expect(refused.output).toMatch(/^RATE_LIMITS: [^\n]+\n$/)
  expect((await runToEnd({ ...productionEnv, ...noDatabase, RATE_LIMITS: 'off' })).output).not.toContain(
    'RATE_LIMITS',
  )
})

test('a database that cannot be reached stops the start with one line, without its password', async () => {
  const { code, output } = await runToEnd({ ...productionEnv, ...noDatabase })
  expect({ code, output }).toEqual({ code: 1, output: 'DATABASE_URL: connect ECONNREFUSED 127.0.0.1:1\n' })
})

test.each([
  // Not an address of this machine (RFC 5737).
  ['HOST', () => '192.0.2.1'],
  ['STORAGE', (file: string) => `local:${file}`],
  ['AUDIT_HEADS', (file: string) => `file:${file}/heads`],
  ['DATABASE_URL', (file: string) => `sqlite:${file}/shop.sqlite`],
  ['DATABASE_URL', (file: string) => `sqlite:${file}`],
])('%s that cannot be used stops the start with one line that names it', async (name, makeValue) => {
  const { folder, files } = makeFolder()
  const file = join(folder, 'file')
  writeFileSync(file, 'not a database, and long enough to be the header of one'.repeat(10), { mode: 0o600 })
  const { code, output } = await runToEnd({ ...productionEnv, ...files, [name]: makeValue(file) })
  expect(code).toBe(1)
  expect(output).toMatch(new RegExp(`^${name}: [^\\n]+\\n$`))
})

test('a folder as the database keeps its permissions', async () => {
  const { folder, files } = makeFolder()
  chmodSync(folder, 0o755)
  const { code, output } = await runToEnd({ ...productionEnv, ...files, DATABASE_URL: `sqlite:${folder}` })
  expect({ code, output }).toEqual({
    code: 1,
    output: expect.stringMatching(/^DATABASE_URL: EISDIR[^\n]+\n$/),
  })
  expect((statSync(folder).mode & 0o777).toString(8)).toBe('755')
})

eachEngine((_engine, _openDb, openWithUrl) => {
  test.each(['1', '2'])('a port in use stops a start of %s processes before any job', async (processes) => {
    const { db, url } = await openWithUrl()
    // The first run of a job deletes it.
    const expired = { keyHash: 'expired', hits: 1, endsAt: new Date(0) }
    await db.insertInto('rateLimits').values(expired).execute()
    const port = await freePort()
    const blocker = createServer().listen(port, '127.0.0.1')
    try {
      const { code, output } = await runToEnd({
        ...productionEnv,
        PUBLIC_ORIGIN: `http://localhost:${port}`,
        PORT: String(port),
        DATABASE_URL: url,
        STORAGE: makeFolder().files.STORAGE,
        WEB_CONCURRENCY: processes,
      })
      expect(code).toBe(1)
      // Of several processes, each says it. One that ends with the primary may log more.
      expect(output).toMatch(/^PORT: [^\n]*EADDRINUSE[^\n]*$/m)
      expect(await db.selectFrom('rateLimits').select('keyHash').execute()).toEqual([{ keyHash: 'expired' }])
    } finally {
      await new Promise((done) => blocker.close(done))
    }
  })
})

/** A folder of the test's own, and in it the files of a production shop. */
function makeFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'meridian-start-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const [DATABASE_URL, STORAGE] = [`sqlite:${join(folder, 'shop.sqlite')}`, `local:${join(folder, 'files')}`]
  return { folder, files: { DATABASE_URL, STORAGE, PORT: '0' } }
}
