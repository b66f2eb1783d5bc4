import { expect, test } from '#tests/support/browser.ts'
import { signInNewCustomer, openAdmin, placeOrder } from '#tests/support/customer.ts'
import { holdRequests } from '#tests/support/hold-requests.ts'
import { signIn } from '#tests/support/signing-in.ts'
import type { Page } from '@playwright/test'

// The browser logs the responses that this test provokes.
test.use({ allowedOutput: /Failed to load resource/ })

const rows = (page: Page) => page.getByRole('grid', { name: 'Orders' }).locator('tbody tr')
const rowOf = (page: Page, id: string) => rows(page).filter({ hasText: id.slice(-8) })
const confirmation = (page: Page) => page.getByRole('alertdialog')
const statusOf = (page: Page, id: string) =>
  page.getByRole('combobox', { name: `Status of order ${id.slice(-8)}` })

/** Chooses a status, which stores nothing, and applies it once the page says what it does. */
async function setStatus(page: Page, id: string, status: string, effect: RegExp | string): Promise<void> {
  const form = page.locator('form').filter({ has: statusOf(page, id) })
  await statusOf(page, id).selectOption(status)
  await expect(form.getByRole('status')).toContainText(effect)
  await form.getByRole('button', { name: 'Apply' }).click()
}

test('finds orders by customer and sets their status, one at a time and in bulk', async ({ page }) => {
  const email = await signInNewCustomer(page)
  const ids = [await placeOrder(page), await placeOrder(page), await placeOrder(page)]
  const [first = '', second = '', third = ''] = ids
  await signIn(page, 'admin')
  await page.goto('/admin/orders')
  const main = page.getByRole('main')
  await main.getByLabel('Search orders').fill(email)
  await expect(rows(page)).toHaveCount(3)
  expect(page.url()).not.toContain('browser')
  await main.getByLabel('Search orders').fill(second.slice(-8))
  await expect(rows(page)).toHaveCount(1)
  await main.getByLabel('Search orders').fill(email)
  await expect(rows(page)).toHaveCount(3)

  // The new status shows at once and is reverted when the call fails.
  const row = rowOf(page, first)
  await page.route('**/trpc/orders.setStatus?*', (route) => route.fulfill({ status: 503 }))
  await setStatus(page, first, 'Shipped', 'We’ll email the customer. You can undo it for 10 seconds.')
  await expect(page.getByText('Failed to update order status', { exact: true })).toBeVisible()
  await expect(row.locator('[data-color=blue]')).toBeVisible()
  await expect(main.getByText('0 of 1 changed.')).toBeVisible()
  await page.unroute('**/trpc/orders.setStatus?*')
  await page.getByRole('region', { name: 'Selected rows' }).getByRole('button', { name: 'Dismiss' }).click()
  await setStatus(page, first, 'Delivered', 'We’ll email the customer.')
  await expect(statusOf(page, first)).toBeFocused()
  await expect(row.locator('[data-color=green]')).toBeVisible()
  // Its key only moves the focus to Undo, which the next key presses.
  await expect(page.getByText(/is now Delivered\./)).toBeVisible()
  await row.locator('td').first().focus()
  await page.keyboard.press('u')
  await expect(page.getByRole('button', { name: 'Undo' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(row.locator('[data-color=blue]')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Undo' })).toHaveCount(0)
  await expect(row.locator('td').first()).toBeFocused()

  // A cancellation first shows what it refunds and restocks.
  const refunds = /refund \$\d+\.\d\d to the customer’s card. We’ll return 2 units to stock.*can’t undo/
  await setStatus(page, second, 'Cancelled', refunds)
  await expect(confirmation(page)).toContainText(refunds)
  await expect(confirmation(page).getByRole('button')).toHaveText(['Cancel', 'Cancel order'])
  await confirmation(page).getByRole('button', { name: 'Cancel', exact: true }).click()
  await expect(rowOf(page, second).locator('[data-color=blue]')).toBeVisible()
  await setStatus(page, second, 'Cancelled', refunds)
  await confirmation(page).getByRole('button', { name: 'Cancel order' }).click()
  await expect(statusOf(page, second)).toBeDisabled()

  // Shift selects all rows in between, by a click and by keys.
  const checks = rows(page).getByRole('checkbox')
  const selected = page.locator('tr[aria-selected=true]')
  await checks.nth(0).click()
  await checks.nth(2).click({ modifiers: ['Shift'] })
  await expect(selected).toHaveCount(3)
  await page.getByRole('button', { name: 'Clear selection' }).click()
  await rows(page).nth(0).locator('td').nth(1).focus()
  await page.keyboard.press('Shift+ArrowDown')
  await expect(selected).toHaveCount(2)
  await page.getByRole('button', { name: 'Clear selection' }).click()
  await page.getByLabel('Select all rows on this page').check()
  const bulk = main.getByRole('combobox', { name: 'Set status of selected' })
  await expect(bulk).toHaveValue('')
  await expect(main.getByRole('button', { name: 'Apply' })).toBeDisabled()
  await bulk.selectOption('Shipped')
  await expect(main.getByText(/^1 won’t change: .*We’ll send 2 emails\. You can undo it/)).toBeVisible()
  await main.getByRole('button', { name: 'Apply' }).click()
  await expect(main.getByText('2 of 3 changed.')).toBeVisible()
  await expect(main.getByText('This order was cancelled and refunded. It can’t be reopened.')).toBeVisible()
  await expect(page.getByText('Failed to update selected orders', { exact: true })).toBeVisible()
  await expect(rowOf(page, third).locator('[data-color=purple]')).toBeVisible()
  // The pressed button is gone: the focus moves to the results, and from there to the grid.
  const resultsBar = page.getByRole('region', { name: 'Selected rows' })
  await expect(resultsBar.getByRole('button', { name: 'Dismiss' })).toBeFocused()
  // The offer to undo covers neither them nor the pager at the end of the page.
  await page.setViewportSize({ width: 1024, height: 500 })
  const pager = main.getByRole('combobox', { name: 'Rows' })
  const undo = page.getByRole('button', { name: 'Undo' })
  const gap = async () => {
    await page.mouse.wheel(0, 2000)
    const [above, below] = [await pager.boundingBox(), await undo.boundingBox()]
    return (below?.y ?? 0) - (above?.y ?? 0) - (above?.height ?? 0)
  }
  await expect.poll(gap).toBeGreaterThan(0)
  await page.setViewportSize({ width: 1280, height: 720 })
  await page.keyboard.press('Escape')
  await expect(resultsBar).toHaveCount(0)
  await expect(page.locator('td:focus')).toHaveCount(1)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(
    rows(page)
      .filter({ hasText: third.slice(-8) })
      .locator('[data-color=blue]'),
  ).toBeVisible()
  // An undo closes the results, and the focus that was in them moves to the page's content.
  await page.getByLabel('Select all rows on this page').check()
  await bulk.selectOption('Shipped')
  await main.getByRole('button', { name: 'Apply' }).click()
  await expect(resultsBar.getByRole('button', { name: 'Dismiss' })).toBeFocused()
  await page.keyboard.press('u')
  await page.keyboard.press('Enter')
  await expect(resultsBar).toHaveCount(0)
  await expect(main).toBeFocused()
  await main.getByLabel('Status filter').selectOption('Processing')
  await expect(rows(page)).toHaveCount(2)
  await expect(page).toHaveURL(/\?status=processing$/)

  await main.getByRole('link', { name: `Order ${third.slice(-8)}` }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Order ${third.slice(-8)}`)
  await page.goBack()
  await expect(rows(page)).toHaveCount(2)
  await expect(main.getByLabel('Search orders')).toHaveValue(email)
})

test('adds a note, ships, refunds in part and cancels an order; a stale edit overwrites nothing', async ({
  page,
}) => {
  await signInNewCustomer(page)
  const id = await placeOrder(page)
  const admin = await openAdmin(page)
  await signIn(page, 'admin')
  await page.goto(`/admin/orders/${id}`)
  const main = page.getByRole('main')
  for (const name of ['Customer', 'Order', 'Shipping', 'Prescription', 'Items', 'Status timeline', 'Notes']) {
    await expect(main.getByRole('heading', { name, exact: true })).toBeVisible()
  }

  await main.getByLabel('Tracking number').fill('1Z999AA10123456784')
  await main.getByLabel('New note').fill('The customer called.')
  await main.getByRole('button', { name: 'Add note' }).click()
  await expect(main.getByText('The customer called.')).toBeVisible()
  await expect(main.getByText(/Amara Okafor/)).toBeVisible()
  // Values typed in another form are kept.
  await expect(main.getByLabel('Tracking number')).toHaveValue('1Z999AA10123456784')

  const patched = await admin.patch(`/api/orders/${id}`, { data: { carrier: 'DHL' } })
  expect(patched.status()).toBe(200)
  await admin.dispose()
  await main.getByRole('button', { name: 'Save shipment' }).click()
  await expect(main.getByRole('alert')).toContainText('Someone else changed this after you opened it.')
  await expect(main.getByRole('alert')).toContainText('DHL')
  await main.getByRole('button', { name: 'Keep my edit' }).click()
  await main.getByLabel('Carrier').fill('UPS')
  await main.getByRole('button', { name: 'Save shipment' }).click()
  await expect(page.getByText('Shipment saved')).toBeVisible()

  await main.getByRole('button', { name: 'Refund' }).click()
  const dialog = page.getByRole('dialog', { name: 'Refund' })
  await expect(dialog.getByLabel(/^Refund of/).first()).toBeFocused()
  await dialog.getByRole('button', { name: 'Refund everything' }).click()
  await expect(dialog.getByLabel(/^Refund of/)).toHaveValue('2')
  await dialog.getByLabel(/^Refund of/).fill('0')
  await expect(dialog.getByRole('button', { name: 'Choose what to refund' })).toBeDisabled()
  // What can't be refunded is neither changed nor refunded.
  for (const wrong of ['3', '1.5', '-1', 'x', '1e0', '0x2']) {
    await dialog.getByLabel(/^Refund of/).fill(wrong)
    await expect(dialog.getByLabel(/^Refund of/)).toHaveValue(wrong)
    await expect(dialog.getByRole('button', { name: 'Check the quantities' })).toBeVisible()
    await expect(dialog.getByText('Enter a whole number from 0 to 2.')).toBeVisible()
    await dialog.getByLabel(/^Refund of/).press('Enter')
    await expect(dialog.getByRole('button', { name: /^Refund \$\d/ })).toHaveCount(0)
  }
  await dialog.getByLabel(/^Refund of/).fill('1')
  await expect(dialog.getByText('Enter a whole number from 0 to 2.')).toHaveCount(0)
  await dialog.getByRole('button', { name: /^Refund \$\d/ }).click()
  await expect(page.getByText('Refund started')).toBeVisible()
  await expect(main.getByText('1 refunded')).toBeVisible()

  await setStatus(page, id, 'Cancelled', 'return 1 unit to stock')
  await expect(confirmation(page)).toContainText('return 1 unit to stock')
  await confirmation(page).getByRole('button', { name: 'Cancel order' }).click()
  await expect(statusOf(page, id)).toBeDisabled()
  await expect(main.getByRole('button', { name: 'Refund' })).toBeDisabled()

  await main.getByRole('link', { name: 'Label' }).click()
  await expect(main.getByRole('img', { name: 'Barcode: 1Z999AA10123456784' })).toBeVisible()
  await page.emulateMedia({ media: 'print' })
  for (const hidden of [page.getByRole('navigation'), main.getByRole('button'), main.getByRole('link')]) {
    await expect(hidden).toHaveCount(0)
  }
  // One page of label paper.
  const paper = (await page.pdf({ preferCSSPageSize: true })).toString('latin1')
  expect(paper.match(/\/Type\s*\/Page\b/g)).toHaveLength(1)
  expect(paper).toContain('/MediaBox [0 0 288 432]')
  await page.goBack()
  await expect(main.getByRole('heading', { name: 'Shipping' })).toBeVisible()
  await expect(main.getByRole('button')).toHaveCount(0)
  await expect(main.getByRole('link', { name: 'Messages with the customer' })).toHaveCount(0)
  await page.emulateMedia({ media: 'screen' })
  await page.setViewportSize({ width: 360, height: 740 })
  await main.getByRole('link', { name: 'Packing slip' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^Packing slip for order /)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360)
})

test('shows the shipment as it was saved, and keeps what is typed during a save', async ({ page }) => {
  await signInNewCustomer(page)
  const id = await placeOrder(page)
  await signIn(page, 'admin')
  await page.goto(`/admin/orders/${id}`, { waitUntil: 'networkidle' })
  const main = page.getByRole('main')
  const [carrier, tracking] = [main.getByLabel('Carrier'), main.getByLabel('Tracking number')]
  const save = main.getByRole('button', { name: 'Save shipment' })
  const hold = (call: string) => holdRequests(page, `**/trpc/${call}?*`)

  await carrier.fill('UPS')
  await save.click()
  await expect(page.getByText('Shipment saved')).toBeVisible()
  await expect(save).toHaveAttribute('aria-disabled', 'true')
  await expect(carrier).toHaveValue('UPS')

  const sendShipment = await hold('orders.saveShipment')
  await carrier.fill(' DHL ')
  await save.click()
  await tracking.fill('1Z999AA10123456784')
  sendShipment()
  await expect(carrier).toHaveValue('DHL')
  await expect(tracking).toHaveValue('1Z999AA10123456784')
  await save.click()
  await expect(save).toHaveAttribute('aria-disabled', 'true')
  await expect(tracking).toHaveValue('1Z999AA10123456784')

  const sendNote = await hold('orders.addNote')
  const note = main.getByLabel('New note')
  await note.fill('The customer called.')
  await main.getByRole('button', { name: 'Add note' }).click()
  await note.fill('The customer called again.')
  sendNote()
  await expect(main.getByText(/Amara Okafor/)).toBeVisible()
  await expect(note).toHaveValue('The customer called again.')
})

test('a status saves what was typed about the shipment, or is refused at its fields', async ({ page }) => {
  await signInNewCustomer(page)
  const id = await placeOrder(page)
  const other = await openAdmin(page)
  await signIn(page, 'admin')
  await page.goto(`/admin/orders/${id}`, { waitUntil: 'networkidle' })
  const main = page.getByRole('main')
  const [carrier, tracking] = [main.getByLabel('Carrier'), main.getByLabel('Tracking number')]

  await tracking.fill('1'.repeat(101))
  await expect(main.getByText('except Cancelled saves what you typed here.')).toBeVisible()
  await setStatus(page, id, 'Shipped', 'We’ll email the customer.')
  await expect(main.getByText('must have at most 100 characters.')).toBeVisible()
  await expect(tracking).toBeFocused()
  await expect(main.locator('[data-color=blue]')).toBeVisible()

  await other.patch(`/api/orders/${id}`, { data: { carrier: 'DHL' } })
  await other.dispose()
  await tracking.fill('1ZLOST')
  await setStatus(page, id, 'Shipped', 'We’ll email the customer.')
  await expect(main.getByText('Someone else changed this after you opened it.')).toBeVisible()
  await main.getByRole('button', { name: 'Keep my edit' }).click()
  await carrier.fill('UPS')
  await setStatus(page, id, 'Shipped', 'We’ll email the customer.')
  await expect(page.getByText(`Order ${id.slice(-8)} is now Shipped.`)).toBeVisible()
  await expect(main.getByRole('button', { name: 'Save shipment' })).toHaveAttribute('aria-disabled', 'true')
  await page.reload()
  await expect(carrier).toHaveValue('UPS')
  await expect(tracking).toHaveValue('1ZLOST')
})

test('cancelling an order stores nothing of a half-typed shipment', async ({ page }) => {
  await signInNewCustomer(page)
  const id = await placeOrder(page)
  await signIn(page, 'admin')
  await page.goto(`/admin/orders/${id}`, { waitUntil: 'networkidle' })
  const tracking = page.getByRole('main').getByLabel('Tracking number')
  await tracking.fill('1ZHALF')
  await setStatus(page, id, 'Cancelled', 'return 2 units to stock')
  await confirmation(page).getByRole('button', { name: 'Cancel order' }).click()
  await expect(statusOf(page, id)).toBeDisabled()
  await expect(tracking).toHaveValue('1ZHALF')
  await page.reload()
  await expect(tracking).toHaveValue('')
})

test('the link back to the list shows it as it was left: filter and private search', async ({ page }) => {
  await signIn(page, 'admin')
  await page.goto('/admin/orders?status=delivered', { waitUntil: 'networkidle' })
  const link = rows(page).first().getByRole('link')
  const number = (await link.getAttribute('href'))?.slice(-8) ?? ''
  const found = page.waitForResponse(/\/trpc\/orders\.list/)
  await page.getByLabel('Search orders').fill(number)
  await found
  await expect(page.getByText('1–1 of 1', { exact: true })).toBeVisible()
  await link.click()
  await page.locator('[data-back]').click()
  await expect(page.getByLabel('Search orders')).toHaveValue(number)
  await expect(page.getByLabel('Status filter')).toHaveValue('delivered')
  await expect(page.getByText('1–1 of 1', { exact: true })).toBeVisible()
  expect(page.url()).not.toContain(number)
})
