import { demoPassword } from '#server/demo/demo-accounts.ts'
import { expect, type Cookie, type Locator, type Page } from '@playwright/test'

type DemoAccount = 'customer' | 'new' | 'admin' | 'pharmacist'

/** Each account's session cookies. A worker has one shop, so it signs in once per account. */
const sessions = new Map<DemoAccount, Cookie[]>()

/**
 * Signs the browser in as one of the demo's accounts, without the sign-in page. A browser that has
 * cookies already gets a new session, because signing in merges its cart.
 */
export async function signIn(page: Page, who: DemoAccount = 'customer'): Promise<void> {
  const context = page.context()
  const isNew = (await context.cookies()).length === 0
  const session = isNew ? sessions.get(who) : undefined
  if (session) return context.addCookies(session)
  const form = { email: `${who}@meridian.test`, password: demoPassword }
  const response = await page.request.post('/login', { form, maxRedirects: 0 })
  expect(response.status()).toBe(303)
  if (isNew) sessions.set(who, await context.cookies())
}

/** The account menu's button in the header. */
export const accountButton = (page: Page): Locator =>
  page.getByRole('banner').getByRole('button', { name: 'Account menu' })
