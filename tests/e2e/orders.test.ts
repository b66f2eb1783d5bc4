import { expect, test } from '#tests/support/browser.ts'
import { signInNewCustomer, placeOrder } from '#tests/support/customer.ts'

test('from the list to an order: print the receipt, cancel with a confirmation, and reorder', async ({
  page,
}) => {
  await signInNewCustomer(page)
  const id = await placeOrder(page)
  await page.goto('/orders')
  const main = page.getByRole('main')
  await main.getByRole('link', { name: /^View details/ }).click()
  await expect(page).toHaveURL(new RegExp(`/orders/${id}$`))
  await expect(main.getByRole('heading', { level: 1 })).toHaveText(`Order ${id.slice(-8)}`)
  await expect(main.getByRole('listitem').filter({ hasText: 'Processing' })).toHaveAttribute(
    'aria-current',
    'step',
  )

  // In print: the shop's name and the total, but no buttons.
  await page.evaluate(() => {
    window.print = () => document.body.setAttribute('data-printed', '')
  })
  await main.getByRole('button', { name: 'Print receipt' }).click()
  await expect(page.locator('body[data-printed]')).toBeVisible()
  await page.emulateMedia({ media: 'print' })
  await expect(main.getByText('Receipt', { exact: true })).toBeVisible()
  await expect(main.getByText('Total')).toBeVisible()
  await expect(main.getByText(id)).toBeVisible()
  for (const hidden of [
    page.getByRole('banner'),
    page.getByRole('contentinfo'),
    page.getByRole('navigation'),
    main.getByRole('button'),
    main.getByRole('heading', { name: 'Progress' }),
  ]) {
    await expect(hidden).toHaveCount(0)
  }
  await page.emulateMedia({ media: 'screen' })

  const cancel = main.getByRole('button', { name: 'Cancel order' })
  await cancel.click()
  const dialog = page.getByRole('alertdialog', { name: 'Cancel this order?' })
  await expect(dialog).toContainText(/We’ll refund \$\d+\.\d\d to the card/)
  await expect(dialog.getByRole('button')).toHaveText(['Cancel', 'Cancel order'])
  await dialog.getByRole('button', { name: 'Cancel', exact: true }).click()
  await expect(dialog).toBeHidden()
  await expect(cancel).toBeFocused()
  await cancel.click()
  await dialog.getByRole('button', { name: 'Cancel order' }).click()
  await expect(page.getByText('Order Cancelled')).toBeVisible()
  await expect(dialog).toBeHidden()
  await expect(main.getByText(/^Refund of|refunded on/)).toBeVisible()
  await expect(cancel).toHaveCount(0)
  await expect(main.getByRole('group', { name: 'Order actions' })).toBeFocused()

  await main.getByRole('button', { name: 'Order again' }).click()
  await expect(page).toHaveURL(/\/cart$/)
  await expect(main.getByText('Ibuprofen').first()).toBeVisible()
})
