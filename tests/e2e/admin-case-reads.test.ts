import { expect, test } from '#tests/support/browser.ts'
import { openTranscribedCase } from '#tests/support/transcribed-case.ts'

test('an order’s case that is opened by its prescription’s id shows what was done in it', async ({
  page,
  browser,
}) => {
  const { prescriptionPath } = await openTranscribedCase(page, browser)
  await page.goto(prescriptionPath, { waitUntil: 'networkidle' })
  const lines = page.getByRole('region', { name: 'Lines' })
  const clears = lines.getByRole('button', { name: 'Clear', exact: true })
  await expect(clears).toHaveCount(2)
  await clears.first().click()
  await expect(lines.getByText('Cleared', { exact: true })).toBeVisible()
  await expect(clears).toHaveCount(1)
  await lines.getByText('Refuse', { exact: true }).click()
  await lines.getByLabel('Reason').fill('Page two is missing.')
  await lines.getByRole('button', { name: /^Refuse / }).click()
  await expect(page.getByText('All lines are decided.')).toBeVisible()
})
