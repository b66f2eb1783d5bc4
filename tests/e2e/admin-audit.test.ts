import { expect, test } from '#tests/support/browser.ts'
import { signIn } from '#tests/support/signing-in.ts'

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with JavaScript' : 'without JavaScript', () => {
    test.use({ javaScriptEnabled })

    test('an admin follows an account to its part of the audit log, and back to everyone’s', async ({
      page,
    }) => {
      await signIn(page, 'admin')
      await page.goto('/admin/settings?role=pharmacist')
      await page.getByRole('link', { name: /^View/ }).first().click()
      await page.getByRole('link', { name: 'Sign-ins' }).click()
      await page.getByRole('link', { name: 'Who viewed or changed this account’s data' }).click()
      const entries = page.getByRole('table', { name: 'Entries' })
      const first = entries.getByRole('row').nth(1)
      await expect(page.getByRole('heading', { name: 'Audit log' })).toBeVisible()
      await expect(first).toContainText('viewed this list')
      await page.getByLabel('Action').selectOption('Viewed the sign-in history')
      await page.getByRole('button', { name: 'Show' }).click()
      await expect(first).toContainText('viewed the sign-in history')
      await expect(page.getByLabel('Action')).toHaveValue('sign-ins.read')
      await page.getByLabel('About').selectOption('Everyone')
      await page.getByLabel('Action').selectOption('Any action')
      await page.getByRole('button', { name: 'Show' }).click()
      await expect(first).toContainText('The shop')
      await expect(page.getByLabel('About')).toHaveCount(0)
    })
  })
}
