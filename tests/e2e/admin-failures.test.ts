import { expect, test } from '#tests/support/browser.ts'
import { holdRequests } from '#tests/support/hold-requests.ts'
import { loseResponse } from '#tests/support/lose-response.ts'
import { samplePng } from '#tests/support/sample-files.ts'
import { signIn } from '#tests/support/signing-in.ts'
import type { Page } from '@playwright/test'

// The browser logs the responses that these tests provoke.
test.use({ allowedOutput: /Failed to load resource/ })

const signedOut = 'You’re signed out. Sign in again in another tab, then try again.'

async function openAdmin(page: Page, path: string): Promise<void> {
  await signIn(page, 'admin')
  await page.goto(path, { waitUntil: 'networkidle' })
}

const loseCall = (page: Page, call: string): Promise<void> => loseResponse(page, `**/trpc/${call}?*`)

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
  await page.goto('/admin/products?q=omeprazole', { waitUntil: 'networkidle' })
  await page
    .getByRole('button', { name: /^Edit / })
    .first()
    .click()
  const product = page.getByRole('dialog', { name: 'Edit product' })
  await page.context().clearCookies()
  const chooser = page.waitForEvent('filechooser')
  await product.getByRole('button', { name: 'Upload picture' }).click()
  await (await chooser).setFiles({ name: 'a.png', mimeType: 'image/png', buffer: samplePng() })
  await expect(product.getByText(signedOut).first()).toBeVisible()

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
  await loseCall(page, 'variants.create')
  await dialog.getByRole('button', { name: 'Save' }).click()
  const problem = dialog.getByText('We couldn’t connect to the server.')
  await expect(problem).toBeVisible()
  await expect(page.getByText('Failed to create product', { exact: true })).toBeVisible()
  await dialog.getByLabel('Create new product (medicine)').uncheck()
  await expect(problem).toBeHidden()
  await dialog.getByLabel('Create new product (medicine)').check()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toBeHidden()
  await page.getByLabel('Search products').fill('onceonly')
  await expect(page.getByText('1–1 of 1', { exact: true })).toBeVisible()
})

test('Add Pharmacy whose response was lost adds one pharmacy, also after a field error', async ({ page }) => {
  await openAdmin(page, '/admin/pharmacies')
  await page.getByRole('button', { name: 'Add Pharmacy' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add Pharmacy' })
  const fields = {
    Name: 'Onlyonce Apotek',
    Country: 'Norway',
    'License number': 'NO-7001',
    'License expiry': '2039-01-31',
    'Ships to': 'Norway',
  }
  for (const [label, value] of Object.entries(fields)) await dialog.getByLabel(label).fill(value)
  await loseCall(page, 'pharmacies.create')
  const save = dialog.getByRole('button', { name: 'Save' })
  await save.click()
  const country = dialog.getByLabel('Country')
  await expect(page.getByText('We couldn’t connect to the server.').first()).toBeVisible()
  await country.fill('')
  await save.click()
  await expect(country).toHaveAccessibleDescription('Enter a country.')
  await country.fill('Norway')
  await save.click()
  await expect(dialog).toBeHidden()
  const grid = page.getByRole('grid', { name: 'Pharmacies' })
  await expect(grid.getByRole('row', { name: /Onlyonce Apotek/ })).toHaveCount(1)
})

test('a role change whose response was lost says why, and shows the role as it is stored', async ({
  page,
}) => {
  await openAdmin(page, '/admin/settings')
  const user = page.getByRole('row').filter({ hasText: 'catalog@meridian.test' })
  const confirmation = page.getByRole('alertdialog')
  await user.getByRole('button', { name: /^Make admin: / }).click()
  await loseCall(page, 'users.setRole')
  await confirmation.getByRole('button', { name: 'Make admin' }).click()
  const bar = page.getByRole('region', { name: 'Selected rows' })
  await expect(bar.getByRole('status')).toHaveText(
    'We couldn’t connect to the server. Check your connection and try again.',
  )
  await expect(bar.getByRole('status')).toHaveClass(/text-error/)
  await user.getByRole('button', { name: /^Remove admin: / }).click()
  await confirmation.getByRole('button', { name: 'Remove admin' }).click()
  await expect(user.getByRole('button', { name: /^Make admin: / })).toBeVisible()
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

test('the undo of a stock edit leaves a variant off sale', async ({ page }) => {
  await openAdmin(page, '/admin/variants?q=omeprazole&stock=in')
  const edit = page.getByRole('button', { name: /^Edit / }).first()
  const name = (await edit.getAttribute('aria-label')) ?? ''
  const dialog = page.getByRole('dialog', { name: 'Edit variant' })
  const [inStock, quantity] = [dialog.getByLabel('In stock'), dialog.getByLabel('Stock quantity')]
  const save = async (): Promise<void> => {
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(dialog).toBeHidden()
  }
  await edit.click()
  await quantity.fill('5')
  await inStock.uncheck()
  await save()

  await page.goto('/admin/variants?q=omeprazole', { waitUntil: 'networkidle' })
  const same = page.getByRole('button', { name, exact: true }).first()
  await same.click()
  await quantity.fill('0')
  await save()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByRole('button', { name: 'Undo' })).toHaveCount(0)
  await same.click()
  await expect(quantity).toHaveValue('5')
  await expect(inStock).not.toBeChecked()
})

test('a view that is saved by two key presses is saved once, without an error', async ({ page }) => {
  await openAdmin(page, '/admin/manufacturers?dir=desc')
  await page.getByRole('button', { name: 'Views' }).click()
  const name = page.getByLabel('Save these filters, sort and columns as')
  const send = await holdRequests(page, '**/trpc/grids.saveView?*')
  let saves = 0
  page.on('request', (request) => (saves += request.url().includes('grids.saveView') ? 1 : 0))
  await name.fill('Backwards')
  await name.press('Enter')
  await name.press('Enter')
  send()
  const menu = page.locator(':popover-open')
  await expect(menu.getByRole('link', { name: 'Backwards', exact: true })).toHaveCount(1)
  expect(saves).toBe(1)
  await expect(menu.getByRole('alert')).toHaveCount(0)
})

test('half a date or half an amount clears nothing that is stored', async ({ page }) => {
  await openAdmin(page, '/admin/variants?q=omeprazole&stock=in')
  await page
    .getByRole('button', { name: /^Edit / })
    .first()
    .click()
  const dialog = page.getByRole('dialog', { name: 'Edit variant' })
  const cost = dialog.getByLabel('Acquisition cost')
  await cost.fill('')
  await cost.pressSequentially('1-2')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(cost).toBeFocused()
  await expect(dialog).toBeVisible()

  await page.goto('/admin/orders', { waitUntil: 'networkidle' })
  const order = await page
    .getByRole('link', { name: /^Order / })
    .first()
    .getAttribute('href')
  await page.goto(order ?? '', { waitUntil: 'networkidle' })
  const delivery = page.getByLabel('Estimated delivery')
  await delivery.fill('2027-01-05')
  await page.getByLabel('Carrier').fill('DHL')
  await delivery.focus()
  await delivery.press('Backspace')
  await page.getByRole('button', { name: 'Save shipment' }).click()
  await expect(delivery).toBeFocused()
  await delivery.fill('2027-01-06')
  await page.getByRole('button', { name: 'Save shipment' }).click()
  await expect(page.getByText('Shipment saved')).toBeVisible()
  await expect(delivery).toHaveValue('2027-01-06')
})
