import { axeFindings } from '#tests/support/axe.ts'
import { expect, test } from '#tests/support/browser.ts'
import { samplePng } from '#tests/support/sample-files.ts'
import { signIn } from '#tests/support/signing-in.ts'
import type { Locator, Page } from '@playwright/test'

// The browser logs the responses that this test provokes.
test.use({ allowedOutput: /status of (404|409|415|422)/ })

/** A toast, once the toast module has loaded. */
const toast = (page: Page, text: string): Locator =>
  page.getByRole('region', { name: 'Notifications (F8)' }).getByText(text, { exact: true })

const rowOf = (page: Page, name: string): Locator =>
  page.getByRole('grid').getByRole('row').filter({ hasText: name })

async function openGrid(page: Page, path: string): Promise<void> {
  await signIn(page, 'admin')
  await page.goto(path)
  await expect(page.getByRole('button', { name: 'Columns' })).toBeEnabled()
}

async function fillVariant(dialog: Locator, fields: Record<string, string>): Promise<void> {
  for (const [label, value] of Object.entries(fields))
    await dialog.getByLabel(label, { exact: true }).fill(value)
}

async function choosePicture(page: Page, dialog: Locator, buffer: Buffer): Promise<void> {
  const chooser = page.waitForEvent('filechooser')
  await dialog.getByRole('button', { name: 'Upload picture' }).click()
  await (await chooser).setFiles({ name: 'browserol.png', mimeType: 'image/png', buffer })
}

const validVariant = {
  Strength: '250',
  'Strength unit': 'mg',
  'Package size': '30',
  'Package unit': 'tablet',
  Price: '12.50',
}

/** Whether nothing covers its middle. */
function isOnTop(element: Element): boolean {
  const { x, y, width, height } = element.getBoundingClientRect()
  return element.contains(document.elementFromPoint(x + width / 2, y + height / 2))
}

test('Add Product reports missing fields, product first, then creates a product and a second variant', async ({
  page,
}) => {
  await openGrid(page, '/admin/variants')
  // All documented columns are visible at 1280 px.
  const overflow = await page.locator('.data-grid').evaluate((grid) => grid.scrollWidth - grid.clientWidth)
  expect(overflow).toBe(0)
  const dialog = page.getByRole('dialog', { name: 'Add Product' })
  await page.getByRole('button', { name: 'Add Product' }).click()
  await expect(dialog.getByLabel('Create new product (medicine)')).toBeFocused()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(toast(page, 'Validation Error')).toBeVisible()
  await expect(toast(page, 'Please select a product')).toBeVisible()
  // The toast is inside the modal, since the rest of the page is inert. Escape closes only the
  // toast.
  await expect(dialog.getByRole('alert').filter({ hasText: 'Validation Error' })).toBeVisible()
  await page.keyboard.press('F8')
  await page.keyboard.press('Escape')
  await expect(dialog).toBeVisible()

  // The lists rank as the shop does, and open in the top layer, where the dialog cannot clip them.
  for (const [field, typed, first] of [
    ['Product', 'ibup', /^Ibuprofen/],
    ['Manufacturer', 'pharm', /^Pharm/],
  ] as const) {
    await dialog.getByRole('combobox', { name: field }).pressSequentially(typed)
    await expect(dialog.getByRole('option').first()).toContainText(first)
    const list = dialog.getByRole('listbox')
    expect(await list.evaluate((shown) => shown.matches(':popover-open'))).toBe(true)
    await dialog.getByRole('combobox', { name: field }).fill('')
    await expect(list).toBeHidden()
  }
  await dialog.getByLabel('Create new product (medicine)').check()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(toast(page, 'Please fill in all required product fields (name, image)')).toBeVisible()
  await fillVariant(dialog, { Name: 'Browserol' })
  await choosePicture(page, dialog, Buffer.from('<svg></svg>'))
  await expect(dialog.getByRole('button', { name: 'Upload picture' })).toHaveAccessibleDescription(
    'The picture must be a JPG or PNG.',
  )
  await choosePicture(page, dialog, samplePng())
  await expect(dialog.getByLabel('Image URL')).toHaveValue(/^\/img\/p\/[0-9a-f-]{36}\.png$/)
  await expect(dialog.getByLabel('Name', { exact: true })).toHaveValue('Browserol')
  await expect
    .poll(() => dialog.getByAltText('Preview').evaluate((img: HTMLImageElement) => img.naturalWidth))
    .toBe(1)
  expect(await axeFindings(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(toast(page, 'Please fill in all required variant fields')).toBeVisible()
  await expect(dialog.getByLabel('Strength', { exact: true })).toHaveAttribute('aria-invalid', 'true')

  await fillVariant(dialog, { ...validVariant, 'Brand name': 'Browserix', UPC: '036000291453' })
  await expect(
    dialog.getByText('The last digit (check digit) doesn’t match. Check it against the package.'),
  ).toBeVisible()
  await fillVariant(dialog, { 'Package size': '0' })
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByLabel('Package size', { exact: true })).toHaveAttribute('aria-invalid', 'true')
  await fillVariant(dialog, { 'Package size': '30', Price: '1.005' })
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(toast(page, 'Create Failed')).toBeVisible()
  await expect(dialog.getByLabel('Price', { exact: true })).toHaveAccessibleDescription(/dollar amount/)
  await fillVariant(dialog, { Price: '12.50', 'Stock quantity': '7' })
  await expect(dialog.getByLabel('In stock')).toBeChecked()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(toast(page, 'Product Created')).toBeVisible()
  await expect(dialog).toBeHidden()

  // The dialog starts blank and finds the new product.
  await page.getByRole('button', { name: 'Add Product' }).click()
  await expect(dialog.getByLabel('Create new product (medicine)')).not.toBeChecked()
  await dialog.getByLabel('Product', { exact: true }).pressSequentially('browser')
  await dialog.getByRole('option', { name: /Browserol/ }).click()
  await fillVariant(dialog, validVariant)
  await dialog.getByLabel('Linked variant').selectOption({ label: 'Browserix, 250 mg, 30 tablets' })
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toBeHidden()
  await page.getByLabel('Search products').fill('browserol')
  await expect(page.getByText('1–2 of 2')).toBeVisible()
  await expect(rowOf(page, 'Browserix').first()).toBeVisible()
})

test('edits a variant in its dialog and its price in the grid, with undo, stale edits and history', async ({
  page,
  browser,
  baseURL,
}) => {
  await openGrid(page, '/admin/variants?q=naproxen&stock=in')
  const row = page.getByRole('grid').getByRole('row').nth(1)
  const edit = row.getByRole('button', { name: /^Edit / })
  const dialog = page.getByRole('dialog', { name: 'Edit variant' })

  await edit.click()
  await expect(dialog.getByRole('textbox').first()).toBeFocused()
  await dialog.getByLabel('Strength', { exact: true }).fill('')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(toast(page, 'Please fill in all required variant fields')).toBeVisible()
  // The first error has the focus and is in sight, and so are the title, Close and Save.
  const strength = dialog.getByLabel('Strength', { exact: true })
  await expect(strength).toBeFocused()
  for (const inSight of [
    strength,
    dialog.getByRole('heading', { level: 2 }),
    dialog.getByRole('button', { name: 'Close' }),
    dialog.getByRole('button', { name: 'Save' }),
  ]) {
    await expect.poll(() => inSight.evaluate(isOnTop)).toBe(true)
  }
  // What was typed is discarded only on request.
  const discard = dialog.getByRole('button', { name: 'Discard' })
  await page.keyboard.press('Escape')
  await expect(dialog.getByRole('button', { name: 'Keep editing' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(strength).toBeFocused()
  await expect(discard).toBeHidden()
  await page.mouse.click(5, 5)
  await dialog.getByRole('button', { name: 'Keep editing' }).click()
  await dialog.getByRole('button', { name: 'Close' }).click()
  await discard.click()
  await expect(dialog).toBeHidden()
  await edit.click()
  await expect(strength).not.toHaveValue('')
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()

  // In the grid: Escape cancels, Enter saves, a refused price stays with the reason.
  const price = row.getByRole('button', { name: /edit price of/ })
  const before = (await price.innerText()).trim()
  await price.click()
  await row.getByLabel(/^Price of/).fill('999')
  await page.keyboard.press('Escape')
  await expect(price).toHaveText(before)
  await price.click()
  await row.getByLabel(/^Price of/).fill('1.005')
  await page.keyboard.press('Enter')
  await expect(row.getByRole('alert')).toContainText('dollar amount')
  // Nothing of it is cut at the left edge of its cell.
  const cut = await row.getByRole('alert').evaluate((alert) => {
    const cell = alert.closest('td')?.getBoundingClientRect()
    return [alert, alert.parentElement?.querySelector('input')].map(
      (part) => (part?.getBoundingClientRect().left ?? 0) < (cell?.left ?? Infinity),
    )
  })
  expect(cut).toEqual([false, false])
  await row.getByLabel(/^Price of/).fill('77.7')
  await page.keyboard.press('Enter')
  await expect(price).toHaveText('$77.70')
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(price).toHaveText(before)

  // Another admin changes it while the dialog is open.
  await edit.click()
  await dialog.getByLabel('Price', { exact: true }).fill('55.00')
  const otherPage = await browser.newPage({ baseURL: baseURL ?? '' })
  await openGrid(otherPage, '/admin/variants?q=naproxen&stock=in')
  const otherRow = otherPage.getByRole('grid').getByRole('row').nth(1)
  await otherRow.getByRole('button', { name: /edit price of/ }).click()
  await otherRow.getByLabel(/^Price of/).fill('66')
  await otherPage.keyboard.press('Enter')
  await expect(otherRow.getByRole('button', { name: '$66.00' })).toBeVisible()
  await expect(otherPage.getByRole('button', { name: 'Undo' })).toBeVisible()
  await dialog.getByRole('button', { name: 'Save' }).click()
  const notice = dialog.getByRole('alert')
  await expect(notice.getByRole('row', { name: 'Price 55.00 66.00' })).toBeVisible()
  await notice.getByRole('button', { name: 'Keep my edit' }).click()
  // The pressed button is no longer there; the focus stays in the form.
  await expect(dialog.getByRole('textbox').first()).toBeFocused()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(toast(page, 'Product Updated')).toBeVisible()
  await expect(price).toHaveText('$55.00')
  // The other admin's undo is refused, and shows the price that is stored.
  await otherPage.getByRole('button', { name: 'Undo' }).click()
  await expect(toast(otherPage, 'Undo Failed')).toBeVisible()
  await expect(otherRow.getByRole('button', { name: '$55.00' })).toBeVisible()
  await otherPage.close()

  await row.getByRole('button', { name: /^History of/ }).click()
  const history = page.getByRole('dialog', { name: 'History' })
  await expect(history.getByRole('row', { name: 'Price 66.00 55.00' })).toBeVisible()
  await expect(history.getByRole('listitem').first()).toContainText('updated')
})

test('finds, edits, views and, after a warning, deletes a product', async ({ page }) => {
  await openGrid(page, '/admin/products?q=naproxen')
  // Two products of one name are told apart.
  for (const kind of ['Rx oral · tablet', 'OTC oral · tablet, capsule']) {
    await expect(page.getByRole('gridcell', { name: kind, exact: true })).toBeVisible()
  }
  await openGrid(page, '/admin/products?q=loratadine')
  const row = page.getByRole('grid').getByRole('row').nth(1)
  const name = await row.locator('b').innerText()
  await row.getByRole('button', { name: `Edit ${name}` }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit product' })
  await expect(dialog.getByLabel('Name', { exact: true })).toBeFocused()
  await dialog.getByLabel('Name', { exact: true }).fill('')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(toast(page, 'Please fill in all required product fields (name, image)')).toBeVisible()
  await dialog.getByLabel('Name', { exact: true }).fill(`${name} updated`)
  await dialog.getByLabel('Description').fill('For the nose.')
  await dialog.getByLabel('Image URL').fill('javascript:alert(1)')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(toast(page, 'Failed to update product')).toBeVisible()
  await expect(dialog.getByLabel('Image URL')).toHaveAttribute('aria-invalid', 'true')
  await dialog.getByLabel('Image URL').fill('')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(toast(page, 'Product has been updated successfully')).toBeVisible()
  await expect(row.getByText(`${name} updated`)).toBeVisible()
  await expect(row.getByRole('link', { name: `View ${name} updated` })).toHaveAttribute(
    'href',
    /^\/products\/[0-9a-f-]+$/,
  )

  await row.getByRole('button', { name: `History of ${name} updated` }).click()
  const history = page.getByRole('dialog', { name: 'History' })
  await expect(history.getByRole('row', { name: `Name ${name} ${name} updated` })).toBeVisible()
  await history.getByRole('button', { name: 'Close' }).click()

  await row.getByRole('button', { name: `Delete ${name} updated` }).click()
  const warning = page.getByRole('alertdialog', { name: 'Delete product' })
  await expect(warning).toContainText(
    'This action cannot be undone. This will also delete all associated variants',
  )
  await expect(warning.getByRole('button')).toHaveText(['Cancel', 'Delete'])
  await warning.getByRole('button', { name: 'Delete' }).click()
  await expect(toast(page, 'Product has been deleted successfully')).toBeVisible()
  await expect(page.getByRole('grid').getByText(`${name} updated`)).toHaveCount(0)
})

test('asks before a prescription product becomes over-the-counter, and before a package changes', async ({
  page,
}) => {
  await openGrid(page, '/admin/products?q=levothyroxine')
  const row = page.getByRole('grid').getByRole('row').nth(1)
  const name = await row.locator('b').innerText()
  await row.getByRole('button', { name: `Edit ${name}` }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit product' })
  await dialog.getByLabel('Category').selectOption('OTC')
  await dialog.getByRole('button', { name: 'Save' }).click()
  const question = page.getByRole('alertdialog', { name: 'Confirm this change' })
  await expect(question).toContainText(`Customers will be able to buy ${name} (`)
  await expect(question).toContainText('The directory lists it as a prescription medicine.')
  await expect(question.getByRole('button')).toHaveText(['Cancel', 'Confirm'])
  await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused()
  expect(await axeFindings(page)).toEqual([])
  await question.getByRole('button', { name: 'Cancel' }).click()
  await expect(dialog.getByText('You didn’t confirm this change. Nothing was saved.')).toBeVisible()
  await expect(dialog.getByLabel('Category')).toHaveValue('OTC')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(question).toBeVisible()
  // To cancel is not to fail.
  await expect(page.getByText('Update Failed', { exact: true })).toHaveCount(0)
  await question.getByRole('button', { name: 'Confirm' }).click()
  await expect(toast(page, 'Product has been updated successfully')).toBeVisible()
  await expect(row.getByRole('gridcell', { name: /^OTC / })).toBeVisible()
  // The undo makes it a prescription product again, without a question.
  await page.getByRole('button', { name: 'Undo', exact: true }).click()
  await expect(row.getByRole('gridcell', { name: /^Rx / })).toBeVisible()

  await row.getByRole('button', { name: `Delete ${name}` }).click()
  const warning = page.getByRole('alertdialog', { name: 'Delete product' })
  await expect(warning).toContainText(/This product still has [\d,]+ units in stock/)
  await warning.getByRole('button', { name: 'Cancel' }).click()
  // An earlier server does not know the call.
  await page.reload()
  await page.route('**/trpc/products.previewDeletion?*', (route) => route.fulfill({ status: 404 }))
  await row.getByRole('button', { name: `Delete ${name}` }).click()
  await expect(warning.getByRole('alert')).toHaveText('We couldn’t check the product’s stock and orders.')
  await warning.getByRole('button', { name: 'Cancel' }).click()

  await page.goto('/admin/variants?q=levothyroxine&stock=in')
  const editOf = (at: number): Locator =>
    page
      .getByRole('grid')
      .getByRole('row')
      .nth(at)
      .getByRole('button', { name: /^Edit / })
  await editOf(1).click()
  const edit = page.getByRole('dialog', { name: 'Edit variant' })
  await edit.getByLabel('Strength', { exact: true }).fill('40')
  await edit.getByRole('button', { name: 'Save' }).click()
  await expect(question).toContainText('You changed the strength of a variant with')
  await question.getByRole('button', { name: 'Cancel' }).click()
  await expect(edit.getByText('You didn’t confirm this change. Nothing was saved.')).toBeVisible()
  await edit.getByRole('button', { name: 'Save' }).click()
  await expect(question).toBeVisible()
  await expect(page.getByText('Update Failed', { exact: true })).toHaveCount(0)
  // The stock changes while the question is open. It is not asked again.
  const variantId = (await page.getByRole('grid').getByRole('row').nth(1).getAttribute('data-row')) ?? ''
  const headers = { origin: new URL(page.url()).origin }
  const data = { variantId, quantityChange: 1, transactionType: 'adjustment', notes: 'Counted again' }
  expect((await page.request.post('/api/inventory/adjust', { data, headers })).ok()).toBe(true)
  await question.getByRole('button', { name: 'Confirm' }).click()
  await expect(toast(page, 'Product has been updated successfully')).toBeVisible()
  await expect(edit).toBeHidden()
  // Until then, the dialog would open with the row of before.
  await expect(
    page.locator(`[data-row="${variantId}"]`).getByRole('gridcell', { name: /^40 / }),
  ).toBeVisible()
  // Another admin changes the strength while the question is open: that is another question.
  await editOf(1).click()
  await edit.getByLabel('Strength', { exact: true }).fill('41')
  await edit.getByRole('button', { name: 'Save' }).click()
  await expect(question).toBeVisible()
  const strength = { data: { strength: '42' }, headers }
  expect((await page.request.patch(`/api/product-variants/${variantId}`, strength)).ok()).toBe(true)
  await question.getByRole('button', { name: 'Confirm' }).click()
  await edit.getByRole('button', { name: 'Keep my edit' }).click()
  await edit.getByRole('button', { name: 'Save' }).click()
  await question.getByRole('button', { name: 'Confirm' }).click()
  await expect(edit).toBeHidden()

  // An identifier that another variant has gets a warning beside its field and with the save.
  await editOf(1).click()
  const ndc = await edit.getByLabel('NDC', { exact: true }).inputValue()
  await edit.getByRole('button', { name: 'Cancel' }).click()
  await editOf(2).click()
  await edit.getByLabel('NDC', { exact: true }).fill(ndc)
  await expect(edit.getByText(/has this NDC too\. Check both packages\.$/)).toBeVisible()
  await edit.getByRole('button', { name: 'Save' }).click()
  await expect(question).toContainText('You changed the NDC of a variant with')
  await question.getByRole('button', { name: 'Confirm' }).click()
  await expect(
    page.getByText(/^Product has been updated successfully Levothyroxine .* has this NDC too/),
  ).toBeVisible()
})
