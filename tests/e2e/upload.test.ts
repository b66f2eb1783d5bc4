import { expect, test } from '#tests/support/browser.ts'
import { holdScripts } from '#tests/support/delayed-scripts.ts'
import { samplePdf, samplePng } from '#tests/support/sample-files.ts'
import type { FileChooser, Page } from '@playwright/test'

test.use({ allowedOutput: /ERR_INTERNET_DISCONNECTED|status of (415|503)/ })

async function openProfile(page: Page, origin: string, waitUntil?: 'commit'): Promise<void> {
  const answer = await page.request.post('/login', {
    form: { email: 'new@meridian.test', password: 'meridian-demo' },
    headers: { origin },
    maxRedirects: 0,
  })
  expect(answer.status()).toBe(303)
  await page.goto('/profile', waitUntil && { waitUntil })
}

/** After hydration the field is not in the tab order; before that, the button does nothing. */
const scriptsRun = (page: Page): Promise<void> =>
  expect(page.locator('#id-document')).toHaveAttribute('tabindex', '-1')

/**
 * Registered before the page loads: interception of the file chooser may otherwise start after the
 * click.
 */
const chooserOf = (page: Page): Promise<FileChooser> => page.waitForEvent('filechooser')

const pdf = (name: string) => ({
  name,
  mimeType: 'application/pdf',
  buffer: samplePdf('Passport', 3_000_000),
})

/** Drops files on the page. */
async function dropPng(page: Page): Promise<void> {
  const data = await page.evaluateHandle((base64) => {
    const transfer = new DataTransfer()
    const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
    transfer.items.add(new File([bytes], 'photo.png', { type: 'image/png' }))
    return transfer
  }, samplePng().toString('base64'))
  for (const type of ['dragover', 'drop']) await page.dispatchEvent('main', type, { dataTransfer: data })
}

test('an ID document upload is rejected, canceled, resumed after offline, retried and dropped', async ({
  page,
  context,
  shop,
}) => {
  const choosing = chooserOf(page)
  await openProfile(page, shop.origin)
  const card = page.getByRole('region', { name: 'ID Document Verification' })
  await expect(card).toContainText('No ID document uploaded yet')
  const input = card.locator('input[type=file]').first()

  await scriptsRun(page)
  // The button opens the file chooser, also by keyboard. A wrong file is rejected before it is
  // sent.
  await card.getByRole('button', { name: 'Upload ID Document' }).press('Enter')
  await (
    await choosing
  ).setFiles({ name: 'id.pdf', mimeType: 'application/pdf', buffer: Buffer.from('MZ, a program') })
  await expect(card.getByText('The file isn’t a PDF, JPG or PNG.').first()).toBeVisible()
  await expect(page.getByText('Failed to upload ID document')).toBeVisible()
  await expect(card.getByRole('button', { name: 'Upload ID Document' })).toBeFocused()

  // A file that the server rejects by its content.
  await input.setInputFiles({ name: 'id.png', mimeType: 'image/png', buffer: samplePng().subarray(0, 40) })
  await expect(card.getByRole('button', { name: 'Upload ID Document' })).toBeVisible()
  await expect(card.locator('p').getByText('The file isn’t a PDF, JPG or PNG.').first()).toBeVisible()

  // While uploading it shows its progress and can be canceled.
  const uploads = '**/api/objects/upload/**'
  await page.route(uploads, () => {})
  await input.setInputFiles(pdf('passport.pdf'))
  await expect(card.getByRole('progressbar', { name: 'Uploading passport.pdf' })).toBeVisible()
  await expect(card.getByText('3.0 MB')).toBeVisible()
  await card.getByRole('button', { name: 'Cancel upload' }).click()
  await expect(card.getByRole('button', { name: 'Upload ID Document' })).toBeFocused()
  await page.unroute(uploads)

  // Offline, it waits. The first attempt after that hits an outage and is retried.
  await context.setOffline(true)
  await input.setInputFiles(pdf('passport.pdf'))
  await expect(
    card.getByText('You’re offline. The upload will resume when you’re back online.').first(),
  ).toBeVisible()
  const statuses: number[] = []
  await page.route(uploads, async (route) => {
    if (statuses.length > 0) return route.continue()
    statuses.push(503)
    return route.fulfill({ status: 503, body: 'Unavailable.' })
  })
  await context.setOffline(false)
  await expect(card).toContainText('ID Document Uploaded')
  await expect(page.getByText('Your ID document has been uploaded successfully')).toBeVisible()
  expect(statuses).toEqual([503])
  await expect(card.getByRole('button', { name: 'Replace ID Document' })).toBeVisible()
  const path = await card.getByRole('link', { name: 'View your ID document' }).getAttribute('href')
  expect((await page.request.get(path ?? '')).headers()['content-type']).toBe('application/pdf')

  // A file dropped anywhere on the page is uploaded, and the browser does not navigate to it.
  await dropPng(page)
  await expect
    .poll(async () => (await page.request.get(path ?? '')).headers()['content-type'])
    .toBe('image/png')
  await expect(page).toHaveURL(/\/profile/)
})

test('focus set before hydration is kept', async ({ page, shop }) => {
  const choosing = chooserOf(page)
  const release = await holdScripts(page)
  await openProfile(page, shop.origin, 'commit')
  const button = page.getByRole('button', { name: /^(Upload|Replace) ID Document$/ })
  await button.focus()
  await expect(button).toBeFocused()
  release()
  await scriptsRun(page)
  await page.keyboard.press('Enter')
  await (
    await choosing
  ).setFiles({ name: 'id.pdf', mimeType: 'application/pdf', buffer: Buffer.from('MZ, a program') })
  await expect(page.getByText('Failed to upload ID document')).toBeVisible()
  await expect(button).toBeFocused()
})
