import lighthouse from 'lighthouse'
import { spawn } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findChromium } from './chromium.ts'
import { freePort } from './free-port.ts'

export type Category = 'accessibility' | 'best-practices' | 'seo' | 'performance'

export type Report = {
  /** 0 to 100 by category. */
  scores: Partial<Record<Category, number>>
  /** What kept a category from 100, by the audit's own name. */
  shortOf100: string[]
  /** The figure of an audit in its own unit (milliseconds; CLS has none). */
  figure: (audit: 'largest-contentful-paint' | 'total-blocking-time' | 'cumulative-layout-shift') => number
}

const startLimitMs = 15_000

/** A browser of its own for Lighthouse, which drives it over a port. */
export async function startBrowser(): Promise<{
  /** Timings are simulated from an unhindered visit, or `observed` on a line and a processor really slowed down. */
  audit: (url: string, categories: readonly Category[], timings?: 'observed') => Promise<Report>
  stop: () => Promise<void>
}> {
  const { executablePath, args, env } = await findChromium()
  const port = await freePort()
  const profile = mkdtempSync(join(tmpdir(), 'meridian-lighthouse-'))
  const child = spawn(
    executablePath,
    [
      ...args,
      '--headless=new',
      `--remote-debugging-port=${port}`,
      `--user-data-dir=${profile}`,
      'about:blank',
    ],
    // A group of its own, so that it ends with all its processes: one that lives on writes into the folder that is deleted.
    { stdio: 'ignore', detached: true, env: { ...process.env, ...env } },
  )
  const ended = new Promise<void>((done) => child.once('exit', () => done()))
  const stop = async (): Promise<void> => {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGKILL')
    await ended
    await rm(profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 })
  }
  try {
    await waitFor(`http://127.0.0.1:${port}/json/version`)
  } catch (error) {
    await stop()
    throw error
  }
  return { audit: (url, categories, timings) => audit(url, port, categories, timings), stop }
}

async function waitFor(url: string): Promise<void> {
  const started = performance.now()
  for (;;) {
    try {
      await (await fetch(url)).text()
      return
    } catch (error) {
      if (!(error instanceof TypeError) || performance.now() - started > startLimitMs) throw error
      await sleep(50)
    }
  }
}

async function audit(
  url: string,
  port: number,
  categories: readonly Category[],
  timings?: 'observed',
): Promise<Report> {
  const result = await lighthouse(url, {
    port,
    logLevel: 'error',
    onlyCategories: [...categories],
    throttlingMethod: timings === 'observed' ? 'devtools' : 'simulate',
  })
  if (!result) throw new Error(`Lighthouse said nothing of ${url}.`)
  const { lhr } = result
  if (lhr.runtimeError) throw new Error(`Lighthouse failed on ${url}: ${lhr.runtimeError.message}`)
  const scores: Report['scores'] = {}
  const shortOf100: string[] = []
  for (const id of categories) {
    const category = lhr.categories[id]
    if (!category) throw new Error(`Lighthouse has no category ${id}.`)
    scores[id] = Math.round((category.score ?? 0) * 100)
    for (const { id: name, weight } of category.auditRefs) {
      const { score, scoreDisplayMode, title } = lhr.audits[name] ?? {}
      if (weight > 0 && score !== 1 && scoreDisplayMode !== 'notApplicable' && scoreDisplayMode !== 'manual')
        shortOf100.push(`${id}: ${title} (${name}) ${score}`)
    }
  }
  return { scores, shortOf100, figure: (name) => lhr.audits[name]?.numericValue ?? Number.NaN }
}
