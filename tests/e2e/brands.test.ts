import { expect, test } from '#tests/support/browser.ts'

test('a letter leads to a brand, and the brand to its medicine with that brand selected', async ({
  page,
}) => {
  await page.goto('/')
  await page.getByRole('contentinfo').getByRole('link', { name: 'Shop by Brand' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Shop by Brand' })).toBeVisible()
  const letters = page.getByRole('navigation', { name: 'Brands by letter' })
  await expect(letters.getByRole('link', { name: 'All brands' })).toHaveAttribute('aria-current', 'page')

  await letters.getByRole('link', { name: 'L', exact: true }).click()
  await expect(page).toHaveURL('/brands?letter=L')
  await expect(page).toHaveTitle('Brands that start with L | Meridian')
  const brands = page.getByRole('main').getByRole('article')
  for (const name of await brands.getByRole('heading').allInnerTexts()) expect(name).toMatch(/^L/i)

  await brands.getByRole('link', { name: 'Lipitor', exact: true }).click()
  await expect(page).toHaveURL(/\/products\/[0-9a-f-]{36}\?variant=[0-9a-f-]{36}$/)
  await expect(page.getByRole('radio', { name: /^Lipitor/, checked: true })).toBeVisible()

  await page.goBack()
  // The page of the medicine has such a link too.
  await expect(page).toHaveURL('/brands?letter=L')
  await page.getByRole('main').getByRole('link', { name: 'Products', exact: true }).click()
  await expect(page).toHaveURL('/products')
})

test('the keyboard alone finds a brand by a word of its name, and the URL has no empty parameter', async ({
  page,
}) => {
  await page.goto('/brands?letter=B')
  const field = page.getByRole('searchbox', { name: 'Find a brand' })
  await field.fill('  lipit ')
  await field.press('Enter')
  await expect(page).toHaveURL('/brands?q=lipit')
  await expect(page.getByRole('main').getByRole('status')).toHaveText('1 brand for “lipit”')
  await expect(field).toHaveValue('lipit')
  await field.fill('')
  await field.press('Enter')
  await expect(page).toHaveURL('/brands')
  await expect(page.getByRole('main').getByRole('status')).toHaveText(/^[\d,]+ brands$/)
})

test('data fetched on hover is not fetched again on click', async ({ page }) => {
  const fromServer: boolean[] = []
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Network.enable')
  devtools.on('Network.responseReceived', ({ response }) => {
    if (!response.url.endsWith('/brands.data?letter=M')) return
    fromServer.push(!response.fromDiskCache && !response.fromPrefetchCache)
  })
  await page.goto('/brands', { waitUntil: 'networkidle' })
  const link = page.getByRole('link', { name: 'M', exact: true })
  const ahead = page.waitForResponse(/brands\.data\?letter=M/)
  await link.hover()
  await (await ahead).finished()
  await link.click()
  await expect(page).toHaveURL('/brands?letter=M')
  await expect.poll(() => fromServer).toEqual([true, false])
})
