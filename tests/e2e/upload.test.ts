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

/** The scripts take the field out of the order of tabs; before, the button does nothing. */
const scriptsRun = (page: Page): Promise<void> =>
  expect(page.locator('#id-document')).toHaveAttribute('tabindex', '-1')

/** Asked for before the page is: what takes the chooser's place may come into force later than the press that follows. */
const chooserOf = (page: Page): Promise<FileChooser> => page.waitForEvent('filechooser')

const pdf = (name: string) => ({
  name,
  mimeType: 'application/pdf',
  buffer: samplePdf('Passport', 3_000_000),
})

/** Lets go of files over the page, as from a folder beside it. */
async function dropPng(page: Page): Promise<void> {
  const data = await page.evaluateHandle((base64) => {
    const transfer = new DataTransfer()
    const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
    transfer.items.add(new File([bytes], 'photo.png', { type: 'image/png' }))
    return transfer
  }, samplePng().toString('base64'))
  for (const type of ['dragover', 'drop']) await page.dispatchEvent('main', type, { dataTransfer: data })
}

test('an ID document is chosen, refused in words, cancelled, waits for the connection, is tried again and dropped', async ({
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
  // The button opens the chooser, by keyboard too. What is no document is refused before it leaves.
  await card.getByRole('button', { name: 'Upload ID Document' }).press('Enter')
  await (
    await choosing
  ).setFiles({ name: 'id.pdf', mimeType: 'application/pdf', buffer: Buffer.from('MZ, a program') })
  await expect(card.getByText('The file isn’t a PDF, JPG or PNG.').first()).toBeVisible()
  await expect(page.getByText('Failed to upload ID document')).toBeVisible()
  await expect(card.getByRole('button', { name: 'Upload ID Document' })).toBeFocused()

  // One that is refused by its content, by the server.
  await input.setInputFiles({ name: 'id.png', mimeType: 'image/png', buffer: samplePng().subarray(0, 40) })
  await expect(card.getByRole('button', { name: 'Upload ID Document' })).toBeVisible()
  await expect(card.locator('p').getByText('The file isn’t a PDF, JPG or PNG.').first()).toBeVisible()

  // On its way it shows how far it is, and can be broken off.
  const uploads = '**/api/objects/upload/**'
  await page.route(uploads, () => {})
  await input.setInputFiles(pdf('passport.pdf'))
  await expect(card.getByRole('progressbar', { name: 'Uploading passport.pdf' })).toBeVisible()
  await expect(card.getByText('3.0 MB')).toBeVisible()
  await card.getByRole('button', { name: 'Cancel upload' }).click()
  await expect(card.getByRole('button', { name: 'Upload ID Document' })).toBeFocused()
  await page.unroute(uploads)

  // Offline it waits; the first try after that meets an outage and is made again.
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

  // A file dropped anywhere on the page is taken, and the page is not left for it.
  await dropPng(page)
  await expect
    .poll(async () => (await page.request.get(path ?? '')).headers()['content-type'])
    .toBe('image/png')
  await expect(page).toHaveURL(/\/profile/)
})

test('the focus that came before the scripts did is kept, too', async ({ page, shop }) => {
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
