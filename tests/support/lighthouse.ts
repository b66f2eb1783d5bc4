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
  /** The audits that kept a category below 100. */
  shortOf100: string[]
  /** The value of an audit in its own unit: milliseconds, or none for CLS. */
  figure: (audit: 'largest-contentful-paint' | 'total-blocking-time' | 'cumulative-layout-shift') => number
}

const startLimitMs = 15_000

export type Auditor = {
  /**
   * Lighthouse simulates the timings from an unthrottled visit. With `observed`, it throttles the
   * network and the processor and measures.
   */
  audit: (url: string, categories: readonly Category[], timings?: 'observed') => Promise<Report>
  stop: () => Promise<void>
}

/** Starts a browser for Lighthouse, which controls it over a port. */
export async function startBrowser(): Promise<Auditor> {
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
    // A process group of its own, so that `stop` ends every process. A remaining one would write
    // into the deleted folder.
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
  if (!result) throw new Error(`Lighthouse returned no result for ${url}.`)
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
