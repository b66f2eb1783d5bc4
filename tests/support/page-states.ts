import { expect, type Page } from '@playwright/test'
import {
  addPrescription,
  signInNewCustomer,
  findConfirmationToken,
  reviewPrescription,
  startBankConfirmation,
  transcribedItem,
  uploadIdDocument,
} from './customer.ts'
import { dateBefore } from './dates.ts'
import { addToCart, openProduct } from './shopping.ts'
import { startSecondFactorSetup } from './second-factor-setup.ts'
import { accountButton, signIn } from './signing-in.ts'

async function sentMessage(page: Page): Promise<void> {
  await page.goto('/contact')
  const main = page.getByRole('main')
  await main.getByLabel('Name', { exact: true }).fill('Zoë O’Hara')
  await main.getByLabel('Email', { exact: true }).fill('zoe@example.com')
  await main.getByLabel('Message', { exact: true }).fill(`Where is my order?\n${'x'.repeat(200)}`)
  await main.getByRole('button', { name: 'Send Message' }).click()
  await expect(main.getByText('What happens next')).toBeVisible()
}

/** The steps that reach a state of the pages. */
export type States = Record<string, (page: Page) => Promise<unknown>>

/** The states that the page's address alone shows, without scripts too. */
export const servedStates: States = {
  home: (page) => page.goto('/'),
  'product list': (page) => page.goto('/products'),
  'a later page of the list': (page) => page.goto('/products?page=9'),
  'search without results': (page) => page.goto('/products?q=qqqqqqqq'),
  'search for a long word': (page) => page.goto(`/products?q=${'x'.repeat(80)}`),
  'search for a need': (page) => page.goto('/products?q=headache'),
  'search in an emergency': (page) => page.goto('/products?q=overdose'),
  'missing product': (page) => page.goto('/products/no-such-medicine'),
  brands: (page) => page.goto('/brands'),
  'brands of a letter': (page) => page.goto('/brands?letter=A&page=2'),
  'brands, filtered by name': (page) => page.goto('/brands?q=apo'),
  'brands, no matches': (page) => page.goto('/brands?q=qqqqqqqq'),
  'empty cart': (page) => page.goto('/cart'),
  cart: async (page) => {
    await addToCart(page)
    await page.goto('/cart')
  },
  'expired password link': (page) => page.goto('/reset-password?token=x'),
  security: async (page) => {
    await signInNewCustomer(page)
    await page.goto('/account/security')
  },
  shipping: (page) => page.goto('/shipping'),
  privacy: (page) => page.goto('/privacy'),
  terms: (page) => page.goto('/terms'),
  hipaa: (page) => page.goto('/hipaa'),
  about: (page) => page.goto('/about'),
  careers: (page) => page.goto('/careers'),
  blog: (page) => page.goto('/blog'),
  'prescriptions, not signed in': (page) => page.goto('/prescriptions/upload?from=checkout'),
  'prescriptions of every status': async (page) => {
    await signInNewCustomer(page)
    await uploadIdDocument(page)
    await addPrescription(page)
    await addPrescription(page, { doctorName: 'Dr. Old', expiryDate: '2020-01-01', notes: 'x'.repeat(200) })
    const rejected = await addPrescription(page, { doctorName: `Dr. ${'Quillfeather-'.repeat(5)}` })
    await reviewPrescription(page, rejected, {
      status: 'rejected',
      statusReason: 'The signature is cut off.',
    })
    const approved = await addPrescription(page, { prescriptionDate: dateBefore(new Date(), 3) })
    await reviewPrescription(page, approved, { status: 'approved' })
    // With the confirmation that is a dialog when scripts run.
    await page.goto(`/prescriptions?delete=${approved}`)
    await expect(page.getByRole('heading', { name: 'Delete this prescription?' })).toBeVisible()
  },
  'orders, not signed in': (page) => page.goto('/orders'),
  'order history': async (page) => {
    await signIn(page)
    await page.goto('/order-history')
    await expect(page.getByRole('heading', { level: 2 })).not.toHaveCount(0)
  },
  'order, cancel confirmation': async (page) => {
    await signIn(page)
    await page.goto('/orders')
    await page.getByText('Processing').first().waitFor()
    const id = /\/orders\/([0-9a-f-]{36})/.exec(await page.content())?.[1]
    await page.goto(`/orders/${id}?cancel=ask`)
    await expect(page.getByRole('heading', { name: 'Cancel this order?' })).toBeVisible()
  },
  'missing order': (page) => page.goto('/orders/1'),
  'missing page': (page) => page.goto('/nowhere'),
  contact: (page) => page.goto('/contact'),
  'how we check': (page) => page.goto('/how-we-check'),
  'a new person to care for': async (page) => {
    await signIn(page)
    await page.goto('/profile')
    await page.getByRole('link', { name: 'Add a Person' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Add a Person' })).toBeVisible()
  },
  'someone the customer cares for': async (page) => {
    await signInNewCustomer(page)
    await page.goto('/profile/people/new')
    await page.getByLabel('First name').fill('Wolfeschlegelsteinhausenbergerdorff')
    await page.getByLabel('Date of birth').fill('2019-05-01')
    await page.getByRole('main').getByRole('button', { name: 'Save' }).click()
    await expect(page.getByRole('heading', { name: 'Remove This Person' })).toBeVisible()
  },
  'request for a new prescription': async (page) => {
    await signInNewCustomer(page)
    await page.goto(`/prescriptions/items/${await transcribedItem(page)}/request`)
    await expect(page.getByText('Dr. Priya Natarajan').first()).toBeVisible()
  },
  'confirmation by the bank': async (page) => {
    await signInNewCustomer(page)
    await startBankConfirmation(page)
    await page.goto('/checkout/verify')
    await expect(page.getByRole('main').getByRole('button', { name: 'Complete' })).toBeVisible()
  },
  'account activity': async (page) => {
    await signIn(page)
    await page.goto('/account/activity')
  },
  'demo outbox': async (page) => {
    await sentMessage(page)
    await page.goto('/demo/outbox')
  },
  'forgotten password': (page) => page.goto('/forgot-password'),
  'expired link to a new address': (page) => page.goto('/account/confirm-new-email?token=x'),
  'expired link to confirm an address': (page) => page.goto('/confirm-email?token=x'),
  'link to confirm an address, signed out': async (page) => {
    const token = await findConfirmationToken(page, await signInNewCustomer(page))
    await page.context().clearCookies({ name: 'session' })
    await page.goto(`/confirm-email?token=${token}`)
    await expect(page.getByText('to confirm that this address is yours')).toBeVisible()
  },
  'expired link to stop reminders': (page) => page.goto('/refill-reminders/stop?token=x'),
  'confirmation by code': async (page) => {
    await signIn(page)
    await page.goto('/account/confirm-code')
    await expect(page.getByRole('heading', { name: 'Confirm it’s you' })).toBeVisible()
  },
  'account deletion': async (page) => {
    await signIn(page)
    await page.goto('/account/delete')
    await expect(page.getByRole('heading', { name: 'Delete your account' })).toBeVisible()
  },
}

/** The other states of the pages that work without scripts. */
export const states: States = {
  'advanced search, open': async (page) => {
    await page.goto('/products')
    await page.locator('summary', { hasText: 'Advanced search' }).click()
  },
  'list, filtered, with the filters open': async (page) => {
    await page.goto('/products?form=tablet&stock=in&sort=price')
    await page.locator('summary', { hasText: 'Filter and sort' }).click()
  },
  product: (page) => openProduct(page),
  'product, invalid quantity': async (page) => {
    await openProduct(page)
    await page.getByRole('main').getByLabel('Quantity').fill('0')
    await page.getByRole('button', { name: 'Add to Cart' }).click()
    await expect(page.getByRole('main').getByLabel('Quantity')).toHaveAttribute('aria-invalid', 'true')
  },
  checkout: async (page) => {
    await signInNewCustomer(page)
    await addToCart(page)
    await page.goto('/checkout')
    // The order summary is collapsed only on a narrow page, so this opens both parts directly.
    await page
      .getByRole('main')
      .locator('details')
      .evaluateAll((parts: HTMLDetailsElement[]) => {
        for (const part of parts) part.open = true
      })
  },
  'checkout of a prescription product, rejected': async (page) => {
    await signInNewCustomer(page)
    await uploadIdDocument(page)
    await addPrescription(page, { doctorName: `Dr. ${'Quillfeather-'.repeat(5)}` })
    await addToCart(page, 'gabapentin')
    await page.goto('/checkout')
    await page.getByRole('main').getByRole('button', { name: 'Place Order' }).click()
    await expect(page.getByRole('main').getByRole('alert')).toBeFocused()
  },
  'account menu': async (page) => {
    await page.goto('/')
    await accountButton(page).click()
  },
  'account menu, signed in': async (page) => {
    await signIn(page)
    await page.goto('/')
    await accountButton(page).click()
  },
  'sign-in, rejected': async (page) => {
    await page.goto('/login')
    await page.getByRole('main').getByRole('button', { name: 'Sign In' }).click()
    await expect(page.getByRole('main').getByRole('alert')).toBeFocused()
  },
  'registration, rejected': async (page) => {
    await page.goto('/register')
    await page.getByRole('button', { name: 'Create account' }).click()
    await expect(page.getByRole('main').getByRole('alert')).toBeFocused()
  },
  'FAQ, question expanded': async (page) => {
    await page.goto('/faq')
    await page.locator('summary', { hasText: 'return medications' }).click()
  },
  'home, question expanded': async (page) => {
    await page.goto('/')
    await page.locator('summary', { hasText: 'documents' }).click()
  },
  'security, two-step setup': startSecondFactorSetup,
  'prescription upload, rejected without an ID document': async (page) => {
    await signInNewCustomer(page)
    await page.goto('/prescriptions/upload')
    await expect(page.getByRole('main').getByText('ID Document Required')).toBeVisible()
    await page.getByRole('button', { name: 'Submit Prescription' }).click()
    await expect(page.getByRole('main').getByRole('alert')).toBeVisible()
  },
  'contact, rejected': async (page) => {
    await page.goto('/contact')
    await page.getByRole('button', { name: 'Send Message' }).click()
    await expect(page.getByRole('main').getByRole('alert')).toBeFocused()
  },
  'contact, sent': sentMessage,
  'profile, rejected': async (page) => {
    await signIn(page)
    await page.goto('/profile')
    const main = page.getByRole('main')
    await main.getByLabel('Billing address same as shipping address').uncheck()
    await main.getByLabel('Weight').fill('-1')
    await main.getByRole('button', { name: 'Update Profile' }).click()
    await expect(main.getByLabel('Weight')).toHaveAttribute('aria-invalid', 'true')
  },
}

/** The states that need scripts. */
export const scriptedStates: States = {
  suggestions: async (page) => {
    await page.goto('/')
    await page.getByRole('banner').getByRole('combobox').pressSequentially('ibup')
    await expect(page.getByRole('listbox')).toBeVisible()
    await page.getByRole('banner').getByRole('combobox').press('ArrowDown')
  },
  'cart panel': async (page) => {
    await addToCart(page)
    await page.getByRole('banner').getByRole('button', { name: /^Cart/ }).click()
    await expect(page.getByRole('dialog')).toBeVisible()
  },
  'empty cart panel': async (page) => {
    await page.goto('/')
    await page.getByRole('banner').getByRole('button', { name: /^Cart/ }).click()
    await expect(page.getByRole('dialog')).toBeVisible()
  },
  toast: async (page) => {
    await page.goto('/checkout')
    await expect(page.getByRole('region', { name: 'Notifications (F8)' })).toBeVisible()
  },
  'info toast': async (page) => {
    await addToCart(page, 'naproxen')
    await signIn(page, 'new')
    await page.goto('/faq')
    await expect(page.getByText('Your cart was saved')).toBeVisible()
  },
}
