import { expect, test } from '#tests/support/browser.ts'
import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** No second reading of the styles: no rule of these tags needs it, and the page's policy refuses axe's copies. */
const axeOptions = { preload: false }

async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const beyond = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  )
  expect(beyond, 'scrolls sideways').toBeLessThanOrEqual(0)
}

async function expectAccessible(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).withTags(tags).options(axeOptions).analyze()
  const found = violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(' ')).join(', ')}`,
  )
  expect(found).toEqual([])
  await expectNoSidewaysScroll(page)
}

async function firstProduct(page: Page): Promise<void> {
  await page.goto('/products?q=ibuprofen')
  await page
    .getByRole('main')
    .getByRole('link', { name: /ibuprofen/i })
    .first()
    .click()
  await page.waitForURL(/\/products\/[0-9a-f-]{36}/)
}

async function filledCart(page: Page): Promise<void> {
  await firstProduct(page)
  await page.getByRole('button', { name: 'Add to Cart' }).click()
  await expect(page.getByRole('banner').getByRole('button', { name: /^Cart/ })).toHaveText(/\d/)
}

async function sentMessage(page: Page): Promise<void> {
  await page.goto('/contact')
  const main = page.getByRole('main')
  await main.getByLabel('Name', { exact: true }).fill('Zoë O’Hara')
  await main.getByLabel('Email', { exact: true }).fill('zoe@example.com')
  await main.getByLabel('Message', { exact: true }).fill(`Where is my order?\n${'x'.repeat(200)}`)
  await main.getByRole('button', { name: 'Send Message' }).click()
  await expect(main.getByText('What happens next')).toBeVisible()
}

/** Every state that this part of the shop has, and how one gets there. */
const states: Record<string, (page: Page) => Promise<unknown>> = {
  home: (page) => page.goto('/'),
  'product list': (page) => page.goto('/products'),
  'a later page of the list': (page) => page.goto('/products?page=9'),
  'advanced search, open': async (page) => {
    await page.goto('/products')
    await page.locator('summary', { hasText: 'Advanced search' }).click()
  },
  'search that finds nothing': (page) => page.goto('/products?q=qqqqqqqq'),
  suggestions: async (page) => {
    await page.goto('/')
    await page.getByRole('banner').getByRole('combobox').pressSequentially('ibup')
    await expect(page.getByRole('listbox')).toBeVisible()
    await page.getByRole('banner').getByRole('combobox').press('ArrowDown')
  },
  product: firstProduct,
  'product, quantity refused': async (page) => {
    await firstProduct(page)
    await page.getByRole('main').getByLabel('Quantity').fill('0')
    await page.getByRole('button', { name: 'Add to Cart' }).click()
    await expect(page.getByRole('main').getByLabel('Quantity')).toHaveAttribute('aria-invalid', 'true')
  },
  'missing product': (page) => page.goto('/products/no-such-medicine'),
  brands: (page) => page.goto('/brands'),
  'brands of a letter': (page) => page.goto('/brands?letter=A&page=2'),
  'brands found by name': (page) => page.goto('/brands?q=apo'),
  'brands, none found': (page) => page.goto('/brands?q=qqqqqqqq'),
  'empty cart': (page) => page.goto('/cart'),
  cart: async (page) => {
    await filledCart(page)
    await page.goto('/cart')
  },
  'cart panel': async (page) => {
    await filledCart(page)
    const dialog = page.getByRole('dialog')
    if (!(await dialog.isVisible()))
      await page.getByRole('banner').getByRole('button', { name: /^Cart/ }).click()
    await expect(dialog).toBeVisible()
  },
  'empty cart panel': async (page) => {
    await page.goto('/')
    await page.getByRole('banner').getByRole('button', { name: /^Cart/ }).click()
    await expect(page.getByRole('dialog')).toBeVisible()
  },
  'account menu': async (page) => {
    await page.goto('/')
    await page.getByRole('banner').getByRole('button', { name: 'Account menu' }).click()
  },
  'faq, a question open': async (page) => {
    await page.goto('/faq')
    await page.locator('summary', { hasText: 'return medications' }).click()
  },
  'home, a question open': async (page) => {
    await page.goto('/')
    await page.locator('summary', { hasText: 'documents' }).click()
  },
  shipping: (page) => page.goto('/shipping'),
  privacy: (page) => page.goto('/privacy'),
  terms: (page) => page.goto('/terms'),
  hipaa: (page) => page.goto('/hipaa'),
  about: (page) => page.goto('/about'),
  careers: (page) => page.goto('/careers'),
  blog: (page) => page.goto('/blog'),
  'a toast': async (page) => {
    await page.goto('/checkout')
    await expect(page.getByRole('region', { name: 'Notifications (F8)' })).toBeVisible()
  },
  'a toast that informs': async (page) => {
    await page.goto('/api/login')
    await expect(page.getByRole('region', { name: 'Notifications (F8)' })).toBeVisible()
  },
  'prescriptions, not signed in': (page) => page.goto('/prescriptions/upload?from=checkout'),
  'orders, not signed in': (page) => page.goto('/orders'),
  'missing order': (page) => page.goto('/orders/1'),
  'missing page': (page) => page.goto('/nowhere'),
  contact: (page) => page.goto('/contact'),
  'contact, refused': async (page) => {
    await page.goto('/contact')
    await page.getByRole('button', { name: 'Send Message' }).click()
    await expect(page.getByRole('main').getByRole('alert')).toBeFocused()
  },
  'contact, sent': sentMessage,
  'demo outbox': async (page) => {
    await sentMessage(page)
    await page.goto('/demo/outbox')
  },
}

test.use({ allowedOutput: /status of (404|422)/, reducedMotion: 'reduce' })

for (const theme of ['light', 'dark'] as const) {
  for (const width of [360, 1280]) {
    test.describe(`${theme}, ${width} px`, () => {
      test.use({ viewport: { width, height: 800 } })
      for (const [name, reach] of Object.entries(states)) {
        test(`${name}: axe finds nothing and nothing scrolls sideways`, async ({ page, context, shop }) => {
          await context.addCookies([{ name: 'theme', value: theme, url: shop.origin }])
          await page.addInitScript((value) => localStorage.setItem('theme', value), theme)
          await reach(page)
          await expect(page.locator('html')).toHaveAttribute('data-theme', new RegExp(theme))
          await expectAccessible(page)
        })
      }
    })
  }
}

test.describe('320 px, a screen of 1280 at 400 %', () => {
  test.use({ viewport: { width: 320, height: 256 } })
  for (const [name, reach] of Object.entries(states)) {
    test(`${name}: nothing scrolls sideways`, async ({ page }) => {
      await reach(page)
      await expectNoSidewaysScroll(page)
    })
  }
})
