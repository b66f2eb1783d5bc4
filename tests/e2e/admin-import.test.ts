import { expect, test } from '#tests/support/browser.ts'
import { signIn } from '#tests/support/signing-in.ts'
import type { Page } from '@playwright/test'

// The browser logs the responses that this test provokes.
test.use({ allowedOutput: /Failed to load resource/ })

const csv = (name: string, text: string) => ({ name, mimeType: 'text/csv', buffer: Buffer.from(text) })

test('a price file is uploaded, corrected, checked and applied; the grid exports what it shows', async ({
  page,
}) => {
  await signIn(page, 'admin')
  await page.goto('/admin/variants?q=gabapentin')
  const main = page.getByRole('main')
  const exported = page.waitForEvent('download')
  await main.getByRole('link', { name: 'Export CSV' }).click()
  const download = await exported
  expect(download.suggestedFilename()).toMatch(/^variants-\d{4}-\d\d-\d\d\.csv$/)
  const [, first = ''] = (await (await page.request.get(download.url())).text()).split('\r\n')
  const id = first.split(',')[0] ?? ''
  expect(first).toMatch(/^[0-9a-f-]{36},Gabapentin,/i)

  await main.getByRole('link', { name: 'Import CSV' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Import variants' })).toBeVisible()
  const file = main.getByLabel('CSV file')
  await file.setInputFiles(csv('twice.csv', `price,Price\n1,2`))
  await main.getByRole('button', { name: 'Upload' }).click()
  await expect(main.getByText('The header has two columns named “Price”.')).toBeVisible()
  await expect(file).toHaveAccessibleDescription(/The header has two columns named “Price”\./)

  await file.setInputFiles(csv('prices.csv', `Which,New price\n${id},81.25\n${id},9\nnobody,1`))
  await main.getByRole('button', { name: 'Upload' }).click()
  await expect(main.getByText('prices.csv, 3 lines')).toBeVisible()
  await main.getByRole('combobox', { name: 'New price' }).selectOption('Price')
  await main.getByRole('button', { name: 'Check file' }).click()
  await expect(main.getByRole('alert')).toContainText('Choose the column that identifies the variant')
  await main.getByRole('combobox', { name: 'Which' }).selectOption('Variant ID')
  await main.getByRole('button', { name: 'Check file' }).click()

  const lines = main.getByRole('grid', { name: 'Lines in the file' }).locator('tbody tr')
  await expect(lines).toHaveCount(3)
  await expect(lines.nth(0)).toContainText('$81.25')
  await expect(lines.nth(1)).toContainText('Line 2 is for the same variant.')
  await expect(lines.nth(2)).toContainText('Variant ID: This variant doesn’t exist.')
  await main.getByRole('link', { name: 'Rejected 2' }).click()
  await expect(lines).toHaveCount(2)
  await expect(main.getByRole('link', { name: 'Export rejected lines' })).toBeVisible()

  await main.getByRole('checkbox', { name: 'Skip the 2 rejected lines' }).check()
  await main.getByRole('button', { name: 'Apply 1 line' }).click()
  await expect(main.getByText('0 added, 1 changed, 2 skipped.')).toBeVisible()
  await main.getByRole('link', { name: 'All files' }).click()
  await expect(main.getByRole('row', { name: /^prices\.csv Applied .* 3$/ })).toBeVisible()
  await page.goto(`/admin/variants?q=gabapentin`)
  await expect(main.getByText('81.25').first()).toBeVisible()
})

test('in two tabs, a file shows the lines of its newest check and applies only the check it shows', async ({
  page,
  context,
}) => {
  await signIn(page, 'admin')
  await page.goto('/admin/variants?q=metoprolol')
  const idOf = async (row: number) => {
    const body = await (await page.request.get('/admin/variants.csv?q=metoprolol')).text()
    return body.split('\r\n')[row]?.split(',')[0] ?? ''
  }
  const [first, second] = [await idOf(1), await idOf(2)]
  await page.goto('/admin/variants/import')
  await page
    .getByLabel('CSV file')
    .setInputFiles(csv('both.csv', `ID,Price,Cost\n${first},61.25,7.75\n${second},62.25,8.75`))
  await page.getByRole('button', { name: 'Upload' }).click()
  await expect(page.getByText('both.csv, 2 lines')).toBeVisible()
  await page.getByRole('combobox', { name: 'Cost' }).selectOption('Skip this column')
  await page.getByRole('button', { name: 'Check file' }).click()
  const lines = (tab: Page) => tab.getByRole('grid', { name: 'Lines in the file' }).locator('tbody tr')
  await expect(lines(page).first()).toContainText('$61.25')

  const other = await context.newPage()
  await other.goto(page.url())
  await other.getByText('Column mapping').click()
  await other.getByRole('combobox', { name: 'Price' }).selectOption('Skip this column')
  await other.getByRole('combobox', { name: 'Cost' }).selectOption('Acquisition cost')
  await other.getByRole('button', { name: 'Check file' }).click()
  await expect(lines(other).first()).toContainText('$7.75')
  await expect(lines(other).first()).not.toContainText('$61.25')

  const apply = (tab: Page) => tab.getByRole('button', { name: 'Apply 2 lines' })
  await apply(page).click()
  await expect(page.getByRole('alert').filter({ hasText: 'The file was checked again' })).toBeVisible()
  await expect(lines(page).first()).toContainText('$7.75')

  // A line whose variant changed after the check is skipped, and its row shows it.
  await other.goto('/admin/variants/import')
  await other.getByLabel('CSV file').setInputFiles(csv('cost.csv', `ID,Cost\n${first},9.5`))
  await other.getByRole('button', { name: 'Upload' }).click()
  await other.getByRole('combobox', { name: 'Cost' }).selectOption('Acquisition cost')
  await other.getByRole('button', { name: 'Check file' }).click()
  await other.getByRole('button', { name: 'Apply 1 line' }).click()
  await expect(other.getByText('0 added, 1 changed, 0 skipped.')).toBeVisible()
  await apply(page).click()
  await expect(page.getByText('0 added, 1 changed, 1 skipped.')).toBeVisible()
  await expect(lines(page).first()).toContainText('This variant has changed since the check')
})
