import { freePort } from '#tests/support/free-port.ts'
import { spawn, type ChildProcess } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'

const startLimitMs = 20_000

export type Pooler = {
  /** DATABASE_URL through it. */
  url: string
  close: () => Promise<void>
}

/** Starts Debian's PgBouncer by the file in deploy/, in front of this Postgres. */
export async function openPooler(databaseUrl: string): Promise<Pooler> {
  const home = mkdtempSync('/tmp/meridian-pooler-')
  chmodSync(home, 0o755)
  const poolerPort = await freePort()
  const { hostname, port, pathname, username } = new URL(databaseUrl)
  const database = pathname.slice(1)
  const ini = readFileSync('deploy/pgbouncer.ini', 'utf8')
    .replace(/^meridian = .*$/m, `${database} = host=${hostname} port=${port} user=${username}`)
    .replace(/^listen_addr =.*$/m, 'listen_addr = 127.0.0.1')
    .replace(/^listen_port =.*$/m, `listen_port = ${poolerPort}`)
    .replace(/^unix_socket_dir =.*$/m, 'unix_socket_dir =')
    .replace(/^auth_type =.*$/m, 'auth_type = any')
    .replace(/^auth_file =.*$/m, '')
  writeFileSync(join(home, 'pgbouncer.ini'), ini)
  // It refuses to run as root.
  const user = process.getuid?.() === 0 ? ['-u', 'postgres'] : []
  const child = startProgram('pgbouncer', ['-q', ...user, join(home, 'pgbouncer.ini')])
  const close = async (): Promise<void> => {
    await endProgram(child)
    rmSync(home, { recursive: true, force: true })
  }
  try {
    await setDefaults(databaseUrl, database)
    await whenListening(poolerPort)
    return {
      url: `postgres://${username}@127.0.0.1:${poolerPort}/${database}?pooler=transaction`,
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

export function startProgram(
  command: string,
  args: readonly string[],
  env: Record<string, string> = {},
): ChildProcess {
  const child = spawn(command, args, { stdio: 'ignore', env: { ...process.env, ...env } })
  // A missing program shows when nothing listens.
  child.on('error', () => {})
  return child
}

export function endProgram(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.pid === undefined) return Promise.resolve()
  const ended = new Promise<void>((done) => child.once('exit', () => done()))
  child.kill('SIGKILL')
  return ended
}

export async function whenListening(port: number): Promise<void> {
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
