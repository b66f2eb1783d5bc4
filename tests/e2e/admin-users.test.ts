import { expect, test } from '#tests/support/browser.ts'
import { openAdmin } from '#tests/support/customer.ts'
import { signIn } from '#tests/support/signing-in.ts'
import { request, type Page } from '@playwright/test'

// The browser logs the responses that this test provokes.
test.use({ allowedOutput: /Failed to load resource/ })

/** Registers accounts with this last name outside the browser, which stays signed out. */
async function register(page: Page, lastName: string, firstNames: string[]): Promise<void> {
  await page.goto('/login')
  const { origin } = new URL(page.url())
  for (const firstName of firstNames) {
    const registration = await request.newContext({ baseURL: origin, extraHTTPHeaders: { origin } })
    const email = `${firstName}.${lastName}@customer.example`.toLowerCase()
    const form = { firstName, lastName, email, password: 'long enough for this' }
    expect((await registration.post('/register', { form, maxRedirects: 0 })).status()).toBe(303)
    await registration.dispose()
  }
}

const rows = (page: Page) => page.getByRole('grid', { name: 'Users' }).locator('tbody tr')
const confirmation = (page: Page) => page.getByRole('alertdialog')

test('finds users by name, changes their roles and deletes them, each after a confirmation', async ({
  page,
}) => {
  await register(page, 'Brackenridge', ['Ottoline', 'Barnaby'])
  await signIn(page, 'admin')
  await page.goto('/admin/settings')
  const main = page.getByRole('main')
  const ownRow = rows(page).filter({ hasText: 'admin@meridian.test' })
  await expect(ownRow.getByRole('checkbox')).toBeDisabled()
  await expect(ownRow.getByRole('link', { name: /^View/ })).toBeVisible()
  await expect(ownRow.getByRole('button')).toHaveCount(0)

  await main.getByLabel('Search users').fill('bracken')
  await expect(rows(page)).toHaveCount(2)
  expect(page.url()).toMatch(/\/admin\/settings\??$/)
  await rows(page).first().getByRole('link', { name: 'View Barnaby Brackenridge' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Barnaby Brackenridge')
  await page.goBack()
  await expect(main.getByLabel('Search users')).toHaveValue('bracken')
  await expect(rows(page)).toHaveCount(2)

  // In bulk.
  await page.getByLabel('Select all rows on this page').check()
  await main.getByRole('button', { name: 'Make admin', exact: true }).click()
  await expect(confirmation(page).getByRole('button')).toHaveText(['', 'Cancel', 'Make admin'])
  await confirmation(page).getByRole('button', { name: 'Make admin' }).click()
  await expect(main.getByText('2 of 2 changed.')).toBeVisible()
  await main.getByLabel('Role filter').selectOption('Admins')
  await expect(rows(page)).toHaveCount(2)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(main.getByText('No users match your search.')).toBeVisible()
  await main.getByLabel('Role filter').selectOption('All')

  // One user: the new role shows at once and is reverted when the call fails.
  const row = rows(page).filter({ hasText: 'Ottoline' })
  await page.route('**/trpc/users.setRole*', (route) => route.fulfill({ status: 503 }))
  await row.getByRole('button', { name: 'Make admin' }).click()
  await confirmation(page).getByRole('button', { name: 'Cancel' }).click()
  await expect(confirmation(page)).toBeHidden()
  await row.getByRole('button', { name: 'Make admin' }).click()
  await confirmation(page).getByRole('button', { name: 'Make admin' }).click()
  await expect(page.getByText('Failed to update user admin status')).toBeVisible()
  await expect(row.getByRole('button', { name: 'Make admin' })).toBeVisible()
  await page.unroute('**/trpc/users.setRole*')
  await row.getByRole('button', { name: 'Make admin' }).click()
  await confirmation(page).getByRole('button', { name: 'Make admin' }).click()
  await expect(row.getByRole('button', { name: 'Remove admin' })).toBeVisible()

  await row.getByRole('button', { name: 'Delete Ottoline Brackenridge' }).click()
  await expect(confirmation(page)).toContainText('cannot be undone')
  await expect(confirmation(page).getByRole('button')).toHaveText(['', 'Cancel', 'Delete'])
  await confirmation(page).getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText('User Deleted')).toBeVisible()
  await expect(rows(page)).toHaveCount(1)
})

test('shows a user’s tabs and edits the profile; a stale edit shows the current values', async ({ page }) => {
  await register(page, 'Thistlewood', ['Clementine'])
  await signIn(page, 'admin')
  await page.goto('/admin/settings')
  const main = page.getByRole('main')
  await main.getByLabel('Search users').fill('thistlewood')
  await main.getByRole('link', { name: 'View Clementine Thistlewood' }).click()
  const heading = page.getByRole('heading', { level: 1 })
  await expect(heading).toHaveText('Clementine Thistlewood')
  for (const [tab, shown] of [
    ['Medical', 'Allergies'],
    ['Addresses', 'No saved addresses yet'],
    ['Prescriptions', 'No prescriptions uploaded yet'],
    ['Orders', 'No orders yet'],
    ['Profile', 'No ID document uploaded yet'],
  ] as const) {
    await main.getByRole('link', { name: tab, exact: true }).click()
    await expect(main.getByText(shown)).toBeVisible()
    await expect(main.getByRole('link', { name: tab, exact: true })).toHaveAttribute('aria-current', 'page')
  }
  const id = new URL(page.url()).pathname.split('/').at(-1) ?? ''

  const dialog = page.getByRole('dialog', { name: 'Edit profile' })
  const save = dialog.getByRole('button', { name: 'Save' })
  await main.getByRole('button', { name: 'Edit profile' }).click()
  await dialog.getByLabel('First name').fill('Clementina')
  await dialog.getByLabel('Weight').fill('-1')
  await save.click()
  await expect(page.getByText('Failed to update user profile')).toBeVisible()
  await expect(dialog.getByLabel('Weight')).toHaveAttribute('aria-invalid', 'true')
  await expect(dialog.getByLabel('First name')).toHaveValue('Clementina')
  await dialog.getByLabel('Weight').fill('132.5')
  await save.click()
  await expect(heading).toHaveText('Clementina Thistlewood')
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(heading).toHaveText('Clementine Thistlewood')

  await main.getByRole('button', { name: 'Edit profile' }).click()
  await dialog.getByLabel('Allergies').fill('Penicillin')
  const colleague = await openAdmin(page)
  expect((await colleague.patch(`/api/users/${id}`, { data: { allergies: 'Latex' } })).status()).toBe(200)
  await colleague.dispose()
  await save.click()
  const notice = dialog.getByRole('alert')
  await expect(notice).toContainText('Someone else changed this after you opened it.')
  await expect(notice.getByRole('row', { name: 'Allergies' })).toHaveText('AllergiesPenicillinLatex')
  await notice.getByRole('button', { name: 'Keep my edit' }).click()
  await save.click()
  await expect(dialog).toBeHidden()
  await main.getByRole('link', { name: 'Medical' }).click()
  await expect(main.getByText('Penicillin')).toBeVisible()

  await main.getByRole('button', { name: 'Delete' }).click()
  await confirmation(page).getByRole('button', { name: 'Delete' }).click()
  await expect(page).toHaveURL(/\/admin\/settings$/)
  await page.goto(`/admin/users/${id}`)
  await expect(heading).toHaveText('User not found')
})
