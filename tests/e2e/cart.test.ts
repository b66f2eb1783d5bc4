import { expect, test } from '#tests/support/browser.ts'
import { addToCart, cartButton, openProduct } from '#tests/support/shopping.ts'
import type { Page } from '@playwright/test'

const panel = (page: Page) => page.getByRole('dialog', { name: /^Shopping Cart/ })
const stored = (page: Page) => page.evaluate(() => localStorage.getItem('cart'))

async function openPanel(page: Page): Promise<void> {
  await cartButton(page).click()
  await expect(panel(page)).toBeVisible()
}

test('the panel opens, changes quantities, restores focus and links to checkout', async ({ page }) => {
  await addToCart(page)
  await cartButton(page).focus()
  await page.keyboard.press('Enter')
  await expect(panel(page)).toBeVisible()
  await expect(panel(page)).toHaveAccessibleName('Shopping Cart (1 items)')
  const less = panel(page).getByRole('button', { name: /^Decrease quantity/ })
  const more = panel(page).getByRole('button', { name: /^Increase quantity/ })
  await expect(less).toBeDisabled()
  await more.click()
  await expect(panel(page)).toHaveAccessibleName('Shopping Cart (2 items)')
  await expect(cartButton(page)).toHaveText(/2/)
  await less.click()
  await expect(panel(page)).toHaveAccessibleName('Shopping Cart (1 items)')
  await page.keyboard.press('Escape')
  await expect(panel(page)).toBeHidden()
  await expect(cartButton(page)).toBeFocused()

  await openPanel(page)
  await panel(page)
    .getByRole('button', { name: /^Remove/ })
    .click()
  await expect(page.getByRole('dialog').getByText('Your cart is empty')).toBeVisible()
})

test.describe('when the panel cannot be fetched', () => {
  test.use({ allowedOutput: /Failed to load resource/ })

  test('the cart button goes to the cart page', async ({ page }) => {
    await page.route('**/CartPanel-*.js', (route) => route.abort())
    await page.goto('/faq', { waitUntil: 'networkidle' })
    await cartButton(page).click()
    await expect(page).toHaveURL('/cart')
    await expect(panel(page)).toHaveCount(0)
  })
})

test('a click outside the panel closes it; a text selection that ends outside does not', async ({ page }) => {
  await addToCart(page)
  await openPanel(page)
  const box = await panel(page).getByRole('heading', { level: 2 }).boundingBox()
  if (!box) throw new Error('The title has no place.')
  await page.mouse.move(box.x + 5, box.y + 5)
  await page.mouse.down()
  await page.mouse.move(100, 300)
  await page.mouse.up()
  await expect(panel(page)).toBeVisible()
  await page.mouse.click(100, 300)
  await expect(panel(page)).toBeHidden()
})

test('removing a line by keyboard keeps the focus in the cart', async ({ page }) => {
  await addToCart(page)
  await openProduct(page, 'naproxen')
  await page.getByRole('button', { name: 'Add to Cart' }).click()
  await expect(cartButton(page)).toHaveText(/2/)
  await page.goto('/cart')
  const removes = page.getByRole('main').getByRole('button', { name: /^Remove/ })
  await expect(removes).toHaveCount(2)
  await removes.first().focus()
  await page.keyboard.press('Enter')
  await expect(removes).toHaveCount(1)
  const items = page.getByRole('main').getByRole('group', { name: 'Items in the cart' })
  await expect(items).toBeFocused()
  await removes.first().focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('main').getByText('Your cart is empty')).toBeVisible()
  await expect(items).toBeFocused()
})

test('decreasing to the least quantity by keyboard keeps the focus and stops there', async ({ page }) => {
  await addToCart(page)
  await page.goto('/cart')
  const main = page.getByRole('main')
  const less = main.getByRole('button', { name: /^Decrease quantity/ })
  const more = main.getByRole('button', { name: /^Increase quantity/ })
  // A quantity shows before the server has stored it. A reload would end its request.
  const isStored = () =>
    expect(main.getByRole('listitem').filter({ hasText: 'Remove' })).toHaveAttribute('aria-busy', 'false')
  await more.click()
  await expect(less).toBeEnabled()
  await isStored()
  await less.press('Enter')
  await expect(less).toBeDisabled()
  await expect(less).toBeFocused()
  await isStored()
  await page.keyboard.press('Enter')
  await isStored()
  await page.reload()
  await expect(less).toBeDisabled()
})

test('Add to Cart pressed three times at once adds once', async ({ page }) => {
  await openProduct(page)
  await page.getByRole('button', { name: 'Add to Cart' }).evaluate((button: HTMLButtonElement) => {
    for (let i = 0; i < 3; i++) button.click()
  })
  await expect(cartButton(page)).toHaveText('Cart1')
  // And when that is done, it adds again.
  await page.getByRole('button', { name: 'Add to Cart' }).click()
  await expect(cartButton(page)).toHaveText('Cart2')
  await page.reload()
  await expect(cartButton(page)).toHaveText('Cart2')
})

test('adding by keyboard keeps the focus on Add to Cart', async ({ page }) => {
  await openProduct(page)
  const add = page.getByRole('button', { name: 'Add to Cart' })
  await add.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByText('Added to cart')).toBeVisible()
  await expect(add).toBeFocused()
})

for (const javaScriptEnabled of [true, false]) {
  test(`Enter in Quantity adds, ${javaScriptEnabled ? 'with' : 'without'} JavaScript`, async ({
    browser,
    shop,
  }) => {
    const context = await browser.newContext({ javaScriptEnabled, baseURL: shop.origin })
    const page = await context.newPage()
    await openProduct(page)
    await page.getByLabel('Quantity').fill('3')
    await page.getByLabel('Quantity').press('Enter')
    await expect(cartButton(page)).toHaveText('Cart3')
    await context.close()
  })
}

test.describe('when the server refuses', () => {
  test.use({ allowedOutput: /422/ })

  test('an empty quantity adds nothing, and its field takes the focus with the message', async ({ page }) => {
    await openProduct(page)
    const quantity = page.getByRole('spinbutton', { name: 'Quantity' })
    await quantity.fill('')
    await page.getByRole('button', { name: 'Add to Cart' }).click()
    await expect(quantity).toHaveAccessibleDescription('Quantity is required.')
    await expect(quantity).toBeFocused()
    await expect(quantity).toHaveValue('')
    await expect(cartButton(page)).not.toHaveText(/\d/)
  })
})

test('Proceed to Checkout closes the panel; a visitor who is not signed in lands at home with the reason', async ({
  page,
}) => {
  await addToCart(page)
  await openPanel(page)
  await panel(page).getByText('Proceed to Checkout').click()
  await expect(page).toHaveURL(/:\d+\/$/)
  await expect(panel(page)).toBeHidden()
  await expect(page.getByText('Login Required')).toBeVisible()
})

test('adding a variant again raises its line', async ({ page }) => {
  await addToCart(page)
  await openProduct(page)
  await page.getByRole('main').getByLabel('Quantity').fill('3')
  await page.getByRole('button', { name: 'Add to Cart' }).click()
  await expect(cartButton(page)).toHaveText(/4/)
  await page.goto('/cart')
  await expect(page.getByRole('main').getByRole('button', { name: /^Remove/ })).toHaveCount(1)
})

test('local storage mirrors the cart in the documented shape', async ({ page }) => {
  await addToCart(page)
  await expect.poll(() => stored(page)).not.toBeNull()
  const lines: unknown = JSON.parse((await stored(page)) ?? '')
  expect(lines).toEqual([
    {
      product: {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        name: expect.stringMatching(/ibuprofen/i),
        image: expect.stringMatching(/^\/|^https:/),
        category: expect.stringMatching(/^(Rx|OTC)$/),
      },
      variant: expect.objectContaining({
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        price: expect.stringMatching(/^\d+\.\d\d$/),
        strength: expect.any(String),
        strengthUnit: expect.any(String),
        packageSize: expect.any(Number),
        packageUnit: expect.any(String),
      }),
      quantity: 1,
    },
  ])
  expect(JSON.stringify(lines)).not.toContain('acquisitionCost')
  await openPanel(page)
  await panel(page)
    .getByRole('button', { name: /^Remove/ })
    .click()
  await expect.poll(async () => ['[]', null].includes(await stored(page))).toBe(true)
})

test('two tabs show the same cart', async ({ page, context }) => {
  await addToCart(page)
  const other = await context.newPage()
  await other.goto('/cart')
  await expect(other.getByRole('heading', { name: 'Shopping Cart (1 items)' })).toBeVisible()
  await openPanel(page)
  await panel(page)
    .getByRole('button', { name: /^Increase quantity/ })
    .click()
  await expect(other.getByRole('heading', { name: 'Shopping Cart (2 items)' })).toBeVisible()
  await other
    .getByRole('main')
    .getByRole('button', { name: /^Remove/ })
    .click()
  await expect(cartButton(page)).not.toHaveText(/\d/)
})

test('a stored cart is imported once, cleaned and announced', async ({ page, context }) => {
  await addToCart(page)
  await expect.poll(() => stored(page)).not.toBeNull()
  const line = JSON.parse((await stored(page)) ?? '[]')[0]
  // As an older version left it: no cookie, no marker of ours, and one line without a variant.
  await context.clearCookies()
  await page.evaluate(
    (text) => {
      localStorage.clear()
      localStorage.setItem('cart', text)
    },
    JSON.stringify([
      { product: line.product, quantity: 1 },
      { ...line, quantity: 2 },
    ]),
  )
  await page.goto('/products')
  await expect(cartButton(page)).toHaveText(/2/)
  await expect(page.getByText('Cart restored')).toBeVisible()
  await expect.poll(async () => JSON.parse((await stored(page)) ?? '[]').length).toBe(1)

  await page.getByRole('banner').getByRole('link', { name: 'Meridian' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Pharmacy')
  // A toast stays for five seconds, longer while the pointer is on it.
  await expect(page.getByText('Cart restored')).toBeHidden({ timeout: 30_000 })

  let posts = 0
  page.on('request', (request) => (posts += request.method() === 'POST' ? 1 : 0))
  await page.reload()
  await expect(cartButton(page)).toHaveText(/2/)
  // Once scripts run, an import would have been sent.
  await expect(page.getByRole('banner').getByRole('combobox')).toBeVisible()
  expect(posts).toBe(0)
  await expect(page.getByText('Cart restored')).toBeHidden()
})

test.describe('when the server cannot import a stored cart', () => {
  test.use({ allowedOutput: /503|Service Unavailable/ })

  test('it stays in storage, and the next page load retries', async ({ page, context }) => {
    await addToCart(page)
    await expect.poll(() => stored(page)).toContain('variant')
    const before = await stored(page)
    await context.clearCookies()
    await page.evaluate(() => localStorage.removeItem('cart.seen'))
    let requests = 0
    await page.route('**/cart.data*', async (route) => {
      if (route.request().method() !== 'POST') return route.continue()
      requests++
      // The action's response, in React Router's serialized format.
      const body = `${JSON.stringify([{ _1: 2 }, 'data', { _3: 4, _5: 6, _7: 8, _9: 6 }, 'intent', 'import', 'values', {}, 'message', 'Unavailable.', 'fields'])}\n`
      await route.fulfill({
        status: 503,
        contentType: 'text/x-script',
        headers: { 'x-remix-response': 'yes' },
        body,
      })
    })
    await page.reload()
    await expect.poll(() => requests).toBe(1)
    await expect.poll(() => page.evaluate(() => localStorage.getItem('cart.seen'))).toBeNull()
    expect(await stored(page)).toBe(before)

    await page.unroute('**/cart.data*')
    await page.reload()
    await expect(page.getByText('Cart restored')).toBeVisible()
  })
})

test('local storage never overwrites a server cart', async ({ page }) => {
  await addToCart(page)
  await expect.poll(() => stored(page)).not.toBeNull()
  await page.evaluate(() => {
    const lines = JSON.parse(localStorage.getItem('cart') ?? '[]')
    lines[0].quantity = 40
    localStorage.setItem('cart', JSON.stringify(lines))
  })
  await page.goto('/cart')
  await expect(page.getByRole('heading', { name: 'Shopping Cart (1 items)' })).toBeVisible()
  await expect.poll(async () => JSON.parse((await stored(page)) ?? '[]')[0].quantity).toBe(1)
})

test.describe('with a stored cart that cannot be read', () => {
  test.use({ allowedOutput: /stored cart/i })

  test('it is logged and removed', async ({ page }) => {
    await page.goto('/products')
    // The combobox role means hydration is done. Before that, this page (not /cart) would find and
    // remove the stored cart.
    await expect(page.getByRole('combobox', { name: 'Search medications' })).toBeVisible()
    const logged = page.waitForEvent('console', (message) => message.type() === 'error')
    await page.evaluate(() => localStorage.setItem('cart', '{not json'))
    await page.goto('/cart')
    expect((await logged).text()).toMatch(/cart/i)
    await expect(page.getByText('Your cart is empty')).toBeVisible()
    await expect.poll(async () => ['[]', null].includes(await stored(page))).toBe(true)
  })
})

test('a second click while the first is pending is not an error', async ({ page }) => {
  await addToCart(page)
  await page.goto('/cart')
  await expect(page.getByRole('banner').getByRole('combobox')).toBeVisible()
  // The second request replaces the first while its response is still streaming.
  await page.evaluate(() => {
    const fetchNow = window.fetch
    window.fetch = async (url, init) => {
      const answer = await fetchNow(url, init)
      if (init?.method !== 'POST') return answer
      window.fetch = fetchNow
      const bytes = new Uint8Array(await answer.arrayBuffer())
      const body = new ReadableStream({
        start(stream) {
          stream.enqueue(bytes)
          init.signal?.addEventListener('abort', () =>
            stream.error(new DOMException('cut off', 'AbortError')),
          )
        },
      })
      return new Response(body, answer)
    }
  })
  let requests = 0
  await page.route('**/*.data*', async (route) => {
    const isFirst = route.request().method() === 'GET' && requests++ === 0
    if (!isFirst) await route.continue()
  })
  const more = page.getByRole('main').getByRole('button', { name: /^Increase quantity/ })
  await more.click()
  await expect.poll(() => requests).toBe(1)
  await more.click()
  await expect(page.getByRole('heading', { name: 'Shopping Cart (3 items)' })).toBeVisible()
})
