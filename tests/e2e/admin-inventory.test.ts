import { expect, test } from '#tests/support/browser.ts'
import { signIn } from '#tests/support/signing-in.ts'

test.use({ allowedOutput: /status of (409|422)/ })

test('the stock: a low row is adjusted and put back, any variant is found as one types, and the ledger tells all of it', async ({
  page,
}) => {
  await signIn(page, 'admin')
  await page.goto('/admin/inventory')
  const low = page.getByRole('grid', { name: 'Low stock' })
  const dialog = page.getByRole('dialog', { name: 'Adjust Stock' })
  const history = page.getByRole('grid', { name: 'Transaction history' })
  await expect(page.getByRole('heading', { name: 'Low stock' })).toBeVisible()

  // From a row: its variant stands there already, and one writes how many.
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
  await expect(dialog.getByText('The change must not be 0.')).toBeVisible()
  await dialog.getByLabel('Quantity change').fill('-1000000')
  await dialog.getByLabel('Notes').fill('Counted again')
  await dialog.getByRole('button', { name: 'Adjust Stock' }).click()
  await expect(dialog.getByText('The stock is 0 and cannot be lowered by 1000000.')).toBeVisible()
  await expect(page.getByText('Failed to adjust stock. Please try again.')).toBeVisible()
  await expect(dialog.getByLabel('Notes')).toHaveValue('Counted again')
  await dialog.getByLabel('Quantity change').fill('25')
  await expect(dialog.getByText('0 on hand, then 25.')).toBeVisible()
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
  await expect(newest.getByRole('gridcell')).toContainText(['', '', 'Adjustment', '25', '−25', '0', 'Undone'])
  await expect(low.locator(`[data-row="${id}"]`)).toBeVisible()

  // From the button: nothing stands there, and one types.
  await page.getByRole('button', { name: 'Adjust Stock' }).click()
  const variant = dialog.getByRole('combobox', { name: 'Variant' })
  await expect(variant).toBeFocused()
  await expect(variant).toHaveValue('')
  await expect(dialog.getByLabel('Quantity change')).toHaveValue('')
  await dialog.getByRole('button', { name: 'Adjust Stock' }).click()
  await expect(dialog.getByText('Please select a variant.')).toBeVisible()
  await expect(variant).toBeFocused()
  await variant.pressSequentially('naproxen')
  await expect(dialog.getByRole('option').first()).toContainText(/naproxen/i)
  const many = await dialog.getByRole('option').count()
  await variant.pressSequentially(' 500')
  await expect.poll(() => dialog.getByRole('option').count()).toBeLessThan(many)
  await variant.press('ArrowDown')
  await variant.press('Enter')
  await expect(variant).toHaveValue(/^Naproxen.*500 mg/)
  const chosen = await variant.inputValue()
  await dialog.getByLabel('Quantity change').fill('3')
  await dialog.getByLabel('Quantity change').press('Enter')
  await expect(dialog).toBeHidden()
  await expect(newest).toContainText(chosen)

  // One variant's ledger alone, from the row of another's, and back to all.
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
  await expect(newest).toContainText(chosen)

  // The two grids share an address and leave each other alone.
  await page
    .getByRole('navigation', { name: 'Stock to show' })
    .getByRole('link', { name: 'All variants' })
    .click()
  await page.getByLabel('Search inventory').fill('naproxen')
  await expect(page).toHaveURL(/\?show=all&q=naproxen$/)
  await newest.getByRole('link').click()
  await expect(page).toHaveURL(/\?show=all&q=naproxen&history\.variant=[0-9a-f-]{36}$/)
  await expect(page.getByRole('grid', { name: 'Stock' }).getByRole('row').nth(1)).toContainText(/naproxen/i)
})

test('a pharmacy: what is wrong stands beside its field, an edit is taken back, and a licence that ends is warned of', async ({
  page,
}) => {
  await signIn(page, 'admin')
  await page.goto('/admin/pharmacies')
  const row = page.getByRole('grid', { name: 'Pharmacies' }).getByRole('row', { name: /Fjord Apotek/ })
  await page.getByRole('button', { name: 'Add Pharmacy' }).click()
  const adding = page.getByRole('dialog', { name: 'Add Pharmacy' })
  await expect(adding.getByLabel('Name')).toBeFocused()
  await adding.getByLabel('Name').fill('Fjord Apotek')
  await adding.getByRole('button', { name: 'Save' }).click()
  await expect(adding.getByLabel('Country')).toHaveAccessibleDescription('Please write a country.')
  await expect(adding.getByText('Please name at least one country.')).toBeVisible()
  await expect(adding.getByLabel('Name')).toHaveValue('Fjord Apotek')
  await adding.getByLabel('Country').fill('Norway')
  await adding.getByLabel('Licence number').fill('NO-5003')
  await adding.getByLabel('Licence expiry').fill('2031-05-01')
  await adding.getByLabel('Ships to').fill('Norway\nSweden, Denmark\nFinland')
  await adding.getByRole('button', { name: 'Save' }).click()
  await expect(row).toContainText('Norway, Sweden, Denmark and 1 more')

  await row.getByRole('button', { name: 'Edit Fjord Apotek' }).click()
  const editing = page.getByRole('dialog', { name: 'Edit Pharmacy' })
  await editing
    .getByLabel('Licence expiry')
    .fill(new Date(Date.now() + 86_400_000).toISOString().slice(0, 10))
  await editing.getByRole('button', { name: 'Save' }).click()
  await expect(row).toContainText('expires in 1 day')
  await expect(page.getByRole('status').filter({ hasText: 'A licence needs renewal' })).toContainText(
    'Fjord Apotek',
  )
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(row).not.toContainText('expires in 1 day')
  await expect(page.getByText('A licence needs renewal')).toHaveCount(0)
})
