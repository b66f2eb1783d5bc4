import { startCommand } from '#tests/support/commands.ts'
import { eachEngine } from '#tests/support/engines.ts'
import { freePort } from '#tests/support/free-port.ts'
import { productionEnv } from '#tests/support/production-env.ts'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

/**
 * Runs a bundle of `npm run dev` until it ends. A run that hangs is killed and has no exit code.
 * Its folder has no pages: with pages, Vite would rewrite the route types that checks read.
 */
async function runDev(env: Record<string, string>) {
  const { ENCRYPTION_KEYS, SESSION_SECRET } = productionEnv
  const { child, ended } = startCommand('dev', {
    cwd: makeFolder(),
    env: {
      ENCRYPTION_KEYS,
      SESSION_SECRET,
      DEMO_CATALOG: 'none',
      DEMO_HISTORY: 'none',
      LOG_LEVEL: 'error',
      ...env,
    },
  })
  // Less than an idle connection stays open.
  const limit = setTimeout(() => child.kill('SIGKILL'), 50_000)
  const { code, err } = await ended
  clearTimeout(limit)
  return { code, err }
}

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'meridian-dev-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

eachEngine((_engine, _openDb, openWithUrl) => {
  test('a storage that cannot be used ends the start of npm run dev with one line', async () => {
    const { url } = await openWithUrl()
    const file = join(makeFolder(), 'file')
    writeFileSync(file, '')
    const { code, err } = await runDev({ DATABASE_URL: url, STORAGE: `local:${file}` })
    expect({ code, err }).toEqual({ code: 1, err: expect.stringMatching(/^STORAGE: [^\n]+\n$/) })
  })

  test('a port that is in use ends the start of npm run dev with one line', async () => {
    const { url } = await openWithUrl()
    const port = await freePort()
    const blocker = createServer().listen(port, '127.0.0.1')
    try {
      const STORAGE = `local:${makeFolder()}`
      const { code, err } = await runDev({ DATABASE_URL: url, STORAGE, PORT: String(port) })
      const line = expect.stringMatching(/^PORT: [^\n]*EADDRINUSE[^\n]*\n$/)
      expect({ code, err }).toEqual({ code: 1, err: line })
    } finally {
      await new Promise((done) => blocker.close(done))
    }
  })
})
