import { caseBounds } from '#domain/dispensing/review-case.ts'
import { randomUUID } from 'node:crypto'
import { expect, test } from '#tests/support/browser.ts'
import {
  addPrescription,
  signInNewCustomer,
  orderOnPrescription,
  uploadIdDocument,
} from '#tests/support/customer.ts'
import { waitForHydration } from '#tests/support/delayed-scripts.ts'
import { holdRequests } from '#tests/support/hold-requests.ts'
import { samplePdf } from '#tests/support/sample-files.ts'
import { signIn } from '#tests/support/signing-in.ts'
import { openTranscribedCase } from '#tests/support/transcribed-case.ts'
import type { Page } from '@playwright/test'

// The browser logs the responses that this test provokes.
test.use({ allowedOutput: /status of 4(09|22)/ })

/** A keyboard that counts what is pressed besides typed text. */
function countingKeyboard(page: Page) {
  let pressed = 0
  return {
    press: async (...keys: string[]): Promise<void> => {
      for (const key of keys) {
        pressed++
        await page.keyboard.press(key)
      }
    },
    type: (text: string) => page.keyboard.type(text),
    pressed: () => pressed,
  }
}

test('the link back from a case leads to the queue', async ({ page }) => {
  await signIn(page, 'pharmacist')
  await page.goto('/admin/prescriptions', { waitUntil: 'networkidle' })
  const main = page.getByRole('main')
  await main.getByRole('region', { name: 'Queue' }).getByRole('link').first().click()
  await expect(page).toHaveURL(/\?id=/)
  const back = main.locator('[data-back]')
  await expect(back).toHaveAttribute('href', '/admin/prescriptions')
  await back.click()
  await expect(page).toHaveURL(/\/admin\/prescriptions$/)
})

test('a file with two medicines is transcribed and both lines cleared with at most 25 keys', async ({
  page,
  browser,
}) => {
  const customer = await browser.newPage()
  await signInNewCustomer(customer)
  await uploadIdDocument(customer)
  const { orderId, medicines } = await orderOnPrescription(customer)

  await signIn(page, 'pharmacist')
  await page.goto('/admin/prescriptions?filter=all&sort=received')
  const main = page.getByRole('main')
  const keyboard = countingKeyboard(page)
  const row = main.getByRole('region', { name: 'Queue' }).getByRole('link').last()
  await expect(row).toContainText('2 lines to decide')
  await waitForHydration(page)
  // The newest case is the last.
  await keyboard.press('k', 'Enter')
  await expect(page).toHaveURL(new RegExp(`id=${orderId}$`))
  const form = main.getByRole('form', { name: /^Transcription of Rx \d{6}$/ })
  await expect(form).toBeVisible()

  await keyboard.press('t')
  await keyboard.type('Zoë O’Hara')
  await keyboard.press('Tab')
  await keyboard.type('Dr. Priya Natarajan')
  await keyboard.press('Tab')
  await keyboard.type('1234567893')
  await expect(form.getByText('It catches typing errors only.')).toBeVisible()
  await keyboard.press('Tab')
  await keyboard.type(new Date().toLocaleDateString('en-US', { timeZone: 'UTC' }))
  await keyboard.press('Tab', 'o', 'Tab')
  for (const [index, { name, strength, units }] of medicines.entries()) {
    // Past "Dispense as written" and the rarely needed fields.
    if (index > 0) await keyboard.press('Tab', 'Tab', 'Tab')
    const item = form.getByRole('group', { name: `Medicine ${index + 1} of 2` })
    await keyboard.type(`${name} ${strength}`)
    await expect(item.getByRole('option').first()).toContainText(`${strength} mg`)
    const list = item.getByRole('listbox')
    expect(await list.evaluate((shown) => shown.matches(':popover-open'))).toBe(true)
    await keyboard.press('ArrowDown', 'Enter')
    await expect(item.getByLabel('Quantity')).toBeFocused()
    await keyboard.type(String(units))
    await keyboard.press('Tab')
    await keyboard.type('30')
    await keyboard.press('Tab')
    await keyboard.type('2')
    await keyboard.press('Tab')
    await keyboard.type('1 tab po bid')
    await expect(item.getByText('Take 1 tablet by mouth twice a day')).toBeVisible()
  }
  await keyboard.press('Control+Enter')

  const lines = main.getByRole('region', { name: 'Lines' })
  for (const index of [0, 1]) {
    const clear = lines.getByRole('button', { name: 'Clear', exact: true })
    await expect(clear).toHaveCount(2 - index)
    await expect(clear.first()).toBeFocused()
    if (index === 0) await keyboard.press('Enter')
  }
  // A second press at once would clear the next line unseen, so it is ignored for a moment.
  await page.waitForTimeout(800)
  await keyboard.press('Enter')
  await expect(main.getByText('All lines are decided.')).toBeVisible()
  await expect(main.getByRole('link', { name: /^(Next case|Back to the queue)$/ })).toBeFocused()
  expect(keyboard.pressed()).toBeLessThanOrEqual(25)
  await customer.close()
})

test('while the medicines of the typed text load, the keys choose none of an earlier text', async ({
  page,
}) => {
  await signInNewCustomer(page)
  await uploadIdDocument(page)
  const id = await addPrescription(page)
  await signIn(page, 'pharmacist')
  await page.goto(`/admin/prescriptions?id=${id}`, { waitUntil: 'networkidle' })
  const form = page.getByRole('form', { name: /^Transcription of Rx \d{6}$/ })
  const medicine = form.getByRole('combobox', { name: 'Medicine' })
  const list = form.getByRole('listbox', { name: 'Medicines' })
  const chosen = list.getByRole('option', { selected: true })
  const choice = form.locator('input[name$=".variantId"]')
  await medicine.pressSequentially('amoxicillin')
  await expect(list.getByRole('option').first()).toContainText('250 mg')

  const release = await holdRequests(page, '**/trpc/cases.medicines**')
  const requested = page.waitForRequest('**/trpc/cases.medicines**')
  await medicine.pressSequentially(' 500')
  await medicine.press('ArrowDown')
  await medicine.press('Enter')
  await requested
  await expect(choice).toHaveValue('')
  await expect(chosen).toHaveCount(0)
  release()
  await expect(chosen).toContainText('500 mg')
  await medicine.press('Enter')
  await expect(medicine).toHaveValue(/500 mg/)
  await expect(choice).not.toHaveValue('')
  // Enter sent no form: its reply would have come by now.
  await expect(form.getByText('Enter the prescriber’s name.')).toBeHidden()
})

test('a common text is added once below a typed reason when it fits, and replaces only another common text', async ({
  page,
}) => {
  await signInNewCustomer(page)
  await uploadIdDocument(page)
  const { orderId } = await orderOnPrescription(page)
  await signIn(page, 'pharmacist')
  await page.goto(`/admin/prescriptions?id=${orderId}`, { waitUntil: 'networkidle' })
  const lines = page.getByRole('region', { name: 'Lines' })
  await lines.locator('summary', { hasText: 'Refuse' }).first().click()
  const form = lines.getByRole('form', { name: /^Refuse / }).first()
  const reason = form.getByRole('textbox', { name: 'Reason' })
  await form.getByRole('button', { name: 'The file is not legible.' }).click()
  await form.getByRole('button', { name: 'The signature is missing.' }).click()
  await expect(reason).toHaveValue('The signature is missing.')
  await reason.fill('We called your doctor twice.')
  await form.getByRole('button', { name: 'The signature is missing.' }).click()
  await expect(reason).toHaveValue('We called your doctor twice.\nThe signature is missing.')
  await form.getByRole('button', { name: 'The signature is missing.' }).click()
  await expect(reason).toHaveValue('We called your doctor twice.\nThe signature is missing.')
  const long = 'x'.repeat(caseBounds.reason - 10)
  await reason.fill(long)
  await form.getByRole('button', { name: 'The signature is missing.' }).click()
  await expect(reason).toHaveValue(long)
})

test('while typing and on the line, the case says that the quantity does not fit the directions', async ({
  page,
}) => {
  await signInNewCustomer(page)
  await uploadIdDocument(page)
  const { orderId, medicines } = await orderOnPrescription(page)
  await signIn(page, 'pharmacist')
  await page.goto(`/admin/prescriptions?id=${orderId}`, { waitUntil: 'networkidle' })
  const form = page.getByRole('form', { name: /^Transcription of Rx \d{6}$/ })
  await form.getByLabel('Patient name on the file').fill('Zoë O’Hara')
  await form.getByLabel('Prescriber', { exact: true }).fill('Dr. Priya Natarajan')
  await form.getByLabel('NPI').fill('1234567893')
  await form.getByLabel('Written on').fill(new Date().toISOString().slice(0, 10))
  await form.getByLabel('Authenticated by').selectOption('Original received')
  const item = form.getByRole('group', { name: 'Medicine 1 of 2' })
  await item.getByLabel('Directions').fill('1 tab po bid')
  await item.getByLabel('Quantity').fill('200')
  await item.getByLabel('Days’ supply').fill('30')
  await item.getByLabel('Refills').fill('2')
  const mismatch = 'By the directions, 200 tablets last 100 days, not 30.'
  await expect(item.getByText('Take 1 tablet by mouth twice a day')).toBeVisible()
  await expect(form.getByText(mismatch)).toBeHidden()
  const [{ name, strength } = { name: '', strength: '' }] = medicines
  await item.getByRole('combobox', { name: 'Medicine' }).pressSequentially(`${name} ${strength}`)
  await item.getByRole('option').first().click()
  await expect(item.getByText(mismatch)).toBeVisible()
  await item.getByLabel('Days’ supply').fill('100')
  await expect(item.getByText(mismatch)).toBeHidden()
  await item.getByLabel('Days’ supply').fill('30')
  await expect(page.getByText('Draft saved.')).toBeHidden()
  await expect(item.getByText(mismatch)).toBeVisible()
  await expect(page.getByText('Draft saved.')).toBeVisible()
  await page.reload({ waitUntil: 'networkidle' })
  await expect(form.getByText(mismatch)).toBeVisible()
  await form.getByRole('button', { name: /^Save transcription/ }).click()

  const line = page
    .getByRole('region', { name: 'Lines' })
    .getByRole('listitem')
    .filter({ hasText: '× Lisinopril' })
  await expect(line.getByRole('list', { name: 'Rules' }).getByText(mismatch)).toBeVisible()
  await expect(line.getByRole('button', { name: 'Clear', exact: true })).toBeEnabled()
})

test('a copy that comes while a file is transcribed is listed, and the note on it stays', async ({
  page,
  browser,
}) => {
  const [customer, other] = [await browser.newPage(), await browser.newPage()]
  for (const each of [customer, other]) {
    await signInNewCustomer(each)
    await uploadIdDocument(each)
  }
  const file = samplePdf(randomUUID())
  const id = await addPrescription(customer, {}, file)
  await signIn(page, 'pharmacist')
  await page.goto(`/admin/prescriptions?id=${id}`, { waitUntil: 'networkidle' })
  const form = page.getByRole('form', { name: /^Transcription of Rx \d{6}$/ })
  await form.getByLabel('Patient name on the file').fill('Zoë O’Hara')
  await form.getByLabel('Prescriber', { exact: true }).fill('Dr. Priya Natarajan')
  await form.getByLabel('NPI').fill('1234567893')
  await form.getByLabel('Written on').fill(new Date().toISOString().slice(0, 10))
  await form.getByLabel('Quantity').fill('30')
  await form.getByLabel('Days’ supply').fill('30')
  await form.getByLabel('Refills').fill('2')
  await form.getByLabel('Directions').fill('1 tab po daily')
  await addPrescription(other, {}, file)

  const save = form.getByRole('button', { name: /^Save transcription/ })
  const note = form.getByLabel('Why it is not a duplicate')
  await expect(note).toBeHidden()
  await save.click()
  await expect(form.getByText('Another customer’s prescription has the same file.')).toBeVisible()
  await expect(
    page.getByText(/^A prescription of another customer, uploaded .*: the same file$/),
  ).toBeVisible()
  await note.fill('A copy for the insurer')
  // Refused for the medicine, which is not chosen yet.
  await expect(save).toBeEnabled()
  await save.click()
  await expect(form.getByText('Another customer’s prescription has the same file.')).toBeHidden()
  await expect(note).toHaveValue('A copy for the insurer')
  for (const each of [customer, other]) await each.close()
})

test('a high alert is decided by keyboard, and then the line can be cleared', async ({ page }) => {
  await signIn(page, 'pharmacist')
  await page.goto('/admin/prescriptions?filter=all&sort=received')
  await page
    .getByRole('main')
    .getByRole('link', { name: /Tomas Rivera/ })
    .first()
    .click()
  const lines = page.getByRole('main').getByRole('region', { name: 'Lines' })
  await expect(lines.getByText('Clarithromycin and Simvastatin 20 mg')).toBeVisible()
  await lines.getByRole('button', { name: 'Clear', exact: true }).click()
  await expect(lines.getByText('Decide on this alert first.')).toBeVisible()
  // The case was read again.
  await expect(lines.getByRole('button', { name: 'Record decision' })).toBeEnabled()
  await expect(lines.getByLabel('Decision')).toBeFocused()
  const keyboard = countingKeyboard(page)
  await lines.getByLabel('Decision').blur()
  await keyboard.press('l')
  await expect(lines.getByLabel('Decision')).toBeFocused()
  await keyboard.press('t', 'Tab', 'Tab')
  await keyboard.type('Pauses it during the week')
  await keyboard.press('Enter')
  await expect(lines.getByText('Told the patient: Pauses it during the week.')).toBeVisible()
  await expect(lines.getByRole('button', { name: 'Clear', exact: true })).toBeFocused()
  expect(keyboard.pressed()).toBeLessThanOrEqual(5)
})

test('changing a transcription starts in its first field, and canceling returns to the link', async ({
  page,
  browser,
}) => {
  const { path } = await openTranscribedCase(page, browser)
  await page.goto(path, { waitUntil: 'networkidle' })
  const change = page.getByRole('link', { name: 'Change the transcription' })
  await change.press('Enter')
  await expect(page.getByLabel('Patient name on the file')).toBeFocused()
  await page
    .getByRole('form', { name: /^Transcription of/ })
    .getByRole('button', { name: 'Cancel' })
    .click()
  await expect(change).toBeFocused()
})
