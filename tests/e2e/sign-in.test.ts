import { demoPassword } from '#server/demo/demo-accounts.ts'
import { expect, test } from '#tests/support/browser.ts'
import { addToCart, cartButton } from '#tests/support/shopping.ts'
import { accountButton, signIn } from '#tests/support/signing-in.ts'
import type { Page } from '@playwright/test'

const stored = (page: Page) => page.evaluate(() => localStorage.getItem('cart'))

test.describe('with the keyboard', () => {
  test.use({ allowedOutput: /status of 422/ })

  test('signing in keeps the cart and returns to the page; signing out clears the browser', async ({
    page,
    context,
  }) => {
    await addToCart(page, 'naproxen')
    await expect.poll(() => stored(page)).toContain('variant')
    const product = page.url()
    await page.goto(product)
    await expect(page.getByRole('banner').getByRole('combobox')).toBeVisible()

    await accountButton(page).focus()
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    await expect(page.getByRole('banner').getByRole('link', { name: 'Sign In' })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(/\/login\?returnTo=/)
    const main = page.getByRole('main')
    await main.getByLabel('Email', { exact: true }).fill('customer@meridian.test')
    await page.keyboard.press('Tab')
    await page.keyboard.type('not my password')
    await page.keyboard.press('Enter')
    await expect(main.getByRole('alert')).toBeFocused()
    await expect(main.getByRole('alert')).toHaveText('The email or password is incorrect.')
    await expect(main.getByLabel('Email', { exact: true })).toHaveValue('customer@meridian.test')
    await main.getByLabel('Password', { exact: true }).fill(demoPassword)
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(product)
    await expect(page.getByText('Your cart was saved')).toBeVisible()
    await expect(cartButton(page)).toHaveText('Cart1')

    const other = await context.newPage()
    await other.goto('/cart')
    await expect(cartButton(other)).toHaveText('Cart1')

    const menu = page.getByRole('banner').locator('#account-menu')
    await expect(menu).toBeHidden()
    await accountButton(page).focus()
    await page.keyboard.press('Enter')
    await expect(menu).toContainText('Elena Marsh')
    await page.keyboard.press('Tab')
    await expect(menu.getByRole('link', { name: 'My Profile' })).toBeFocused()
    await menu.getByRole('link', { name: 'My Prescriptions' }).click()
    await expect(page).toHaveURL(/\/prescriptions$/)
    await expect(menu).toBeHidden()
    await accountButton(page).click()
    await menu.getByRole('button', { name: 'Log out' }).press('Enter')
    await expect(page).toHaveURL(/:\d+\/$/)
    await expect(cartButton(page)).toHaveText('Cart')
    await expect.poll(() => stored(page)).toBe('[]')
    // The other tab is updated.
    await expect(cartButton(other)).toHaveText('Cart')
    await other.close()
    await page.reload()
    await expect(cartButton(page)).toHaveText('Cart')

    // The next user of this browser does not get it; its owner does.
    await signIn(page, 'admin')
    await page.goto('/cart')
    await expect(main.getByText('Your cart is empty')).toBeVisible()
    await expect.poll(() => stored(page)).toBe('[]')
    await signIn(page)
    await page.goto('/cart')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Shopping Cart (1 items)')
    await main.getByRole('button', { name: /^Remove/ }).click()
    await expect(main.getByText('Your cart is empty')).toBeVisible()
  })
})

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false })

  test('the emailed links confirm an address and set a new password', async ({ page }) => {
    const email = `without-scripts-${Date.now()}@customer.example`
    const main = page.getByRole('main')
    const follow = async (subject: string) => {
      await page.goto('/demo/outbox')
      const mail = main.getByRole('listitem').filter({ hasText: email }).filter({ hasText: subject })
      await mail.getByRole('link').first().click()
    }
    await page.goto('/register')
    await main.getByLabel('Email', { exact: true }).fill(email)
    await main.getByLabel('Password', { exact: true }).fill(demoPassword)
    await main.getByRole('button', { name: 'Create account' }).click()
    await expect(page).toHaveURL(/:\d+\/$/)
    await follow('Confirm your email')
    await main.getByRole('button', { name: 'Confirm email' }).click()
    await expect(page.getByText('Email confirmed')).toBeVisible()

    await page.goto('/forgot-password')
    await main.getByLabel('Email', { exact: true }).fill(email)
    await main.getByRole('button', { name: 'Send reset link' }).click()
    await follow('Reset your password')
    await main.getByLabel('New password').fill('another long password')
    await main.getByRole('button', { name: 'Set new password' }).click()
    await expect(page).toHaveURL(/\/login$/)
    await expect(page.getByText('Password changed')).toBeVisible()
  })
})

test('while the browser leaves for a site that doesn’t load, the form waits before it posts again', async ({
  page,
}) => {
  const elsewhere = 'https://pay.example/hosted'
  let posts = 0
  let leaves = 0
  await page.route('**/login.data*', async (route) => {
    if (route.request().method() === 'POST') posts++
    const response = await route.fetch()
    await route.fulfill({ response, body: (await response.text()).replace('"/orders"', `"${elsewhere}"`) })
  })
  // It never answers.
  await page.route(elsewhere, () => void leaves++)
  await page.goto('/login?returnTo=/orders')
  const main = page.getByRole('main')
  await main.getByLabel('Email', { exact: true }).fill('customer@meridian.test')
  await main.getByLabel('Password', { exact: true }).fill(demoPassword)
  // Playwright’s locators wait for the other site, its keyboard does not.
  await page.keyboard.press('Enter')
  await expect.poll(() => leaves).toBe(1)
  await page.keyboard.press('Enter')
  await page.keyboard.press('Enter')
  expect(posts).toBe(1)
  const pressEnter = async (): Promise<number> => {
    await page.keyboard.press('Enter')
    return posts
  }
  await expect.poll(pressEnter, { intervals: [2000] }).toBe(2)
  await expect.poll(() => leaves).toBe(2)
})
