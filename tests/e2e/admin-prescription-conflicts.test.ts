import { axeFindings } from '#tests/support/axe.ts'
import { expect, test } from '#tests/support/browser.ts'
import { signInNewCustomer, orderOnPrescription, uploadIdDocument } from '#tests/support/customer.ts'
import { holdRequests } from '#tests/support/hold-requests.ts'
import { openSharedCase, openTranscribedCase } from '#tests/support/transcribed-case.ts'
import { signIn } from '#tests/support/signing-in.ts'
import type { Browser, Page } from '@playwright/test'

// The browser logs the responses that these tests provoke.
test.use({ allowedOutput: /status of 4(09|22)/ })

const formOf = (page: Page) => page.getByRole('form', { name: /^Transcription of Rx \d{6}$/ })
const save = (page: Page) =>
  formOf(page)
    .getByRole('button', { name: /^Save transcription/ })
    .click()

test('of two pharmacists on a case, the second sees who has it and who cleared the line', async ({
  page,
  browser,
}) => {
  const { path, colleague } = await openSharedCase(page, browser)

  await page.reload()
  await colleague.goto(path)
  await expect(colleague.getByText('Also viewing: Jonas Weber')).toBeVisible()

  // The PDF, in the browser's own viewer.
  const frame = page.locator('iframe')
  await page.getByRole('group', { name: /’s prescription$/ }).focus()
  await page.keyboard.press('+')
  await page.keyboard.press('r')
  await expect(page.getByText('150%')).toBeVisible()
  await expect(frame).toHaveCSS('transform', /matrix\(.*0, 1, -1, 0/)
  await page.keyboard.press('0')
  await expect(frame).toHaveCSS('transform', 'none')

  const pages = [page, colleague]
  const firstLine = (of: Page) => of.getByRole('region', { name: 'Lines' }).getByRole('listitem').first()
  await Promise.all(pages.map((of) => firstLine(of).getByRole('button', { name: 'Clear' }).click()))
  for (const of of pages) await expect(firstLine(of).getByText('Cleared', { exact: true })).toBeVisible()
  const countNotices = async () => {
    const notices = await Promise.all(pages.map((of) => of.getByText(/ cleared this line\.$/).count()))
    return notices.reduce((sum, count) => sum + count, 0)
  }
  await expect.poll(countNotices).toBe(1)
  const focusedTags = () => Promise.all(pages.map((of) => of.evaluate(() => document.activeElement?.tagName)))
  await expect.poll(focusedTags).not.toContain('BODY')

  const withoutScripts = await browser.newPage({ javaScriptEnabled: false })
  await signIn(withoutScripts, 'pharmacist')
  await withoutScripts.goto(path)
  await expect(withoutScripts.getByRole('group', { name: 'View' })).toBeHidden()
  const lines = withoutScripts.getByRole('region', { name: 'Lines' })
  await lines.getByText('Refuse', { exact: true }).click()
  await lines.getByRole('button', { name: /^Refuse / }).click()
  await expect(lines.getByText('Enter a reason. The customer reads it.')).toBeVisible()
  await lines.getByLabel('Reason').fill('The file is not legible.')
  await lines.getByRole('button', { name: /^Refuse / }).click()
  await expect(withoutScripts.getByText('All lines are decided.')).toBeVisible()
  await expect(lines.getByText('Reason, which the customer reads: The file is not legible.')).toBeVisible()
  for (const of of [colleague, withoutScripts]) await of.close()
})

test('a label that a colleague changed shows what is stored beside what was typed, and saves then', async ({
  page,
  browser,
}) => {
  const { path, colleague } = await openSharedCase(page, browser)
  await page.reload()
  const line = page.getByRole('region', { name: 'Lines' }).getByRole('listitem').first()
  await line.getByRole('button', { name: 'Clear' }).click()
  await expect(line.getByText('Cleared', { exact: true })).toBeVisible()
  await page.goto(path.replace('/prescriptions?id=', '/orders/'))
  await page
    .getByRole('link', { name: /^Label of / })
    .first()
    .click()
  await expect(page.getByRole('form', { name: 'Label' })).toBeVisible()
  await colleague.goto(page.url())
  const labelForm = (of: Page) => of.getByRole('form', { name: 'Label' })
  await labelForm(colleague).getByLabel('Lot', { exact: true }).fill('LOT-7')
  await labelForm(colleague).getByRole('button', { name: 'Save label' }).click()
  await expect(colleague.getByText('Label saved')).toBeVisible()

  const ownWarnings = labelForm(page).getByLabel('Your own warnings')
  await ownWarnings.fill('Shake well.')
  await labelForm(page).getByRole('button', { name: 'Save label' }).click()
  await expect(page.getByText('Saved label')).toBeVisible()
  await expect(page.getByText('Stored: LOT-7', { exact: true })).toBeVisible()
  await expect(page.getByText('Your form: Shake well.', { exact: true })).toBeVisible()
  await expect(ownWarnings).toHaveValue('Shake well.')
  await labelForm(page).getByRole('button', { name: 'Save label' }).click()
  await expect(page.getByText('Label saved')).toBeVisible()
  await expect(page.getByText('Saved label')).toHaveCount(0)
  await colleague.close()
})

test('a transcription does not replace a version that a colleague saved while it was edited', async ({
  page,
  browser,
}) => {
  const { editPath, colleague } = await openSharedCase(page, browser)
  for (const of of [page, colleague]) await of.goto(editPath, { waitUntil: 'networkidle' })
  await formOf(colleague).getByLabel('Prescriber', { exact: true }).fill('Dr. Ben Natarajan')
  await save(colleague)
  await expect(formOf(colleague)).toBeHidden()

  const form = formOf(page)
  const directions = form.getByLabel('Directions').first()
  await directions.fill('')
  await save(page)
  await expect(form.getByText('Enter the directions.')).toBeVisible()
  // The reply to another form has the case as it is now.
  const line = page.getByRole('region', { name: 'Lines' }).getByRole('listitem').first()
  await line.getByRole('button', { name: 'Clear', exact: true }).click()
  await expect(line.getByRole('alert')).toBeVisible()
  await directions.fill('1 tab po bid')
  await save(page)
  await expect(form.getByText('Someone else just changed this prescription.')).toBeVisible()
  await colleague.close()
})

test('a draft shows what a colleague has saved and closed since, and is saved after a conflict', async ({
  page,
  browser,
}) => {
  const { editPath, colleague } = await openSharedCase(page, browser)
  for (const of of [page, colleague]) await of.goto(editPath, { waitUntil: 'networkidle' })
  const form = formOf(page)
  const directions = form.getByLabel('Directions').first()

  // Cancel drops what was typed, with what was wrong with it.
  await directions.fill('')
  await save(page)
  await expect(form.getByText('Enter the directions.')).toBeVisible()
  await form.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('link', { name: 'Change the transcription' }).click()
  await expect(directions).toHaveValue('Take 1 tablet by mouth daily')
  await expect(form.getByText('Enter the directions.')).toBeHidden()
  await directions.fill('1 tab po bid')
  await expect(page.getByText('Draft saved.')).toBeVisible()

  await formOf(colleague).getByLabel('Prescriber', { exact: true }).fill('Dr. Ben Natarajan')
  await save(colleague)
  const lisinopril = colleague.getByRole('region', { name: 'Lisinopril', exact: true })
  await lisinopril.getByText('Close this item').click()
  await lisinopril.getByLabel('Why').selectOption('revoked')
  await lisinopril.getByLabel('Note').fill('By phone')
  await lisinopril.getByRole('button', { name: 'Close Lisinopril' }).click()
  await expect(lisinopril.getByText('Closed', { exact: true })).toBeVisible()

  // The reply to another form has the case as it is now. The edit goes on as it was opened.
  const itemId = form.locator('[name="items.0.id"]')
  const id = await itemId.inputValue()
  const line = page.getByRole('region', { name: 'Lines' }).getByRole('listitem').first()
  await line.getByRole('button', { name: 'Clear', exact: true }).click()
  await expect(line.getByRole('alert')).toBeVisible()
  await expect(itemId).toHaveValue(id)
  const stored = page.getByRole('region', { name: 'Current transcription' })
  await expect(stored.getByText('Dr. Ben Natarajan')).toBeVisible()

  await page.reload({ waitUntil: 'networkidle' })
  await expect(directions).toHaveValue('1 tab po bid')
  await save(page)
  await expect(form.getByText('Someone else just changed this prescription.')).toBeVisible()
  await expect(stored.getByText('Closed', { exact: true })).toBeInViewport()
  expect(await axeFindings(page)).toEqual([])
  await expect(form.getByRole('group', { name: 'Medicine', exact: true })).toHaveCount(1)
  await save(page)
  await expect(form).toBeHidden()
  const items = page.getByRole('region', { name: /^(Lisinopril|Amlodipine)/ })
  await expect(items).toContainText(['Closed', 'Take 1 tablet by mouth daily'])
  await expect(page.getByRole('region', { name: 'What the file says' })).toContainText('Dr. Priya Natarajan')
  await colleague.close()
})

test('a draft has no medicine that was not chosen, and none that was removed', async ({ page }) => {
  await signInNewCustomer(page)
  await uploadIdDocument(page)
  const { prescriptionId } = await orderOnPrescription(page)
  await page.context().clearCookies()
  await signIn(page, 'pharmacist')
  await page.goto(`/admin/prescriptions?id=${prescriptionId}`, { waitUntil: 'networkidle' })
  const form = formOf(page)
  const medicine = form.getByRole('combobox', { name: 'Medicine' }).first()
  const variantId = form.locator('[name="items.0.variantId"]')
  const isSaved = page.getByText('Draft saved.')
  await medicine.pressSequentially('lisinopril 20')
  await form.getByRole('listbox').getByRole('option').first().click()
  await expect(variantId).not.toHaveValue('')
  await medicine.press('End')
  await medicine.press('Backspace')
  await expect(variantId).toHaveValue('')
  await expect(isSaved).toBeVisible()
  await page.reload({ waitUntil: 'networkidle' })
  await expect(medicine).toHaveValue(/^Lisinopril/)
  await expect(variantId).toHaveValue('')

  // One for each ordered medicine, also for the one for which nothing was typed.
  const medicines = form.getByRole('group', { name: /^Medicine \d of \d$/ })
  await expect(medicines).toHaveCount(2)
  await form.getByRole('button', { name: 'Add a medicine' }).click()
  const added = form.getByRole('group', { name: 'Medicine 3 of 3' })
  await added.getByLabel('Quantity').fill('90')
  await expect(isSaved).toBeVisible()
  await added.getByText('Expiry date, agreement').click()
  await added.getByRole('button', { name: 'Remove this medicine' }).click()
  await expect(isSaved).toBeHidden()
  await expect(isSaved).toBeVisible()
  await page.reload({ waitUntil: 'networkidle' })
  await expect(medicines).toHaveCount(2)
})

test('a medicine that is added while a save is pending stays in the form when the save is refused', async ({
  page,
  browser,
}) => {
  const { editPath } = await openTranscribedCase(page, browser)
  await page.goto(editPath, { waitUntil: 'networkidle' })
  const form = formOf(page)
  const send = await holdRequests(page, '**/trpc/cases.transcribe*')
  await form.getByLabel('Directions').first().fill('')
  const sending = page.waitForRequest('**/trpc/cases.transcribe*')
  await save(page)
  await sending
  await form.getByRole('button', { name: 'Add a medicine' }).click()
  const added = form.getByRole('group', { name: 'Medicine 3 of 3' })
  await added.getByLabel('Quantity').fill('90')
  send()
  await expect(form.getByText('Enter the directions.')).toBeVisible()
  await expect(added.getByLabel('Quantity')).toHaveValue('90')
})

/** Returns a function that changes the shop's setting. */
async function openSecondCheckSetting(browser: Browser) {
  const admin = await browser.newPage()
  await signIn(admin, 'admin')
  return async (choice: 'Required' | 'Not required'): Promise<void> => {
    await admin.goto('/admin/settings/shop')
    await admin.locator('#twoPharmacists').selectOption(choice)
    await admin.getByRole('button', { name: 'Save settings' }).click()
    await expect(admin.getByText('Settings saved')).toBeVisible()
  }
}

test('a second check by keyboard goes on to the next one, and after the last out of the case', async ({
  page,
  browser,
}) => {
  const { path, colleague } = await openSharedCase(page, browser)
  const setSecondCheck = await openSecondCheckSetting(browser)
  await setSecondCheck('Required')
  try {
    await page.goto(path, { waitUntil: 'networkidle' })
    const clear = page.getByRole('button', { name: 'Clear', exact: true })
    await clear.first().click()
    await expect(clear).toHaveCount(1)
    await colleague.goto(path)
    // Scripts mark it, and read the keys then.
    const currentPart = colleague.locator('nav[aria-label="Parts of the case"] [aria-current=true]')
    await expect(currentPart).toHaveCount(1)
    await colleague.keyboard.press('l')
    // Not the second check above it: the next press would sign it unread.
    await expect(colleague.getByRole('button', { name: 'Clear', exact: true })).toBeFocused()
    await expect(colleague.getByRole('button', { name: 'Second check' })).toBeVisible()
    // A second press at once is ignored.
    await page.waitForTimeout(800)
    await clear.click()
    await expect(page.getByText('All lines are decided.')).toBeVisible()

    await colleague.goto(path, { waitUntil: 'networkidle' })
    const check = colleague.getByRole('button', { name: 'Second check' })
    await expect(check).toHaveCount(2)
    await expect(colleague.getByText('All lines are decided.')).toBeHidden()
    await check.first().focus()
    await colleague.keyboard.press('Enter')
    await expect(check).toHaveCount(1)
    await expect(check).toBeFocused()
    await colleague.waitForTimeout(800)
    await colleague.keyboard.press('Enter')
    await expect(colleague.getByRole('link', { name: /^(Next case|Back to the queue)$/ })).toBeFocused()
  } finally {
    await setSecondCheck('Not required')
  }
})

test('a clearance by keyboard does not go on to the second check of another line', async ({
  page,
  browser,
}) => {
  const { path, colleague } = await openSharedCase(page, browser)
  const setSecondCheck = await openSecondCheckSetting(browser)
  await setSecondCheck('Required')
  try {
    const clear = (of: Page) => of.getByRole('button', { name: 'Clear', exact: true })
    await page.goto(path, { waitUntil: 'networkidle' })
    await clear(page).first().click()
    await expect(clear(page)).toHaveCount(1)
    await colleague.goto(path, { waitUntil: 'networkidle' })
    await clear(colleague).focus()
    await colleague.keyboard.press('Enter')
    await expect(clear(colleague)).toHaveCount(0)
    await expect(colleague.locator('#case-lines')).toBeFocused()
    await expect(colleague.getByRole('button', { name: 'Second check' })).toBeVisible()
  } finally {
    await setSecondCheck('Not required')
  }
})
