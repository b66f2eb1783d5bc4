import { expect, type Locator, type Page } from '@playwright/test'

/** The cart button in the header, with its badge. */
export const cartButton = (page: Page): Locator =>
  page.getByRole('banner').getByRole('button', { name: /^Cart/ })

/** Opens the first product that a search finds, without the results page, and selects an offer. */
export async function openProduct(page: Page, name = 'ibuprofen'): Promise<void> {
  const reply = await page.request.get('/api/products/search', { params: { q: name } })
  const found = (await reply.json()) as { id: string; name: string }[]
  const product = found.find((each) => each.name.toLowerCase().includes(name))
  await page.goto(`/products/${product?.id}`)
  await expect(page).toHaveURL(/\/products\/[0-9a-f-]{36}/)
  // Where strengths differ, nothing is preselected.
  if ((await page.getByRole('radio', { checked: true }).count()) > 0) return
  await page
    .getByRole('main')
    .getByRole('listitem')
    .filter({ hasText: 'In stock' })
    .getByRole('radio')
    .first()
    .check()
}

/** Adds one unit of a product to the cart. */
export async function addToCart(page: Page, name?: string): Promise<void> {
  await openProduct(page, name)
  const badge = cartButton(page)
  const units = Number(/\d+/.exec((await badge.textContent()) ?? '')?.[0] ?? 0)
  await page.getByRole('button', { name: 'Add to Cart' }).click()
  await expect(badge).toHaveText(`Cart${units + 1}`)
}
