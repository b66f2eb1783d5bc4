import { demoPassword } from '#server/demo/demo-accounts.ts'
import { expect, type Locator, type Page } from '@playwright/test'

/** Signs the browser in as one of the demo's accounts, past the page; what it opens next knows it. */
export async function signIn(page: Page, who: 'customer' | 'new' | 'admin' = 'customer'): Promise<void> {
  const form = { email: `${who}@meridian.test`, password: demoPassword }
  const response = await page.request.post('/login', { form, maxRedirects: 0 })
  expect(response.status()).toBe(303)
}

/** The header's button of the account menu. */
export const accountButton = (page: Page): Locator =>
  page.getByRole('banner').getByRole('button', { name: 'Account menu' })
