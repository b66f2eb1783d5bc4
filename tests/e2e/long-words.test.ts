import { expect, test } from '#tests/support/browser.ts'
import { signIn } from '#tests/support/signing-in.ts'

const word = 'Longword'.repeat(14)

test('a very long word is wrapped: it widens no page, and no card cuts it', async ({ page }) => {
  await signIn(page, 'admin')
  await page.goto('/admin/variants', { waitUntil: 'networkidle' })
  await page.getByRole('button', { name: 'Add Product' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add Product' })
  await dialog.getByLabel('Create new product (medicine)').check()
  const fields = {
    Name: word,
    'Image URL': '/favicon.svg',
    'Brand name': word,
    Strength: '250',
    'Strength unit': 'mg',
    'Package size': '30',
    'Package unit': 'tablet',
    Price: '12.50',
    'Stock quantity': '50',
  }
  for (const [label, value] of Object.entries(fields))
    await dialog.getByLabel(label, { exact: true }).fill(value)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toBeHidden()

  const excess = () =>
    page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
  const card = page.getByRole('article')
  const isCut = () => card.evaluate((element) => element.scrollWidth > element.clientWidth)
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 800 })
    for (const path of [`/products?q=${word}`, `/brands?q=${word}`]) {
      await page.goto(path, { waitUntil: 'networkidle' })
      await expect(card).toHaveCount(1)
      expect([path, width, await excess(), await isCut()]).toEqual([path, width, 0, false])
    }
  }
  await card.getByRole('link').first().click()
  await page.getByRole('button', { name: 'Add to Cart' }).click()
  await expect(page.getByText('Added to cart')).toBeVisible()
  await page.goto('/cart', { waitUntil: 'networkidle' })
  await expect(page.getByRole('group', { name: 'Items in the cart' })).toContainText(word)
  expect(await excess()).toBe(0)
  // Other tests sign in with this account and expect an empty cart.
  await page.getByRole('button', { name: /^Remove/ }).click()
  await expect(page.getByRole('main').getByText('Your cart is empty')).toBeVisible()
})
