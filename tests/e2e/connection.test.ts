import { expect, test } from '#tests/support/browser.ts'
import type { Page } from '@playwright/test'
import { waitForHydration } from '#tests/support/delayed-scripts.ts'
import { openProduct } from '#tests/support/shopping.ts'

/** Reconnects the page, and waits for its `online` event: a key press could come before it. */
async function goOnline(page: Page): Promise<void> {
  const connection = await page.evaluateHandle(() => ({
    isBack: new Promise<void>((resolve) => addEventListener('online', () => resolve(), { once: true })),
  }))
  await page.context().setOffline(false)
  await connection.evaluate(({ isBack }) => isBack)
}

type Box = { x: number; y: number; width: number; height: number }

const overlap = (a: Box, b: Box): boolean =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height

test.use({ allowedOutput: /ERR_INTERNET_DISCONNECTED|Failed to fetch|ERR_FAILED|status of (404|502)/ })

test('adding to the cart offline shows an error and keeps the page, the variant and the quantity; a retry works', async ({
  page,
  context,
}) => {
  await openProduct(page)
  await expect(page.getByRole('banner').getByRole('combobox')).toBeVisible()
  const heading = page.getByRole('heading', { level: 1 })
  await expect(heading).toContainText(/ibuprofen/i)
  const cart = page.getByRole('banner').getByRole('button', { name: /^Cart/ })
  // A variant that is for sale and not the preselected one.
  const add = page.getByRole('button', { name: 'Add to Cart' })
  for (const radio of (await page.getByRole('radio').all()).toReversed()) {
    await radio.check()
    if (await add.isEnabled()) break
  }
  const chosen = await page.getByRole('radio', { checked: true }).inputValue()
  await page.getByLabel('Quantity').fill('7')

  await context.setOffline(true)
  await add.click()
  await expect(page.getByText('Couldn’t add to cart')).toBeVisible()
  await expect(page.getByText('Couldn’t add to cart')).toHaveCount(1)
  await expect(heading).toContainText(/ibuprofen/i)
  await expect(page.getByRole('radio', { checked: true })).toHaveValue(chosen)
  await expect(page.getByLabel('Quantity')).toHaveValue('7')
  await add.click()
  await expect(page.getByText('Couldn’t add to cart')).toHaveCount(1)
  await expect(cart).not.toHaveText(/\d/)

  await goOnline(page)
  await add.click()
  await expect(cart).toHaveText('Cart7')

  await cart.click()
  const panel = page.getByRole('dialog', { name: 'Shopping Cart (7 items)' })
  await context.setOffline(true)
  await panel.getByRole('button', { name: /^Increase quantity/ }).click()
  await expect(panel.getByRole('alert')).toContainText('We couldn’t connect to the server')
  await expect(panel).toBeVisible()
  await goOnline(page)
  await panel.getByRole('button', { name: /^Increase quantity/ }).click()
  await expect(page.getByRole('dialog', { name: 'Shopping Cart (8 items)' })).toBeVisible()
  await expect(page.getByRole('dialog').getByRole('alert')).toHaveCount(0)
})

test('a toast does not cover Add to Cart', async ({ page, context }) => {
  await openProduct(page)
  await expect(page.getByRole('banner').getByRole('combobox')).toBeVisible()
  await context.setOffline(true)
  const add = page.getByRole('button', { name: 'Add to Cart' })
  const toast = page.getByRole('alert').filter({ hasText: 'Couldn’t add to cart' })
  for (const width of [360, 700, 1024, 1280]) {
    await page.setViewportSize({ width, height: 720 })
    await add.click()
    // Null until the toast is shown.
    const covers = async (): Promise<boolean | null> => {
      const [shown, button] = [await toast.boundingBox(), await add.boundingBox()]
      return shown && button && overlap(shown, button)
    }
    await expect.poll(covers, `${width} px`).toBe(false)
  }
})

test('a link clicked offline keeps the page and the typed text, and works once online', async ({
  page,
  context,
}) => {
  await page.goto('/cart')
  const box = page.getByRole('combobox')
  await expect(box).toBeVisible()
  await context.setOffline(true)
  await page.getByRole('banner').getByRole('link', { name: 'Products' }).click()
  await expect(page.getByText('You’re offline')).toHaveCount(1)
  await box.fill('ibuprofen')
  await box.press('Enter')
  await expect(page).toHaveURL(/\/cart$/)
  await expect(page.getByText('Your cart is empty')).toBeVisible()
  await expect(box).toHaveValue('ibuprofen')
  await goOnline(page)
  await box.press('Enter')
  await expect(page).toHaveURL(/\/products\?q=ibuprofen$/)
})

test('a page that cannot load shows an error, and Try again loads it', async ({ page }) => {
  await page.goto('/cart')
  await expect(page.getByRole('combobox')).toBeVisible()
  await page.route('**/products.data*', (route) => route.abort())
  await page.getByRole('banner').getByRole('link', { name: 'Products' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Failed to fetch products' })).toBeVisible()
  await page.getByRole('link', { name: 'Try again' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Medications' })).toBeVisible()
})

test('a cart form whose request is lost keeps the page', async ({ page }) => {
  await openProduct(page, 'naproxen')
  // Before the scripts run, the browser posts the form itself.
  await waitForHydration(page)
  const add = page.getByRole('button', { name: 'Add to Cart' })
  await add.click()
  await expect(page.getByText('Added to cart')).toBeVisible()
  await page.route('**/cart.data*', (route) => route.abort())
  await page.getByLabel('Quantity').fill('3')
  await add.click()
  await expect(page.getByText('Couldn’t add to cart')).toHaveCount(1)
  await expect(page.getByLabel('Quantity')).toHaveValue('3')
})

test('the home page loads even when the browser cannot fetch the route manifest', async ({ page }) => {
  await page.route('**/__manifest*', (route) => route.abort())
  for (const path of ['/faq', '/products/no-such-medicine', '/nowhere']) {
    await page.goto(path)
    await expect(page.getByRole('banner').getByRole('combobox')).toBeVisible()
    await page.getByRole('banner').getByRole('link', { name: 'Meridian' }).click()
    const heading = page.getByRole('heading', { level: 1, name: 'Your Global Pharmacy Marketplace' })
    await expect(heading).toBeVisible()
  }
})

test('a message that cannot be sent keeps its text, and is sent once online', async ({ page, context }) => {
  await page.goto('/contact')
  const main = page.getByRole('main')
  const message = main.getByLabel('Message', { exact: true })
  const send = main.getByRole('button', { name: 'Send Message' })
  await main.getByLabel('Name', { exact: true }).fill('Zoë O’Hara')
  await main.getByLabel('Email', { exact: true }).fill('zoe@example.com')
  await message.fill('Where is my order?')
  await context.setOffline(true)
  await send.click()
  await expect(page.getByText('You’re offline')).toHaveCount(1)
  await expect(message).toHaveValue('Where is my order?')
  await goOnline(page)

  await page.route('**/contact.data*', (route) => route.abort())
  await send.click()
  const refusal = main.getByRole('region', { name: 'Write to us' }).getByRole('alert')
  await expect(refusal).toBeFocused()
  await expect(refusal).toContainText('We couldn’t connect to the server')
  await expect(message).toHaveValue('Where is my order?')
  await page.unroute('**/contact.data*')
  await send.click()
  await expect(page.getByText('Message Sent', { exact: true })).toHaveCount(1)
})

test.describe('with a navigation blocker', () => {
  // The router leaves a plain link within the page to the browser.
  test.use({ allowedOutput: /blocker on a POP navigation/ })

  test('a link within the page works offline', async ({ page, context }) => {
    await page.goto('/terms')
    const parts = page.getByRole('navigation', { name: 'On this page' }).getByRole('link')
    const last = page.getByRole('heading', { level: 2 }).last()
    await expect(last).not.toBeInViewport()
    await expect(page.getByRole('combobox')).toBeVisible()
    await context.setOffline(true)
    await parts.last().click()
    await expect(last).toBeInViewport()
    await expect(page.getByText('You’re offline')).toHaveCount(0)
  })
})

test('a link within the page logs nothing to the console', async ({ page }) => {
  await page.goto('/terms')
  await expect(page.getByRole('combobox')).toBeVisible()
  await page.getByRole('navigation', { name: 'On this page' }).getByRole('link').last().click()
  await expect(page).toHaveURL(/#limitation-of-liability$/)
})

test('a proxy’s error page is reported as a lost connection and never shown', async ({ page }) => {
  const proxyAnswers = {
    status: 502,
    contentType: 'text/html',
    body: '<html><h1>502 Bad Gateway</h1></html>',
  }
  await page.goto('/contact')
  await expect(page.getByRole('combobox')).toBeVisible()
  const main = page.getByRole('main')
  await main.getByLabel('Message', { exact: true }).fill('Where is my order?')
  await page.route('**/contact.data*', (route) => route.fulfill(proxyAnswers))
  await main.getByRole('button', { name: 'Send Message' }).click()
  await expect(main.getByRole('alert')).toContainText('We couldn’t connect to the server')
  await expect(main.getByLabel('Message', { exact: true })).toHaveValue('Where is my order?')

  await page.route('**/products.data*', (route) => route.fulfill(proxyAnswers))
  await page.getByRole('banner').getByRole('link', { name: 'Products' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Failed to fetch products' })).toBeVisible()
  await expect(page).toHaveTitle('Failed to fetch products | Meridian')
  await expect(page.getByText('Bad Gateway')).toHaveCount(0)
})
