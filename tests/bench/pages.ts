import { findChromium } from '#tests/support/chromium.ts'
import { startBrowser, type Report } from '#tests/support/lighthouse.ts'
import { startShop } from '#tests/support/start-shop.ts'
import { chromium, type Page } from '@playwright/test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * `npm run bench:pages`: what a person on a middling phone waits for, in the built demo shop. Lighthouse's mobile
 * profile, the median of five, once simulated (its score) and once observed on a line and a processor really slowed
 * down; and the slowest event of each interaction with the processor four times slower.
 */
const rounds = 5
const slowdown = 4

const folder = mkdtempSync(join(tmpdir(), 'meridian-pages-'))
const shop = await startShop(`sqlite:${join(folder, 'shop.sqlite')}`)

function median(figures: readonly number[]): number {
  const middle = figures.toSorted((a, b) => a - b)[Math.floor(figures.length / 2)]
  if (middle === undefined) throw new Error('Nothing was measured.')
  return middle
}

async function firstProduct(): Promise<string> {
  const [first] = (await (await fetch(`${shop.origin}/api/products?limit=1`)).json()) as { id: string }[]
  if (!first) throw new Error('The shop is empty.')
  return `/products/${first.id}`
}

const columns = ['largest-contentful-paint', 'total-blocking-time', 'cumulative-layout-shift'] as const

async function measureLoading(paths: Record<string, string>): Promise<void> {
  const browser = await startBrowser()
  try {
    console.log('page       timings    performance  LCP ms  TBT ms    CLS')
    for (const [name, path] of Object.entries(paths)) {
      for (const timings of [undefined, 'observed'] as const) {
        const reports: Report[] = []
        for (let round = 0; round < rounds; round++) {
          reports.push(await browser.audit(shop.origin + path, ['performance'], timings))
        }
        const score = median(reports.map(({ scores }) => scores.performance ?? 0))
        const [lcp, tbt, cls] = columns.map((column) => median(reports.map(({ figure }) => figure(column))))
        console.log(
          `${name.padEnd(10)} ${(timings ?? 'simulated').padEnd(9)}  ${String(score).padStart(11)}  ` +
            `${lcp?.toFixed(0).padStart(6)}  ${tbt?.toFixed(0).padStart(6)}  ${cls?.toFixed(3).padStart(5)}`,
        )
      }
    }
  } finally {
    await browser.stop()
  }
}

/** The longest event from input to paint (Event Timing) while `act` runs. */
async function slowestEvent(page: Page, act: () => Promise<unknown>): Promise<number> {
  const seen = await page.evaluateHandle(() => {
    const durations: number[] = []
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) durations.push(entry.duration)
    }).observe({ type: 'event', durationThreshold: 16 } as PerformanceObserverInit)
    return durations
  })
  await act()
  await page.waitForTimeout(500)
  return seen.evaluate((durations) => Math.max(0, ...durations))
}

async function measureInteractions(productPath: string): Promise<void> {
  const { executablePath, args, env } = await findChromium()
  const browser = await chromium.launch({ executablePath, args, env: { ...process.env, ...env } })
  const interactions: [name: string, path: string, act: (page: Page) => Promise<unknown>][] = [
    ['type in the search', '/', (page) => page.getByRole('combobox').first().pressSequentially('ibupr')],
    ['choose a variant', productPath, (page) => page.getByRole('radio').nth(1).check()],
    ['add to the cart', productPath, (page) => page.getByRole('button', { name: 'Add to Cart' }).click()],
    ['open the cart', '/', (page) => page.getByRole('button', { name: /^Cart/ }).click()],
    ['switch the theme', '/products', (page) => page.getByRole('button', { name: 'Switch theme' }).click()],
  ]
  console.log(`\nslowest event, processor ${slowdown} times slower   ms`)
  for (const [name, path, act] of interactions) {
    const times: number[] = []
    for (let round = 0; round < rounds; round++) {
      const page = await browser.newPage({ viewport: { width: 390, height: 800 } })
      const client = await page.context().newCDPSession(page)
      await client.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
      await page.goto(shop.origin + path, { waitUntil: 'networkidle' })
      times.push(await slowestEvent(page, () => act(page)))
      await page.close()
    }
    console.log(`${name.padEnd(43)} ${median(times).toFixed(0).padStart(4)}`)
  }
  await browser.close()
}

try {
  const product = await firstProduct()
  await measureLoading({ home: '/', products: '/products', product, brands: '/brands', faq: '/faq' })
  await measureInteractions(product)
} finally {
  await shop.stop()
  rmSync(folder, { recursive: true, force: true })
}
