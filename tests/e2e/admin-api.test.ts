import { expect, test } from '#tests/support/browser.ts'
import { signIn } from '#tests/support/signing-in.ts'

test('a new API key cannot be hidden by a second press while the list is fetched', async ({ page }) => {
  await signIn(page, 'admin')
  await page.goto('/admin/api/keys', { waitUntil: 'networkidle' })
  let release = (): void => {}
  const held = new Promise<void>((done) => (release = done))
  await page.route('**/admin/api/keys.data*', async (route) => {
    if (route.request().method() === 'GET') await held
    await route.continue()
  })
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
