import { expect, test } from '#tests/support/browser.ts'
import { holdRequests } from '#tests/support/hold-requests.ts'
import type { Page } from '@playwright/test'

const fieldsOf = (page: Page) => {
  const main = page.getByRole('main')
  return {
    name: main.getByLabel('Name', { exact: true }),
    email: main.getByLabel('Email', { exact: true }),
    message: main.getByLabel('Message', { exact: true }),
    send: main.getByRole('button', { name: 'Send Message' }),
  }
}

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with JavaScript' : 'without JavaScript', () => {
    test.use({ javaScriptEnabled, allowedOutput: /status of 422/ })

    test('a rejected message keeps the typed values; corrected, it is confirmed and the form is empty', async ({
      page,
    }) => {
      await page.goto('/contact')
      const { name, email, message, send } = fieldsOf(page)
      await name.fill('Zoë O’Hara')
      await email.fill('zoe@')
      await message.fill('Where is\nmy order?')
      await send.click()
      const summary = page.getByRole('main').getByRole('alert')
      await expect(summary).toContainText('Enter an email address like name@example.com.')
      await expect(email).toHaveAttribute('aria-invalid', 'true')
      await expect(email).toHaveAccessibleDescription(/Enter an email address/)
      await expect(name).toHaveValue('Zoë O’Hara')
      await expect(message).toHaveValue('Where is\nmy order?')
      await expect(summary).toBeFocused()
      await summary.getByRole('link').click()
      await expect(email).toBeFocused()

      await email.fill('zoe@example.com')
      await send.click()
      await expect(page.getByText('Message Sent', { exact: true })).toHaveCount(1)
      for (const field of [name, email, message]) await expect(field).toHaveValue('')
      await expect(name).not.toHaveAttribute('aria-invalid')
      await page
        .getByRole('main')
        .getByRole('link', { name: /outbox/ })
        .click()
      await expect(page.getByRole('heading', { name: 'Demo outbox' })).toBeVisible()
      const mail = page.getByRole('listitem').filter({ hasText: 'zoe@example.com' }).first()
      await expect(mail).toContainText('my order?')
    })
  })
}

test('a second submit while the first is pending sends nothing', async ({ page }) => {
  await page.goto('/contact')
  const { name, email, message } = fieldsOf(page)
  let posts = 0
  page.on('request', (request) => {
    if (request.method() === 'POST') posts++
  })
  const release = await holdRequests(page, '**/contact.data*')
  await name.fill('Zoë O’Hara')
  await email.fill('zoe@example.com')
  await message.fill('Sent once?')
  const button = page.getByRole('main').locator('form button')
  await button.click()
  await expect(button).toHaveText('Sending…')
  await button.click({ force: true })
  await button.press('Enter')
  release()
  await expect(page.getByText('Message Sent', { exact: true })).toHaveCount(1)
  expect(posts).toBe(1)
})
