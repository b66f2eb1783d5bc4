import { expect, test } from '#tests/support/browser.ts'
import { loseResponse } from '#tests/support/lose-response.ts'
import { recallJson, recallReport } from '#tests/support/recall-reports.ts'
import { signIn } from '#tests/support/signing-in.ts'
import type { Page } from '@playwright/test'

// The browser logs the refusals and the lost response that these tests provoke.
test.use({ allowedOutput: /status of (409|422)|net::ERR_FAILED/ })

/**
 * Adds a package with units in no lot, and imports a recall of all its lots. Opens the recall.
 * @param ndc a package of its own for each test: tests of one worker share a shop
 */
async function openHeldUnits(
  page: Page,
  { ndc, recall, stockQuantity }: { ndc: string; recall: string; stockQuantity: number },
): Promise<void> {
  await signIn(page, 'admin')
  await page.goto('/admin/screening/recalls')
  const headers = { origin: new URL(page.url()).origin }
  const product = { name: 'Withheld test tablets', category: 'OTC', image: '/pictures/x.png' }
  const { id: productId } = await (
    await page.request.post('/api/products', { data: product, headers })
  ).json()
  const variant = {
    productId,
    ndc,
    strength: '10',
    strengthUnit: 'mg',
    packageSize: 30,
    packageUnit: 'tablet',
    price: '12.50',
    stockQuantity,
  }
  const added = await page.request.post('/api/product-variants', { data: variant, headers })
  expect(added.ok()).toBe(true)
  const report = recallReport(recall, ndc, { code_info: 'All lots within expiry' })
  const file = { name: 'recalls.json', mimeType: 'application/json', buffer: Buffer.from(recallJson(report)) }
  const uploaded = await page.request.post('/admin/screening/import', {
    headers,
    multipart: { file },
    maxRedirects: 0,
  })
  await page.goto(uploaded.headers()['location'] ?? '')
  await page.getByRole('button', { name: 'Import', exact: true }).click()
  await expect(page.getByRole('grid', { name: 'Recalls' })).toBeVisible()
  await page.goto(`/admin/screening/recalls/${recall}`)
}

const formOf = (page: Page) => page.getByRole('form', { name: /^What happened to Withheld test tablets/ })

async function record(page: Page, { quantity, reason }: { quantity: string; reason: string }): Promise<void> {
  await formOf(page).getByLabel('What happened to the units').selectOption('Destroyed')
  await formOf(page).getByLabel('Quantity').fill(quantity)
  await formOf(page).getByLabel('Reason').fill(reason)
  await formOf(page).getByRole('button', { name: 'Record' }).click()
}

test('a recall by phone is recorded after its preview, and ended', async ({ page }) => {
  await signIn(page, 'admin')
  await page.goto('/admin/screening/recalls')
  await page.getByRole('link', { name: 'Record a recall' }).click()
  await page.getByLabel('Company').fill('Example Labs')
  await page.getByLabel('Source and reference').fill('Dana Kim, 555-0100, case 7')
  await page.getByLabel('Reason').fill('Metal particles')
  await page.getByLabel('NDC, DIN, UPC or name').fill('ibuprofen 200 mg')
  await page.getByLabel('All lots').check()
  await page.getByRole('button', { name: 'Preview' }).click()
  await expect(page.getByRole('alert')).toContainText('No package is chosen for: ibuprofen 200 mg.')
  await page.getByRole('checkbox').first().check()
  await page.getByRole('button', { name: 'Preview' }).click()
  await expect(page.getByRole('heading', { name: 'What this recall will do' })).toBeInViewport()
  // Until the page's data is loaded again, its form ignores a press.
  await expect(page.locator('.page-progress')).toHaveCount(0)
  await page.getByRole('button', { name: 'Record the recall' }).dblclick()
  await expect(page.getByRole('heading', { level: 1, name: /^Recall SHOP-/ })).toBeVisible()
  await expect(page.getByText('Dana Kim, 555-0100, case 7')).toBeVisible()
  await page.getByLabel('Reason for ending').fill('It was another strength')
  await page.getByRole('button', { name: 'End this recall' }).click()
  await expect(page.getByText('It was another strength')).toBeVisible()
  await expect(page.getByRole('button', { name: 'End this recall' })).toBeHidden()
})

test('recalled units are recorded once, and a colleague who is late sees what is left and keeps the reason', async ({
  page,
  context,
}) => {
  await openHeldUnits(page, { ndc: '98765-432-10', recall: 'D-0909-2026', stockQuantity: 132 })
  const late = await context.newPage()
  await late.goto(page.url())

  await record(page, { quantity: '10', reason: 'Certificate 12' })
  await expect(page.getByText(/: 10 units of Withheld test tablets/)).toBeVisible()
  const form = formOf(page)
  await expect(form.getByLabel('What happened to the units')).toHaveValue('')
  await expect(form.getByLabel('Quantity')).toHaveValue('122')
  await expect(form.getByLabel('Reason')).toHaveValue('')
  // Pressed again, it asks for what happened.
  await form.getByRole('button', { name: 'Record' }).click()
  await expect(form.getByLabel('What happened to the units')).toBeFocused()

  await record(late, { quantity: '100', reason: 'Certificate 13' })
  await expect(late.getByText('These units have changed since you opened the page.')).toBeVisible()
  await expect(late.getByText(/: 122 units/)).toBeVisible()
  await expect(formOf(late).getByLabel('Quantity')).toHaveValue('100')
  await expect(formOf(late).getByLabel('Reason')).toHaveValue('Certificate 13')
  await formOf(late).getByRole('button', { name: 'Record' }).click()
  await expect(late.getByText(/: 100 units of Withheld test tablets/)).toBeVisible()
  await expect(formOf(late).getByLabel('Quantity')).toHaveValue('22')
  await late.close()
})

test('held units whose recording got no reply are recorded once when the form is sent again', async ({
  page,
}) => {
  await openHeldUnits(page, { ndc: '98765-432-11', recall: 'D-0910-2026', stockQuantity: 40 })
  const form = formOf(page)
  await loseResponse(page, '**/admin/screening/recalls/*.data*')
  await record(page, { quantity: '10', reason: 'Certificate 12' })
  await expect(page.getByText('We couldn’t connect to the server.')).toBeVisible()
  await expect(form.getByLabel('Reason')).toHaveValue('Certificate 12')
  await form.getByRole('button', { name: 'Record' }).click()
  await expect(page.getByText(/: 10 units of Withheld test tablets/)).toHaveCount(1)
  await expect(form.getByLabel('Quantity')).toHaveValue('30')
  await expect(form.getByLabel('Reason')).toHaveValue('')
})
