import { expect, test } from '#tests/support/browser.ts'
import { signIn } from '#tests/support/signing-in.ts'

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
