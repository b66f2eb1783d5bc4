import { freePort } from '#tests/support/free-port.ts'
import { spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'

export type RawServer = { origin: string; pid: number; readyMs: number; stop: () => Promise<unknown> }

/** It indexes the catalog first. */
const startLimitMs = 120_000

const bareHttp = (port: number): string[] => [
  '-e',
  `require('node:http').createServer((_, response) => response.end('ok')).listen(${port}, '127.0.0.1')`,
]

/**
 * Starts the raw server of a database, or without one a bare `node:http`, and waits for its first
 * response.
 */
export async function startRawServer(databaseUrl: string | null): Promise<RawServer> {
  const port = await freePort()
  const started = performance.now()
  const args = databaseUrl
    ? ['--import', 'tsx', 'tests/bench/raw-server.ts', databaseUrl, String(port)]
    : bareHttp(port)
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'ignore', 'inherit'],
    // React's development build is several times slower.
    env: { ...process.env, NODE_ENV: 'production' },
  })
  const ended = new Promise<void>((done) => child.once('exit', () => done()))
  const origin = `http://127.0.0.1:${port}`
  for (;;) {
    try {
      await (await fetch(`${origin}/plain`)).text()
      break
    } catch (error) {
      if (!(error instanceof TypeError) || performance.now() - started > startLimitMs) throw error
      await sleep(5)
    }
  }
  const stop = async (): Promise<void> => {
    child.kill()
    await ended
  }
  return { origin, pid: child.pid ?? 0, readyMs: performance.now() - started, stop }
}
