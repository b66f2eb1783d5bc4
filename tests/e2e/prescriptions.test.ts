import { expect, test } from '#tests/support/browser.ts'
import {
  addPrescription,
  signInNewCustomer,
  customerPassword,
  reviewPrescription,
  uploadIdDocument,
} from '#tests/support/customer.ts'
import { samplePdf } from '#tests/support/sample-files.ts'

test.use({ allowedOutput: /status of (401|409|422)|ERR_FAILED|Failed to fetch/ })

test('a prescription is uploaded, and its list shows decisions when the user returns to it', async ({
  page,
}) => {
  await signInNewCustomer(page)
  await page.goto('/prescriptions/upload')
  const main = page.getByRole('main')
  await expect(main.getByText('ID Document Required')).toBeVisible()
  await expect(main.getByRole('button', { name: 'Choose File' })).toBeVisible()
  await page
    .locator('#prescription-file')
    .setInputFiles({ name: 'scan.pdf', mimeType: 'application/pdf', buffer: samplePdf() })
  await expect(page.getByText('File Uploaded', { exact: true })).toBeVisible()
  await expect(page.getByText('Please fill in the details below.')).toBeVisible()
  await expect(main.getByRole('button', { name: 'Upload Different File' })).toBeVisible()
  await main.getByLabel("Doctor's name").fill('Dr. Ada Quillfeather')
  await main.getByLabel('Notes').fill('with food')
  const submit = main.getByRole('button', { name: 'Submit Prescription' })
  await submit.click()
  await expect(page.getByText('Please upload your ID document first from your profile page')).toBeVisible()

  // The input and the file are still there, and a double submit sends one request.
  await uploadIdDocument(page)
  let posts = 0
  await page.route('**/prescriptions/upload.data*', async (route) => {
    if (route.request().method() === 'POST') posts++
    await route.continue()
  })
  await submit.dblclick()
  await expect(page).toHaveURL(/\/prescriptions$/)
  expect(posts).toBe(1)
  await expect(page.getByText('Prescription Uploaded', { exact: true })).toBeVisible()
  const card = main.getByRole('article', { name: 'Dr. Ada Quillfeather' })
  await expect(card).toContainText('Under review')
  await expect(card).toContainText('with food')

  const href = (await card.getByRole('link', { name: /^View file/ }).getAttribute('href')) ?? ''
  expect((await page.request.get(href)).headers()['content-type']).toBe('application/pdf')
  const id = /prescriptions\/([^/]+)\/file/.exec(href)?.[1] ?? ''
  await reviewPrescription(page, id, { status: 'approved' })
  await expect(card).toContainText('Under review')
  await page.evaluate(() => window.dispatchEvent(new Event('focus')))
  await expect(card).toContainText('Approved')
  await reviewPrescription(page, id, { status: 'rejected', statusReason: 'The signature is cut off' })
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
  await expect(card).toContainText('Reason: The signature is cut off')
  // Dispatched by the test: Chromium may fire its own event before requests work again.
  await reviewPrescription(page, id, { status: 'under_review' })
  await page.evaluate(() => window.dispatchEvent(new Event('online')))
  await expect(card).toContainText('Under review')

  // When the reload fails, the list stays with the documented error.
  await page.route('**/prescriptions.data*', (route) => route.abort())
  await page.evaluate(() => window.dispatchEvent(new Event('focus')))
  await expect(main.getByText('Failed to load prescriptions. Please try refreshing.')).toBeVisible()
  await expect(card).toContainText('Under review')
  await card.getByRole('button', { name: /^Delete/ }).click()
  const dialog = page.getByRole('alertdialog', { name: 'Delete this prescription?' })
  await dialog.getByRole('button', { name: 'Delete', exact: true }).click()
  await expect(page.getByText('Failed to delete prescription')).toBeVisible()
  await page.unroute('**/prescriptions.data*')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(card.getByRole('button', { name: /^Delete/ })).toBeFocused()
  await main.getByRole('button', { name: 'Retry' }).click()
  await expect(main.getByText('Failed to load prescriptions')).toHaveCount(0)

  await card.getByRole('button', { name: /^Delete/ }).click()
  await dialog.getByRole('button', { name: 'Delete', exact: true }).click()
  await expect(page.getByText('Prescription Deleted')).toBeVisible()
  await expect(dialog).toBeHidden()
  await expect(main.getByText('No prescriptions uploaded yet')).toBeVisible()
})

test('after a missing file is reported, an uploaded file has no error', async ({ page }) => {
  await signInNewCustomer(page)
  await uploadIdDocument(page)
  await page.goto('/prescriptions/upload')
  const main = page.getByRole('main')
  const missing = main.locator('#prescription-file-error')
  await main.getByRole('button', { name: 'Submit Prescription' }).click()
  await expect(missing).toHaveText('Please upload a prescription file first')
  await page
    .locator('#prescription-file')
    .setInputFiles({ name: 'scan.pdf', mimeType: 'application/pdf', buffer: samplePdf() })
  await expect(main.getByText('scan.pdf uploaded.')).toBeAttached()
  await expect(missing).toBeHidden()
})

test('a missing ID document leads to its section of the profile', async ({ page }) => {
  await signInNewCustomer(page)
  await page.goto('/prescriptions/upload')
  await page.getByRole('main').getByRole('link', { name: 'your profile' }).click()
  const section = page.getByRole('heading', { name: 'ID Document Verification' })
  await expect(section).toBeFocused()
  await expect(section).toBeInViewport()
})

test('a prescription submitted after its session ended stays in the form, which offers to sign in again', async ({
  page,
  context,
}) => {
  await signInNewCustomer(page)
  await page.goto('/prescriptions/upload')
  const main = page.getByRole('main')
  await main.getByLabel("Doctor's name").fill('Dr. Ada Quillfeather')
  await context.clearCookies({ name: 'session' })
  await page
    .locator('#prescription-file')
    .setInputFiles({ name: 'scan.pdf', mimeType: 'application/pdf', buffer: samplePdf() })
  const refused = main.getByText('Sign in to continue.')
  await expect(refused.getByRole('link', { name: 'Sign In (opens in a new tab)' })).toBeVisible()
  await main.getByRole('button', { name: 'Submit Prescription' }).click()
  const alert = main.getByRole('alert').filter({ hasText: 'Sign in to continue.' })
  await expect(alert.getByRole('link', { name: 'Sign In (opens in a new tab)' })).toHaveAttribute(
    'href',
    '/api/login?returnTo=%2Fprescriptions%2Fupload',
  )
  await expect(main.getByLabel("Doctor's name")).toHaveValue('Dr. Ada Quillfeather')
})

test('a message that was sent after its session ended stays when the customer returns to the page, and is sent after they sign in', async ({
  page,
  context,
}) => {
  const email = await signInNewCustomer(page)
  await uploadIdDocument(page)
  await addPrescription(page)
  await page.goto('/prescriptions', { waitUntil: 'networkidle' })
  const main = page.getByRole('main')
  await main.getByText('Ask the pharmacist').click()
  const message = main.getByLabel('Message to the pharmacy')
  await message.fill('Can I take it in the evening?')
  await context.clearCookies({ name: 'session' })
  const send = main.getByRole('button', { name: 'Send message' })
  await send.click()
  const signInAgain = main.getByRole('alert').getByRole('link', { name: 'Sign In (opens in a new tab)' })
  await expect(signInAgain).toBeVisible()
  await page.evaluate(() => window.dispatchEvent(new Event('focus')))

  const opening = context.waitForEvent('page')
  await signInAgain.click()
  const tab = await opening
  await tab.getByLabel('Email').fill(email)
  await tab.getByLabel('Password').fill(customerPassword)
  await tab.getByRole('main').getByRole('button', { name: 'Sign In' }).click()
  await expect(tab).toHaveURL(/\/prescriptions$/)
  await tab.close()

  await expect(message).toHaveValue('Can I take it in the evening?')
  await send.click()
  await expect(main.getByText('You: Can I take it in the evening?')).toBeVisible()
})
