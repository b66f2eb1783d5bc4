import { axeFindings } from '#tests/support/axe.ts'
import { expect, test } from '#tests/support/browser.ts'
import { openAdmin } from '#tests/support/customer.ts'
import { holdRequests } from '#tests/support/hold-requests.ts'
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
  await expect(confirmation(page).getByRole('button')).toHaveText(['Cancel', 'Make admin'])
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

  // Suspended, with a reason, and restored.
  await row.getByRole('link', { name: 'View Ottoline Brackenridge' }).click()
  for (const [action, done] of [
    ['Suspend', 'Ottoline Brackenridge is suspended.'],
    ['Restore', 'Ottoline Brackenridge can sign in again.'],
  ] as const) {
    await main.getByRole('button', { name: action }).click()
    await confirmation(page).getByRole('button', { name: action }).click()
    await expect(confirmation(page).getByText('Enter a reason.')).toBeVisible()
    await confirmation(page).getByLabel('Reason').fill('Identity not verified')
    await confirmation(page).getByRole('button', { name: action }).click()
    await expect(page.getByText(done)).toBeVisible()
    await expect(main.getByText('Suspended', { exact: true })).toHaveCount(action === 'Suspend' ? 1 : 0)
  }
  await main.getByRole('link', { name: 'Sign-ins' }).click()
  await expect(main.getByRole('row', { name: /restored the account/ })).toContainText('Identity not verified')
  await page.goto('/admin/settings')
  await main.getByLabel('Search users').fill('bracken')

  await row.getByRole('button', { name: 'Delete Ottoline Brackenridge' }).click()
  await expect(confirmation(page)).toContainText('cannot be undone')
  await expect(confirmation(page).getByRole('button')).toHaveText(['Cancel', 'Delete'])
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
  await expect(main.getByText('Penicillin', { exact: true })).toBeVisible()

  await main.getByRole('button', { name: 'Delete' }).click()
  await confirmation(page).getByRole('button', { name: 'Delete' }).click()
  await expect(page).toHaveURL(/\/admin\/settings$/)
  await page.goto(`/admin/users/${id}`)
  await expect(heading).toHaveText('User not found')
})

test('a search ends the selection, so that a bulk action changes no row that it hides', async ({ page }) => {
  await register(page, 'Calloway', ['Imogen', 'Percival'])
  await signIn(page, 'admin')
  await page.goto('/admin/settings')
  const search = page.getByRole('main').getByLabel('Search users')
  await search.fill('calloway')
  await expect(rows(page)).toHaveCount(2)
  await page.getByLabel('Select all rows on this page').check()
  const bar = page.getByRole('region', { name: 'Selected rows' })
  await expect(bar).toContainText('2 selected')
  await search.fill('calloway percival')
  await expect(rows(page)).toHaveCount(1)
  await expect(bar).toBeHidden()
  await search.fill('calloway')
  await expect(rows(page)).toHaveCount(2)
  await expect(page.locator('tr[aria-selected=true]')).toHaveCount(0)
})

test('a change of roles goes on after another admin changed them', async ({ page }) => {
  await register(page, 'Thistlewood', ['Edgar'])
  await signIn(page, 'admin')
  const open = async (tab: Page) => {
    await tab.goto('/admin/settings?q=thistlewood')
    await rows(tab)
      .getByRole('button', { name: /change roles: Edgar Thistlewood/ })
      .click()
    return tab.getByRole('dialog', { name: 'Change roles' })
  }
  const dialog = await open(page)
  await dialog.getByRole('checkbox', { name: 'Pharmacist' }).check()
  const other = await page.context().newPage()
  const otherDialog = await open(other)
  await otherDialog.getByRole('checkbox', { name: 'Support' }).check()
  await otherDialog.getByRole('button', { name: 'Change roles' }).click()
  await expect(other.getByText('Roles changed')).toBeVisible()

  await dialog.getByRole('button', { name: 'Change roles' }).click()
  await expect(dialog.getByRole('alert')).toContainText('changed this account’s roles to Support. Check')
  await expect(dialog.getByRole('checkbox', { name: 'Support' })).toBeChecked()
  await expect(dialog.getByRole('checkbox', { name: 'Pharmacist' })).toBeChecked()
  await dialog.getByRole('button', { name: 'Change roles' }).click()
  await expect(page.getByText('Roles changed')).toBeVisible()
  await expect(
    rows(page).getByRole('button', { name: /Pharmacist, Support|Support, Pharmacist/ }),
  ).toBeVisible()

  // Now both take the same role away.
  for (const tab of [page, other])
    await (await open(tab)).getByRole('checkbox', { name: 'Support' }).uncheck()
  await otherDialog.getByRole('button', { name: 'Change roles' }).click()
  await expect(otherDialog).toBeHidden()
  await dialog.getByRole('button', { name: 'Change roles' }).click()
  await expect(dialog.getByRole('alert')).toHaveText('This account already has these roles.')
  await expect(dialog.getByRole('button', { name: 'Change roles' })).toBeDisabled()
})

test('rows of the previous search cannot be selected while those of the next one load', async ({ page }) => {
  await register(page, 'Wetherell', ['Imogen', 'Percival'])
  await signIn(page, 'admin')
  await page.goto('/admin/settings')
  const search = page.getByRole('main').getByLabel('Search users')
  await search.fill('wetherell')
  await expect(rows(page)).toHaveCount(2)
  const release = await holdRequests(page, '**/trpc/users.list?*')
  await search.fill('wetherell percival')
  await expect(page.getByRole('grid', { name: 'Users' })).toHaveAttribute('aria-busy', 'true')
  await page.getByLabel('Select all rows on this page').click()
  release()
  await expect(rows(page)).toHaveCount(1)
  await expect(page.getByRole('region', { name: 'Selected rows' })).toBeHidden()
})

test('changes roles after a preview and a recent code, and each role sees its own pages', async ({
  page,
}) => {
  await register(page, 'Prescottson', ['Rowena'])
  await signIn(page, 'admin')
  await page.goto('/admin/settings')
  await page.getByRole('main').getByLabel('Search users').fill('prescottson')
  await expect(rows(page)).toHaveCount(1)
  await rows(page).getByRole('button', { name: 'User, change roles: Rowena Prescottson' }).click()
  const dialog = page.getByRole('dialog', { name: 'Change roles' })
  await expect(dialog.getByRole('button', { name: 'Change roles' })).toBeDisabled()
  await dialog.getByRole('checkbox', { name: 'Pharmacist' }).check()
  await expect(dialog.getByRole('status')).toContainText('Review, approve and reject prescriptions')
  expect(await axeFindings(page)).toEqual([])

  // The demo's admin has no second factor, so the test answers as the shop answers one who has.
  await page.route('**/trpc/users.setRoles*', (route) => route.fulfill(codeRequired), { times: 1 })
  await dialog.getByRole('button', { name: 'Change roles' }).click()
  const prompt = page.getByRole('dialog', { name: 'Confirm it’s you' })
  await expect(prompt.getByLabel('Code')).toBeFocused()
  expect(await axeFindings(page)).toEqual([])
  await prompt.getByLabel('Code').fill('000000')
  await prompt.getByRole('button', { name: 'Continue' }).click()
  await expect(prompt.getByText('This code is incorrect')).toBeVisible()
  await prompt.getByRole('button', { name: 'Cancel' }).click()
  await expect(dialog.getByRole('alert')).toContainText('code from your authenticator app')

  await page.route('**/trpc/users.setRoles*', (route) => route.fulfill(codeRequired), { times: 1 })
  await page.route('**/trpc/session.confirm*', (route) => route.fulfill({ json: [{ result: {} }] }))
  await dialog.getByRole('button', { name: 'Change roles' }).click()
  await prompt.getByLabel('Code').fill('123456')
  await prompt.getByLabel('Code').press('Enter')
  await expect(page.getByText('Roles changed')).toBeVisible()
  await expect(rows(page).getByRole('button', { name: 'Pharmacist, change roles' })).toBeVisible()
  const view = rows(page).getByRole('link', { name: /^View/ })
  const patient = (await view.getAttribute('href')) ?? ''

  await page.context().clearCookies()
  await signIn(page, 'pharmacist')
  await page.goto('/admin')
  const links = page.getByRole('complementary', { name: 'Sidebar' }).getByRole('link')
  await expect(links).toHaveText([
    'Dashboard',
    'Inventory',
    'Orders',
    'Prescriptions',
    'Messages',
    'Alerts',
    'Records',
    'Screening',
    'Back to the shop',
  ])
  await page.goto(patient)
  await page.getByLabel('Reason').fill('Too short')
  await page.getByRole('button', { name: 'Open record' }).click()
  await expect(page.getByText('at least 10 characters')).toBeVisible()
  expect(await axeFindings(page)).toEqual([])
  await page.getByLabel('Reason').fill('They called about side effects.')
  await page.getByRole('button', { name: 'Open record' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Rowena Prescottson')
  await expect(page.getByRole('button', { name: 'Edit profile' })).toHaveCount(0)
})

const codeRequired = {
  status: 403,
  json: [
    {
      error: {
        message: 'Confirm with a code from your authenticator app.',
        code: -32603,
        data: { code: 'CODE_REQUIRED', fields: {} },
      },
    },
  ],
}
