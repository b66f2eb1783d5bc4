import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from './free-port.ts'
import { productionEnv } from './production-env.ts'
import { processEnv, startCommand } from './start-command.ts'

const nodeOptions = startCommand.slice(1, -1)
const script = startCommand.at(-1) ?? ''

/** For a busy machine. Only a shop that hangs reaches it. */
const startLimitMs = 120_000
/** Of a shop's output, the end is kept: one that dies has written why. */
const outputLimit = 4000

export type RunningShop = {
  origin: string
  pid: number
  /** From the start of the process until it is ready. */
  readyMs: number
  /** Stops it with SIGTERM. Returns its exit code. */
  stop: () => Promise<number | null>
  /** Kills it like a crash, and waits until it has ended. */
  kill: () => Promise<void>
}

/**
 * Starts the built shop as a separate process in demo mode on a free port. Waits until it is ready.
 * If it ends later without its stop or kill, that is printed with the end of its output: its
 * clients see only that nothing listens.
 * @param databaseUrl `sqlite:…` or `postgres://…`
 */
export async function startShop(
  databaseUrl: string,
  options: {
    demoCatalog?: boolean
    env?: Record<string, string>
    /** Its working directory, which contains its data by default. */
    cwd?: string
    onLog?: (text: string) => void
    /** By default, a free port. */
    port?: number
    /** The folder of another build. */
    folder?: string
    /** Options of Node. */
    node?: readonly string[]
  } = {},
): Promise<RunningShop> {
  const port = options.port ?? (await freePort())
  const files = mkdtempSync(join(tmpdir(), 'meridian-files-'))
  const started = performance.now()
  const child = spawn(
    process.execPath,
    [...nodeOptions, ...(options.node ?? []), resolve(options.folder ?? '.', script), '--demo'],
    {
      cwd: options.cwd,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...process.env,
        ...processEnv,
        PORT: String(port),
        DATABASE_URL: databaseUrl,
        DEMO_CATALOG: options.demoCatalog === false ? 'none' : 'demo',
        // It takes seconds, and its orders would be in every list.
        DEMO_HISTORY: 'none',
        LOG_LEVEL: 'error',
        // A machine that runs tests is late for other reasons.
        OVERLOAD_DELAY_MS: '0',
        // A shop on Postgres would create local secrets next to the sources.
        ENCRYPTION_KEYS: productionEnv.ENCRYPTION_KEYS,
        SESSION_SECRET: productionEnv.SESSION_SECRET,
        STORAGE: `local:${files}`,
        ...options.env,
      },
    },
  )
  let output = ''
  child.stderr.setEncoding('utf8').on('data', keepEnd)
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    keepEnd(text)
    options.onLog?.(text)
  })
  function keepEnd(text: string): void {
    output = (output + text).slice(-outputLimit)
  }
  const describeEnd = (): string =>
    `exit code ${child.exitCode}, signal ${child.signalCode}. ${output.trim()}`
  const ended = new Promise<void>((done) => child.once('close', () => done()))
  let sent: 'SIGTERM' | 'SIGKILL' | null = null
  const end = async (signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null> => {
    sent ??= signal
    child.kill(signal)
    await ended
    rmSync(files, { recursive: true, force: true })
    return child.exitCode
  }
  const stop = (): Promise<number | null> => end('SIGTERM')
  const kill = async (): Promise<void> => void (await end('SIGKILL'))
  const origin = `http://localhost:${port}`
  while (!(await isReady(origin))) {
    if (child.exitCode !== null || performance.now() - started > startLimitMs) {
      await stop()
      throw new Error(`The shop did not start: ${describeEnd()}`)
    }
    await sleep(25)
  }
  child.once('close', () => {
    // One that had ended when it was killed has an exit code.
    if (sent === null || (sent === 'SIGKILL' && child.exitCode !== null))
      console.error(`The shop of ${origin} ended by itself: ${describeEnd()}`)
  })
  return { origin, pid: child.pid ?? 0, readyMs: performance.now() - started, stop, kill }
}

async function isReady(origin: string): Promise<boolean> {
  try {
    const response = await fetch(`${origin}/readyz`)
    await response.arrayBuffer()
    return response.ok
  } catch (error) {
    // The server does not listen yet.
    if (error instanceof TypeError) return false
    throw error
  }
}
