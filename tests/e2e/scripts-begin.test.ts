import { expect, test } from '#tests/support/browser.ts'
import { addPrescription, signInNewCustomer, uploadIdDocument } from '#tests/support/customer.ts'
import { holdScripts, openWithoutScripts, scriptsHaveStarted } from '#tests/support/delayed-scripts.ts'
import { addToCart } from '#tests/support/shopping.ts'
import { signIn } from '#tests/support/signing-in.ts'
import type { Page } from '@playwright/test'

declare global {
  interface Window {
    /** The position of each visible element before the scripts start. */
    initialPositions: Map<Element, DOMRect>
    /** How many timers of the search were held back when the filter was rendered. */
    heldSearches: number
  }
}

/** Text and controls. A toast's late module replaces it in place, so toasts do not count. */
const elements =
  ':is(a, button, input, select, textarea, summary, label, h1, h2, h3, p, li, dd, td, img):not(.toasts *)'

/** Records the position of each visible element. Returns their number. */
const recordPositions = (page: Page): Promise<number> =>
  page.evaluate((selector) => {
    window.initialPositions = new Map()
    for (const element of document.querySelectorAll(selector)) {
      if (element.checkVisibility()) window.initialPositions.set(element, element.getBoundingClientRect())
    }
    return window.initialPositions.size
  }, elements)

/** Up to nine elements whose position or size changed, or that were removed. */
const listShifts = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const rounded = ({ x, y, width, height }: DOMRect) =>
      [x, y, width, height].map((length) => Math.round(length)).join(' ')
    const shifts = [...window.initialPositions].flatMap(([element, before]) => {
      const now = element.isConnected ? rounded(element.getBoundingClientRect()) : 'removed'
      const name = `${element.localName} "${element.textContent.trim().slice(0, 30)}"`
      return now === rounded(before) ? [] : [`${name}: ${rounded(before)} -> ${now}`]
    })
    return shifts.slice(0, 9)
  })

/** The first link of a list to one of its entries. */
async function firstEntryOf(page: Page, list: string): Promise<string> {
  await page.goto(list)
  return (await page.locator(`main a[href^="${list}/"]`).first().getAttribute('href')) ?? ''
}

type Visit = { prepare: (page: Page) => Promise<unknown>; paths: string[]; list: string }

const visits: Record<string, Visit> = {
  visitor: {
    prepare: async () => {},
    paths: ['/', '/products', '/brands', '/contact', '/faq', '/login', '/register'],
    list: '/products',
  },
  buyer: {
    prepare: async (page) => {
      await signInNewCustomer(page)
      await addToCart(page)
    },
    paths: ['/cart', '/checkout'],
    list: '/products',
  },
  customer: {
    prepare: (page) => signIn(page),
    paths: [
      '/profile',
      '/orders',
      '/order-history',
      '/prescriptions',
      '/prescriptions/upload',
      '/account/security',
    ],
    list: '/orders',
  },
  admin: {
    prepare: async (page) => {
      await signInNewCustomer(page)
      await uploadIdDocument(page)
      await addPrescription(page)
      await signIn(page, 'admin')
    },
    paths: [
      '/admin',
      '/admin/products',
      '/admin/variants',
      '/admin/variants/import',
      '/admin/inventory',
      '/admin/manufacturers',
      '/admin/pharmacies',
      '/admin/orders?status=delivered',
      '/admin/prescriptions',
      '/admin/settings',
    ],
    list: '/admin/orders',
  },
}

async function expectNoShifts(page: Page, path: string): Promise<void> {
  const where = `${path} at ${page.viewportSize()?.width} px`
  const release = await holdScripts(page)
  await openWithoutScripts(page, path)
  expect(await recordPositions(page), where).toBeGreaterThan(9)
  release()
  await scriptsHaveStarted(page)
  expect.soft(await listShifts(page), where).toEqual([])
  await page.unroute('**/assets/*.js')
}

for (const [role, { prepare, paths, list }] of Object.entries(visits)) {
  test(`${role}: the layout does not shift at either width when the scripts start`, async ({
    page,
    context,
  }) => {
    await prepare(page)
    const narrow = await context.newPage()
    await narrow.setViewportSize({ width: 360, height: 800 })
    await page.setViewportSize({ width: 1280, height: 800 })
    for (const path of [...paths, await firstEntryOf(page, list)]) {
      // In parallel, because most of the time is spent waiting for the last request.
      await Promise.all([page, narrow].map((each) => expectNoShifts(each, path)))
    }
  })
}

test('a search and a filter entered before the scripts start are applied', async ({ page }) => {
  await signIn(page, 'admin')
  const category = page.getByRole('combobox', { name: 'Category' })
  const release = await holdScripts(page)
  await openWithoutScripts(page, '/admin/products')
  await page.getByLabel('Search products').fill('naproxen')
  await category.selectOption('OTC')
  release()
  await expect(page).toHaveURL(/\?(?=.*q=naproxen)(?=.*category=otc)/i)
  await expect(page.getByLabel('Search products')).toHaveValue('naproxen')
  await expect(category).toHaveValue(/otc/i)
  await expect(page.getByRole('grid', { name: 'Products' }).getByRole('row').nth(1)).toContainText('Naproxen')
})

test('two changes in one event loop turn both apply, even on two grids', async ({ page }) => {
  await signIn(page, 'admin')
  await page.goto('/admin/inventory')
  await scriptsHaveStarted(page)
  await page.getByRole('combobox', { name: 'Filter by variant' }).fill('ibuprofen')
  await page.getByLabel('Search inventory').fill('naproxen')
  await page.evaluate(() => {
    // The search submits when it loses focus. The ledger's filter submits before the page shows
    // the result of the search.
    document.querySelector<HTMLInputElement>('input[name=q]')?.blur()
    document.querySelector<HTMLInputElement>('input[name="history.variant"]')?.form?.requestSubmit()
  })
  await expect(page).toHaveURL(/\?(?=.*q=naproxen)(?=.*history\.variant=ibuprofen)/)
})

test('a search that starts between a filter and its repaint keeps the filter', async ({ page }) => {
  await page.addInitScript((searchDelayMs) => {
    // Holds the search's timer until the filter is rendered. An observer runs right after the
    // render, before React's effects replace the timer.
    let startSearch = (): void => {}
    let heldSearches = 0
    const wait = window.setTimeout.bind(window)
    window.setTimeout = ((run: () => void, ms?: number) => {
      if (ms !== searchDelayMs) return wait(run, ms)
      startSearch = run
      heldSearches++
      return 0
    }) as typeof window.setTimeout
    new MutationObserver(() => {
      if (!document.querySelector('form[role=search] input[name=category]')) return
      startSearch()
      window.heldSearches = heldSearches
    }).observe(document, { childList: true, subtree: true })
  }, 120)
  await signIn(page, 'admin')
  await page.goto('/admin/products')
  await scriptsHaveStarted(page)
  await page.getByLabel('Search products').pressSequentially('naproxen')
  await page.evaluate(() => {
    // Selected without a click, which would take the focus and start the search.
    const category = document.querySelector<HTMLSelectElement>('select[name=category]')
    if (!category) return
    category.value = 'OTC'
    category.dispatchEvent(new Event('change', { bubbles: true }))
  })
  await expect(page).toHaveURL(/\?(?=.*q=naproxen)(?=.*category=otc)/i)
  await expect(page.getByRole('combobox', { name: 'Category' })).toHaveValue('OTC')
  expect(await page.evaluate(() => window.heldSearches)).toBeGreaterThan(0)
})
