import { expect, test } from '#tests/support/browser.ts'
import {
  addPrescription,
  signInNewCustomer,
  transcribedItem,
  uploadIdDocument,
} from '#tests/support/customer.ts'
import { holdRequests } from '#tests/support/hold-requests.ts'
import { signIn } from '#tests/support/signing-in.ts'
import { openSharedCase, openTranscribedCase } from '#tests/support/transcribed-case.ts'
import type { Browser, Locator, Page, Route } from '@playwright/test'
import { randomUUID } from 'node:crypto'

// The browser logs the responses that these tests provoke.
test.use({ allowedOutput: /status of 4(09|22)/ })

async function openFirstLine(page: Page, path: string): Promise<Locator> {
  await page.goto(path, { waitUntil: 'networkidle' })
  return page.getByRole('region', { name: 'Lines' }).getByRole('listitem').first()
}

async function draftRefusal(line: Locator): Promise<void> {
  await line.getByText('Refuse', { exact: true }).click()
  await line.getByLabel('Reason').fill('Page two is missing.')
}

/** Opens a case with a saved draft of a refusal. Returns its line. */
async function openSavedDraft(page: Page, browser: Browser): Promise<Locator> {
  const { path } = await openTranscribedCase(page, browser)
  const line = await openFirstLine(page, path)
  await draftRefusal(line)
  await expect(line.getByText('Draft saved.')).toBeVisible()
  return line
}

/** The response to a save of a draft that has this text. */
const savedWith = (page: Page, text: string) =>
  page.waitForResponse(
    (response) =>
      /cases\.saveDraft/.test(response.url()) && (response.request().postData() ?? '').includes(text),
  )

const refuse = (route: Route): Promise<void> => route.fulfill({ status: 422, json: {} })
const failSaves = (page: Page) => page.route(/cases\.saveDraft/, refuse)

test('a reason that is typed for a line or an item is still there after a reload', async ({
  page,
  browser,
}) => {
  const { path } = await openTranscribedCase(page, browser)
  await page.goto(path, { waitUntil: 'networkidle' })
  const lines = page.getByRole('region', { name: 'Lines' })
  const item = page.getByRole('region', { name: 'Lisinopril', exact: true })
  const isSaved = savedWith(page, 'By phone')
  await lines.getByText('Refuse', { exact: true }).first().click()
  await lines.getByLabel('Reason').first().fill('Page two is missing.')
  await item.getByText('Close this item').click()
  await item.getByLabel('Why').selectOption('revoked')
  await item.getByLabel('Note').fill('By phone')
  await isSaved
  await page.reload({ waitUntil: 'networkidle' })
  await expect(lines.getByLabel('Reason').first()).toHaveValue('Page two is missing.')
  await expect(item.getByLabel('Why')).toHaveValue('revoked')
  await expect(item.getByLabel('Note')).toHaveValue('By phone')

  // What was sent is no draft any more; the rest still is.
  const isSent = page.waitForResponse(/cases\.saveDraft/)
  await lines
    .getByRole('button', { name: /^Refuse / })
    .first()
    .click()
  await expect(lines.getByText('Reason, which the customer reads: Page two is missing.')).toBeVisible()
  const fields = (await isSent).request().postData() ?? ''
  expect(fields).toContain('By phone')
  expect(fields).not.toContain('Page two')
})

test('a typed reason stays when a colleague changes the line, and no draft of a decided line does', async ({
  page,
  browser,
}) => {
  const { path, colleague } = await openSharedCase(page, browser)
  for (const of of [page, colleague]) await of.goto(path, { waitUntil: 'networkidle' })
  const line = page.getByRole('region', { name: 'Lines' }).getByRole('listitem').first()
  const recordCall = async (note: string) => {
    const shared = colleague.getByRole('region', { name: 'Lines' }).getByRole('listitem').first()
    await shared.getByText('Record a call').click()
    await shared.getByLabel('Who you spoke with and what they said').fill(note)
    await shared.getByRole('button', { name: 'Save note' }).click()
    await expect(shared.getByText(note).first()).toBeVisible()
  }
  const isDrafted = savedWith(page, 'Page two is missing.')
  await line.getByText('Ask the customer').click()
  await line.getByRole('textbox', { name: 'Question' }).fill('Is it for you?')
  await draftRefusal(line)
  await isDrafted
  await recordCall('Called once')
  await page.reload({ waitUntil: 'networkidle' })
  await expect(line.getByLabel('Reason')).toHaveValue('Page two is missing.')

  await recordCall('Called twice')
  await line.getByRole('button', { name: /^Refuse / }).click()
  await expect(line.getByText('Called twice').first()).toBeVisible()
  const isSent = page.waitForRequest(/cases\.saveDraft/)
  await line.getByRole('button', { name: /^Refuse / }).click()
  await expect(line.getByText('Reason, which the customer reads: Page two is missing.')).toBeVisible()
  expect((await isSent).postData()).toMatch(/"fields":\{\}/)
  await colleague.close()
})

test('Cancel discards a typed reason, and a choice without a text is no draft', async ({ page, browser }) => {
  const { path } = await openTranscribedCase(page, browser)
  const line = await openFirstLine(page, path)
  const item = page.getByRole('region', { name: 'Lisinopril', exact: true })
  await line.getByText('Refuse', { exact: true }).click()
  const isTyped = savedWith(page, 'Page two is missing.')
  await line.getByLabel('Reason').fill('Page two is missing.')
  await isTyped
  await line.getByRole('button', { name: 'Cancel' }).click()
  await line.getByText('Refuse', { exact: true }).click()
  await expect(line.getByLabel('Reason')).toHaveValue('')

  await item.getByText('Close this item').click()
  await item.getByLabel('Why').selectOption('revoked')
  const isNoted = savedWith(page, 'By phone')
  await item.getByLabel('Note').fill('By phone')
  await isNoted
  const isSaved = page.waitForResponse(/cases\.saveDraft/)
  await item.getByLabel('Note').fill('')
  await isSaved
  await page.goto('/admin/prescriptions?filter=all', { waitUntil: 'networkidle' })
  await expect(page.getByRole('heading', { name: 'Prescriptions', exact: true })).toBeVisible()
  // Other tests draft in the same queue.
  const row = page.locator(`a[href*="${path.slice(-36)}"]`)
  await expect(row).toBeVisible()
  await expect(row.getByText('Your draft')).toBeHidden()
  await page.goto(path, { waitUntil: 'networkidle' })
  await expect(line.getByLabel('Reason')).toBeHidden()
  await expect(item.getByLabel('Note')).toBeHidden()
})

test('a draft that could not be saved is reported below the form that it was typed into', async ({
  page,
  browser,
}) => {
  const { editPath } = await openTranscribedCase(page, browser)
  const line = await openFirstLine(page, editPath)
  await failSaves(page)
  await draftRefusal(line)
  const failure = page.getByText('The draft could not be saved.')
  await expect(failure).toHaveCount(1)
  await expect(line.getByText('The draft could not be saved.')).toBeVisible()
  await page.unroute(/cases\.saveDraft/)
  await line.getByLabel('Reason').fill('Page two is missing again.')
  await expect(line.getByText('Draft saved.')).toBeVisible()
  await expect(failure).toHaveCount(0)
})

test('a draft that cannot be saved is not sent again at each key', async ({ page, browser }) => {
  const { path } = await openTranscribedCase(page, browser)
  const line = await openFirstLine(page, path)
  await failSaves(page)
  let saves = 0
  page.on('request', (request) => {
    if (/cases\.saveDraft/.test(request.url())) saves++
  })
  await line.getByText('Refuse', { exact: true }).click()
  // Longer than typing goes on without a save, several times.
  await line.getByLabel('Reason').pressSequentially('x'.repeat(90), { delay: 100 })
  await expect(line.getByText('The draft could not be saved.')).toBeVisible()
  expect(saves).toBeGreaterThan(0)
  expect(saves).toBeLessThan(10)
})

test('a save of a draft starts when the one before it has ended', async ({ page, browser }) => {
  const { path } = await openTranscribedCase(page, browser)
  const line = await openFirstLine(page, path)
  const release = await holdRequests(page, /cases\.saveDraft/)
  const saves: (string | null)[] = []
  page.on('request', (request) => {
    if (/cases\.saveDraft/.test(request.url())) saves.push(request.postData())
  })
  const isSaving = page.waitForRequest(/cases\.saveDraft/)
  await draftRefusal(line)
  await isSaving
  await line.getByLabel('Reason').fill('Page three is missing.')
  const isListed = page.waitForResponse(/cases\.list/)
  await page.getByRole('link', { name: 'Queue' }).click()
  await isListed
  await expect(line).toHaveCount(0)
  expect(saves).toEqual([expect.stringContaining('Page two')])
  const isSavedAgain = page.waitForRequest(/cases\.saveDraft/)
  release()
  expect((await isSavedAgain).postData()).toContain('Page three')
})

test('a draft that could not be saved is saved when its case is left', async ({ page, browser }) => {
  const { path } = await openTranscribedCase(page, browser)
  const line = await openFirstLine(page, path)
  await failSaves(page)
  await draftRefusal(line)
  await expect(line.getByText('The draft could not be saved.')).toBeVisible()
  await page.unroute(/cases\.saveDraft/)
  const isSaved = page.waitForResponse((response) => /cases\.saveDraft/.test(response.url()) && response.ok())
  await page.getByRole('link', { name: 'Queue' }).click()
  expect((await isSaved).request().postData()).toContain('Page two is missing.')
})

test('a draft that cannot be saved when its case is left is reported', async ({ page, browser }) => {
  const { path } = await openTranscribedCase(page, browser)
  const line = await openFirstLine(page, path)
  await failSaves(page)
  await draftRefusal(line)
  await page.getByRole('link', { name: 'Queue' }).click()
  await expect(page.getByText('Draft not saved', { exact: true })).toBeVisible()
})

test('a save of a draft that fails after its case was left is reported', async ({ page, browser }) => {
  const { path } = await openTranscribedCase(page, browser)
  const line = await openFirstLine(page, path)
  const release = await holdRequests(page, /cases\.saveDraft/, refuse)
  const isSaving = page.waitForRequest(/cases\.saveDraft/)
  await draftRefusal(line)
  await isSaving
  await page.getByRole('link', { name: 'Queue' }).click()
  await expect(line).toHaveCount(0)
  release()
  await expect(page.getByText('Draft not saved', { exact: true })).toBeVisible()
})

test('a draft that could not be discarded is reported, and discarded when its case is left', async ({
  page,
  browser,
}) => {
  const line = await openSavedDraft(page, browser)
  await failSaves(page)
  await line.getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByText('Draft not discarded', { exact: true })).toBeVisible()
  await page.unroute(/cases\.saveDraft/)
  const isSaved = page.waitForResponse((response) => /cases\.saveDraft/.test(response.url()) && response.ok())
  await page.getByRole('link', { name: 'Queue' }).click()
  expect((await isSaved).request().postData()).toMatch(/"fields":\{\}/)
})

test('a draft that could not be discarded names the other text that was not saved with it', async ({
  page,
  browser,
}) => {
  const line = await openSavedDraft(page, browser)
  await failSaves(page)
  const item = page.getByRole('region', { name: 'Lisinopril', exact: true })
  await item.getByText('Close this item').click()
  await item.getByLabel('Note').fill('By phone')
  await line.getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByText('Draft not discarded', { exact: true })).toBeVisible()
  await expect(page.getByText(/Also not saved: the note on closing Lisinopril\.$/)).toBeVisible()
})

test('a case that is left and opened again shows what was drafted', async ({ page, browser }) => {
  const { path } = await openTranscribedCase(page, browser)
  const line = await openFirstLine(page, path)
  await draftRefusal(line)
  await expect(line.getByText('Draft saved.')).toBeVisible()
  await page.getByRole('link', { name: 'Queue' }).click()
  await expect(page).not.toHaveURL(/id=/)
  const orderId = path.slice(-36)
  await page.locator(`a[href*="${orderId}"]`).filter({ hasText: 'Your draft' }).click()
  await expect(page).toHaveURL(new RegExp(orderId))
  await expect(line.getByLabel('Reason')).toHaveValue('Page two is missing.')
})

test('what is typed is saved while typing goes on, and before a reload in the middle of it', async ({
  page,
  browser,
}) => {
  const { path } = await openTranscribedCase(page, browser)
  const line = await openFirstLine(page, path)
  await line.getByText('Refuse', { exact: true }).click()
  const reason = line.getByLabel('Reason')
  const firstSave = page.waitForRequest(/cases\.saveDraft/)
  await reason.pressSequentially('x'.repeat(60), { delay: 100 })
  expect((await firstSave).postData()).not.toContain('x'.repeat(60))
  await reason.press('y')
  await page.reload({ waitUntil: 'networkidle' })
  await expect(reason).toHaveValue(`${'x'.repeat(60)}y`)
  await reason.press('End')
  await reason.press('z')
  await page.goto('/admin/orders')
  const stored = await page.evaluate(() => Object.keys(sessionStorage))
  expect(stored).toEqual(['react-router-scroll-positions'])
  await page.goto(path)
  await expect(reason).toHaveValue(`${'x'.repeat(60)}yz`)
})

/** Reloads a case while its draft is saved with another reason, after the page was read. */
async function reloadBeforeSave(page: Page, path: string): Promise<() => Promise<void>> {
  const isDrafted = page.waitForRequest(/cases\.saveDraft/)
  const line = await openFirstLine(page, path)
  await draftRefusal(line)
  const save = (await isDrafted).postData()?.replace('Page two', 'Page three') ?? ''
  await expect(line.getByText('Draft saved.')).toBeVisible()
  const release = await holdRequests(page, /cases\.get/)
  const isRereading = page.waitForRequest(/cases\.get/)
  await page.reload()
  await isRereading
  const { origin } = new URL(page.url())
  const headers = { origin, 'content-type': 'application/json' }
  expect((await page.request.post('/trpc/cases.saveDraft?batch=1', { headers, data: save })).status()).toBe(
    200,
  )
  return async () => {
    const isRead = page.waitForResponse(/cases\.get/)
    release()
    await (await isRead).finished()
  }
}

test('a reloaded case shows a draft that was saved after it was read', async ({ page, browser }) => {
  const { path } = await openTranscribedCase(page, browser)
  const readAgain = await reloadBeforeSave(page, path)
  const reason = page.getByRole('region', { name: 'Lines' }).getByLabel('Reason').first()
  await expect(reason).toHaveValue('Page two is missing.')
  await readAgain()
  await expect(reason).toHaveValue('Page three is missing.')
})

test('a reloaded case keeps a choice that was made before it was read again', async ({ page, browser }) => {
  const { editPath } = await openTranscribedCase(page, browser)
  const readAgain = await reloadBeforeSave(page, editPath)
  const form = page.getByRole('form', { name: /^Transcription of/ })
  const choice = form.getByLabel('Dispense as written').first()
  await choice.check()
  const reason = page.getByRole('region', { name: 'Lines' }).getByLabel('Reason').first()
  await readAgain()
  await page.waitForLoadState('networkidle')
  await expect(choice).toBeChecked()
  await expect(reason).toHaveValue('Page two is missing.')
})

test('a reloaded case whose draft is the same keeps what was opened', async ({ page, browser }) => {
  const line = await openSavedDraft(page, browser)
  const release = await holdRequests(page, /cases\.get/)
  const isRereading = page.waitForRequest(/cases\.get/)
  await page.reload()
  await isRereading
  await line.getByText('Ask the customer').click()
  const question = line.getByRole('textbox', { name: 'Question' })
  await expect(question).toBeVisible()
  const isRead = page.waitForResponse(/cases\.get/)
  release()
  await (await isRead).finished()
  await page.waitForLoadState('networkidle')
  await expect(question).toBeVisible()
})

test('a file that is typed in two tabs before it has a transcription keeps both, also after a message', async ({
  page,
  browser,
}) => {
  const customer = await browser.newPage()
  await signInNewCustomer(customer)
  await uploadIdDocument(customer)
  const id = await addPrescription(customer)
  await signIn(page, 'pharmacist')
  const path = `/admin/prescriptions?id=${id}`
  const tab = await page.context().newPage()
  await page.goto(path, { waitUntil: 'networkidle' })
  const { origin } = new URL(page.url())
  const form = { intent: 'message', id, requestKey: randomUUID(), message: 'It is for my knee.' }
  const sent = await customer.request.post('/prescriptions', { form, headers: { origin }, maxRedirects: 0 })
  expect(sent.status()).toBe(303)
  await customer.close()
  await tab.goto(path, { waitUntil: 'networkidle' })
  const formOf = (of: Page) => of.getByRole('form', { name: /^Transcription of/ })
  await formOf(tab).getByLabel('Prescriber', { exact: true }).fill('Tab Two')
  await expect(tab.getByText('Draft saved.')).toBeVisible()
  await formOf(page).getByLabel('Patient name on the file').fill('Tab One')
  await expect(page.getByText('Draft saved.')).toBeVisible()
  await page.reload({ waitUntil: 'networkidle' })
  await expect(formOf(page).getByLabel('Patient name on the file')).toHaveValue('Tab One')
  await expect(formOf(page).getByLabel('Prescriber', { exact: true })).toHaveValue('Tab Two')
})

test('a transcription that is typed in two tabs keeps what each has changed, and its empty medicines', async ({
  page,
  browser,
}) => {
  const { editPath } = await openTranscribedCase(page, browser)
  const tab = await page.context().newPage()
  for (const each of [page, tab]) await each.goto(editPath, { waitUntil: 'networkidle' })
  const formOf = (of: Page) => of.getByRole('form', { name: /^Transcription of/ })
  const medicines = formOf(page).getByText(/^Medicine \d of \d$/)
  await formOf(page).getByRole('button', { name: 'Add a medicine' }).click()
  const count = await medicines.count()
  await formOf(page).getByLabel('Patient name on the file').fill('Tab One')
  await expect(page.getByText('Draft saved.')).toBeVisible()
  await formOf(tab).getByLabel('Prescriber', { exact: true }).fill('Tab Two')
  await expect(tab.getByText('Draft saved.')).toBeVisible()
  await page.reload({ waitUntil: 'networkidle' })
  await expect(formOf(page).getByLabel('Patient name on the file')).toHaveValue('Tab One')
  await expect(formOf(page).getByLabel('Prescriber', { exact: true })).toHaveValue('Tab Two')
  await expect(medicines).toHaveCount(count)
})

test('a draft about an item of another prescription is in view, and the item is closed even when the case cannot be read again', async ({
  page,
  browser,
}) => {
  const customer = await browser.newPage()
  await signInNewCustomer(customer)
  const itemId = await transcribedItem(customer)
  const caseId = await addPrescription(customer)
  await customer.close()
  await signIn(page, 'pharmacist')
  const path = `/admin/prescriptions?id=${caseId}`
  await page.goto(path)
  const part = `closeItem ${itemId}`
  const { origin } = new URL(page.url())
  const drafted = await page.request.post('/trpc/cases.saveDraft', {
    headers: { origin },
    data: { caseId, fields: { [`${part}.reason`]: 'revoked', [`${part}.note`]: 'By phone' } },
  })
  expect(drafted.status()).toBe(200)
  await page.goto(path, { waitUntil: 'networkidle' })
  const form = page.getByRole('form', { name: /^Close / })
  await expect(form.getByLabel('Note')).toBeVisible()
  await expect(form.getByLabel('Note')).toHaveValue('By phone')

  await page.route(/cases\.get/, (route) => route.fulfill({ status: 422, json: {} }))
  await form.getByRole('button').first().click()
  await expect(page.getByText('Item closed', { exact: true })).toBeVisible()
  await expect(page.getByText(/^We couldn’t connect to the server\./)).toBeVisible()
  await page.unroute(/cases\.get/)
  await page.reload({ waitUntil: 'networkidle' })
  await expect(page.getByText('Items of other prescriptions (1)')).toBeVisible()
  await expect(form).toHaveCount(0)
})
