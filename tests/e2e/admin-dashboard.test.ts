import { expect, test } from '#tests/support/browser.ts'
import { signIn } from '#tests/support/signing-in.ts'

test('the dashboard shows the selected period, and a table for each chart', async ({ page }) => {
  await signIn(page, 'admin')
  await page.goto('/admin')
  const main = page.getByRole('main')
  await expect(main.getByRole('heading', { level: 1 })).toHaveText('Dashboard')
  const period = main.getByRole('navigation', { name: 'Period' })
  await expect(period.getByRole('link', { name: '30 days' })).toHaveAttribute('aria-current', 'true')
  await period.getByRole('link', { name: '7 days' }).click()
  await expect(page).toHaveURL(/\?days=7$/)
  const revenue = main.getByRole('region', { name: 'Revenue', exact: true })
  await expect(revenue.getByRole('img', { name: /^Revenue from/ })).toBeVisible()
  await revenue.getByText('Show as table').click()
  await expect(revenue.getByRole('row')).toHaveCount(8)
  await main
    .getByRole('link', { name: /^View Details/ })
    .first()
    .click()
  await expect(page).toHaveURL(/\/admin\/orders$/)
})
