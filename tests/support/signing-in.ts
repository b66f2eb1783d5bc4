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
  const held = await context.cookies()
  const holds = (session: readonly Cookie[]): boolean =>
    session.some(({ name, value }) => held.some((cookie) => cookie.name === name && cookie.value === value))
  const session = sessions.get(who)
  if (session && holds(session)) return
  if (session && held.length === 0) return context.addCookies(session)
  const form = { email: `${who}@meridian.test`, password: demoPassword }
  const response = await page.request.post('/login', { form, maxRedirects: 0 })
  expect(response.status()).toBe(303)
  // A sign-in ends the session that the browser had.
  for (const [account, cookies] of sessions) if (holds(cookies)) sessions.delete(account)
  if (held.length === 0) sessions.set(who, await context.cookies())
}

/** The account menu's button in the header. */
export const accountButton = (page: Page): Locator =>
  page.getByRole('banner').getByRole('button', { name: 'Account menu' })
