import { expect, test } from '#tests/support/browser.ts'
import { signInNewCustomer, orderOnPrescription, uploadIdDocument } from '#tests/support/customer.ts'
import { waitForHydration } from '#tests/support/delayed-scripts.ts'
import { signIn } from '#tests/support/signing-in.ts'

test('no single key changes stored data: shortcuts, rows, menus and boxes of grids, an order and a case', async ({
  page,
}) => {
  await signInNewCustomer(page)
  await uploadIdDocument(page)
  const { orderId } = await orderOnPrescription(page)
  // The last ones open the list of keys and the search.
  const letters = [...'abcdefghijklmnopqrstuvwxyz0123456789+-.[]?', 'Escape', '/']
  const inCells = ['Enter', 'ArrowDown', 'ArrowUp', 'End', 'Delete', 'Backspace', ...'dsx']
  const calls: string[] = []
  page.on('request', (request) => {
    const [, procedures] = /\/trpc\/([^?]+)/.exec(request.url()) ?? []
    if (procedures) calls.push(...procedures.split(','))
    else if (request.method() !== 'GET') calls.push(`${request.method()} ${new URL(request.url()).pathname}`)
  })
  const press = async (keys: readonly string[]): Promise<void> => {
    for (const key of keys) await page.keyboard.press(key)
  }
  await signIn(page, 'admin')
  const lists = ['orders', 'settings', 'variants', 'inventory', 'prescriptions']
  for (const path of [...lists, `orders/${orderId}`, `prescriptions?id=${orderId}`]) {
    await page.goto(`/admin/${path}`)
    await waitForHydration(page)
    await press(letters)
    const rows = page.getByRole('grid').first().locator('tbody tr')
    for (const cell of await rows
      .first()
      .locator('td:not(:has([type=checkbox])):has(select, button)')
      .all()) {
      await cell.focus()
      await press(inCells)
    }
    // What the chosen status would do.
    if (path === 'orders') await expect.poll(() => calls).toContain('orders.previewStatusChange')
    for (const menu of (await page.locator('main select:visible:enabled').all()).slice(0, 3)) {
      await menu.focus()
      await press(['ArrowDown', 'ArrowUp', 'End', 's', 'c'])
    }
  }
  const views = /\.(list|get|viewers|stock|history|suggest|value|lots|previewStatusChange)$/
  expect(calls.filter((call) => !views.test(call))).toEqual([])
})
