import { startBrowserShop } from '#tests/support/browser-shop.ts'
import { axeFindings } from '#tests/support/axe.ts'
import { expect, test } from '#tests/support/browser.ts'
import {
  addPrescription,
  openAdmin,
  signInNewCustomer,
  customerPassword,
  uploadIdDocument,
} from '#tests/support/customer.ts'
import { cardExpiry } from '#tests/support/dates.ts'
import { stripeEnv } from '#tests/support/stripe-env.ts'
import { addToCart, cartButton, openProduct } from '#tests/support/shopping.ts'
import { startStripe } from '#tests/mocks/stripe/server.ts'
import { stripeJs } from '#tests/mocks/stripe/stripe-js.ts'
import type { Page } from '@playwright/test'

test.use({ allowedOutput: /status of (401|402|409|422)|ERR_FAILED/ })

const address = {
  'Street Address': '12 Harbour Lane',
  City: 'Portland',
  'State/Province': 'ME',
  'ZIP Code': '04101',
  Country: 'United States',
}

/** A person the customer cares for, who takes warfarin. */
async function addTomek(page: Page): Promise<void> {
  await page.goto('/profile/people/new')
  await page.getByLabel('First name').fill('Tomek')
  await page.getByLabel('Date of birth').fill('2019-04-02')
  await page.getByLabel('Current medications').fill('Warfarin')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page).toHaveURL(/\/profile\/people\/[0-9a-f-]{36}/)
}

async function fillAddress(page: Page): Promise<void> {
  for (const [label, line] of Object.entries(address)) {
    await page.getByRole('main').getByLabel(label, { exact: true }).fill(line)
  }
}

/** The address, and a card that succeeds. */
async function fillCheckout(page: Page): Promise<void> {
  const main = page.getByRole('main')
  await fillAddress(page)
  await main.getByLabel('Card number').fill('4242 4242 4242 4242')
  await main.getByLabel('Expiry (MM/YY)').fill(cardExpiry())
  await main.getByLabel('CVC').fill('123')
}

/** Adds an item to the cart through the API. */
async function fillCart(page: Page, category: 'OTC' | 'Rx' = 'OTC'): Promise<void> {
  const origin = new URL(page.url()).origin
  const products = await (await page.request.get('/api/products?include=variants')).json()
  const { variants } = products.find((product: { category: string }) => product.category === category)
  const { id } = variants.find(({ stockQuantity }: { stockQuantity: number }) => stockQuantity >= 2)
  const form = { intent: 'add', variantId: id, quantity: '1' }
  const added = await page.request.post('/cart', { form, headers: { origin }, maxRedirects: 0 })
  expect(added.status()).toBe(303)
}

test('each prescription line follows the prescription that is selected, without leaving the page', async ({
  page,
}) => {
  await signInNewCustomer(page)
  await uploadIdDocument(page)
  await addPrescription(page, { doctorName: 'Dr. Ada Quillfeather' })
  await fillCart(page, 'Rx')
  await page.goto('/checkout')
  const summary = page.getByRole('complementary', { name: 'Order summary' })
  const select = page.getByLabel('Prescription', { exact: true })
  await expect(select.locator('option:checked')).toContainText('Dr. Ada Quillfeather')
  await expect(summary).toContainText('A pharmacist will check this against the prescription you choose')
  await page.getByRole('main').getByLabel('City').fill('Portland')
  await select.selectOption('')
  await expect(summary).toContainText('Choose or upload a prescription for this medicine')
  await expect(page.getByRole('main').getByLabel('City')).toHaveValue('Portland')
  expect(await axeFindings(page)).toEqual([])
})

test('the delivery time follows the typed country and the alerts follow the person', async ({ page }) => {
  await signInNewCustomer(page)
  await addTomek(page)
  await addToCart(page, 'aspirin')
  await page.goto('/checkout')
  const main = page.getByRole('main')
  const warning = main.getByRole('group', { name: 'Shipping address' }).getByText('as a destination')
  const country = main.getByLabel('Country', { exact: true })
  await country.fill('Narnia')
  await main.getByLabel('City').fill('Cair Paravel')
  await expect(warning).toContainText('not list Narnia')
  await expect(main.getByRole('complementary')).toContainText('not list Narnia')
  await country.fill('Canada')
  await country.blur()
  await expect(warning).toBeHidden()
  await expect(main.getByLabel('City')).toHaveValue('Cair Paravel')
  // Left for another page and come back: the form has the typed country.
  await country.fill('Atlantis')
  await main.getByLabel('Who is this for?').selectOption({ label: 'Tomek' })
  await expect(main).toContainText('For Tomek: ')
  await page.getByRole('link', { name: 'Edit cart' }).click()
  await expect(page).toHaveURL('/cart')
  await page.getByRole('link', { name: 'Proceed to Checkout' }).click()
  await expect(warning).toContainText('not list Atlantis')

  await expect(main).toContainText('For Tomek: ')
  await expect(main.getByLabel('Who is this for?').locator('option:checked')).toHaveText('Tomek')
  await expect(country).toHaveValue('Atlantis')
  expect(await axeFindings(page)).toEqual([])
})

test('alerts about a line leave with it, and the person stays selected', async ({ page }) => {
  await signInNewCustomer(page)
  await addTomek(page)
  await fillCart(page)
  await openProduct(page, 'aspirin')
  const aspirin = page.getByRole('radio', { checked: true })
  const variantId = await aspirin.inputValue()
  await addToCart(page, 'aspirin')
  const admin = await openAdmin(page)
  const setInStock = async (inStock: boolean) => {
    const reply = await admin.patch(`/api/product-variants/${variantId}`, { data: { inStock } })
    expect(reply.status()).toBe(200)
  }
  await setInStock(false)
  await page.goto('/checkout')
  const main = page.getByRole('main')
  const patient = main.getByLabel('Who is this for?')
  await patient.selectOption({ label: 'Tomek' })
  await expect(main).toContainText('Warfarin')
  await main.getByRole('button', { name: /^Remove / }).click()
  await expect(main.getByRole('complementary').getByRole('listitem')).toHaveCount(1)
  await expect(main).not.toContainText('Warfarin')
  await expect(patient.locator('option:checked')).toHaveText('Tomek')
  await setInStock(true)
  await admin.dispose()
})

test('a form that another account has replaced shows neither account', async ({ page, context }) => {
  await signInNewCustomer(page)
  await addTomek(page)
  await fillCart(page)
  await page.goto('/checkout')
  const main = page.getByRole('main')
  await fillCheckout(page)
  await context.clearCookies({ name: 'session' })
  await signInNewCustomer(page)
  await fillCart(page)
  await main.getByRole('button', { name: 'Place Order', exact: true }).click()
  const notice = main.getByRole('alert')
  await expect(notice).toContainText('You’re now signed in to a different account')
  await expect(main.getByRole('textbox')).toHaveCount(0)
  await expect(main).not.toContainText('Order summary')
  await expect(notice).toBeFocused()
  expect(await axeFindings(page)).toEqual([])
  await notice.getByRole('link', { name: 'Go to this account’s checkout' }).click()
  await expect(main.getByLabel('Street Address')).toHaveValue('')
  await expect(main.getByLabel('Who is this for?')).toHaveCount(0)
})

test.describe('a check that fails', () => {
  test.use({ allowedOutput: /status of 500/ })

  test('changes nothing', async ({ page }) => {
    await signInNewCustomer(page)
    await addToCart(page, 'aspirin')
    await page.goto('/checkout')
    const main = page.getByRole('main')
    const country = main.getByLabel('Country', { exact: true })
    await country.fill('Narnia')
    await country.blur()
    await expect(main.getByRole('complementary')).toContainText('not list Narnia')
    await page.route('**/checkout.data*', (route) => route.fulfill({ status: 500, body: '' }))
    const failed = page.waitForResponse('**/checkout.data*')
    await country.fill('Canada')
    await country.blur()
    await failed
    await main.getByLabel('City').fill('Portland')
    await expect(country).toHaveValue('Canada')
    await expect(main.getByRole('complementary')).toContainText('not list Narnia')
  })
})

test('a keyboard-only checkout survives a rejected form, a declined card and a double submit with one order', async ({
  page,
}) => {
  await signInNewCustomer(page)
  await fillCart(page)
  await page.goto('/cart')
  await page.getByRole('main').getByRole('link', { name: 'Proceed to Checkout' }).click()
  const main = page.getByRole('main')
  await expect(main.getByRole('heading', { level: 1 })).toHaveText('Checkout')
  const button = main.getByRole('button', { name: 'Place Order', exact: true })
  await expect(button).toContainText('$')
  await button.focus()
  await page.keyboard.press('Enter')
  await expect(main.getByRole('alert')).toBeFocused()
  await expect(main.getByRole('alert')).toContainText('Missing Shipping Information')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(main.getByLabel('Street Address')).toBeFocused()
  await page.keyboard.type(address['Street Address'])
  for (const line of [address.City, address['State/Province'], address['ZIP Code'], address.Country]) {
    await page.keyboard.press('Tab')
    await page.keyboard.type(line)
  }

  // Leaves the page and returns: the typed values are kept.
  await page
    .getByRole('complementary', { name: 'Order summary' })
    .getByRole('link', { name: 'Edit cart' })
    .click()
  await main.getByRole('link', { name: 'Proceed to Checkout' }).click()
  await expect(main.getByLabel('City')).toHaveValue('Portland')

  await main.getByLabel('Card number').fill('4000 0000 0000 0002')
  await main.getByLabel('Expiry (MM/YY)').fill(cardExpiry())
  await main.getByLabel('CVC').fill('123')
  await page.keyboard.press('Enter')
  await expect(main.getByRole('alert')).toContainText('Payment Failed')
  await expect(main.getByRole('alert')).toContainText('Your card was declined.')
  await expect(main.getByLabel('Country')).toHaveValue('United States')

  await main.getByLabel('Card number').fill('4242 4242 4242 4242')
  let posts = 0
  await page.route('**/checkout.data*', async (route) => {
    if (route.request().method() === 'POST') posts++
    await route.continue()
  })
  await button.dblclick()
  await expect(page).toHaveURL(/\/order-history$/)
  expect(posts).toBe(1)
  await expect(page.getByText('Order Placed', { exact: true })).toBeVisible()
  await expect(cartButton(page)).not.toHaveText(/\d/)
  const orders = await (await page.request.get('/api/orders/user')).json()
  expect(orders).toHaveLength(1)

  await page.goto('/checkout')
  await expect(page.getByText('Cart is Empty')).toBeVisible()
})

test('after an order is placed from the end of a narrow checkout, Order History is shown from its top', async ({
  page,
}) => {
  await page.setViewportSize({ width: 360, height: 740 })
  await signInNewCustomer(page)
  await fillCart(page)
  await page.goto('/checkout')
  const main = page.getByRole('main')
  await fillCheckout(page)
  await main.getByRole('button', { name: 'Place Order', exact: true }).click()
  await expect(page.getByText('Order Placed', { exact: true })).toBeVisible()
  await expect(main.getByRole('heading', { level: 1 })).toBeInViewport()
})

test('after the session ended, the customer signs in in another tab and places the order here', async ({
  page,
  context,
}) => {
  const email = await signInNewCustomer(page)
  await fillCart(page)
  await page.goto('/checkout')
  const main = page.getByRole('main')
  await fillCheckout(page)
  await context.clearCookies({ name: 'session' })
  const button = main.getByRole('button', { name: 'Place Order', exact: true })
  await button.click()
  await expect(main.getByRole('alert')).toContainText('Login Required. Sign in again in another tab')
  const opening = context.waitForEvent('page')
  await main.getByRole('alert').getByRole('link', { name: 'Sign In (opens in a new tab)' }).click()
  const tab = await opening
  await tab.getByLabel('Email').fill(email)
  await tab.getByLabel('Password').fill(customerPassword)
  await tab.getByRole('main').getByRole('button', { name: 'Sign In' }).click()
  await expect(tab).toHaveURL(/\/checkout$/)
  await tab.close()

  await expect(main.getByLabel('Card number')).toHaveValue('4242 4242 4242 4242')
  await button.click()
  await expect(page.getByText('Order Placed', { exact: true })).toBeVisible()
})

test('a card is validated, declined and paid once in the provider’s fields, or on its page', async ({
  browser,
}) => {
  const stripe = await startStripe()
  const shop = await startBrowserShop(stripeEnv(stripe))
  const context = await browser.newContext({ baseURL: shop.origin })
  const page = await context.newPage()
  try {
    let isReached = true
    await page.route('https://js.stripe.com/**', (route) =>
      isReached ? route.fulfill({ contentType: 'text/javascript', body: stripeJs }) : route.abort(),
    )
    type Options = { amount: number; captureMethod?: string; allowedPaymentMethodTypes?: string[] }
    await page.exposeFunction('confirmAtStripe', async (secret: string, number: string, options: Options) => {
      if (number.endsWith('0002')) return { error: { message: 'Your card has been declined.' } }
      // Stripe refuses a payment that was created with other options than its fields.
      expect(stripe.store.findIntent(secret.split('_secret_')[0] ?? '')).toMatchObject({
        amount: options.amount,
        capture_method: options.captureMethod ?? 'automatic_async',
        ...(options.captureMethod && { allowed_payment_method_types: options.allowedPaymentMethodTypes }),
      })
      const { id, status } = await stripe.confirm(secret)
      return { paymentIntent: { id, status } }
    })
    await signInNewCustomer(page)
    await addTomek(page)
    await addToCart(page, 'aspirin')

    // Starts on another page, whose CSP blocks the provider's script.
    await page.goto('/cart')
    const main = page.getByRole('main')
    await main.getByRole('link', { name: 'Proceed to Checkout' }).click()
    const card = main.getByLabel('Card number at Stripe')
    await expect(card).toBeVisible()
    const options = await page.evaluate(() => (window as never as { stripeOptions: unknown }).stripeOptions)
    expect(options).toMatchObject({ mode: 'payment', currency: 'usd' })
    expect(JSON.stringify(options)).toMatch(/"colorPrimary":"#[0-9a-f]{6}"/)
    const button = main.getByRole('button', { name: 'Place Order' })
    await fillAddress(page)
    await main.getByLabel('Who is this for?').selectOption({ label: 'Tomek' })
    await expect(main).toContainText('For Tomek: ')
    await button.click()
    await expect(main.getByRole('alert')).toContainText('Your card number is incomplete.')
    await card.fill('4000 0000 0000 0002')
    await button.click()
    await expect(main.getByRole('alert')).toContainText('Your card has been declined.')
    await expect(main.getByLabel('City')).toHaveValue('Portland')
    await expect(main).toContainText('For Tomek: ')
    await card.fill('4242 4242 4242 4242')
    await button.dblclick()
    await expect(page).toHaveURL(/\/order-history$/)
    await expect(page.getByText('Order Placed', { exact: true })).toBeVisible()
    expect(stripe.calls.filter((call) => call === 'POST /v1/payment_intents')).toHaveLength(1)
    expect(await (await page.request.get('/api/orders/user')).json()).toHaveLength(1)

    // Stripe reports this payment as requires_capture.
    await uploadIdDocument(page)
    await addPrescription(page)
    await fillCart(page, 'Rx')
    await page.goto('/checkout')
    await main.getByLabel('Prescription', { exact: true }).selectOption({ index: 1 })
    await fillAddress(page)
    await card.fill('4242 4242 4242 4242')
    await button.click()
    await expect(page).toHaveURL(/\/order-history$/)
    expect([...stripe.store.intents.values()].map(({ status }) => status)).toEqual([
      'succeeded',
      'requires_capture',
    ])

    isReached = false
    await fillCart(page)
    await page.goto('/checkout')
    await expect(main.getByText('Payment Processing Unavailable')).toBeVisible()
    await fillAddress(page)
    // Until the provider’s page arrives, Enter neither pays again nor expires this payment.
    let openPage = (): void => undefined
    const isOpening = new Promise<void>((resolve) => (openPage = resolve))
    let posts = 0
    page.on('request', (request) => (posts += request.method() === 'POST' ? 1 : 0))
    await page.route(`${stripe.origin}/**`, async (route) => {
      await isOpening
      await route.continue()
    })
    const request = page.waitForRequest(`${stripe.origin}/**`)
    // Playwright’s locators wait for the provider’s page, its keyboard does not.
    await button.focus()
    await page.keyboard.press('Enter')
    await request
    for (let i = 0; i < 4; i++) await page.keyboard.press('Enter', { delay: 100 })
    openPage()
    await page.getByRole('button', { name: 'Pay', exact: true }).click()
    expect(posts).toBe(2)
    await expect(page).toHaveURL(/\/order-history$/)
    expect(await (await page.request.get('/api/orders/user')).json()).toHaveLength(3)
  } finally {
    await context.close()
    await shop.stop()
    await stripe.close()
  }
})
