import { axeFindings } from '#tests/support/axe.ts'
import { expect, test } from '#tests/support/browser.ts'
import { customerPassword } from '#tests/support/customer.ts'
import { appCode } from '#tests/support/second-factor.ts'
import { startSecondFactorSetup } from '#tests/support/second-factor-setup.ts'

test.use({ allowedOutput: /status of 422/, reducedMotion: 'reduce' })

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
