import { expect, test } from '#tests/support/browser.ts'
import { holdRequests } from '#tests/support/hold-requests.ts'

test('suggestions open while typing; the arrow keys move and Enter selects', async ({ page }) => {
  await page.goto('/')
  const box = page.getByRole('banner').getByRole('combobox')
  await expect(box).toHaveAttribute('aria-expanded', 'false')
  await box.pressSequentially('ibup')
  const list = page.getByRole('listbox')
  await expect(list).toBeVisible()
  await expect(box).toHaveAttribute('aria-expanded', 'true')
  const options = list.getByRole('option')
  await expect(options.first()).toContainText(/ibuprofen.* · (OTC|Rx)/i)
  await expect(list.getByText('Medicines', { exact: true })).toBeVisible()

  await box.press('ArrowDown')
  await expect(options.first()).toHaveAttribute('aria-selected', 'true')
  await expect(box).toHaveAttribute(
    'aria-activedescendant',
    (await options.first().getAttribute('id')) ?? 'none',
  )
  await expect(box).toBeFocused()
  await box.press('Enter')
  await expect(page).toHaveURL(/\/products/)
  await expect(page.getByRole('main')).toContainText(/ibuprofen/i)
})

test('Escape closes the suggestions and keeps the typed text', async ({ page }) => {
  await page.goto('/')
  const box = page.getByRole('banner').getByRole('combobox')
  await box.pressSequentially('ibup')
  await expect(page.getByRole('listbox')).toBeVisible()
  await box.press('Escape')
  await expect(page.getByRole('listbox')).toBeHidden()
  await expect(box).toHaveValue('ibup')
})

test('Enter without a selection searches for the trimmed text', async ({ page }) => {
  await page.goto('/')
  const box = page.getByRole('banner').getByRole('combobox')
  await box.fill('  ibuprofen ')
  await box.press('Enter')
  await expect(page).toHaveURL(/\/products\?q=ibuprofen$/)
})

test('an empty search does not navigate', async ({ page }) => {
  await page.goto('/cart', { waitUntil: 'networkidle' })
  const requests: string[] = []
  page.on('request', (request) => requests.push(request.url()))
  await page.getByRole('banner').getByRole('combobox').press('Enter')
  // A navigation would have asked for its page by the next frame.
  await page.evaluate(() => new Promise(requestAnimationFrame))
  expect(requests).toEqual([])
  await expect(page).toHaveURL(/\/cart$/)
})

test('a held arrow key waits for the suggestions of the typed text, then selects the first or the last', async ({
  page,
}) => {
  await page.goto('/', { waitUntil: 'networkidle' })
  const box = page.getByRole('banner').getByRole('combobox')
  const status = page
    .getByRole('banner')
    .getByRole('status')
    .filter({ hasText: /suggestions$/ })
  const options = page.getByRole('listbox').getByRole('option')
  await box.pressSequentially('ibup')
  await expect(status).toHaveText(/^\d+ suggestions$/)

  const requests: string[] = []
  page.on('request', (request) => requests.push(request.url().split('/search/suggestions')[1] ?? ''))
  for (const [letter, key, at] of [
    ['r', 'ArrowDown', 0],
    ['o', 'ArrowUp', -1],
  ] as const) {
    const release = await holdRequests(page, '**/search/suggestions**')
    const requested = page.waitForRequest('**/search/suggestions**')
    await box.pressSequentially(letter)
    await requested
    // The list of the earlier text stays, and no key selects in it.
    await expect(status).toHaveText('Loading suggestions')
    await expect(box).toHaveAttribute('aria-expanded', 'true')
    await expect(options.first()).toBeVisible()
    for (let press = 0; press < 3; press++) await box.press(key)
    await expect(page.getByRole('option', { selected: true })).toHaveCount(0)
    release()
    await expect(status).toHaveText(/^\d+ suggestions$/)
    await expect(options.nth(at)).toHaveAttribute('aria-selected', 'true')
    await page.unrouteAll()
  }
  expect(requests.filter(Boolean)).toEqual(['?q=ibupr', '?q=ibupro'])
})
