import { expect, test } from '#tests/support/browser.ts'
import { signIn } from '#tests/support/signing-in.ts'

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with JavaScript' : 'without JavaScript', () => {
    test.use({ javaScriptEnabled })

    test('the header has the links and controls of every public page', async ({ page }) => {
      await page.goto('/products')
      const header = page.getByRole('banner')
      await expect(header.getByPlaceholder(/medications by name, NDC, DIN or UPC/)).toBeVisible()
      await expect(header.getByText('Verified Pharmacies')).toBeVisible()
      await expect(header.getByRole('button', { name: 'Switch theme' })).toBeVisible()
      // An empty cart has no badge.
      await expect(header.getByRole('button', { name: /^Cart/ })).toHaveText('Cart')
      await header.getByRole('link', { name: 'Meridian' }).click()
      await expect(page).toHaveURL(/:\d+\/$/)
      await header.getByRole('link', { name: 'Products' }).click()
      await expect(page).toHaveURL(/\/products$/)
      await expect(header.getByRole('link', { name: 'Products' })).toHaveAttribute('aria-current', 'page')
    })

    test('a visitor’s account menu offers to sign in', async ({ page }) => {
      await page.goto('/products')
      const button = page.getByRole('banner').getByRole('button', { name: 'Account menu' })
      const signIn = page.getByRole('banner').getByRole('link', { name: 'Sign In' })
      await expect(signIn).toBeHidden()
      await button.focus()
      await page.keyboard.press('Enter')
      await expect(signIn).toBeVisible()
      await page.keyboard.press('Escape')
      await expect(signIn).toBeHidden()
      await expect(button).toBeFocused()
      await button.click()
      await signIn.click()
      await expect(page).toHaveURL(/\/login\?returnTo=%2Fproducts$/)
      await expect(page.getByRole('heading', { level: 1, name: 'Sign In' })).toBeVisible()
    })

    test('the footer has the documented links and badges', async ({ page }) => {
      await page.goto('/')
      const footer = page.getByRole('contentinfo')
      const links = await footer
        .getByRole('navigation')
        .getByRole('link')
        .evaluateAll((all) => all.map((link) => link.getAttribute('href')))
      expect(links).toEqual([
        '/otc',
        '/prescription',
        '/brands',
        '/contact',
        '/faq',
        '/shipping',
        '/privacy',
        '/terms',
        '/hipaa',
        '/about',
        '/careers',
        '/blog',
      ])
      for (const badge of [
        'Verified Pharmacies',
        'Secure Platform',
        'Global Delivery',
        'Quality Medications',
      ]) {
        await expect(footer.getByText(badge)).toBeVisible()
      }
    })

    test('the prescription upload asks a visitor to sign in, and Back returns to the previous page', async ({
      page,
    }) => {
      await page.goto('/')
      await page.getByRole('main').getByRole('link', { name: 'Upload Prescription' }).click()
      await expect(page).toHaveURL(/\/prescriptions\/upload$/)
      await expect(page.getByRole('heading', { level: 1, name: 'Authentication Required' })).toBeVisible()
      await expect(page.getByText('Please sign in to upload prescriptions')).toBeVisible()
      await page.getByRole('main').getByRole('link', { name: 'Back' }).click()
      await expect(page).toHaveURL(/\/prescriptions$/)
      await expect(page.getByRole('heading', { level: 1, name: 'Authentication Required' })).toBeVisible()
      await page.goto('/prescriptions/upload?from=checkout')
      await page.getByRole('main').getByRole('link', { name: 'Back' }).click()
      // Checkout redirects a visitor home and says why.
      await expect(page).toHaveURL(/:\d+\/$/)
      await expect(page.getByText('Login Required')).toHaveCount(1)
    })
  })
}

test('the skip link skips the header', async ({ page }) => {
  await page.goto('/')
  await expect(page.getByRole('combobox').first()).toBeVisible()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('main')).toBeFocused()
})

for (const size of [
  { width: 320, height: 256 },
  { width: 667, height: 330 },
]) {
  test(`at ${size.width} × ${size.height} the account menu fits, and closes when Tab leaves it`, async ({
    page,
  }) => {
    await signIn(page, 'admin')
    await page.setViewportSize(size)
    await page.goto('/products')
    const header = page.getByRole('banner')
    await header.getByRole('button', { name: 'Account menu' }).focus()
    await page.keyboard.press('Enter')
    const menu = page.locator('#account-menu')
    await expect(menu).toBeInViewport({ ratio: 1 })
    const last = menu.getByRole('button', { name: 'Log out' })
    await last.focus()
    await expect(last).toBeInViewport({ ratio: 1 })
    await page.keyboard.press('Tab')
    await expect(menu).toBeHidden()
    await expect(page.locator(':focus')).toBeVisible()
  })
}

test('the account menu closes when the focus moves to the button of another menu', async ({ page }) => {
  await signIn(page, 'admin')
  await page.goto('/admin/orders')
  const account = page.getByRole('banner').getByRole('button', { name: 'Account menu' })
  await account.focus()
  await page.keyboard.press('Enter')
  const menu = page.locator('#account-menu')
  await expect(menu).toBeVisible()
  await menu.getByRole('button', { name: 'Log out' }).focus()
  await page.getByRole('button', { name: 'Columns' }).focus()
  await expect(menu).toBeHidden()
})

test('at 360 px the search’s placeholder fits, Sign In reads, and Add to Cart stays in reach without a scroll box', async ({
  page,
}) => {
  await page.setViewportSize({ width: 360, height: 740 })
  await page.goto('/products?q=gabapentin')
  await page.getByRole('main').getByRole('link', { name: 'Gabapentin' }).first().click()
  const main = page.getByRole('main')
  // Exact: the heading of the results contains the name too.
  await expect(main.getByRole('heading', { level: 1, name: 'Gabapentin', exact: true })).toBeVisible()
  await expect(page.getByRole('banner').getByRole('button', { name: 'Account menu' })).toContainText(
    'Sign In',
  )
  const placeholder = await page
    .getByRole('banner')
    .getByPlaceholder(/medications/)
    .evaluate((field: HTMLInputElement) => {
      const style = getComputedStyle(field, '::placeholder')
      const text = document.createElement('canvas').getContext('2d')
      if (!text) throw new Error('No canvas.')
      text.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`
      const { paddingLeft, paddingRight } = getComputedStyle(field)
      const room = field.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight)
      return { width: text.measureText(field.placeholder).width, room }
    })
  expect(placeholder.width).toBeLessThanOrEqual(placeholder.room)
  await main.getByRole('radio').nth(8).scrollIntoViewIfNeeded()
  await expect(main.getByRole('button', { name: 'Add to Cart' })).toBeInViewport({ ratio: 1 })
  const scrollBoxes = await main.evaluate(
    (element) =>
      [...element.querySelectorAll('*')].filter(
        (box) =>
          box.scrollHeight > box.clientHeight + 1 && /auto|scroll/.test(getComputedStyle(box).overflowY),
      ).length,
  )
  expect(scrollBoxes).toBe(0)
})

test('at 1280 px an order has its number on the left and its price on the right', async ({ page }) => {
  await signIn(page)
  await page.goto('/orders')
  const order = page.getByRole('main').getByRole('listitem').filter({ hasText: '$' }).first()
  const [number, price] = await Promise.all(
    [/^Order [0-9a-f]{8}/, /^\$/].map((text) => order.getByText(text).first().boundingBox()),
  )
  expect(number?.x).toBeLessThan(400)
  expect(price?.x).toBeGreaterThan(640)
})
