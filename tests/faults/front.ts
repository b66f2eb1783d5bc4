import { freePort } from '#tests/support/free-port.ts'
import { trustAuthority } from '#tests/support/http-client.ts'
import { spawn, type ChildProcess } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'

const startLimitMs = 20_000

export type Front = {
  /** The https origin that clients see. */
  origin: string
  /** DATABASE_URL through the pooler. */
  pooledUrl: string
  close: () => Promise<void>
}

/**
 * Starts Debian's Caddy and PgBouncer by the files in deploy/, between clients, these shops and
 * this Postgres. The certificate is of Caddy's own authority.
 */
export async function openFront(databaseUrl: string, shopPorts: readonly number[]): Promise<Front> {
  const home = mkdtempSync('/tmp/meridian-front-')
  chmodSync(home, 0o755)
  const children: ChildProcess[] = []
  const run = (command: string, args: string[], env: Record<string, string> = {}): void => {
    const child = spawn(command, args, { stdio: 'ignore', env: { ...process.env, ...env } })
    child.on('error', () => {})
    children.push(child)
  }
  const close = async (): Promise<void> => {
    await Promise.all(children.map(end))
    rmSync(home, { recursive: true, force: true })
  }
  try {
    const [poolerPort, httpPort, httpsPort] = [await freePort(), await freePort(), await freePort()]
    const { port, pathname, username } = new URL(databaseUrl)
    const database = pathname.slice(1)
    const ini = readFileSync('deploy/pgbouncer.ini', 'utf8')
      .replace(/^meridian = .*$/m, `${database} = host=127.0.0.1 port=${port} user=${username}`)
      .replace(/^listen_addr =.*$/m, 'listen_addr = 127.0.0.1')
      .replace(/^listen_port =.*$/m, `listen_port = ${poolerPort}`)
      .replace(/^unix_socket_dir =.*$/m, 'unix_socket_dir =')
      .replace(/^auth_type =.*$/m, 'auth_type = any')
      .replace(/^auth_file =.*$/m, '')
    writeFileSync(join(home, 'pgbouncer.ini'), ini)
    // It refuses to run as root.
    const user = process.getuid?.() === 0 ? ['-u', 'postgres'] : []
    run('pgbouncer', ['-q', ...user, join(home, 'pgbouncer.ini')])
    mkdirSync(join(home, 'caddy'))
    run('caddy', ['run', '--config', 'deploy/Caddyfile', '--adapter', 'caddyfile'], {
      XDG_DATA_HOME: join(home, 'caddy'),
      XDG_CONFIG_HOME: join(home, 'caddy'),
      CADDY_ADMIN: 'off',
      HTTP_PORT: String(httpPort),
      HTTPS_PORT: String(httpsPort),
      SHOP_HOST: 'localhost',
      SHOP_TLS: 'internal',
      SHOP_UPSTREAMS: shopPorts.map((shop) => `127.0.0.1:${shop}`).join(' '),
    })
    await setDefaults(databaseUrl, database)
    await Promise.all([whenListening(poolerPort), whenListening(httpsPort)])
    trustAuthority(readFileSync(join(home, 'caddy/caddy/pki/authorities/local/root.crt'), 'utf8'))
    return {
      origin: `https://localhost:${httpsPort}`,
      pooledUrl: `postgres://${username}@127.0.0.1:${poolerPort}/${database}?pooler=transaction`,
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

/** The settings that deploy/pgbouncer.ini asks the owner for. */
async function setDefaults(url: string, database: string): Promise<void> {
  const ini = readFileSync('deploy/pgbouncer.ini', 'utf8')
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    for (const [, setting] of ini.matchAll(/ALTER DATABASE meridian (SET .*)$/gm)) {
      await client.query(`alter database "${database}" ${setting}`)
    }
  } finally {
    await client.end()
  }
}

function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.pid === undefined) return Promise.resolve()
  const ended = new Promise<void>((done) => child.once('exit', () => done()))
  child.kill('SIGKILL')
  return ended
}

async function whenListening(port: number): Promise<void> {
  const until = Date.now() + startLimitMs
  while (!(await accepts(port))) {
    if (Date.now() > until) throw new Error(`Nothing listens on ${port}. Are pgbouncer and caddy installed?`)
    await sleep(50)
  }
}

const accepts = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
