import { expect, type Page } from '@playwright/test'
import {
  addPrescription,
  becomeCustomer,
  orderOnPrescription,
  reviewPrescription,
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

/** Signs in as the demo's admin and returns the path of the demo's customer. */
async function userPath(page: Page): Promise<string> {
  await signIn(page, 'admin')
  await page.goto('/admin/settings')
  const row = page.getByRole('row').filter({ hasText: 'customer@meridian.test' })
  return (await row.getByRole('link', { name: /^View/ }).getAttribute('href')) ?? ''
}

/** Numbers the edits. An edit without a change would not make the form stale. */
let edits = 0

/** The states of the pages that work without scripts, and the steps that reach them. */
export const states: Record<string, (page: Page) => Promise<unknown>> = {
  home: (page) => page.goto('/'),
  'product list': (page) => page.goto('/products'),
  'a later page of the list': (page) => page.goto('/products?page=9'),
  'advanced search, open': async (page) => {
    await page.goto('/products')
    await page.locator('summary', { hasText: 'Advanced search' }).click()
  },
  'list, filtered, with the filters open': async (page) => {
    await page.goto('/products?form=tablet&stock=in&sort=price')
    await page.locator('summary', { hasText: 'Filter and sort' }).click()
  },
  'search without results': (page) => page.goto('/products?q=qqqqqqqq'),
  'search for a need': (page) => page.goto('/products?q=headache'),
  'search in an emergency': (page) => page.goto('/products?q=overdose'),
  product: (page) => openProduct(page),
  'product, invalid quantity': async (page) => {
    await openProduct(page)
    await page.getByRole('main').getByLabel('Quantity').fill('0')
    await page.getByRole('button', { name: 'Add to Cart' }).click()
    await expect(page.getByRole('main').getByLabel('Quantity')).toHaveAttribute('aria-invalid', 'true')
  },
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
  checkout: async (page) => {
    await becomeCustomer(page)
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
    await becomeCustomer(page)
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
  'expired password link': (page) => page.goto('/reset-password?token=x'),
  'FAQ, question expanded': async (page) => {
    await page.goto('/faq')
    await page.locator('summary', { hasText: 'return medications' }).click()
  },
  'home, question expanded': async (page) => {
    await page.goto('/')
    await page.locator('summary', { hasText: 'documents' }).click()
  },
  security: async (page) => {
    await becomeCustomer(page)
    await page.goto('/account/security')
  },
  'security, two-step setup': startSecondFactorSetup,
  shipping: (page) => page.goto('/shipping'),
  privacy: (page) => page.goto('/privacy'),
  terms: (page) => page.goto('/terms'),
  hipaa: (page) => page.goto('/hipaa'),
  about: (page) => page.goto('/about'),
  careers: (page) => page.goto('/careers'),
  blog: (page) => page.goto('/blog'),
  'prescriptions, not signed in': (page) => page.goto('/prescriptions/upload?from=checkout'),
  'prescriptions of every status': async (page) => {
    await becomeCustomer(page)
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
  'prescription upload, rejected without an ID document': async (page) => {
    await becomeCustomer(page)
    await page.goto('/prescriptions/upload')
    await expect(page.getByRole('main').getByText('ID Document Required')).toBeVisible()
    await page.getByRole('button', { name: 'Submit Prescription' }).click()
    await expect(page.getByRole('main').getByRole('alert')).toBeVisible()
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
  'how we check': (page) => page.goto('/how-we-check'),
  'a new person to care for': async (page) => {
    await signIn(page)
    await page.goto('/profile')
    await page.getByRole('link', { name: 'Add a Person' }).click()
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  },
  'account activity': async (page) => {
    await signIn(page)
    await page.goto('/account/activity')
  },
  'back office: manufacturers': async (page) => {
    await signIn(page, 'admin')
    await page.goto('/admin/manufacturers?q=ab')
  },
  'back office: variants': async (page) => {
    await signIn(page, 'admin')
    await page.goto('/admin/variants?q=naproxen')
    await expect(page.getByRole('grid', { name: 'Variants' })).toBeVisible()
  },
  'back office: products': async (page) => {
    await signIn(page, 'admin')
    await page.goto('/admin/products?q=naproxin')
    await expect(page.getByText('No exact matches.')).toBeVisible()
  },
  'back office: inventory, ledger of a variant': async (page) => {
    await signIn(page, 'admin')
    await page.goto('/admin/inventory?q=naproxen&history.variant=ibuprofen')
  },
  'back office: orders': async (page) => {
    await signIn(page, 'admin')
    await page.goto('/admin/orders')
    await expect(page.getByRole('grid', { name: 'Orders' })).toBeVisible()
  },
  'back office: lots': async (page) => {
    await signIn(page, 'admin')
    await page.goto('/admin/inventory/lots')
  },
  'back office: pharmacies': async (page) => {
    await signIn(page, 'admin')
    await page.goto('/admin/pharmacies')
  },
  'back office: users': async (page) => {
    await signIn(page, 'admin')
    await page.goto('/admin/settings?role=users')
    await expect(page.getByRole('grid', { name: 'Users' })).toBeVisible()
  },
  'back office: prescriptions of a user': async (page) => {
    await page.goto(`${await userPath(page)}?tab=prescriptions`)
    await expect(page.getByRole('table', { name: 'Prescriptions' })).toBeVisible()
  },
  'back office: dashboard, table expanded': async (page) => {
    await signIn(page, 'admin')
    await page.goto('/admin?days=7')
    await page.locator('summary', { hasText: 'Show as table' }).first().click()
  },
  'back office: prescription under review': async (page) => {
    await becomeCustomer(page)
    await uploadIdDocument(page)
    const { orderId } = await orderOnPrescription(page)
    await signIn(page, 'pharmacist')
    await page.goto(`/admin/prescriptions?id=${orderId}`)
    await expect(page.getByRole('region', { name: 'Lines' })).toBeVisible()
  },
  'back office: queue of prescriptions': async (page) => {
    await signIn(page, 'pharmacist')
    await page.goto('/admin/prescriptions?filter=all')
    await expect(page.getByRole('region', { name: 'Queue' })).toBeVisible()
  },
  'back office: import of screening lists': async (page) => {
    await signIn(page, 'admin')
    await page.goto('/admin/screening/import')
  },
  'back office: status': async (page) => {
    await signIn(page, 'admin')
    await page.goto('/admin/status')
  },
  'back office: records, no record found': async (page) => {
    await signIn(page, 'admin')
    await page.goto('/admin/records?order=00000000')
  },
  'demo outbox': async (page) => {
    await sentMessage(page)
    await page.goto('/demo/outbox')
  },
}

/** The states that need scripts. */
export const scriptedStates: typeof states = {
  'back office: new product, rejected': async (page) => {
    await signIn(page, 'admin')
    await page.goto('/admin/variants')
    await page.getByRole('button', { name: 'Add Product' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('UPC').fill('036000291453')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(dialog.getByLabel('Product', { exact: true })).toHaveAttribute('aria-invalid', 'true')
  },
  'back office: order, refund dialog': async (page) => {
    await signIn(page, 'admin')
    await page.goto('/admin/orders?status=delivered')
    await page
      .getByRole('link', { name: /^Order / })
      .first()
      .click()
    await page.getByRole('button', { name: 'Refund' }).click()
    await expect(page.getByRole('dialog', { name: 'Refund' })).toBeVisible()
  },
  'back office: price import, checked': async (page) => {
    await signIn(page, 'admin')
    await page.goto('/admin/variants/import')
    const buffer = Buffer.from(`SKU,Price\nNONE-1,12.50\nNONE-2,${'9'.repeat(60)}\n`)
    await page.getByLabel('CSV file').setInputFiles({ name: 'prices.csv', mimeType: 'text/csv', buffer })
    await page.getByRole('button', { name: 'Upload' }).click()
    await page.getByRole('button', { name: 'Check file' }).click()
    await expect(page.getByRole('heading', { name: 'Lines' })).toBeVisible()
  },
  'back office: users, admin role confirmation': async (page) => {
    await signIn(page, 'admin')
    await page.goto('/admin/settings')
    await page.getByLabel('Select all rows on this page').check()
    await page.getByRole('button', { name: 'Make admin', exact: true }).click()
    await expect(page.getByRole('alertdialog')).toBeVisible()
  },
  'back office: profile dialog': async (page) => {
    await page.goto(await userPath(page))
    await page.getByRole('button', { name: 'Edit profile' }).click()
    await page.getByRole('dialog').getByLabel('Weight').fill('-1')
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await expect(page.getByRole('dialog').getByLabel('Weight')).toHaveAttribute('aria-invalid', 'true')
  },
  suggestions: async (page) => {
    await page.goto('/')
    await page.getByRole('banner').getByRole('combobox').pressSequentially('ibup')
    await expect(page.getByRole('listbox')).toBeVisible()
    await page.getByRole('banner').getByRole('combobox').press('ArrowDown')
  },
  'cart panel': async (page) => {
    await addToCart(page)
    const dialog = page.getByRole('dialog')
    if (!(await dialog.isVisible()))
      await page.getByRole('banner').getByRole('button', { name: /^Cart/ }).click()
    await expect(dialog).toBeVisible()
  },
  'empty cart panel': async (page) => {
    await page.goto('/')
    await page.getByRole('banner').getByRole('button', { name: /^Cart/ }).click()
    await expect(page.getByRole('dialog')).toBeVisible()
  },
  'back office: command palette': async (page) => {
    await signIn(page, 'admin')
    await page.goto('/admin/pharmacies')
    await page.getByRole('button', { name: /^Go to/ }).click()
    await page.getByRole('combobox', { name: 'Page or search' }).fill('man')
  },
  'back office: stock adjustment, rejected': async (page) => {
    await signIn(page, 'admin')
    await page.goto('/admin/inventory?q=naproxen')
    await page.getByRole('button', { name: 'Adjust Stock' }).click()
    const dialog = page.getByRole('dialog', { name: 'Adjust Stock' })
    await dialog.getByRole('button', { name: 'Adjust Stock' }).click()
    await expect(dialog.getByText('Please select a variant.')).toBeVisible()
  },
  'back office: stale edit': async (page) => {
    await signIn(page, 'admin')
    await page.goto('/admin/manufacturers?q=ab')
    const row = page.getByRole('grid').getByRole('row').nth(1)
    const id = await row.getAttribute('data-row')
    await row.getByRole('button', { name: /^Edit/ }).click()
    const data = { city: `City ${++edits}` }
    const headers = { origin: new URL(page.url()).origin }
    expect((await page.request.patch(`/api/manufacturers/${id}`, { data, headers })).status()).toBe(200)
    const dialog = page.getByRole('dialog', { name: 'Edit Manufacturer' })
    await dialog.getByLabel('City').fill('Another city')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(dialog.getByRole('alert')).toBeVisible()
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
