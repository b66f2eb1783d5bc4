import { startBrowser, type Report } from '#tests/support/lighthouse.ts'
import { startShop } from '#tests/support/start-shop.ts'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { measureInteractions, median } from './interactions.ts'

/**
 * `npm run bench:pages`: how long a person with an average phone waits in the built demo shop. It
 * runs Lighthouse's mobile profile, the median of five: once simulated, which gives its score, and
 * once observed with the network and the processor actually slowed down. Then it prints the slowest
 * event of each interaction with the processor four times slower.
 */
const rounds = 5

const folder = mkdtempSync(join(tmpdir(), 'meridian-pages-'))
const shop = await startShop(`sqlite:${join(folder, 'shop.sqlite')}`)

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

try {
  const product = await firstProduct()
  await measureLoading({ home: '/', products: '/products', product, brands: '/brands', faq: '/faq' })
  const phone = { viewport: { width: 390, height: 800 } }
  await measureInteractions(
    shop.origin,
    [
      {
        name: 'type in the search',
        path: '/',
        act: (page) => page.getByRole('combobox').first().pressSequentially('ibupr'),
      },
      { name: 'choose a variant', path: product, act: (page) => page.getByRole('radio').nth(1).check() },
      {
        name: 'add to the cart',
        path: product,
        act: (page) => page.getByRole('button', { name: 'Add to Cart' }).click(),
      },
      {
        name: 'open the cart',
        path: '/',
        act: (page) => page.getByRole('button', { name: /^Cart/ }).click(),
      },
      {
        name: 'switch the theme',
        path: '/products',
        act: (page) => page.getByRole('button', { name: 'Switch theme' }).click(),
      },
    ],
    phone,
  )
} finally {
  await shop.stop()
  rmSync(folder, { recursive: true, force: true })
}
