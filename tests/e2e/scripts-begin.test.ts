import { expect, test } from '#tests/support/browser.ts'
import { addPrescription, becomeCustomer, giveIdDocument } from '#tests/support/customer.ts'
import { holdScripts, openWithoutScripts, scriptsHaveBegun } from '#tests/support/delayed-scripts.ts'
import { addToCart } from '#tests/support/shopping.ts'
import { signIn } from '#tests/support/signing-in.ts'
import type { Page } from '@playwright/test'

declare global {
  interface Window {
    /** Where each part in sight stood before the scripts. */
    stood: Map<Element, DOMRect>
  }
}

/** What one reads and presses; a toast is put anew by its late module, where it stood. */
const parts =
  ':is(a, button, input, select, textarea, summary, label, h1, h2, h3, p, li, dd, td, img):not(.toasts *)'

/** Where all of that stands; how much it is. */
const noteWhereAllStands = (page: Page): Promise<number> =>
  page.evaluate((parts) => {
    window.stood = new Map()
    for (const element of document.querySelectorAll(parts)) {
      if (element.checkVisibility()) window.stood.set(element, element.getBoundingClientRect())
    }
    return window.stood.size
  }, parts)

/** What stands elsewhere now, is of another size, or is gone. */
const movedSince = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const rounded = ({ x, y, width, height }: DOMRect) =>
      [x, y, width, height].map((length) => Math.round(length)).join(' ')
    const moved = [...window.stood].flatMap(([element, before]) => {
      const now = element.isConnected ? rounded(element.getBoundingClientRect()) : 'gone'
      const name = `${element.localName} "${element.textContent.trim().slice(0, 30)}"`
      return now === rounded(before) ? [] : [`${name}: ${rounded(before)} -> ${now}`]
    })
    return moved.slice(0, 9)
  })

/** The first link of a page to one thing of its kind. */
async function firstOf(page: Page, list: string): Promise<string> {
  await page.goto(list)
  return (await page.locator(`main a[href^="${list}/"]`).first().getAttribute('href')) ?? ''
}

type Visit = { begin: (page: Page) => Promise<unknown>; paths: string[]; list: string }

const visits: Record<string, Visit> = {
  visitor: {
    begin: async () => {},
    paths: ['/', '/products', '/brands', '/contact', '/faq', '/login', '/register'],
    list: '/products',
  },
  buyer: {
    begin: async (page) => {
      await becomeCustomer(page)
      await addToCart(page)
    },
    paths: ['/cart', '/checkout'],
    list: '/products',
  },
  customer: {
    begin: (page) => signIn(page),
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
    begin: async (page) => {
      await becomeCustomer(page)
      await giveIdDocument(page)
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

async function expectNothingMoves(page: Page, path: string): Promise<void> {
  const where = `${path} at ${page.viewportSize()?.width} px`
  const release = await holdScripts(page)
  await openWithoutScripts(page, path)
  expect(await noteWhereAllStands(page), where).toBeGreaterThan(9)
  release()
  await scriptsHaveBegun(page)
  expect.soft(await movedSince(page), where).toEqual([])
  await page.unroute('**/assets/*.js')
}

for (const [who, { begin, paths, list }] of Object.entries(visits)) {
  test(`${who}: nothing moves under the finger at either width when the scripts begin`, async ({
    page,
    context,
  }) => {
    await begin(page)
    const narrow = await context.newPage()
    await narrow.setViewportSize({ width: 360, height: 800 })
    await page.setViewportSize({ width: 1280, height: 800 })
    for (const path of [...paths, await firstOf(page, list)]) {
      // Side by side, because most of the time goes into waiting for the last request.
      await Promise.all([page, narrow].map((each) => expectNothingMoves(each, path)))
    }
  })
}

test('what was typed and chosen over a grid before the scripts began counts', async ({ page }) => {
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

test('two changes within one turn are both kept, be they of two grids', async ({ page }) => {
  await signIn(page, 'admin')
  await page.goto('/admin/inventory')
  await scriptsHaveBegun(page)
  await page.getByRole('combobox', { name: 'Filter by variant' }).fill('ibuprofen')
  await page.getByLabel('Search inventory').fill('naproxen')
  await page.evaluate(() => {
    // The search is asked for as it loses the focus; the ledger's filter before anything of that is shown.
    document.querySelector<HTMLInputElement>('input[name=q]')?.blur()
    document.querySelector<HTMLInputElement>('input[name="history.variant"]')?.form?.requestSubmit()
  })
  await expect(page).toHaveURL(/\?(?=.*q=naproxen)(?=.*history\.variant=ibuprofen)/)
})
