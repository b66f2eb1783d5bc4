import { axeFindings } from '#tests/support/axe.ts'
import { expect, test } from '#tests/support/browser.ts'
import { customerPassword } from '#tests/support/customer.ts'
import { appCode } from '#tests/support/second-factor.ts'
import { startSecondFactorSetup } from '#tests/support/second-factor-setup.ts'
import { signIn } from '#tests/support/signing-in.ts'

test.use({ allowedOutput: /status of (409|422)/, reducedMotion: 'reduce' })

test('two-step sign-in is set up, shows its codes once, and is required at the next sign-in', async ({
  page,
}) => {
  const email = await startSecondFactorSetup(page)
  const card = page.getByRole('region', { name: 'Two-step sign-in' })
  const secret = (await card.getByRole('code').textContent()) ?? ''
  await card.getByLabel('Code').fill('000000')
  await card.getByLabel('Code').press('Enter')
  await expect(card.getByRole('alert')).toBeFocused()
  await card.getByRole('link', { name: /incorrect/ }).click()
  await expect(card.getByLabel('Code')).toBeFocused()

  // Clicks faster than any render send one request: a second response would hide the codes.
  let posts = 0
  page.on('request', (request) => (posts += request.method() === 'POST' ? 1 : 0))
  await card.getByLabel('Code').fill(appCode(secret, new Date()))
  await card.getByRole('button', { name: 'Turn on' }).evaluate((button: HTMLElement) => {
    button.click()
    button.click()
    const buttons = [...document.querySelectorAll<HTMLElement>('main button')]
    buttons.find(({ textContent }) => textContent === 'Sign out everywhere')?.click()
  })
  const codes = card.getByRole('status').filter({ hasText: 'Save these recovery codes' })
  await expect(codes).toBeFocused()
  await expect(codes.getByRole('listitem')).toHaveCount(10)
  expect(posts).toBe(1)
  expect(await axeFindings(page)).toEqual([])
  await card.getByRole('link', { name: 'I’ve saved them' }).click()
  await expect(card.getByText('10 recovery codes left')).toBeVisible()
  await expect(codes).toHaveCount(0)

  const sessions = page.getByRole('region', { name: 'Your sessions' })
  await sessions.getByRole('button', { name: 'Sign out everywhere' }).click()
  await expect(page).toHaveURL(/\/$/)
  await page.goto('/api/login?returnTo=/account/security')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(customerPassword)
  await page.getByRole('main').getByRole('button', { name: 'Sign In' }).click()
  await expect(page.getByLabel('Code')).toBeVisible()
  expect(await axeFindings(page)).toEqual([])
  // The code of the next 30 seconds: the current one was used to turn it on.
  await page.getByLabel('Code').fill(appCode(secret, new Date(Date.now() + 30_000)))
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page).toHaveURL(/\/account\/security$/)
  await expect(card.getByText('10 recovery codes left')).toBeVisible()
})

test('an admin resets the two-step sign-in of a person without the phone, who gets in with the password', async ({
  page,
}) => {
  const email = await startSecondFactorSetup(page)
  const card = page.getByRole('region', { name: 'Two-step sign-in' })
  const secret = (await card.getByRole('code').textContent()) ?? ''
  await card.getByLabel('Code').fill(appCode(secret, new Date()))
  await card.getByRole('button', { name: 'Turn on' }).click()
  await expect(card.getByText('Save these recovery codes')).toBeVisible()

  await page.context().clearCookies()
  await signIn(page, 'admin')
  await page.goto('/admin/settings')
  await page.getByLabel('Search users').fill(email)
  const row = page.getByRole('grid', { name: 'Users' }).locator('tbody tr').filter({ hasText: email })
  await row.getByRole('button', { name: /^On, reset two-step sign-in/ }).click()
  const dialog = page.getByRole('alertdialog', { name: 'Reset two-step sign-in' })
  const reason = dialog.getByLabel('How did you identify them?')
  const reset = dialog.getByRole('button', { name: 'Reset two-step sign-in' })
  await expect(reason).toBeFocused()
  await reset.click()
  await expect(dialog.getByText('Enter how you identified the person.')).toBeVisible()
  expect(await axeFindings(page)).toEqual([])

  // Another admin is first, from the user's page.
  const other = await page.context().newPage()
  await other.goto((await row.getByRole('link', { name: /^View/ }).getAttribute('href')) ?? '')
  const form = other.getByRole('main').getByRole('group').filter({ hasText: 'Reset two-step sign-in' })
  await form.getByText('Reset two-step sign-in').first().click()
  expect(await axeFindings(other)).toEqual([])
  await form.getByRole('button', { name: 'Reset two-step sign-in' }).click()
  await form.getByRole('link', { name: 'Enter how you identified the person.' }).click()
  await expect(form.getByLabel('How did you identify them?')).toBeFocused()
  await other.keyboard.type('Came to the office with a passport')
  await form.getByRole('button', { name: 'Reset two-step sign-in' }).click()
  await expect(other.getByText('Two-step sign-in reset')).toBeVisible()
  await expect(form).toHaveCount(0)
  await other.close()
  await reason.fill('Came to the office with a passport')
  await reset.click()
  await expect(dialog.getByRole('alert')).toContainText('It was already reset')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(row.getByRole('button', { name: /^On,/ })).toHaveCount(0)

  await page.context().clearCookies()
  await page.goto('/api/login?returnTo=/account/security')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(customerPassword)
  await page.getByRole('main').getByRole('button', { name: 'Sign In' }).click()
  await expect(page).toHaveURL(/\/account\/security$/)
  await expect(card.getByText('Set up two-step sign-in')).toBeVisible()
})
