import { expect, test } from '#tests/support/browser.ts'
import { signIn } from '#tests/support/signing-in.ts'
import type { Page, Route } from '@playwright/test'

// The browser logs the responses that these tests provoke.
test.use({ allowedOutput: /Failed to load resource/ })

const signedOut = 'You’re signed out. Sign in again in another tab, then try again.'

async function openAdmin(page: Page, path: string): Promise<void> {
  await signIn(page, 'admin')
  await page.goto(path, { waitUntil: 'networkidle' })
}

/** Lets the server do the first such call, and loses its response. */
async function loseResponse(page: Page, call: string): Promise<void> {
  const lose = async (route: Route): Promise<void> => {
    await route.fetch()
    await route.abort()
  }
  await page.route(`**/trpc/${call}?*`, lose, { times: 1 })
}

test('a save without a session says why, keeps what was typed, and works once it is back', async ({
  page,
}) => {
  await openAdmin(page, '/admin/variants?q=omeprazole')
  await page
    .getByRole('button', { name: /^Edit / })
    .first()
    .click()
  const dialog = page.getByRole('dialog', { name: 'Edit variant' })
  await dialog.getByLabel('SKU').fill('TYPED-1')
  const cookies = await page.context().cookies()
  await page.context().clearCookies()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByText(signedOut)).toBeVisible()
  await expect(page.getByText('Failed to update product', { exact: true })).toBeVisible()
  await page.context().addCookies(cookies)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toBeHidden()
  await expect(page.getByRole('grid').getByText('TYPED-1')).toBeVisible()

  await page.goto('/admin/products?q=omeprazole', { waitUntil: 'networkidle' })
  await page
    .getByRole('button', { name: /^Delete / })
    .first()
    .click()
  const confirmation = page.getByRole('alertdialog')
  await page.context().clearCookies()
  await confirmation.getByRole('button', { name: 'Delete' }).click()
  await expect(confirmation.getByText(signedOut)).toBeVisible()
  await expect(page.getByText('Failed to delete product', { exact: true })).toBeVisible()

  await page.context().addCookies(cookies)
  await page.goto('/admin/settings', { waitUntil: 'networkidle' })
  const user = page.getByRole('row').filter({ hasText: 'catalog@meridian.test' })
  await user.getByRole('button', { name: /^Make admin: / }).click()
  await page.context().clearCookies()
  await confirmation.getByRole('button', { name: 'Make admin' }).click()
  await expect(page.getByRole('region', { name: 'Selected rows' })).toContainText(signedOut)
  await page.context().addCookies(cookies)
})

test('Add Product whose response was lost adds one product when it is sent again', async ({ page }) => {
  await openAdmin(page, '/admin/variants')
  await page.getByRole('button', { name: 'Add Product' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add Product' })
  await dialog.getByLabel('Create new product (medicine)').check()
  const fields = {
    Name: 'Onceonly',
    'Image URL': '/img/v/none.svg',
    Strength: '250',
    'Strength unit': 'mg',
    'Package size': '30',
    'Package unit': 'tablet',
    Price: '12.50',
  }
  for (const [label, value] of Object.entries(fields))
    await dialog.getByLabel(label, { exact: true }).fill(value)
  await loseResponse(page, 'variants.create')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByText('We couldn’t connect to the server.')).toBeVisible()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toBeHidden()
  await page.getByLabel('Search products').fill('onceonly')
  await expect(page.getByText('1–1 of 1', { exact: true })).toBeVisible()
})

test('a refused price that is corrected is saved on leaving the field', async ({ page }) => {
  await openAdmin(page, '/admin/variants?q=omeprazole')
  const price = page.getByRole('button', { name: /edit price of/ }).first()
  await price.click()
  const input = page.getByRole('textbox', { name: /^Price of/ })
  await input.fill('61,50')
  await input.press('Enter')
  await expect(page.getByRole('grid').getByRole('alert')).toContainText('Enter a dollar amount')
  await input.fill('61.50')
  await page.getByLabel('Search products').click()
  await expect(price).toHaveText('$61.50')
})
