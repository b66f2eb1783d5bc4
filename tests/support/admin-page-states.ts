import { expect, type Page } from '@playwright/test'
import { signInNewCustomer, orderOnPrescription, placeOrder, uploadIdDocument } from './customer.ts'
import type { States } from './page-states.ts'
import { recallJson, recallReport } from './recall-reports.ts'
import { signIn } from './signing-in.ts'

/** Signs in as the demo's admin and returns the path of the demo's customer. */
async function userPath(page: Page): Promise<string> {
  await signIn(page, 'admin')
  await page.goto('/admin/settings')
  const row = page.getByRole('row').filter({ hasText: 'customer@meridian.test' })
  return (await row.getByRole('link', { name: /^View/ }).getAttribute('href')) ?? ''
}

/** Numbers the edits. An edit without a change would not make the form stale. */
let edits = 0

/** The path of the first entry of a list in the back office. */
export async function firstLink(page: Page, list: string): Promise<string> {
  const html = await (await page.request.get(list)).text()
  const path = new RegExp(`href="(${list}/[\\w-]+)"`).exec(html)?.[1]
  if (path === undefined) throw new Error(`${list} has no entry.`)
  return path
}

/** The states of the back office that the page's address alone shows, without scripts too. */
export const servedAdminStates: States = {
  'back office: missing order': async (page) => {
    await signIn(page, 'admin')
    await page.goto('/admin/orders/no-such-order')
  },
  'back office: manufacturers': async (page) => {
    await signIn(page, 'admin')
    await page.goto('/admin/manufacturers?q=ab')
  },
  'back office: variants': async (page) => {
    await signIn(page, 'admin')
    await page.goto('/admin/variants?q=naproxen')
    await expect(page.getByRole('grid', { name: 'Variants' })).toBeVisible()
  },
  'back office: products': async (page) => {
    await signIn(page, 'admin')
    await page.goto('/admin/products?q=naproxin')
    await expect(page.getByText('No exact matches.')).toBeVisible()
  },
  'back office: inventory, ledger of a variant': async (page) => {
    await signIn(page, 'admin')
    await page.goto('/admin/inventory?q=naproxen&history.variant=ibuprofen')
  },
  'back office: orders': async (page) => {
    await signIn(page, 'admin')
    await page.goto('/admin/orders')
    await expect(page.getByRole('grid', { name: 'Orders' })).toBeVisible()
  },
  'back office: lots': async (page) => {
    await signIn(page, 'admin')
    await page.goto('/admin/inventory/lots')
  },
  'back office: pharmacies': async (page) => {
    await signIn(page, 'admin')
    await page.goto('/admin/pharmacies')
  },
  'back office: users': async (page) => {
    await signIn(page, 'admin')
    await page.goto('/admin/settings?role=users')
    await expect(page.getByRole('grid', { name: 'Users' })).toBeVisible()
  },
  'back office: prescriptions of a user': async (page) => {
    await page.goto(`${await userPath(page)}?tab=prescriptions`)
    await expect(page.getByRole('table', { name: 'Prescriptions' })).toBeVisible()
  },
  'back office: prescription under review': async (page) => {
    await signInNewCustomer(page)
    await uploadIdDocument(page)
    const { orderId } = await orderOnPrescription(page)
    await signIn(page, 'pharmacist')
    await page.goto(`/admin/prescriptions?id=${orderId}`)
    await expect(page.getByRole('region', { name: 'Lines' })).toBeVisible()
  },
  'back office: queue of prescriptions': async (page) => {
    await signIn(page, 'pharmacist')
    await page.goto('/admin/prescriptions?filter=all')
    await expect(page.getByRole('region', { name: 'Queue' })).toBeVisible()
  },
  'back office: import of screening lists': async (page) => {
    await signIn(page, 'admin')
    await page.goto('/admin/screening/import')
  },
  'back office: lay terms to review': async (page) => {
    await signIn(page, 'pharmacist')
    await page.goto('/admin/screening/needs')
    await expect(page.getByRole('navigation', { name: 'Rows by decision' })).toBeVisible()
  },
  'back office: status': async (page) => {
    await signIn(page, 'admin')
    await page.goto('/admin/status')
  },
  'back office: audit log': async (page) => {
    await signIn(page, 'admin')
    await page.goto('/admin/audit')
    await expect(page.getByRole('table', { name: 'Entries' })).toBeVisible()
  },
  'back office: audit log, bad dates': async (page) => {
    await signIn(page, 'admin')
    await page.goto('/admin/audit?from=2026-01-02&to=2026-01-01')
  },
  'back office: records, no record found': async (page) => {
    await signIn(page, 'admin')
    await page.goto('/admin/records?order=00000000')
  },
  'back office: shop settings': async (page) => {
    await signIn(page, 'admin')
    await page.goto('/admin/settings/shop')
  },
  'back office: alerts': async (page) => {
    await signIn(page, 'admin')
    await page.goto('/admin/alerts')
  },
  'back office: screening lists': async (page) => {
    await signIn(page, 'admin')
    await page.goto('/admin/screening/lists')
  },
  'back office: unknown ingredients': async (page) => {
    await signIn(page, 'admin')
    await page.goto('/admin/screening/names')
  },
  'back office: rows marked as wrong': async (page) => {
    await signIn(page, 'admin')
    await page.goto('/admin/screening/reports')
  },
  'back office: recalls': async (page) => {
    await signIn(page, 'admin')
    await page.goto('/admin/screening/recalls?size=25')
    await expect(page.getByRole('grid', { name: 'Recalls' })).toBeVisible()
  },
  'back office: a recall': async (page) => {
    await signIn(page, 'admin')
    await page.goto(await firstLink(page, '/admin/screening/recalls'))
  },
  'back office: preview of a recall to record': async (page) => {
    await signIn(page, 'admin')
    await page.goto('/admin/screening/recalls/new')
    await page.getByLabel('Company').fill('Example Labs')
    await page.getByLabel('Source and reference').fill('Dana Kim, Example Labs, 555-0100')
    await page.getByLabel('Reason').fill('Metal particles')
    await page.getByLabel('NDC, DIN, UPC or name').fill('ibuprofen 200 mg')
    await page.getByLabel('All lots').check()
    await page.getByRole('button', { name: 'Preview' }).click()
    await page.getByRole('checkbox').first().check()
    await page.getByRole('button', { name: 'Preview' }).click()
    await expect(page.getByRole('button', { name: 'Record the recall' })).toBeVisible()
  },
  'back office: a lot': async (page) => {
    await signIn(page, 'admin')
    await page.goto(await firstLink(page, '/admin/inventory/lots'))
  },
  'back office: lots of an order': async (page) => {
    await signIn(page, 'admin')
    await page.goto(`${await firstLink(page, '/admin/orders')}/lots`)
  },
  'back office: preview of imported recalls': async (page) => {
    await signIn(page, 'admin')
    await page.goto('/admin/screening/import')
    const buffer = Buffer.from(recallJson(recallReport('D-0101-2026', '0143-1473-01')))
    const file = { name: 'recalls.json', mimeType: 'application/json', buffer }
    const headers = { origin: new URL(page.url()).origin }
    const options = { headers, multipart: { file }, maxRedirects: 0 }
    const reply = await page.request.post('/admin/screening/import', options)
    await page.goto(reply.headers()['location'] ?? '')
    await expect(page.getByRole('button', { name: 'Import', exact: true })).toBeVisible()
  },
  'back office: messages': async (page) => {
    await signIn(page, 'pharmacist')
    await page.goto('/admin/messages')
    await expect(page.getByRole('grid', { name: 'Messages' })).toBeVisible()
  },
  'back office: message thread': async (page) => {
    await signInNewCustomer(page)
    const id = await placeOrder(page)
    const form = { intent: 'message', id, requestKey: id, message: `When will it ship?\n${'x'.repeat(200)}` }
    const headers = { origin: new URL(page.url()).origin }
    const sent = await page.request.post(`/orders/${id}`, { form, headers, maxRedirects: 0 })
    expect(sent.status()).toBe(303)
    await signIn(page, 'pharmacist')
    await page.goto(`/admin/messages/${id}`)
    await expect(page.getByText('When will it ship?')).toBeVisible()
  },
}

/** The other states of the back office that work without scripts. */
export const adminStates: States = {
  'back office: dashboard, table expanded': async (page) => {
    await signIn(page, 'admin')
    await page.goto('/admin?days=7')
    await page.locator('summary', { hasText: 'Show as table' }).first().click()
  },
  'back office: API': async (page) => {
    await signIn(page, 'admin')
    await page.goto('/admin/api')
    for (const name of ['POST /api/product-variants', 'GET /api/products/search']) {
      await page.locator('summary', { hasText: name }).click()
    }
  },
  'back office: webhooks, a refused address': async (page) => {
    await signIn(page, 'admin')
    await page.goto('/admin/api/webhooks')
    await page.getByRole('button', { name: 'Add endpoint' }).click()
    await expect(page.getByText('Enter an address that starts with https://')).toBeVisible()
  },
  'back office: API keys, one created and a refused form': async (page) => {
    await signIn(page, 'admin')
    await page.goto('/admin/api/keys')
    await page.getByLabel('Name').fill('Warehouse')
    await page.getByLabel('Adjust stock').check()
    await page.getByRole('button', { name: 'Create API key' }).click()
    await expect(page.getByText('API key created')).toBeVisible()
    await page.getByRole('button', { name: 'Create API key' }).click()
    await expect(page.getByText('Enter a name.')).toBeVisible()
  },
}

/** The states of the back office that need scripts. */
export const scriptedAdminStates: States = {
  'back office: new product, rejected': async (page) => {
    await signIn(page, 'admin')
    await page.goto('/admin/variants')
    await page.getByRole('button', { name: 'Add Product' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('UPC').fill('036000291453')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(dialog.getByLabel('Product', { exact: true })).toHaveAttribute('aria-invalid', 'true')
  },
  'back office: order, refund dialog': async (page) => {
    await signIn(page, 'admin')
    await page.goto('/admin/orders?status=delivered')
    await page
      .getByRole('link', { name: /^Order / })
      .first()
      .click()
    await page.getByRole('button', { name: 'Refund' }).click()
    await expect(page.getByRole('dialog', { name: 'Refund' })).toBeVisible()
  },
  'back office: price import, checked': async (page) => {
    await signIn(page, 'admin')
    await page.goto('/admin/variants/import')
    const buffer = Buffer.from(`SKU,Price\nNONE-1,12.50\nNONE-2,${'9'.repeat(60)}\n`)
    await page.getByLabel('CSV file').setInputFiles({ name: 'prices.csv', mimeType: 'text/csv', buffer })
    await page.getByRole('button', { name: 'Upload' }).click()
    await page.getByRole('button', { name: 'Check file' }).click()
    await expect(page.getByRole('heading', { name: 'Lines' })).toBeVisible()
  },
  'back office: users, admin role confirmation': async (page) => {
    await signIn(page, 'admin')
    await page.goto('/admin/settings')
    await page.getByLabel('Select all rows on this page').check()
    await page.getByRole('button', { name: 'Make admin', exact: true }).click()
    await expect(page.getByRole('alertdialog')).toBeVisible()
  },
  'back office: profile dialog': async (page) => {
    await page.goto(await userPath(page))
    await page.getByRole('button', { name: 'Edit profile' }).click()
    await page.getByRole('dialog').getByLabel('Weight').fill('-1')
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await expect(page.getByRole('dialog').getByLabel('Weight')).toHaveAttribute('aria-invalid', 'true')
  },
  'back office: tooltip': async (page) => {
    await signIn(page, 'admin')
    await page.goto('/admin/manufacturers')
    await expect(page.getByRole('button', { name: 'Columns' })).toBeEnabled()
    await page.getByRole('button', { name: 'Keyboard shortcuts' }).focus()
    await page.keyboard.press('Tab')
    await expect(page.getByRole('tooltip')).toHaveText('Switch theme')
  },
  'back office: command palette': async (page) => {
    await signIn(page, 'admin')
    await page.goto('/admin/pharmacies')
    await page.getByRole('button', { name: /^Go to/ }).click()
    await page.getByRole('combobox', { name: 'Page or search' }).fill('man')
    await expect(page.getByText('Searching…')).toBeHidden()
  },
  'back office: stock adjustment, rejected': async (page) => {
    await signIn(page, 'admin')
    await page.goto('/admin/inventory?q=naproxen')
    await page.getByRole('button', { name: 'Adjust Stock' }).click()
    const dialog = page.getByRole('dialog', { name: 'Adjust Stock' })
    await dialog.getByRole('button', { name: 'Adjust Stock' }).click()
    await expect(dialog.getByText('Please select a variant.')).toBeVisible()
  },
  'back office: stale edit': async (page) => {
    await signIn(page, 'admin')
    await page.goto('/admin/manufacturers?q=ab')
    const row = page.getByRole('grid').getByRole('row').nth(1)
    const id = await row.getAttribute('data-row')
    await row.getByRole('button', { name: /^Edit/ }).click()
    const data = { city: `City ${++edits}` }
    const headers = { origin: new URL(page.url()).origin }
    expect((await page.request.patch(`/api/manufacturers/${id}`, { data, headers })).status()).toBe(200)
    const dialog = page.getByRole('dialog', { name: 'Edit Manufacturer' })
    await dialog.getByLabel('City').fill('Another city')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(dialog.getByRole('alert')).toBeVisible()
  },
}
