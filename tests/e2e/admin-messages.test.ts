import { expect, test } from '#tests/support/browser.ts'
import { signInNewCustomer, placeOrder } from '#tests/support/customer.ts'
import { signIn } from '#tests/support/signing-in.ts'
import { randomUUID } from 'node:crypto'

// The browser logs the responses that this test provokes.
test.use({ allowedOutput: /status of 4(09|22)/ })

test('staff who answer on an old page see the new message and keep the typed answer', async ({
  page,
  browser,
}) => {
  const customer = await browser.newPage()
  await signInNewCustomer(customer)
  const id = await placeOrder(customer)
  const origin = new URL(customer.url()).origin
  const write = async (message: string): Promise<void> => {
    const form = { intent: 'message', id, requestKey: randomUUID(), message }
    const options = { form, headers: { origin }, maxRedirects: 0 }
    expect((await customer.request.post(`/orders/${id}`, options)).status()).toBe(303)
  }
  await write('When will it ship?')
  await signIn(page, 'pharmacist')
  await page.goto(`/admin/messages/${id}`)
  const main = page.getByRole('main')
  const field = main.getByLabel('Message to the customer')
  const send = main.getByRole('button', { name: 'Send answer' })
  await expect(main.getByText('When will it ship?')).toBeVisible()
  await write('I have a fever.')

  await field.fill('It ships today.')
  await send.click()
  await expect(main.getByRole('alert')).toHaveText('The customer wrote again. Read the new message first.')
  await expect(main.getByText('I have a fever.')).toBeVisible()
  await expect(field).toHaveValue('It ships today.')
  await main.getByRole('button', { name: 'Mark as handled' }).click()
  await expect(field).toHaveAccessibleDescription(/Send your answer, or clear it first\./)
  await expect(field).toHaveValue('It ships today.')
  await send.click()
  await expect(page).toHaveURL(/\/admin\/messages$/)
  await expect(page.getByText('Answer sent')).toBeVisible()
})

test('a typed message or note asks before its page is left or reloaded, and a sent one does not', async ({
  page,
  browser,
}) => {
  const customer = await browser.newPage()
  await signInNewCustomer(customer)
  const id = await placeOrder(customer)
  await customer.close()
  await signIn(page, 'admin')
  const main = page.getByRole('main')
  const prompt = page.getByRole('alertdialog', { name: 'Discard what you typed?' })
  for (const { path, label, send, sent } of [
    {
      path: `/admin/messages/${id}`,
      label: 'Message to the customer',
      send: 'Send message',
      sent: 'Message sent',
    },
    { path: `/admin/orders/${id}`, label: 'New note', send: 'Add note', sent: 'It ships today.' },
  ]) {
    await page.goto(path, { waitUntil: 'networkidle' })
    // While nothing is typed, the router does not warn about a link to a fragment.
    await page.getByRole('link', { name: 'Skip to content' }).press('Enter')
    await expect(page).toHaveURL(/#main$/)
    const field = main.getByLabel(label)
    await field.fill('It ships today.')
    const reload = page.waitForEvent('dialog')
    await page.evaluate(() => setTimeout(() => location.reload()))
    const asked = await reload
    expect(asked.type()).toBe('beforeunload')
    await asked.dismiss()
    await page.getByRole('link', { name: 'Products' }).first().click()
    await prompt.getByRole('button', { name: 'Cancel' }).click()
    await expect(field).toHaveValue('It ships today.')
    await main.getByRole('button', { name: send }).click()
    await expect(page.getByText(sent).first()).toBeVisible()
    await expect(field).toHaveValue('')
    await field.fill('And more.')
    await page.getByRole('link', { name: 'Products' }).first().click()
    await prompt.getByRole('button', { name: 'Discard' }).click()
    await expect(page).toHaveURL(/\/admin\/variants/)
  }
})
