import { expect, test } from '#tests/support/browser.ts'
import { addPrescription, signInNewCustomer, uploadIdDocument } from '#tests/support/customer.ts'
import { signIn } from '#tests/support/signing-in.ts'
import { openTranscribedCase } from '#tests/support/transcribed-case.ts'
import type { Page } from '@playwright/test'

// The browser logs the responses that these tests provoke.
test.use({ allowedOutput: /status of 422/ })

const failReads = (page: Page) =>
  page.route(/trpc\/cases\.get/, (route) => route.fulfill({ status: 422, json: {} }))

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
  // By then, a press no longer counts as the second one of a double press.
  await expect(lines.getByText('Draft saved.')).toBeVisible()
  await lines.getByRole('button', { name: /^Refuse / }).click()
  await expect(page.getByText('All lines are decided.')).toBeVisible()
})

test('a file is reported as rejected when the case cannot be read again, and the case can be reloaded', async ({
  page,
}) => {
  await signInNewCustomer(page)
  await uploadIdDocument(page)
  const id = await addPrescription(page)
  await signIn(page, 'pharmacist')
  await page.goto(`/admin/prescriptions?id=${id}`, { waitUntil: 'networkidle' })
  await failReads(page)
  await page.getByText('Reject this file').click()
  const form = page.getByRole('form', { name: /^Reject Rx \d{6}$/ })
  await form.getByLabel('Reason').fill('Page two is missing.')
  await form.getByRole('button', { name: /^Reject Rx / }).click()
  await expect(page.getByText(/^Rejected: Rx \d{6}$/)).toBeVisible()
  const failure = page.getByRole('alert').filter({ hasText: 'What you see may be out of date' })
  await expect(failure).toContainText(/Your last step succeeded\. Don’t repeat it\. \(Rejected: Rx \d{6}\)/)
  // What else is typed stays.
  const transcription = page.getByRole('form', { name: /^Transcription of Rx \d{6}$/ })
  await transcription.getByLabel('Patient name on the file').fill('Zoë O’Hara')

  const reload = failure.getByRole('button', { name: 'Reload the case' })
  const isRead = page.waitForResponse(/trpc\/cases\.get/)
  await reload.click()
  await isRead
  await expect(reload).toBeEnabled()
  await expect(failure).toContainText('Your last step succeeded.')
  await page.unroute(/trpc\/cases\.get/)
  await reload.click()
  await expect(failure).toHaveCount(0)
  await expect(form).toHaveCount(0)
  await expect(page.getByText('This prescription is decided.')).toBeVisible()
  // The reload moves the focus to the case. The step before it no longer does.
  await expect(page.getByRole('article')).toBeFocused()
})
