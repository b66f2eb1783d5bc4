import { expect, test } from '#tests/support/browser.ts'

test.use({ allowedOutput: /ERR_INTERNET_DISCONNECTED|Failed to fetch|ERR_FAILED|status of 404/ })

test('adding to the cart without a connection says so, keeps the page and what was chosen, and works again', async ({
  page,
  context,
}) => {
  await page.goto('/products?q=ibuprofen')
  await page
    .getByRole('main')
    .getByRole('link', { name: /ibuprofen/i })
    .first()
    .click()
  const heading = page.getByRole('heading', { level: 1 })
  await expect(heading).toContainText(/ibuprofen/i)
  const cart = page.getByRole('banner').getByRole('button', { name: /^Cart/ })
  // Another one than the page offers, and one that is for sale.
  const add = page.getByRole('button', { name: 'Add to Cart' })
  for (const radio of (await page.getByRole('radio').all()).toReversed()) {
    await radio.check()
    if (await add.isEnabled()) break
  }
  const chosen = await page.getByRole('radio', { checked: true }).inputValue()
  await page.getByLabel('Quantity').fill('7')

  await context.setOffline(true)
  await add.click()
  await expect(page.getByText('Not added to your cart')).toBeVisible()
  await expect(page.getByText('Not added to your cart')).toHaveCount(1)
  await expect(heading).toContainText(/ibuprofen/i)
  await expect(page.getByRole('radio', { checked: true })).toHaveValue(chosen)
  await expect(page.getByLabel('Quantity')).toHaveValue('7')
  await add.click()
  await expect(page.getByText('Not added to your cart')).toHaveCount(1)
  await expect(cart).not.toHaveText(/\d/)

  await context.setOffline(false)
  await add.click()
  await expect(cart).toHaveText('Cart7')

  await cart.click()
  const panel = page.getByRole('dialog', { name: 'Shopping Cart (7 items)' })
  await context.setOffline(true)
  await panel.getByRole('button', { name: /^Increase quantity/ }).click()
  await expect(panel.getByRole('alert')).toContainText('We were not reached')
  await expect(panel).toBeVisible()
  await context.setOffline(false)
  await panel.getByRole('button', { name: /^Increase quantity/ }).click()
  await expect(page.getByRole('dialog', { name: 'Shopping Cart (8 items)' })).toBeVisible()
  await expect(page.getByRole('dialog').getByRole('alert')).toHaveCount(0)
})

test('without a connection a link keeps the page and what was typed, and works again', async ({
  page,
  context,
}) => {
  await page.goto('/cart')
  const box = page.getByRole('combobox')
  await expect(box).toBeVisible()
  await context.setOffline(true)
  await page.getByRole('banner').getByRole('link', { name: 'Products' }).click()
  await expect(page.getByText('You are offline')).toHaveCount(1)
  await box.fill('ibuprofen')
  await box.press('Enter')
  await expect(page).toHaveURL(/\/cart$/)
  await expect(page.getByText('Your cart is empty')).toBeVisible()
  await expect(box).toHaveValue('ibuprofen')
  await context.setOffline(false)
  await box.press('Enter')
  await expect(page).toHaveURL(/\/products\?q=ibuprofen$/)
})

test('a page that is not reached says so, and Try again loads it', async ({ page }) => {
  await page.goto('/cart')
  await expect(page.getByRole('combobox')).toBeVisible()
  await page.route('**/products.data*', (route) => route.abort())
  await page.getByRole('banner').getByRole('link', { name: 'Products' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'The connection failed' })).toBeVisible()
  await page.getByRole('link', { name: 'Try again' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Medications' })).toBeVisible()
})

test('a cart form that is lost on its way keeps the page', async ({ page }) => {
  await page.goto('/products?q=naproxen')
  await page
    .getByRole('main')
    .getByRole('link', { name: /naproxen/i })
    .first()
    .click()
  const add = page.getByRole('button', { name: 'Add to Cart' })
  await add.click()
  await expect(page.getByText('Added to cart')).toBeVisible()
  await page.route('**/cart.data*', (route) => route.abort())
  await page.getByLabel('Quantity').fill('3')
  await add.click()
  await expect(page.getByText('Not added to your cart')).toHaveCount(1)
  await expect(page.getByLabel('Quantity')).toHaveValue('3')
})

test('home is shown even where the browser could learn of no page besides its own', async ({ page }) => {
  await page.route('**/__manifest*', (route) => route.abort())
  for (const path of ['/faq', '/products/no-such-medicine', '/nowhere']) {
    await page.goto(path)
    await expect(page.getByRole('banner').getByRole('combobox')).toBeVisible()
    await page.getByRole('banner').getByRole('link', { name: 'Meridian' }).click()
    const heading = page.getByRole('heading', { level: 1, name: 'Your Global Pharmacy Marketplace' })
    await expect(heading).toBeVisible()
  }
})
