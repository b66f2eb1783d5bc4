import { expect, test } from '#tests/support/browser.ts'
import { openProduct } from '#tests/support/shopping.ts'
import { signIn } from '#tests/support/signing-in.ts'

test('the card of equivalents follows the chosen variant', async ({ page }) => {
  await openProduct(page, 'amoxicillin')
  const card = page.getByRole('region', { name: 'FDA rates these as equivalent' })
  await page.getByRole('radio', { name: /500 mg · 21 capsules/ }).check()
  await expect(card).toContainText('500 mg capsule, rated AB')
  await page.getByRole('radio', { name: /250 mg · 14 tablets/ }).check()
  await expect(card).toBeHidden()
  await page.getByRole('radio', { name: /500 mg · 100 capsules/ }).check()
  await expect(card).toContainText('500 mg capsule, rated AB')
})

test('a brand offers no generic that FDA does not rate like it', async ({ page }) => {
  await openProduct(page, 'metformin')
  await page.getByRole('radio', { name: /Fortamet · 1000 mg/ }).check()
  await expect(page.getByText('Fortamet, 1000 mg, 7 tablets, film coated, extended release')).toBeVisible()
  await expect(page.getByRole('link', { name: 'See the generic' })).toBeHidden()
})

test('a customer finds the options that match a prescription on file', async ({ page }) => {
  await openProduct(page, 'metformin')
  const card = page.getByRole('region', { name: 'Prescriptions on file' })
  const marked = page.getByRole('listitem').filter({ hasText: 'Matches a prescription on file' })
  await expect(card).toBeHidden()
  await expect(marked).toHaveCount(0)
  await signIn(page)
  await openProduct(page, 'metformin')
  await expect(card.getByRole('link').first()).toHaveText(/500 mg/)
  await card.getByRole('link').first().click()
  await expect(marked.getByRole('radio', { checked: true })).toHaveCount(1)
})
