import { expect, test } from '#tests/support/browser.ts'
import { holdScripts } from '#tests/support/delayed-scripts.ts'
import { openProduct } from '#tests/support/shopping.ts'

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with JavaScript' : 'without JavaScript', () => {
    test.use({ javaScriptEnabled })

    test('a visitor finds a medicine by name, chooses a variant and puts it in the cart', async ({
      page,
    }) => {
      await page.goto('/')
      const search = page.getByRole('search')
      await search.locator('[name=q]').fill('ibuprofen')
      await search.locator('[name=q]').press('Enter')
      await expect(page).toHaveURL(/\/products\?q=ibuprofen$/)
      const hit = page
        .getByRole('main')
        .getByRole('link', { name: /ibuprofen/i })
        .first()
      await hit.click()
      await expect(page).toHaveURL(/\/products\/[0-9a-f-]{36}/)
      await expect(page.getByRole('heading', { level: 1 })).toContainText(/ibuprofen/i)

      await page.getByRole('radio').first().check()
      await page.getByRole('main').getByLabel('Quantity').fill('2')
      await page.getByRole('button', { name: 'Add to Cart' }).click()
      await expect(page.getByRole('banner').getByRole('button', { name: /^Cart/ })).toHaveText(/2/)

      await page.goto('/cart')
      await expect(page.getByRole('heading', { name: 'Shopping Cart (2 items)' })).toBeVisible()
    })

    test('the cart is changed and emptied on its own page', async ({ page }) => {
      await openProduct(page)
      await page.getByRole('button', { name: 'Add to Cart' }).click()
      await expect(page.getByRole('banner').getByRole('button', { name: /^Cart/ })).toHaveText(/1/)
      await page.goto('/cart')
      const main = page.getByRole('main')
      if (javaScriptEnabled) {
        await main.getByRole('button', { name: /^Increase quantity/ }).click()
        await main.getByRole('button', { name: /^Increase quantity/ }).click()
      } else {
        await main.getByLabel(/^Quantity/).fill('3')
        await main.getByRole('button', { name: /^Update/ }).click()
      }
      await expect(page.getByRole('heading', { name: 'Shopping Cart (3 items)' })).toBeVisible()
      await main.getByRole('button', { name: /^Remove/ }).click()
      await expect(page.getByText('Your cart is empty')).toBeVisible()
      await expect(page.getByRole('banner').getByRole('button', { name: /^Cart/ })).not.toHaveText(/\d/)
    })

    test('the advanced search narrows, and its empty fields stay out of the way', async ({ page }) => {
      await page.goto('/products')
      await page.locator('summary', { hasText: 'Advanced search' }).click()
      const main = page.getByRole('main')
      await main.getByLabel('NDC').fill('0000-0000-00')
      await main.getByRole('button', { name: 'Search', exact: true }).click()
      await expect(page).toHaveURL(/ndc=0000-0000-00/)
      if (javaScriptEnabled) await expect(page).toHaveURL(/\/products\?ndc=0000-0000-00$/)
      await expect(main.getByText('No medications found')).toBeVisible()
    })

    test('a missing page says so and offers links', async ({ page }) => {
      const response = await page.goto('/otc')
      expect(response?.status()).toBe(404)
      await expect(page.getByRole('heading', { name: '404 Page Not Found' })).toBeVisible()
      await expect(page.getByRole('main').getByRole('link').first()).toBeVisible()
    })
    test.use({ allowedOutput: /status of 404/ })
  })
}

test('a variant selected before the scripts load stays selected, with its price', async ({ page }) => {
  await page.goto('/products?q=naproxen')
  const path = await page
    .getByRole('main')
    .getByRole('link', { name: /naproxen/i })
    .first()
    .getAttribute('href')
  const release = await holdScripts(page)
  await page.goto(path ?? '', { waitUntil: 'commit' })
  const other = page.getByRole('radio', { checked: false }).last()
  const chosen = page.locator(`input[value="${await other.inputValue()}"]`)
  await chosen.check()
  release()
  await expect(page.getByRole('combobox').first()).toBeVisible()
  await expect(chosen).toBeChecked()
  // The selected variant's label includes its price.
  await page.getByLabel('Quantity', { exact: true }).fill('2')
  await expect(chosen).toBeChecked()
  const [, price = 'none'] =
    /(\$[\d,.]+)/.exec((await chosen.locator('xpath=ancestor::li').innerText()) ?? '') ?? []
  await expect(page.locator('fieldset ~ *').getByText(price, { exact: true })).toBeVisible()
})
