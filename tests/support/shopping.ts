import { expect, type Locator, type Page } from '@playwright/test'

/** The header's cart button, with its badge. */
export const cartButton = (page: Page): Locator =>
  page.getByRole('banner').getByRole('button', { name: /^Cart/ })

/** Searches for a medicine and opens the first one found. */
export async function openProduct(page: Page, name = 'ibuprofen'): Promise<void> {
  await page.goto(`/products?q=${name}`)
  await page
    .getByRole('main')
    .getByRole('link', { name: new RegExp(name, 'i') })
    .first()
    .click()
  await expect(page).toHaveURL(/\/products\/[0-9a-f-]{36}/)
}

/** Puts one of a medicine into the cart. */
export async function addToCart(page: Page, name?: string): Promise<void> {
  await openProduct(page, name)
  await page.getByRole('button', { name: 'Add to Cart' }).click()
  await expect(cartButton(page)).toHaveText(/\d/)
}
