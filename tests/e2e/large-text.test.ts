import { expect, test } from '#tests/support/browser.ts'
import { signInNewCustomer } from '#tests/support/customer.ts'
import { addToCart, openProduct } from '#tests/support/shopping.ts'
import type { States } from '#tests/support/page-states.ts'
import { signIn } from '#tests/support/signing-in.ts'
import type { Page } from '@playwright/test'

const signedIn =
  (path: string) =>
  async (page: Page): Promise<void> => {
    await signIn(page)
    await page.goto(path)
  }

const pages: States = {
  home: (page) => page.goto('/'),
  'search results': (page) => page.goto('/products?q=metformin'),
  product: (page) => openProduct(page),
  cart: async (page) => {
    await addToCart(page)
    await page.goto('/cart')
  },
  checkout: async (page) => {
    // The cart stays with the account.
    await signInNewCustomer(page)
    await addToCart(page, 'gabapentin')
    await page.goto('/checkout')
  },
  profile: signedIn('/profile'),
  prescriptions: signedIn('/prescriptions'),
  orders: signedIn('/orders'),
  'order history': signedIn('/order-history'),
  'account activity': signedIn('/account/activity'),
}

test.use({ viewport: { width: 360, height: 740 } })

for (const [name, reach] of Object.entries(pages)) {
  test(`${name} does not scroll sideways on a phone with text at 200 % (WCAG 2.2, 1.4.4)`, async ({
    page,
  }) => {
    await reach(page)
    await page.evaluate(() => {
      document.documentElement.style.fontSize = '200%'
    })
    await expect
      .poll(() =>
        page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth),
      )
      .toBe(0)
  })
}
