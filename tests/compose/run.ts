import { productionEnv } from '#tests/support/production-env.ts'
import { readArguments } from '#tests/support/read-arguments.ts'
import { keepVisiting, type Sent } from '#tests/faults/visitors.ts'
import { execFile, execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { Agent } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'

/**
 * `npm run test:compose`: carries out "First start with Compose" of docs/operations.md with the
 * committed version, in a folder and a project of its own, then deploys a new version under load,
 * kills a shop, and runs the scheduled commands. Needs root, a container engine and free ports 80
 * and 443. Exits 1 at the first step that fails.
 */
const usage = "npm run test:compose -- [--compose 'docker compose'] [--no-build]"
const { values: options } = readArguments(usage, {
  options: {
    compose: { type: 'string', default: 'docker compose' },
    'no-build': { type: 'boolean', default: false },
  },
})

const project = 'meridian-rehearsal'
const host = 'shop.example'
const shops = ['shop-1', 'shop-2']
const pages = ['/', '/products', '/api/products?limit=24', '/cart'].map((path) => `https://${host}${path}`)
const readyLimitMs = 120_000
/**
 * When the proxy has seen that a shop is ready: it looks once a second, and a look at the address
 * of the container before may take its whole limit of three seconds.
 */
const proxyMs = 5000

const root = mkdtempSync(join(tmpdir(), 'meridian-compose-'))
const folder = join(root, 'deploy')

async function compose(...args: string[]): Promise<string> {
  const [program = '', ...rest] = options.compose.split(' ')
  const all = [...rest, '-p', project, '-f', 'compose.yaml', ...args]
  const { stdout } = await promisify(execFile)(program, all, { cwd: folder, maxBuffer: Infinity })
  return stdout.trim()
}

const inService = (service: string, ...command: string[]): Promise<string> =>
  compose('exec', '-T', service, ...command)

async function build(): Promise<void> {
  if (!options['no-build']) await compose('--profile', 'commands', 'build')
}

/** Runs the commands of the manual, with a certificate of Caddy's own authority. */
function prepare(): void {
  execFileSync('git', ['clone', '--quiet', '.', root])
  const manual = readFileSync('docs/operations.md', 'utf8').split('## First start with Compose')[1] ?? ''
  const commands = /```sh\n(.*?)```/s.exec(manual)?.[1] ?? ''
  execFileSync('bash', ['-euc', commands.replace(/^SHOP_TLS=.*/m, 'SHOP_TLS=internal')], {
    cwd: folder,
    stdio: 'pipe',
  })
  const secrets = {
    ENCRYPTION_KEYS: `rehearsal:${randomBytes(32).toString('base64')}`,
    SESSION_SECRET: randomBytes(32).toString('base64'),
    STRIPE_SECRET_KEY: productionEnv.STRIPE_SECRET_KEY,
    STRIPE_PUBLISHABLE_KEY: productionEnv.STRIPE_PUBLISHABLE_KEY,
    STRIPE_WEBHOOK_SECRET: productionEnv.STRIPE_WEBHOOK_SECRET,
  }
  for (const [name, value] of Object.entries(secrets)) {
    appendFileSync(join(folder, 'shop.env'), `${name}=${value}\n`)
  }
  const file = join(folder, 'compose.yaml')
  // The project has another name here, and Docker Compose 1.29 does not know the key.
  writeFileSync(file, readFileSync(file, 'utf8').replace(/^name: .*\n/m, ''))
}

/** Waits until the service answers the probe that its proxy sends. */
async function whenReady(service: string): Promise<void> {
  const probe = `fetch('http://127.0.0.1:3000/readyz').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))`
  for (const until = performance.now() + readyLimitMs; ; await sleep(500)) {
    try {
      await inService(service, 'node', '-e', probe)
      return
    } catch (error) {
      if (performance.now() > until) throw error
    }
  }
}

async function start(): Promise<void> {
  await build()
  await compose('up', '-d')
  for (const shop of shops) await whenReady(shop)
  await inService('shop-1', 'node_modules/.bin/tsx', 'scripts/db.ts', 'seed')
}

/**
 * Throws if a process may gain privileges, or if a shop has a capability or may write outside /tmp.
 */
async function checkConfinement(): Promise<void> {
  for (const service of [...shops, 'postgres', 'replica', 'pgbouncer', 'caddy', 'store']) {
    const status = await inService(service, 'cat', '/proc/1/status')
    if (!/^NoNewPrivs:\s1$/m.test(status)) throw new Error(`${service} may gain privileges.`)
    if (shops.includes(service) && !/^CapBnd:\s0+$/m.test(status)) {
      throw new Error(`${service} has capabilities.`)
    }
  }
  for (const shop of shops) {
    const facts = await inService(
      shop,
      'sh',
      '-c',
      'id -u; touch /tmp/x && echo writable; touch /shop/x 2>/dev/null || echo fixed',
    )
    if (facts !== '1000\nwritable\nfixed') throw new Error(`${shop}: ${facts}`)
  }
}

/**
 * Loads pages from both shops by the proxy, over TLS, while `change` runs. Throws if one is not
 * answered with 200.
 */
async function underLoad(change: () => Promise<void>): Promise<string> {
  const ca = await inService('caddy', 'cat', '/data/caddy/pki/authorities/local/root.crt')
  const sent: Sent[] = []
  const stopping = new AbortController()
  const visitors = Array.from({ length: 8 }, () => {
    const agent = new Agent({
      keepAlive: true,
      ca,
      lookup: (_name, _options, found) => found(null, [{ address: '127.0.0.1', family: 4 }]),
    })
    return keepVisiting(pages, { pauseMs: 5, signal: stopping.signal, agent }, (one) => sent.push(one))
  })
  try {
    await sleep(proxyMs)
    await change()
    await sleep(proxyMs)
  } finally {
    stopping.abort()
    await Promise.all(visitors)
  }
  const dropped = sent.filter(({ status }) => status !== 200)
  const [first] = dropped
  if (first) {
    // The proxy says 10 when no shop is ready, and a shop that sheds load less.
    const how = `${first.status} after ${Math.round(first.ms)} ms, Retry-After ${first.retryAfter}`
    throw new Error(`${dropped.length} of ${sent.length} requests: ${how}`)
  }
  return `${sent.length} requests, 0 dropped`
}

/** Builds the same release as version 2, then replaces the shops in turn, as "Deploy" says. */
async function deploy(): Promise<string> {
  appendFileSync(join(folder, '.env'), 'MERIDIAN_VERSION=2\n')
  await build()
  return underLoad(async () => {
    for (const shop of shops) {
      await compose('up', '-d', '--no-deps', shop)
      await whenReady(shop)
      await sleep(proxyMs)
    }
  })
}

/** When the container was started, in ticks since the machine booted. */
const startOf = async (service: string): Promise<string | undefined> =>
  (await inService(service, 'cat', '/proc/1/stat')).split(' ')[21]

/** Kills the server in its container. The engine starts it again. */
async function kill(): Promise<void> {
  const script = `const { readdirSync, readFileSync } = require('node:fs')
    const command = (pid) => readFileSync('/proc/' + pid + '/cmdline', 'utf8')
    const pids = readdirSync('/proc').filter((pid) => /^\\d+$/.test(pid))
    process.kill(Number(pids.find((pid) => command(pid).startsWith('node\\0--max-semi'))), 'SIGKILL')`
  const before = await startOf('shop-2')
  // Detached: the engine may not answer for a command that ends its own container.
  await compose('exec', '-d', 'shop-2', 'node', '-e', script)
  await sleep(proxyMs)
  await whenReady('shop-2')
  if ((await startOf('shop-2')) === before) throw new Error('shop-2 was not killed.')
}

/** Runs a service of the profile "commands". Returns its last line. */
const runOnce = async (service: string): Promise<string> =>
  (await compose('run', '--rm', '-T', service)).split('\n').at(-1) ?? ''

const steps: Record<string, () => Promise<string | void>> = {
  'first start': start,
  'confined processes': checkConfinement,
  'new version under load': deploy,
  'killed shop under load': () => underLoad(kill),
  backup: () => runOnce('backup'),
  drill: () => runOnce('drill'),
  verify: () => runOnce('verify'),
  'base-backup': () => runOnce('base-backup'),
}

prepare()
try {
  for (const [name, run] of Object.entries(steps)) {
    const started = performance.now()
    const result = (await run()) ?? ''
    const seconds = ((performance.now() - started) / 1000).toFixed(1)
    console.log(`ok ${name.padEnd(24)} ${seconds.padStart(6)} s  ${result}`)
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
} finally {
  await compose('down', '-v')
  rmSync(root, { recursive: true })
}
