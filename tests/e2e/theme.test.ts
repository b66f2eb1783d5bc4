import { expect, test } from '#tests/support/browser.ts'
import type { Page } from '@playwright/test'

const wears = (page: Page, theme: 'light' | 'dark') =>
  expect(page.locator('html')).toHaveAttribute('data-theme', `pharma-${theme}`)
const toggle = (page: Page) => page.getByRole('banner').getByRole('button', { name: 'Switch theme' })
const stored = (page: Page) => page.evaluate(() => localStorage.getItem('theme'))

test('the theme is kept in storage and cookie, and either alone brings it back', async ({
  page,
  context,
}) => {
  await page.goto('/')
  await wears(page, 'light')
  await toggle(page).click()
  await wears(page, 'dark')
  expect(await stored(page)).toBe('dark')
  await expect(page.locator('meta[name=theme-color]')).toHaveAttribute('content', '#101d21')
  await page.goto('/products')
  await wears(page, 'dark')
  await context.clearCookies()
  await page.goto('/cart')
  await wears(page, 'dark')
  await toggle(page).click()
  await wears(page, 'light')
  expect(await stored(page)).toBe('light')
  await context.addCookies([{ name: 'theme', value: 'dark', url: page.url() }])
  await page.evaluate(() => localStorage.clear())
  await page.reload()
  await wears(page, 'dark')
})

test('another open tab follows at once', async ({ page, context }) => {
  const other = await context.newPage()
  await other.goto('/products')
  await page.goto('/')
  await toggle(page).click()
  await wears(page, 'dark')
  await wears(other, 'dark')
  await toggle(other).click()
  await wears(page, 'light')
})

test('an unusual stored value is ignored', async ({ page }) => {
  await page.addInitScript(() => localStorage.setItem('theme', 'sepia'))
  await page.goto('/')
  await wears(page, 'light')
  await toggle(page).click()
  await wears(page, 'dark')
})

test.describe('where an error takes the page’s place', () => {
  test.use({ allowedOutput: /status of 404|ERR_FAILED|preloaded using link preload/ })

  test('it wears what the page wore, whatever the server knew', async ({ page }) => {
    await page.addInitScript(() => localStorage.setItem('theme', 'dark'))
    await page.goto('/faq')
    await wears(page, 'dark')
    await page.getByRole('contentinfo').locator('a[href="/otc"]').click()
    await expect(page.getByRole('heading', { level: 1, name: '404 Page Not Found' })).toBeVisible()
    await wears(page, 'dark')
    await expect(page.locator('meta[name=theme-color]')).toHaveAttribute('content', '#101d21')
    await page.route('**/products.data*', (route) => route.abort())
    await page.getByRole('banner').getByRole('link', { name: 'Products' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'The connection failed' })).toBeVisible()
    await wears(page, 'dark')
  })
})

test.describe('on a system that prefers dark', () => {
  test.use({ colorScheme: 'dark' })

  test('the shop is light until somebody switches', async ({ page }) => {
    await page.goto('/')
    await wears(page, 'light')
    const ground = await page.evaluate(() => getComputedStyle(document.body).backgroundColor)
    const scheme = await page.evaluate(() => getComputedStyle(document.documentElement).colorScheme)
    expect([ground, scheme]).not.toContain('dark')
    expect(scheme).toBe('light')
  })
})

test.describe('before any script is fetched', () => {
  test.use({ allowedOutput: /Failed to load resource|ERR_FAILED/ })

  test('what is in storage is worn already', async ({ page }) => {
    await page.addInitScript(() => localStorage.setItem('theme', 'dark'))
    await page.route('**/*.js', (route) => route.abort())
    await page.goto('/')
    await wears(page, 'dark')
  })
})

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('the switch brings the same page back in the other theme', async ({ page }) => {
    await page.goto('/products?q=ibuprofen')
    await toggle(page).click()
    await expect(page).toHaveURL(/\/products\?q=ibuprofen$/)
    await wears(page, 'dark')
    await page.goto('/cart')
    await wears(page, 'dark')
    await toggle(page).click()
    await expect(page).toHaveURL(/\/cart$/)
    await wears(page, 'light')
  })
})
