import { expect, test } from '#tests/support/browser.ts'

test('the home page links to the shop by two buttons and eight popular medications', async ({ page }) => {
  await page.goto('/')
  const main = page.getByRole('main')
  await expect(main.getByRole('heading', { level: 1 })).toHaveText('Your Global Pharmacy Marketplace')
  await expect(main.getByRole('link', { name: 'Browse Medications' })).toHaveAttribute('href', '/products')
  await expect(main.getByRole('link', { name: 'Upload Prescription' })).toHaveAttribute(
    'href',
    '/prescriptions/upload',
  )
  const cards = main.getByRole('region', { name: 'Popular Medications' }).getByRole('listitem')
  await expect(cards).toHaveCount(8)
  for (const card of await cards.all()) {
    await expect(card).toContainText(/\$\d+\.\d\d|No price/)
    await expect(card.getByRole('img').first()).toHaveAttribute('alt', /\w/)
  }
  await cards.first().getByRole('link').first().click()
  await expect(page).toHaveURL(/\/products\/[0-9a-f-]{36}/)
})

test('a category card logs its category and opens its products', async ({ page }) => {
  for (const [name, category] of [
    ['Prescription Medications', 'Rx'],
    ['Wellness & Vitamins', 'OTC'],
    ['Health Monitoring', 'OTC'],
  ] as const) {
    await page.goto('/')
    const card = page
      .getByRole('region', { name: 'Browse by Category' })
      .getByRole('link', { name: new RegExp(name) })
    await expect(card).toHaveAttribute('href', `/products?category=${category}`)
    const logged = page.waitForEvent('console', (message) => message.text().includes(name))
    await card.click()
    await logged
    await expect(page).toHaveURL(new RegExp(`category=${category}$`))
  }
})

test('the grid of medications has one to four columns, depending on the width', async ({ page }) => {
  await page.goto('/products')
  const columns = () =>
    page
      .getByRole('main')
      .getByRole('listitem')
      .filter({ has: page.getByRole('img') })
      .evaluateAll(
        (cards) => new Set(cards.map((card) => Math.round(card.getBoundingClientRect().left))).size,
      )
  const found: number[] = []
  for (const width of [360, 640, 900, 1280]) {
    await page.setViewportSize({ width, height: 800 })
    found.push(await columns())
  }
  expect(found[0]).toBe(1)
  expect(found.at(-1)).toBe(4)
  expect(found).toEqual(found.toSorted((a, b) => a - b))
})

test('a phone shows the whole name of a combination, whose last ingredient tells it from others', async ({
  page,
}) => {
  await page.setViewportSize({ width: 320, height: 800 })
  for (const [path, count] of [
    ['/products?q=acetaminophen', 12],
    ['/brands?letter=E', 1],
  ] as const) {
    await page.goto(path)
    const names = page.getByRole('main').getByRole('listitem').getByRole('heading')
    expect(await names.count(), path).toBeGreaterThanOrEqual(count)
    const cut = await names.evaluateAll((all) =>
      all.filter((name) => name.scrollHeight > name.clientHeight + 1).map((name) => name.textContent),
    )
    expect(cut, path).toEqual([])
  }
})

test('the card of a medicine that is out of stock says so', async ({ page }) => {
  const products = await (await page.request.get('/api/products?include=variants')).json()
  const soldOut = products.find(({ variants }: { variants: { inStock: boolean }[] }) =>
    variants.every(({ inStock }) => !inStock),
  )
  await page.goto(`/products?q=${encodeURIComponent(soldOut.name)}`)
  const card = page
    .getByRole('main')
    .getByRole('listitem')
    .filter({ has: page.locator(`a[href^="/products/${soldOut.id}"]`) })
  await expect(card.getByText('Out of Stock')).toBeVisible()
})

test('a campaign’s parameters leave the address, and the others stay', async ({ page }) => {
  await page.goto('/products?utm_source=news&q=ibuprofen&gclid=x#main')
  await expect(page).toHaveURL('/products?q=ibuprofen#main')
  await expect(page.getByRole('heading', { level: 1 })).toContainText('ibuprofen')
})
