import { expect, test } from '#tests/support/browser.ts'
import { addToCart, cartButton } from '#tests/support/shopping.ts'
import { accountButton, signIn } from '#tests/support/signing-in.ts'
import type { Page } from '@playwright/test'

const expectTheme = (page: Page, theme: 'light' | 'dark') =>
  expect(page.locator('html')).toHaveAttribute('data-theme', `pharma-${theme}`)
const toggle = (page: Page) => page.getByRole('banner').getByRole('button', { name: 'Switch theme' })
const stored = (page: Page) => page.evaluate(() => localStorage.getItem('theme'))

test('the theme is stored in local storage and a cookie, and either one restores it', async ({
  page,
  context,
}) => {
  await page.goto('/')
  await expectTheme(page, 'light')
  await toggle(page).click()
  await expectTheme(page, 'dark')
  expect(await stored(page)).toBe('dark')
  await expect(page.locator('meta[name=theme-color]')).toHaveAttribute('content', '#101d21')
  await page.goto('/products')
  await expectTheme(page, 'dark')
  await context.clearCookies()
  await page.goto('/cart')
  await expectTheme(page, 'dark')
  await toggle(page).click()
  await expectTheme(page, 'light')
  expect(await stored(page)).toBe('light')
  await context.addCookies([{ name: 'theme', value: 'dark', url: page.url() }])
  await page.evaluate(() => localStorage.clear())
  await page.reload()
  await expectTheme(page, 'dark')
})

test('another open tab switches immediately', async ({ page, context }) => {
  const other = await context.newPage()
  await other.goto('/products')
  await page.goto('/')
  await toggle(page).click()
  await expectTheme(page, 'dark')
  await expectTheme(other, 'dark')
  await toggle(other).click()
  await expectTheme(page, 'light')
})

test('an unknown stored value is ignored', async ({ page }) => {
  await page.addInitScript(() => localStorage.setItem('theme', 'sepia'))
  await page.goto('/')
  await expectTheme(page, 'light')
  await toggle(page).click()
  await expectTheme(page, 'dark')
})

test.describe('on an error page', () => {
  test.use({ allowedOutput: /status of 404|ERR_FAILED|preloaded using link preload/ })

  test('it keeps the theme of the page, whatever the server assumed', async ({ page }) => {
    await page.addInitScript(() => localStorage.setItem('theme', 'dark'))
    await page.goto('/faq')
    await expectTheme(page, 'dark')
    await page.getByRole('contentinfo').locator('a[href="/otc"]').click()
    await expect(page.getByRole('heading', { level: 1, name: '404 Page Not Found' })).toBeVisible()
    await expectTheme(page, 'dark')
    await expect(page.locator('meta[name=theme-color]')).toHaveAttribute('content', '#101d21')
    await page.route('**/products.data*', (route) => route.abort())
    await page.getByRole('banner').getByRole('link', { name: 'Products' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Failed to fetch products' })).toBeVisible()
    await expectTheme(page, 'dark')
  })

  test('a search that fails says so, and keeps the person, the cart’s badge and what was typed', async ({
    page,
  }) => {
    await signIn(page, 'new')
    await addToCart(page)
    await page.goto('/faq')
    // The account's other tests may have filled its cart.
    await expect(cartButton(page)).toHaveText(/\d/)
    const badge = (await cartButton(page).textContent()) ?? ''
    await page.route('**/products.data*', (route) => route.abort())
    const field = page.getByRole('banner').getByPlaceholder(/medications/)
    await field.fill('ibuprofen')
    await field.press('Enter')
    await expect(page.getByRole('heading', { level: 1, name: 'Failed to search products' })).toBeVisible()
    await expect(field).toHaveValue('ibuprofen')
    await expect(cartButton(page)).toHaveText(badge)
    await expect(accountButton(page)).not.toContainText('Sign In')
  })
})

test.describe('on a system that prefers dark', () => {
  test.use({ colorScheme: 'dark' })

  test('the shop is light until the visitor switches', async ({ page }) => {
    await page.goto('/')
    await expectTheme(page, 'light')
    const ground = await page.evaluate(() => getComputedStyle(document.body).backgroundColor)
    const scheme = await page.evaluate(() => getComputedStyle(document.documentElement).colorScheme)
    expect([ground, scheme]).not.toContain('dark')
    expect(scheme).toBe('light')
  })
})

test.describe('before any script loads', () => {
  test.use({ allowedOutput: /Failed to load resource|ERR_FAILED/ })

  test('the stored theme already applies', async ({ page }) => {
    await page.addInitScript(() => localStorage.setItem('theme', 'dark'))
    await page.route('**/*.js', (route) => route.abort())
    await page.goto('/')
    await expectTheme(page, 'dark')
  })
})

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('the switch reloads the same page in the other theme', async ({ page }) => {
    await page.goto('/products?q=ibuprofen')
    await toggle(page).click()
    await expect(page).toHaveURL(/\/products\?q=ibuprofen$/)
    await expectTheme(page, 'dark')
    await page.goto('/cart')
    await expectTheme(page, 'dark')
    await toggle(page).click()
    await expect(page).toHaveURL(/\/cart$/)
    await expectTheme(page, 'light')
  })
})

test('with forced colors, a frame shows the current link, the active suggestion and a modal', async ({
  page,
}) => {
  await page.emulateMedia({ forcedColors: 'active' })
  await page.goto('/products?category=Rx')
  const main = page.getByRole('main')
  await expect(main.getByRole('link', { name: 'Prescription', exact: true })).toHaveCSS(
    'outline-style',
    'solid',
  )
  await expect(main.getByRole('link', { name: 'All', exact: true })).toHaveCSS('outline-style', 'none')
  const search = page.getByRole('banner').getByRole('combobox')
  await search.pressSequentially('ibup')
  const options = page.getByRole('listbox').getByRole('option')
  await options.first().waitFor()
  await search.press('ArrowDown')
  await expect(options.first()).toHaveCSS('outline-style', 'solid')
  await expect(options.nth(1)).toHaveCSS('outline-style', 'none')
  await search.press('Escape')
  await page.getByRole('banner').getByRole('button', { name: /^Cart/ }).click()
  await expect(page.getByRole('dialog')).toHaveCSS('border-top-style', 'solid')
})
