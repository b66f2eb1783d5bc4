import { expect, test } from '#tests/support/browser.ts'
import type { Page } from '@playwright/test'

const main = (page: Page) => page.getByRole('main')

async function openNewProfile(page: Page): Promise<void> {
  const email = `zoe-${crypto.randomUUID()}@customer.example`
  const registered = await page.request.post('/register', {
    form: { firstName: 'Zoë', lastName: '', email, password: 'correct horse battery' },
    headers: { 'sec-fetch-site': 'same-origin' },
  })
  await expect(registered).toBeOK()
  await page.goto('/profile')
  await expect(main(page).getByLabel('First name')).toHaveValue('Zoë')
}

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with JavaScript' : 'without JavaScript', () => {
    test.use({ javaScriptEnabled, allowedOutput: /status of 422/ })

    test('billing fields show while unchecked; a failed save keeps the input, a fixed one succeeds', async ({
      page,
    }) => {
      await openNewProfile(page)
      const form = main(page)
      const billing = form.getByRole('group', { name: 'Billing Address' })
      const shipping = form.getByRole('group', { name: 'Shipping Address' })
      const box = form.getByLabel('Billing address same as shipping address')
      const save = form.getByRole('button', { name: 'Update Profile' })
      await expect(box).toBeChecked()
      await expect(billing).toBeHidden()
      await box.uncheck()
      await expect(billing).toBeVisible()

      await shipping.getByLabel('Street').fill('12 Harbour Lane')
      await billing.getByLabel('Street').fill('3 Mill Road')
      await form.getByLabel('Gender').selectOption('Prefer not to say')
      await form.getByLabel('Allergies').fill('Penicillin')
      await form.getByLabel('Weight').fill('-1')
      await save.click()
      const summary = form.getByRole('alert').filter({ has: page.getByRole('link') })
      await expect(summary).toBeFocused()
      await expect(page.getByText('Update Failed').first()).toBeVisible()
      await expect(form.getByLabel('Weight')).toHaveAttribute('aria-invalid', 'true')
      await expect(form.getByLabel('Gender')).toHaveValue('prefer_not_to_say')
      await expect(form.getByLabel('Allergies')).toHaveValue('Penicillin')
      await expect(billing.getByLabel('Street')).toHaveValue('3 Mill Road')
      await expect(box).not.toBeChecked()
      await summary.getByRole('link').click()
      await expect(form.getByLabel('Weight')).toBeFocused()

      await form.getByLabel('Weight').fill('146.5')
      await save.click()
      await expect(page.getByText('Your profile has been updated successfully')).toBeVisible()
      await page.reload()
      await expect(form.getByLabel('Weight')).toHaveValue('146.5')
      await expect(billing.getByLabel('Street')).toHaveValue('3 Mill Road')
      await expect(shipping.getByLabel('Street')).toHaveValue('12 Harbour Lane')
    })
  })
}

test('a page that was open for a while saves only what was changed on it', async ({ page, context }) => {
  await openNewProfile(page)
  const other = await context.newPage()
  await other.goto('/profile')
  await main(other).getByLabel('Allergies').fill('Penicillin')
  await main(other).getByLabel('Gender').selectOption('Female')
  await main(other).getByRole('button', { name: 'Update Profile' }).click()
  await expect(other.getByText('Profile Updated')).toBeVisible()
  await other.close()

  // It fetches the page's data, but not the fields of the form.
  const medications = main(page).getByRole('region', { name: 'Medication List' })
  await medications.getByRole('combobox').fill('Moonroot')
  await medications.getByRole('button', { name: 'Add' }).click()
  await expect(medications.getByText('Moonroot')).toBeVisible()
  await main(page).getByLabel('Cell phone').fill('555 0199')
  await main(page).getByRole('button', { name: 'Update Profile' }).click()
  await expect(page.getByText('Profile Updated')).toBeVisible()
  await expect(main(page).getByLabel('Allergies')).toHaveValue('Penicillin')
  await expect(main(page).getByLabel('Gender')).toHaveValue('female')
  await expect(main(page).getByLabel('Cell phone')).toHaveValue('555 0199')
  await expect(main(page).getByRole('button', { name: 'Update Profile' })).toBeFocused()
})

test.describe('with a lost connection', () => {
  test.use({ allowedOutput: /ERR_FAILED|Failed to load resource/ })

  test('a save without a connection keeps the input, and the next one saves it', async ({ page }) => {
    await openNewProfile(page)
    const allergies = main(page).getByLabel('Allergies')
    const save = main(page).getByRole('button', { name: 'Update Profile' })
    await page.route('**/profile.data*', (route) =>
      route.request().method() === 'POST' ? route.abort() : route.continue(),
    )
    await allergies.fill('Penicillin')
    await save.click()
    await expect(page.getByText('Failed to update profile')).toBeVisible()
    await expect(main(page).getByText(/We couldn’t connect to the server/)).toBeVisible()
    await expect(allergies).toHaveValue('Penicillin')
    await page.unroute('**/profile.data*')
    await save.click()
    await expect(page.getByText('Your profile has been updated successfully')).toBeVisible()
    // A half-typed number would be submitted as empty.
    const weight = main(page).getByLabel('Weight')
    await weight.pressSequentially('1-2')
    await save.click()
    await expect(weight).toBeFocused()
    await expect(weight).not.toHaveValue('12')
    await expect(save).toBeEnabled()
  })
})
