import { expect, test } from '#tests/support/browser.ts'

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
