import { expect, test } from '#tests/support/browser.ts'
import { holdScripts, openWithoutScripts } from '#tests/support/delayed-scripts.ts'
import { signIn } from '#tests/support/signing-in.ts'
import type { Page } from '@playwright/test'

const sidebar = (page: Page) => page.getByRole('complementary', { name: 'Sidebar' })
/** Opens a back-office page and waits until its scripts run. */
async function open(page: Page, path: string): Promise<void> {
  await signIn(page, 'admin')
  await page.goto(path)
  await expect(page.getByRole('button', { name: 'Columns' })).toBeEnabled()
}
const widthOf = async (page: Page): Promise<number> => (await sidebar(page).boundingBox())?.width ?? 0
const grid = (page: Page) => page.getByRole('grid', { name: 'Manufacturers' })
const rowNamed = (page: Page, name: string) => grid(page).getByRole('row').filter({ hasText: name })

test('the sidebar links to every page, collapses with its shortcut, and stays so for seven days', async ({
  page,
  context,
}) => {
  await open(page, '/admin/manufacturers')
  const links = sidebar(page).getByRole('navigation', { name: 'Back office' }).getByRole('link')
  await expect(links).toHaveText([
    'Dashboard',
    'Products',
    'Inventory',
    'Manufacturers',
    'Orders',
    'Settings',
    'Prescriptions',
    'Messages',
    'Alerts',
    'Pharmacies',
    'Records',
    'Screening',
    'Status',
    'Audit log',
    'API',
    'Back to the shop',
  ])
  await expect(links.filter({ hasText: 'Manufacturers' })).toHaveAttribute('aria-current', 'page')
  expect(await widthOf(page)).toBe(256)
  expect((await context.cookies()).filter(({ name }) => name === 'sidebar_state')).toEqual([])

  await page.keyboard.press('Control+b')
  await expect(sidebar(page).getByRole('button', { name: 'Expand sidebar' })).toBeVisible()
  expect(await widthOf(page)).toBe(48)
  const [cookie] = (await context.cookies()).filter(({ name }) => name === 'sidebar_state')
  expect(Math.round(((cookie?.expires ?? 0) - Date.now() / 1000) / 60)).toBe(7 * 24 * 60)
  await page.reload({ waitUntil: 'commit' })
  await expect(sidebar(page)).toBeVisible()
  expect(await widthOf(page)).toBe(48)
  // Before the scripts run, the browser follows the link itself.
  await expect(page.getByRole('button', { name: 'Columns' })).toBeEnabled()
  await sidebar(page).getByRole('link', { name: 'Pharmacies' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Pharmacies' })).toBeVisible()
  await expect(page.getByRole('main')).toBeFocused()
  await page.keyboard.press('Meta+b')
  await expect(sidebar(page).getByRole('button', { name: 'Collapse sidebar' })).toBeVisible()
  expect(await widthOf(page)).toBe(256)

  await page.setViewportSize({ width: 767, height: 800 })
  await expect(sidebar(page)).toBeHidden()
  await page.getByRole('button', { name: 'Open navigation' }).click()
  const drawer = page.getByRole('navigation', { name: 'Back office' })
  await drawer.getByRole('link', { name: 'Manufacturers' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Manufacturers' })).toBeVisible()
  await expect(drawer).toBeHidden()
})

test('keyboard only: the palette, the shortcut list, row to row, into a cell and back', async ({ page }) => {
  await open(page, '/admin/pharmacies')
  await page.keyboard.press('Control+k')
  const palette = page.getByRole('dialog', { name: 'Go to' })
  const input = palette.getByRole('combobox', { name: 'Page or search' })
  await expect(input).toBeFocused()
  await input.fill('abb')
  await input.press('ArrowDown')
  await input.press('ArrowUp')
  // An action opens its dialog, and a reload does not.
  await input.fill('naproxen')
  const adjust = palette.getByRole('option', { name: /^Adjust stock of Naproxen/ })
  await expect(adjust.first()).toBeVisible()
  await adjust.first().click()
  const dialog = page.getByRole('dialog', { name: 'Adjust Stock' })
  await expect(dialog.getByLabel('Variant')).toHaveValue(/^Naproxen/)
  await page.keyboard.press('Escape')
  await expect(page).toHaveURL(/\/admin\/inventory$/)
  await page.keyboard.press('Control+k')
  await input.fill('abb')
  await palette.getByRole('option', { name: 'Search manufacturers for “abb”' }).click()
  await expect(page).toHaveURL(/\/admin\/manufacturers\?q=abb$/)
  await expect(page.getByLabel('Search manufacturers')).toHaveValue('abb')

  await page.keyboard.press('?')
  const keys = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await expect(keys.getByText('Next row')).toBeVisible()
  await expect(keys.getByText('Search manufacturers')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(keys).toBeHidden()

  await page.keyboard.press('/')
  await expect(page.getByLabel('Search manufacturers')).toBeFocused()
  // Typed letters are text, not shortcuts.
  await page.keyboard.type('jk?')
  await expect(page.getByLabel('Search manufacturers')).toHaveValue('abbjk?')
  await expect(page.getByText('No manufacturers match your search.')).toBeVisible()
  await page.getByLabel('Search manufacturers').fill('')
  await expect(page).toHaveURL(/\/admin\/manufacturers\??$/)
  await page.getByRole('heading', { level: 1 }).click()
  await expect(grid(page).getByRole('row')).toHaveCount(51)

  const focusedRow = () =>
    page.evaluate(() => document.activeElement?.closest('tr')?.getAttribute('aria-rowindex'))
  await page.keyboard.press('j')
  await expect.poll(focusedRow).toBe('2')
  await page.keyboard.press('j')
  await page.keyboard.press('j')
  await expect.poll(focusedRow).toBe('4')
  await page.keyboard.press('k')
  await expect.poll(focusedRow).toBe('3')
  for (let i = 0; i < 7; i++) await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Enter')
  const edit = grid(page).getByRole('row').nth(2).getByRole('button', { name: /^Edit/ })
  await expect(edit).toBeFocused()
  await page.keyboard.press('Enter')
  const editDialog = page.getByRole('dialog', { name: 'Edit Manufacturer' })
  await expect(editDialog).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(editDialog).toBeHidden()
  await expect(edit).toBeFocused()
  await page.keyboard.press('Escape')
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('TD')
})

test('the grid sorts, pages and hides columns, and each state has its own URL', async ({ page }) => {
  await open(page, '/admin/manufacturers')
  const firstCell = async () => grid(page).getByRole('row').nth(1).getByRole('gridcell').first().textContent()
  const initialName = await firstCell()
  await grid(page).getByRole('link', { name: 'Name' }).click()
  await expect(grid(page).getByRole('columnheader', { name: 'Name' })).toHaveAttribute(
    'aria-sort',
    'descending',
  )
  await expect.poll(firstCell).not.toBe(initialName)
  const pages = page.getByRole('navigation', { name: 'Pages' })
  await pages.getByRole('link', { name: 'Last page' }).click()
  await expect.poll(async () => grid(page).getByRole('row').last().textContent()).toContain(initialName ?? '')
  await expect(pages.getByRole('link', { name: 'Next page' })).toHaveCount(0)
  await pages.getByRole('link', { name: 'Previous page' }).click()
  await expect(pages.getByRole('link', { name: 'Next page' })).toBeVisible()
  const pagedName = await firstCell()
  await page.reload()
  expect(await firstCell()).toBe(pagedName)
  await expect(page.getByRole('button', { name: 'Columns' })).toBeEnabled()
  await page.goBack()
  await expect(pages.getByRole('link', { name: 'Next page' })).toHaveCount(0)

  await page.getByRole('button', { name: 'Columns' }).click()
  const saved = page.waitForResponse((response) => response.url().includes('grids.hideColumns'))
  await page.getByRole('checkbox', { name: 'Postal code' }).uncheck()
  await expect(grid(page).getByRole('columnheader', { name: 'Postal code' })).toHaveCount(0)
  await saved
  await page.reload()
  await expect(grid(page).getByRole('columnheader', { name: 'City' })).toBeVisible()
  await expect(grid(page).getByRole('columnheader', { name: 'Postal code' })).toHaveCount(0)
  await page.getByRole('button', { name: 'Columns' }).click()
  await page.getByRole('checkbox', { name: 'Postal code' }).check()
  await expect(grid(page).getByRole('columnheader', { name: 'Postal code' })).toBeVisible()

  // A width is kept, and so are the row height and a view, whose address has the columns.
  const city = grid(page).getByRole('columnheader', { name: 'City' })
  await page.getByRole('slider', { name: 'Width of City' }).fill('208')
  await page.getByRole('radio', { name: 'Compact' }).check()
  await page.keyboard.press('Escape')
  await grid(page).getByRole('link', { name: 'Country' }).click()
  await page.getByRole('button', { name: 'Views' }).click()
  await page.getByLabel('Save these filters, sort and columns as').fill('By country')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'Rename By country' })).toBeVisible()
  await page.goto('/admin/manufacturers')
  await expect(city).toHaveCSS('width', '208px')
  expect((await grid(page).getByRole('row').nth(1).boundingBox())?.height).toBeLessThan(40)
  // The page as served has the same columns: nothing shifts when scripts start.
  const columnPlaces = () =>
    grid(page)
      .getByRole('columnheader')
      .evaluateAll((headers) => headers.map((header) => Math.round(header.getBoundingClientRect().left)))
  const places = await columnPlaces()
  const release = await holdScripts(page)
  await openWithoutScripts(page, '/admin/manufacturers')
  expect(await columnPlaces()).toEqual(places)
  release()
  await page.getByRole('button', { name: 'Views' }).click()
  await page.getByRole('link', { name: 'By country' }).click()
  await expect(page).toHaveURL(/\?sort=country&dir=asc&hide=none$/)
  const country = grid(page).getByRole('columnheader', { name: 'Country' })
  await expect(country).toHaveAttribute('aria-sort', 'ascending')
  await expect(grid(page)).toHaveAttribute('aria-busy', 'false')
  // A double click on the edge makes the column fit again, also for the tests that follow.
  const fitted = page.waitForResponse(/\/trpc\/grids\.resizeColumns/)
  await expect(async () => {
    await city.locator('.grid-resizer').dblclick()
    await expect(city).not.toHaveCSS('width', '208px', { timeout: 1000 })
  }).toPass()
  await fitted
})

test.describe('a manufacturer', () => {
  test.use({ allowedOutput: /status of (409|422|503)/ })

  test('is created, found, updated, undone, protected from stale edits, and deleted unless in use', async ({
    page,
  }) => {
    await open(page, '/admin/manufacturers')
    await page.getByRole('button', { name: 'Add Manufacturer' }).click()
    const addDialog = page.getByRole('dialog', { name: 'Add Manufacturer' })
    const save = addDialog.getByRole('button', { name: 'Save' })
    await expect(save).toBeDisabled()
    await addDialog.getByLabel('Name').fill('abbvie CORPORATION')
    await addDialog.getByLabel('City').fill('Bergen')
    await save.click()
    await expect(addDialog.getByLabel('Name')).toHaveAccessibleDescription(
      'A manufacturer with this name already exists.',
    )
    await expect(page.getByText('Creation Failed')).toBeVisible()
    await expect(addDialog.getByLabel('City')).toHaveValue('Bergen')
    await addDialog.getByLabel('Name').fill('Zzyzx Works')
    await save.click()
    await expect(addDialog).toBeHidden()
    await page.getByLabel('Search manufacturers').fill('zzy')
    await expect(rowNamed(page, 'Zzyzx Works')).toContainText('Bergen')
    await expect(grid(page).getByRole('row')).toHaveCount(2)

    await rowNamed(page, 'Zzyzx Works').getByRole('button', { name: 'Edit Zzyzx Works' }).click()
    const editDialog = page.getByRole('dialog', { name: 'Edit Manufacturer' })
    await editDialog.getByLabel('City').fill('Oslo')
    await editDialog.getByRole('button', { name: 'Save' }).click()
    await expect(rowNamed(page, 'Zzyzx Works')).toContainText('Oslo')
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect(rowNamed(page, 'Zzyzx Works')).toContainText('Bergen')

    // Another admin saves first.
    await rowNamed(page, 'Zzyzx Works').getByRole('button', { name: 'Edit Zzyzx Works' }).click()
    const id = (await rowNamed(page, 'Zzyzx Works').getAttribute('data-row')) ?? ''
    const otherEdit = await page.request.patch(`/api/manufacturers/${id}`, {
      data: { city: 'Tromsø' },
      headers: { origin: new URL(page.url()).origin },
    })
    expect(otherEdit.status()).toBe(200)
    await editDialog.getByLabel('City').fill('Stavanger')
    await editDialog.getByRole('button', { name: 'Save' }).click()
    const notice = editDialog.getByRole('alert')
    await expect(notice.getByRole('row', { name: /City/ })).toHaveText(/Stavanger.*Tromsø/)
    await expect(editDialog.getByRole('button', { name: 'Save' })).toBeDisabled()
    await notice.getByRole('button', { name: 'Keep my edit' }).click()
    await editDialog.getByRole('button', { name: 'Save' }).click()
    await expect(rowNamed(page, 'Zzyzx Works')).toContainText('Stavanger')
    // The undo restores the other admin's value.
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect(rowNamed(page, 'Zzyzx Works')).toContainText('Tromsø')

    await rowNamed(page, 'Zzyzx Works').getByRole('button', { name: 'Delete Zzyzx Works' }).click()
    const confirmation = page.getByRole('alertdialog', { name: 'Delete manufacturer' })
    await expect(confirmation).toContainText('Are you sure you want to delete this manufacturer?')
    await confirmation.getByRole('button', { name: 'Cancel' }).click()
    await expect(rowNamed(page, 'Zzyzx Works')).toBeVisible()
    // Any failure has the same text, with the cause beside it. The dialog stays for another try.
    const failed = page.getByText('Failed to delete manufacturer. It may be in use by products.', {
      exact: true,
    })
    await rowNamed(page, 'Zzyzx Works').getByRole('button', { name: 'Delete Zzyzx Works' }).click()
    await page.route('**/trpc/manufacturers.delete?*', (route) => route.fulfill({ status: 503 }))
    await confirmation.getByRole('button', { name: 'Delete' }).click()
    await expect(failed).toBeVisible()
    await expect(confirmation.getByRole('alert').filter({ hasText: /connect|wrong/ })).toBeVisible()
    await page.unroute('**/trpc/manufacturers.delete?*')
    await confirmation.getByRole('button', { name: 'Delete' }).click()
    await expect(page.getByText('No manufacturers match your search.')).toBeVisible()

    await page.getByLabel('Search manufacturers').fill('abbvie corporation')
    await rowNamed(page, 'Abbvie Corporation')
      .getByRole('button', { name: /^Delete/ })
      .click()
    await confirmation.getByRole('button', { name: 'Delete' }).click()
    await expect(failed).toBeVisible()
    await confirmation.getByRole('button', { name: 'Cancel' }).click()
    await expect(rowNamed(page, 'Abbvie Corporation')).toBeVisible()
  })
})
