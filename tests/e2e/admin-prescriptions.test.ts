import { randomUUID } from 'node:crypto'
import { axeFindings } from '#tests/support/axe.ts'
import { expect, test } from '#tests/support/browser.ts'
import {
  addPrescription,
  becomeCustomer,
  becomePharmacist,
  orderOnPrescription,
  uploadIdDocument,
} from '#tests/support/customer.ts'
import { samplePdf } from '#tests/support/sample-files.ts'
import { signIn } from '#tests/support/signing-in.ts'
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
  await becomeCustomer(customer)
  await uploadIdDocument(customer)
  const { orderId, medicines } = await orderOnPrescription(customer)

  await signIn(page, 'pharmacist')
  await page.goto('/admin/prescriptions?filter=all&sort=received')
  const main = page.getByRole('main')
  const keyboard = countingKeyboard(page)
  const row = main.getByRole('region', { name: 'Queue' }).getByRole('link').last()
  await expect(row).toContainText('2 lines to decide')
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
  await expect(form.getByText('It proves the typing only.')).toBeVisible()
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

test('a copy that comes while a file is transcribed is listed, and the note on it stays', async ({
  page,
  browser,
}) => {
  const [customer, other] = [await browser.newPage(), await browser.newPage()]
  for (const each of [customer, other]) {
    await becomeCustomer(each)
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

test('of two pharmacists on a case, the second sees who has it and who cleared the line', async ({
  page,
  browser,
}) => {
  const customer = await browser.newPage()
  await becomeCustomer(customer)
  await uploadIdDocument(customer)
  const { orderId, prescriptionId, medicines } = await orderOnPrescription(customer)
  const path = `/admin/prescriptions?id=${orderId}`
  await signIn(page, 'pharmacist')
  await page.goto(path)
  await transcribe(page, { orderId, prescriptionId, medicines })
  const colleague = await browser.newPage()
  await becomePharmacist(colleague)

  await page.reload()
  await colleague.goto(path)
  await expect(colleague.getByText('Also viewing: Jonas Weber')).toBeVisible()

  // The PDF, in the browser's own viewer.
  const frame = page.locator('iframe')
  await page.getByRole('group', { name: /^Prescription of/ }).focus()
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
  const notices = await Promise.all(pages.map((of) => of.getByText(/ cleared this line\.$/).count()))
  expect(notices.reduce((sum, count) => sum + count, 0)).toBe(1)

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
  for (const of of [customer, colleague, withoutScripts]) await of.close()
})

test('a transcription does not replace a version that a colleague saved while it was edited', async ({
  page,
  browser,
}) => {
  const customer = await browser.newPage()
  await becomeCustomer(customer)
  await uploadIdDocument(customer)
  const ordered = await orderOnPrescription(customer)
  await signIn(page, 'pharmacist')
  await page.goto(`/admin/prescriptions?id=${ordered.orderId}`)
  await transcribe(page, ordered)
  const colleague = await browser.newPage()
  await becomePharmacist(colleague)
  const formOf = (of: Page) => of.getByRole('form', { name: /^Transcription of Rx \d{6}$/ })
  for (const of of [page, colleague]) {
    await of.goto(`/admin/prescriptions?id=${ordered.orderId}&edit=${ordered.prescriptionId}`, {
      waitUntil: 'networkidle',
    })
  }
  await formOf(colleague).getByLabel('Prescriber', { exact: true }).fill('Dr. Ben Natarajan')
  await formOf(colleague)
    .getByRole('button', { name: /^Save transcription/ })
    .click()
  await expect(formOf(colleague)).toBeHidden()

  const form = formOf(page)
  const directions = form.getByLabel('Directions').first()
  await directions.fill('')
  await form.getByRole('button', { name: /^Save transcription/ }).click()
  await expect(form.getByText('Enter the directions.')).toBeVisible()
  // The reply to another form has the case as it is now.
  const line = page.getByRole('region', { name: 'Lines' }).getByRole('listitem').first()
  await line.getByRole('button', { name: 'Clear', exact: true }).click()
  await expect(line.getByRole('alert')).toBeVisible()
  await directions.fill('1 tab po bid')
  await form.getByRole('button', { name: /^Save transcription/ }).click()
  await expect(form.getByText('Someone else just changed this prescription.')).toBeVisible()
  for (const each of [customer, colleague]) await each.close()
})

test('a draft shows what a colleague has saved and closed since, and is saved after a conflict', async ({
  page,
  browser,
}) => {
  const customer = await browser.newPage()
  await becomeCustomer(customer)
  await uploadIdDocument(customer)
  const ordered = await orderOnPrescription(customer)
  const path = `/admin/prescriptions?id=${ordered.orderId}`
  await signIn(page, 'pharmacist')
  await page.goto(path)
  await transcribe(page, ordered)
  const colleague = await browser.newPage()
  await becomePharmacist(colleague)
  const formOf = (of: Page) => of.getByRole('form', { name: /^Transcription of Rx \d{6}$/ })
  const save = (of: Page) =>
    formOf(of)
      .getByRole('button', { name: /^Save transcription/ })
      .click()
  for (const of of [page, colleague]) {
    await of.goto(`${path}&edit=${ordered.prescriptionId}`, { waitUntil: 'networkidle' })
  }
  const form = formOf(page)
  const directions = form.getByLabel('Directions').first()

  // Cancel drops what was typed, with what was wrong with it.
  await directions.fill('')
  await save(page)
  await expect(form.getByText('Enter the directions.')).toBeVisible()
  await form.getByRole('link', { name: 'Cancel' }).click()
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
  const stored = page.getByRole('region', { name: 'Stored now' })
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
  for (const each of [customer, colleague]) await each.close()
})

/** Transcribes the file through the page's form, as it is posted without scripts. */
async function transcribe(
  page: Page,
  { orderId, prescriptionId, medicines }: Awaited<ReturnType<typeof orderOnPrescription>>,
): Promise<void> {
  const items = medicines.map(({ variantId, units }, at) => ({
    [`items.${at}.variantId`]: variantId,
    [`items.${at}.units`]: String(units),
    [`items.${at}.daysSupply`]: '30',
    [`items.${at}.refills`]: '2',
    [`items.${at}.directions`]: '1 tab po daily',
  }))
  const form: Record<string, string> = Object.assign(
    {
      intent: 'transcribe',
      prescriptionId,
      version: '1',
      caseId: orderId,
      patientName: 'Zoë O’Hara',
      prescriberName: 'Dr. Priya Natarajan',
      npi: '1234567893',
      writtenOn: new Date().toISOString().slice(0, 10),
      'authentication.method': 'original',
      // Other tests upload the same file.
      duplicateNote: 'The prescriber confirmed that both are hers.',
    },
    ...items,
  )
  const { origin } = new URL(page.url())
  const response = await page.request.post(page.url(), { form, headers: { origin }, maxRedirects: 0 })
  expect(response.status()).toBe(303)
}

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
  const keyboard = countingKeyboard(page)
  await keyboard.press('l')
  await expect(lines.getByLabel('Decision')).toBeFocused()
  await keyboard.press('t', 'Tab', 'Tab')
  await keyboard.type('Pauses it during the week')
  await keyboard.press('Enter')
  await expect(lines.getByText('Told the patient: Pauses it during the week.')).toBeVisible()
  await expect(lines.getByRole('button', { name: 'Clear', exact: true })).toBeFocused()
  expect(keyboard.pressed()).toBeLessThanOrEqual(5)
})
