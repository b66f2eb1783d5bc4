import { expect, test } from '#tests/support/browser.ts'

test('suggestions open while typing; the arrow keys move and Enter selects', async ({ page }) => {
  await page.goto('/')
  const box = page.getByRole('banner').getByRole('combobox')
  await expect(box).toHaveAttribute('aria-expanded', 'false')
  await box.pressSequentially('ibup')
  const list = page.getByRole('listbox')
  await expect(list).toBeVisible()
  await expect(box).toHaveAttribute('aria-expanded', 'true')
  const options = list.getByRole('option')
  await expect(options.first()).toContainText(/ibuprofen.* · (OTC|Rx)/i)
  await expect(list.getByText('Medicines', { exact: true })).toBeVisible()

  await box.press('ArrowDown')
  await expect(options.first()).toHaveAttribute('aria-selected', 'true')
  await expect(box).toHaveAttribute(
    'aria-activedescendant',
    (await options.first().getAttribute('id')) ?? 'none',
  )
  await expect(box).toBeFocused()
  await box.press('Enter')
  await expect(page).toHaveURL(/\/products/)
  await expect(page.getByRole('main')).toContainText(/ibuprofen/i)
})

test('Escape closes the suggestions and keeps the typed text', async ({ page }) => {
  await page.goto('/')
  const box = page.getByRole('banner').getByRole('combobox')
  await box.pressSequentially('ibup')
  await expect(page.getByRole('listbox')).toBeVisible()
  await box.press('Escape')
  await expect(page.getByRole('listbox')).toBeHidden()
  await expect(box).toHaveValue('ibup')
})

test('Enter without a selection searches for the trimmed text', async ({ page }) => {
  await page.goto('/')
  const box = page.getByRole('banner').getByRole('combobox')
  await box.fill('  ibuprofen ')
  await box.press('Enter')
  await expect(page).toHaveURL(/\/products\?q=ibuprofen$/)
})

test('an empty search does not navigate', async ({ page }) => {
  await page.goto('/cart')
  await page.getByRole('banner').getByRole('combobox').press('Enter')
  await expect(page).toHaveURL(/\/cart$/)
})
