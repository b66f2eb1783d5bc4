import { expect, test } from '#tests/support/browser.ts'
import { dateBefore } from '#tests/support/dates.ts'
import { loseResponse } from '#tests/support/lose-response.ts'
import { signIn } from '#tests/support/signing-in.ts'
import type { Page } from '@playwright/test'

test.use({ allowedOutput: /status of (409|422)/ })

test('stock: adjusts a low row and undoes it, finds any variant by typing, and lists it all in the ledger', async ({
  page,
}) => {
  await signIn(page, 'admin')
  await page.goto('/admin/inventory')
  const low = page.getByRole('grid', { name: 'Low stock' })
  const dialog = page.getByRole('dialog', { name: 'Adjust Stock' })
  const history = page.getByRole('grid', { name: 'Transaction history' })
  await expect(page.getByRole('heading', { name: 'Low stock' })).toBeVisible()

  // From a row: its variant is already filled in.
  const row = low.getByRole('row').nth(1)
  const id = (await row.getAttribute('data-row')) ?? ''
  const name = ((await row.getByRole('button').first().getAttribute('aria-label')) ?? '').replace(
    'Adjust ',
    '',
  )
  await row.getByRole('button', { name: `Adjust ${name}` }).click()
  await expect(dialog.getByLabel('Variant')).toHaveValue(name)
  await expect(dialog.getByLabel('Quantity change')).toBeFocused()
  await dialog.getByRole('button', { name: 'Adjust Stock' }).click()
  await expect(dialog.getByText('Enter a number other than 0.')).toBeVisible()
  await dialog.getByLabel('Quantity change').fill('-1000000')
  await dialog.getByLabel('Notes').fill('Counted again')
  await dialog.getByRole('button', { name: 'Adjust Stock' }).click()
  await expect(dialog.getByText('You can’t remove 1000000 units. There are 0 on hand.')).toBeVisible()
  await expect(page.getByText('Adjustment Failed')).toHaveCount(0)
  await expect(dialog.getByLabel('Notes')).toHaveValue('Counted again')
  await dialog.getByLabel('Quantity change').fill('25')
  await expect(dialog.getByText('0 on hand, 25 after this change.')).toBeVisible()
  await dialog.getByLabel('Transaction type').selectOption('purchase')
  await dialog.getByRole('button', { name: 'Adjust Stock' }).click()
  await expect(dialog).toBeHidden()
  await expect(low.locator(`[data-row="${id}"]`)).toHaveCount(0)
  const newest = history.getByRole('row').nth(1)
  await expect(newest).toContainText(name)
  await expect(newest.getByRole('gridcell')).toContainText([
    '',
    '',
    'Purchase',
    '0',
    '+25',
    '25',
    'Counted again',
  ])
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(newest.getByRole('gridcell')).toContainText(['', '', 'Adjustment', '25', '−25', '0', 'Undo'])
  await expect(low.locator(`[data-row="${id}"]`)).toBeVisible()

  // From the button: the variant field is empty.
  await page.getByRole('button', { name: 'Adjust Stock' }).click()
  const variant = dialog.getByRole('combobox', { name: 'Variant' })
  await expect(variant).toBeFocused()
  await expect(variant).toHaveValue('')
  await expect(dialog.getByLabel('Quantity change')).toHaveValue('')
  await dialog.getByRole('button', { name: 'Adjust Stock' }).click()
  await expect(dialog.getByText('Please select a variant.')).toBeVisible()
  await expect(variant).toBeFocused()
  await variant.pressSequentially('naproxen')
  await expect(dialog.getByRole('option').first()).toContainText(/^Naproxen.* · (OTC|Rx)/)
  // In the top layer, where the dialog cannot clip it.
  const isOnTop = await dialog.getByRole('listbox').evaluate((list) => list.matches(':popover-open'))
  expect(isOnTop).toBe(true)
  const broadCount = await dialog.getByRole('option').count()
  await variant.pressSequentially(' 500')
  // Until then, the options are those of what was typed before.
  await expect(dialog.getByRole('option').first()).toContainText('500 mg')
  expect(await dialog.getByRole('option').count()).toBeLessThan(broadCount)
  await variant.press('ArrowDown')
  await variant.press('Enter')
  await expect(variant).toHaveValue(/^Naproxen.*500 mg/)
  const selected = await variant.inputValue()
  await dialog.getByLabel('Quantity change').fill('3')
  await dialog.getByLabel('Quantity change').press('Enter')
  await expect(dialog).toBeHidden()
  await expect(newest).toContainText(selected)

  // Filter the ledger by one variant, by another, and clear the filter.
  await low
    .locator(`[data-row="${id}"]`)
    .getByRole('link', { name: `History of ${name}` })
    .click()
  await expect(history.getByRole('row')).toHaveCount(3)
  await expect(page.getByLabel('Filter by variant')).toHaveValue(name)
  await page.reload()
  await expect(history.getByRole('row')).toHaveCount(3)
  await page.getByLabel('Filter by variant').fill('acetaminophen')
  await page.getByRole('listbox').getByRole('option').first().click()
  await expect(history.getByRole('row').last()).toContainText(/acetaminophen/i)
  await page.getByLabel('Filter by variant').fill('qqqqqqqq')
  await page.getByLabel('Filter by variant').press('Enter')
  await expect(page.getByText('No transactions found')).toBeVisible()
  await page.getByRole('link', { name: 'Clear' }).click()
  await expect(newest).toContainText(selected)

  // The two grids share a URL without affecting each other.
  const views = page.getByRole('navigation', { name: 'Stock to show' })
  await views.getByRole('link', { name: 'All variants' }).click()
  await page.getByLabel('Search inventory').fill('naproxen')
  await expect(page).toHaveURL(/\?show=all&q=naproxen$/)
  // Three controls at once, before the first navigation can finish.
  await views.getByRole('link', { name: 'Out of stock' }).evaluate((link: HTMLElement) => {
    link.click()
    for (const name of ['Stock Qty', 'All variants']) {
      const links = [...document.querySelectorAll<HTMLElement>('main a')]
      links.find(({ textContent }) => textContent.includes(name))?.click()
    }
  })
  await expect(page).toHaveURL(/\?q=naproxen&sort=stock&dir=desc&show=all$/)
  await newest.getByRole('link').click()
  await expect(page).toHaveURL(/\?q=naproxen&sort=stock&dir=desc&show=all&history\.variant=[0-9a-f-]{36}$/)
  await expect(page.getByRole('grid', { name: 'Stock' }).getByRole('row').nth(1)).toContainText(/naproxen/i)
})

test('an undo that the stock no longer allows says why', async ({ page }) => {
  await signIn(page, 'admin')
  await page.goto('/admin/inventory')
  const dialog = page.getByRole('dialog', { name: 'Adjust Stock' })
  const row = page.getByRole('grid', { name: 'Low stock' }).getByRole('row').nth(4)
  const variantId = (await row.getAttribute('data-row')) ?? ''
  await row.getByRole('button', { name: /^Adjust / }).click()
  await dialog.getByLabel('Quantity change').fill('5')
  await dialog.getByRole('button', { name: 'Adjust Stock' }).click()
  await expect(dialog).toBeHidden()
  const headers = { origin: new URL(page.url()).origin }
  const lot = { lotNumber: 'UNDO-1', expiryDate: dateBefore(new Date(), -400) }
  const offer = await page.getByText(/now \d+ on hand/).textContent()
  const onHand = Number(/now (\d+) on hand/.exec(offer ?? '')?.[1])
  // Then two units are in no lot.
  for (const change of [{ quantityChange: 50, ...lot }, { quantityChange: 2 - onHand }]) {
    const data = { variantId, transactionType: 'adjustment', ...change }
    expect((await page.request.post('/api/inventory/adjust', { data, headers })).ok()).toBe(true)
  }
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText('Enter a lot number. 2 units are not in a lot.')).toBeVisible()
})

test('pharmacies: field errors, undo of an edit, and a warning about an expiring license', async ({
  page,
}) => {
  await signIn(page, 'admin')
  await page.goto('/admin/pharmacies')
  const row = page.getByRole('grid', { name: 'Pharmacies' }).getByRole('row', { name: /Fjord Apotek/ })
  await page.getByRole('button', { name: 'Add Pharmacy' }).click()
  const addDialog = page.getByRole('dialog', { name: 'Add Pharmacy' })
  const keys: string[] = []
  page.on('request', (request) => {
    const [, key = ''] = /"requestKey":"([^"]+)"/.exec(request.postData() ?? '') ?? []
    if (request.url().includes('pharmacies.create')) keys.push(key)
  })
  await expect(addDialog.getByLabel('Name')).toBeFocused()
  await addDialog.getByLabel('Name').fill('Fjord Apotek')
  await addDialog.getByRole('button', { name: 'Save' }).click()
  await expect(addDialog.getByLabel('Country')).toHaveAccessibleDescription('Enter a country.')
  await expect(addDialog.getByText('Enter at least one country.')).toBeVisible()
  await expect(addDialog.getByLabel('Name')).toHaveValue('Fjord Apotek')
  await addDialog.getByLabel('Country').fill('Norway')
  await addDialog.getByLabel('License number').fill('NO-5003')
  await addDialog.getByLabel('License expiry').fill(dateBefore(new Date(), -1000))
  await addDialog.getByLabel('Ships to').fill('Norway\nSweden, Denmark\nFinland')
  await addDialog.getByRole('button', { name: 'Save' }).click()
  await expect(row).toContainText('Norway, Sweden, Denmark and 1 more')
  // A refused save created nothing, so the next one has a key of its own.
  expect(new Set(keys.filter(Boolean)).size).toBe(2)

  await row.getByRole('button', { name: 'Edit Fjord Apotek' }).click()
  const editDialog = page.getByRole('dialog', { name: 'Edit Pharmacy' })
  await editDialog.getByLabel('License expiry').fill(dateBefore(new Date(), -1))
  await editDialog.getByRole('button', { name: 'Save' }).click()
  await expect(row).toContainText('expires in 1 day')
  await expect(page.getByRole('status').filter({ hasText: '1 license needs renewal' })).toContainText(
    'Fjord Apotek',
  )
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(row).not.toContainText('expires in 1 day')
  await expect(page.getByText('1 license needs renewal')).toHaveCount(0)
})

/** Receives units of a new lot, and opens its page. */
async function openLot(page: Page, lotNumber: string, quantity: number): Promise<void> {
  await signIn(page, 'admin')
  const stock = await (await page.request.get('/admin/variants.csv?q=naproxen')).text()
  const id = stock.split('\r\n')[1]?.split(',')[0] ?? ''
  await page.goto(`/admin/inventory/lots?variant=${id}`)
  await page.getByLabel('Lot number').fill(lotNumber)
  await page.getByLabel('Expiry date').fill('2031-01-31')
  await page.getByRole('spinbutton', { name: 'Quantity' }).fill(`${quantity}`)
  await page.getByRole('button', { name: 'Receive' }).click()
  await page.getByRole('grid', { name: 'Lots' }).getByRole('link', { name: lotNumber }).click()
  await expect(page.getByRole('heading', { level: 1, name: `Lot ${lotNumber}` })).toBeVisible()
}

test('a lot that another tab put into quarantine says so, and offers to release it', async ({
  page,
  context,
}) => {
  await openLot(page, 'TABS-1', 3)
  const other = await context.newPage()
  await other.goto(page.url())
  for (const tab of [other, page]) {
    await tab.getByLabel('Reason').fill('Broken seal')
    await tab.getByRole('button', { name: 'Quarantine lot' }).click()
    await expect(tab.getByRole('button', { name: 'Release lot' })).toBeVisible()
  }
  await expect(page.getByRole('alert').filter({ hasText: /^Lot .* is in quarantine\.$/ })).toBeFocused()
  await expect(page.getByRole('button', { name: 'Quarantine lot' })).toHaveCount(0)
})

test.describe('when a response is lost', () => {
  test.use({ allowedOutput: /net::ERR_FAILED/ })

  test('units of a lot are written off once when the form is sent again, which then is empty', async ({
    page,
  }) => {
    await openLot(page, 'ONCE-1', 9)
    await page.getByLabel('Reason').fill('Wet carton')
    await page.getByRole('button', { name: 'Quarantine lot' }).click()
    const form = page.getByRole('form', { name: 'Write off' })
    const writeOff = form.getByRole('button', { name: 'Write off units' })
    await form.getByLabel('Quantity').fill('2')
    await form.getByLabel('Reason').fill('Destroyed')
    await loseResponse(page, '**/admin/inventory/lots/*.data*')
    await writeOff.click()
    await expect(page.getByText('We couldn’t connect to the server.')).toBeVisible()
    await expect(form.getByLabel('Reason')).toHaveValue('Destroyed')
    await writeOff.click()
    await expect(form.getByLabel('Quantity')).toHaveValue('7')
    await expect(form.getByLabel('Reason')).toHaveValue('')
    await expect(page.getByText(/^Written off: 2 units/)).toHaveCount(1)

    await form.getByLabel('Quantity').fill('3')
    await form.getByLabel('Reason').fill('Destroyed too')
    await writeOff.click()
    await expect(form.getByLabel('Quantity')).toHaveValue('4')
    // Pressed again, it asks for the reason.
    await writeOff.click()
    await expect(form.getByLabel('Reason')).toBeFocused()
  })

  test('units are added once when the form is sent again, and the lots show them at once', async ({
    page,
  }) => {
    await signIn(page, 'admin')
    await page.goto('/admin/inventory')
    await page.getByRole('heading', { name: 'Low stock' }).waitFor()
    const row = page.getByRole('grid', { name: 'Low stock' }).getByRole('row').nth(1)
    const id = (await row.getAttribute('data-row')) ?? ''
    await page.goto(`/admin/inventory/lots?variant=${id}`)
    await expect(page.getByRole('button', { name: 'Columns' })).toBeEnabled()
    await page.getByLabel('Lot number').fill('AGAIN-7')
    await page.getByLabel('Expiry date').fill('2031-01-31')
    await page.getByRole('spinbutton', { name: 'Quantity' }).fill('7')
    await loseResponse(page, '**/admin/inventory/lots.data*')
    await page.getByRole('button', { name: 'Receive' }).click()
    await expect(page.getByText('We couldn’t connect to the server.')).toBeVisible()
    await expect(page.getByLabel('Lot number')).toHaveValue('AGAIN-7')
    await page.getByRole('button', { name: 'Receive' }).click()
    const lots = page.getByRole('grid', { name: 'Lots' })
    await expect(lots.getByRole('row', { name: 'AGAIN-7' }).getByRole('gridcell').last()).toHaveText('7')
    await expect(page.getByLabel('Lot number')).toHaveValue('')

    await page.goto(`/admin/inventory?history.variant=${id}`)
    await page
      .getByRole('button', { name: /^Adjust / })
      .last()
      .click()
    const dialog = page.getByRole('dialog', { name: 'Adjust Stock' })
    await dialog.getByLabel('Quantity change').fill('5')
    await loseResponse(page, '**/trpc/inventory.adjust*')
    await dialog.getByRole('button', { name: 'Adjust Stock' }).click()
    await expect(dialog.getByText('We couldn’t connect to the server.')).toBeVisible()
    await expect(page.getByText('Failed to adjust stock. Please try again.')).toBeVisible()
    await dialog.getByRole('button', { name: 'Adjust Stock' }).click()
    await expect(page.getByText('now 12 on hand.')).toBeVisible()
  })
})

test('Back asks before it discards a half-filled adjustment, and leaves the page when nothing was typed', async ({
  page,
}) => {
  await signIn(page, 'admin')
  await page.goto('/admin/manufacturers')
  await page.getByRole('link', { name: 'Inventory' }).first().click()
  await page.getByRole('button', { name: 'Adjust Stock' }).click()
  const dialog = page.getByRole('dialog', { name: 'Adjust Stock' })
  const notes = dialog.getByLabel('Notes')
  await notes.fill('Counted twice')
  await page.evaluate(() => history.back())
  const keep = dialog.getByRole('button', { name: 'Keep editing' })
  await expect(keep).toBeFocused()
  await expect(page).toHaveURL(/\/admin\/inventory$/)
  await keep.click()
  await expect(notes).toHaveValue('Counted twice')
  await expect(notes).toBeFocused()
  await page.evaluate(() => history.back())
  await dialog.getByRole('button', { name: 'Discard' }).click()
  await expect(dialog).toBeHidden()
  await expect(page).toHaveURL(/\/admin\/inventory$/)
  await page.getByRole('button', { name: 'Adjust Stock' }).click()
  await expect(notes).toHaveValue('')
  await page.goBack()
  await expect(page).toHaveURL(/\/admin\/manufacturers$/)
})

test('a search of the low stock links to what it found in other stock', async ({ page }) => {
  await signIn(page, 'admin')
  await page.goto('/admin/inventory?q=simvastatin', { waitUntil: 'networkidle' })
  await page.getByRole('link', { name: /^\d+ more in All variants$/ }).click()
  await expect(page).toHaveURL(/q=simvastatin.*show=all|show=all.*q=simvastatin/)
  await expect(page.getByRole('grid', { name: 'Stock' }).getByText('Simvastatin').first()).toBeVisible()
  await expect(page.getByRole('link', { name: /more in All variants$/ })).toHaveCount(0)
})
