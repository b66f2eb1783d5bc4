import { expect, test } from '#tests/support/browser.ts'
import { holdRequests } from '#tests/support/hold-requests.ts'
import { signIn } from '#tests/support/signing-in.ts'

test('a new API key cannot be hidden by a second press while the list is fetched', async ({ page }) => {
  await signIn(page, 'admin')
  await page.goto('/admin/api/keys', { waitUntil: 'networkidle' })
  const path = '**/admin/api/keys.data*'
  const release = await holdRequests(page, path)
  await page.route(path, (route) =>
    route.request().method() === 'GET' ? route.fallback() : route.continue(),
  )
  await page.getByLabel('Name').fill('Warehouse robot')
  await page.getByLabel('Adjust stock').check()
  const create = page.getByRole('button', { name: 'Create API key' })
  await create.click()
  await expect(page.getByText('API key created')).toBeVisible()
  await expect(create).toBeDisabled()
  release()
  await expect(create).toBeEnabled()
  await expect(page.getByText('API key created')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Warehouse robot' })).toBeVisible()
})

test('a new secret takes the focus and has a button that copies it', async ({ page }) => {
  await signIn(page, 'admin')
  await page.goto('/admin/api/webhooks', { waitUntil: 'networkidle' })
  await page.getByLabel('Address').fill('https://hooks.example/orders')
  await page.getByRole('button', { name: 'Add endpoint' }).press('Enter')
  await expect(page.getByRole('group', { name: 'Endpoint created' })).toBeFocused()
  await expect(page.getByRole('button', { name: 'Copy secret' })).toBeEnabled()

  await page.goto('/admin/api/keys', { waitUntil: 'networkidle' })
  await page.getByLabel('Name').fill('Till')
  await page.getByLabel('Adjust stock').check()
  await page.getByRole('button', { name: 'Create API key' }).press('Enter')
  await expect(page.getByRole('group', { name: 'API key created' })).toBeFocused()
})

test('when the response to a form replaces the pressed button, the page takes the focus', async ({
  page,
}) => {
  await signIn(page, 'admin')
  await page.goto('/admin/api/webhooks', { waitUntil: 'networkidle' })
  await page.getByLabel('Address').fill('https://hooks.example/stock')
  await page.getByRole('button', { name: 'Add endpoint' }).press('Enter')
  // An endpoint of another test can be disabled before this one is there.
  await expect(page.getByRole('group', { name: 'Endpoint created' })).toBeFocused()
  await expect(page.locator('.page-progress')).toHaveCount(0)
  await page.getByRole('button', { name: 'Disable' }).first().press('Enter')
  await expect(page.getByText('Endpoint disabled', { exact: true })).toBeVisible()
  await expect(page.getByRole('main')).toBeFocused()
})
