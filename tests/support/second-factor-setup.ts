import { expect, type Page } from '@playwright/test'
import { signInNewCustomer, confirmAddress, customerPassword } from './customer.ts'

/** Starts the two-step sign-in setup of a new customer. Returns their email address. */
export async function startSecondFactorSetup(page: Page): Promise<string> {
  const email = await signInNewCustomer(page)
  await confirmAddress(page, email)
  await page.goto('/account/security')
  const card = page.getByRole('region', { name: 'Two-step sign-in' })
  await card.locator('summary').click()
  await card.getByLabel('Current password').fill(customerPassword)
  await card.getByRole('button', { name: 'Continue' }).click()
  await expect(card.getByRole('img', { name: /^QR image/ })).toBeVisible()
  return email
}
