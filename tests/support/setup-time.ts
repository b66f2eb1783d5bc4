import { expect, type Page } from '@playwright/test'
import { becomeCustomer, customerPassword } from './customer.ts'

/** Begins to set two-step sign-in up for a customer of the browser's own. Returns their e-mail address. */
export async function beginSecondFactor(page: Page): Promise<string> {
  const email = await becomeCustomer(page)
  await page.goto('/account/security')
  const card = page.getByRole('region', { name: 'Two-step sign-in' })
  await card.locator('summary').click()
  await card.getByLabel('Current password').fill(customerPassword)
  await card.getByRole('button', { name: 'Continue' }).click()
  await expect(card.getByRole('img', { name: /^QR picture/ })).toBeVisible()
  return email
}
