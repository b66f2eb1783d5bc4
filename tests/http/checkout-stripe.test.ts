import { makeUser, signInAs } from '#tests/support/accounts.ts'
import { addVariant } from '#tests/support/catalog.ts'
import { readMain } from '#tests/support/page-text.ts'
import { eachShop, type Shop, type ShopOptions, type Visitor } from '#tests/support/shop.ts'
import { openStripeShop } from '#tests/support/stripe-shop.ts'
import { expect, test } from 'vitest'

const address = {
  streetAddress: '12 Harbour Lane',
  city: 'Portland',
  stateProvince: 'ME',
  zipCode: '04101',
  country: 'United States',
}

const met = (response: Response): string =>
  `${response.status} ${response.headers.get('location') ?? ''}`.trimEnd()

const readPage = async (visitor: Visitor, path: string): Promise<string> =>
  readMain(await (await visitor.get(path)).text())

async function shopper(shop: Shop): Promise<Visitor> {
  const visitor = shop.visit()
  await signInAs(visitor, shop.db, await makeUser(shop.db))
  return visitor
}

/** A customer with one item in the cart. */
async function customer(shop: Shop): Promise<Visitor> {
  const visitor = await shopper(shop)
  await visitor.post('/cart', { intent: 'add', variantId: await addVariant(shop.db), quantity: '1' })
  return visitor
}

/** Submits the form as rendered. It has no card fields. */
async function place(visitor: Visitor, path = '/checkout', fields: Record<string, string> = {}) {
  const html = await (await visitor.get('/checkout')).text()
  const seen = /name="seen" value="([^"]*)"/.exec(html)?.[1] ?? ''
  return visitor.post(path, { ...address, seen, ...fields })
}

/** Pays on the provider's page. Returns the shop path that it redirects to. */
async function payOnPage(url: string, card = 'pm_card_visa'): Promise<string> {
  const answer = await fetch(url, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({ card }),
  })
  const { pathname, search } = new URL(answer.headers.get('location') ?? '', url)
  return pathname + search
}

const ordersOf = (shop: Shop) => shop.db.selectFrom('orders').selectAll().execute()

eachShop((openShopOf) => {
  const openStripe = async (options: ShopOptions = {}) =>
    openStripeShop((shopOptions) => openShopOf({ catalog: 'empty', ...shopOptions }), options)

  test('without scripts, paying on the provider’s page creates one order, however often the browser returns', async () => {
    const { shop, stripe } = await openStripe()
    const visitor = await customer(shop)
    const page = await (await visitor.get('/checkout')).text()
    expect(page).not.toContain('name="cardNumber"')
    const redirected = await place(visitor)
    expect(redirected.status).toBe(303)
    const url = redirected.headers.get('location') ?? ''
    expect(url.startsWith(`${stripe.origin}/c/pay/`)).toBe(true)

    const back = await payOnPage(url)
    expect(back).toMatch(/^\/order-confirmation\?session_id=cs_/)
    expect(met(await (await shopper(shop)).get(back))).toBe('404')
    expect(met(await visitor.get(back))).toBe('303 /order-history')
    expect(await readPage(visitor, '/order-history')).toContain('Order Placed')
    expect(met(await visitor.get(back))).toBe('303 /order-history')
    expect(await ordersOf(shop)).toHaveLength(1)
  })

  test('an unpaid return goes back to the form; a lost session still gets its order', async () => {
    const { shop, stripe } = await openStripe()
    const visitor = await customer(shop)
    const url = (await place(visitor)).headers.get('location') ?? ''
    const unpaid = `/order-confirmation?session_id=${url.split('/').at(-1)}`
    expect(met(await visitor.get(unpaid))).toBe('303 /checkout')
    expect(await readPage(visitor, '/checkout')).toContain('Payment Failed')
    const signedOut = shop.visit()
    expect(met(await signedOut.get(unpaid))).toBe('303 /api/login?returnTo=%2Fcheckout')

    // A new checkout expires the previous one.
    const again = (await place(visitor)).headers.get('location') ?? ''
    expect(stripe.store.findSession(url.split('/').at(-1) ?? '').status).toBe('expired')
    const back = await payOnPage(again)
    expect(met(await signedOut.get(back))).toBe('303 /api/login?returnTo=%2Forder-history')
    expect(await ordersOf(shop)).toHaveLength(1)
  })

  test('a customer who paid on the provider’s page and resends the form does not pay again', async () => {
    const { shop, connect } = await openStripe()
    connect({ send: async () => new Response(null, { status: 500 }) })
    const visitor = await customer(shop)
    await payOnPage((await place(visitor)).headers.get('location') ?? '')
    expect(await ordersOf(shop)).toEqual([])
    expect(met(await place(visitor))).toBe('303 /order-history')
    expect(await ordersOf(shop)).toHaveLength(1)
  })

  test('with scripts the form returns the client secret, and the return creates the order', async () => {
    const { shop, stripe, connect } = await openStripe()
    connect({ send: async () => new Response(null, { status: 500 }) })
    const visitor = await customer(shop)
    const prepared = await place(visitor, '/checkout.data', { intent: 'prepare' })
    expect(prepared.status).toBe(200)
    const [secret = ''] = /pi_\w+_secret_\w+/.exec(await prepared.text()) ?? []
    const back = `/order-confirmation?payment_intent=${secret.split('_secret_')[0]}`
    expect(met(await visitor.get(back))).toBe('303 /checkout')
    await stripe.confirm(secret)
    expect(met(await visitor.get(back))).toBe('303 /order-history')
    expect(await ordersOf(shop)).toHaveLength(1)
    expect(JSON.stringify(shop.log)).not.toContain(secret)
  })

  test('a missing, malformed or unknown reference is 404', async () => {
    const { shop, stripe } = await openStripe()
    const visitor = await customer(shop)
    for (const query of [
      '',
      '?payment_intent=',
      '?payment_intent=pi_none',
      '?session_id=cs_none',
      '?session_id=../x',
    ]) {
      expect((await visitor.get(`/order-confirmation${query}`)).status, query).toBe(404)
    }
    // Made-up ids cause no call to the provider.
    expect(stripe.calls).toEqual([])
  })

  test('only checkout allows the provider’s script, frames and page', async () => {
    const { shop, stripe } = await openStripe()
    const visitor = await customer(shop)
    const policyOf = async (path: string) =>
      (await visitor.get(path)).headers.get('content-security-policy') ?? ''
    const policy = await policyOf('/checkout')
    expect(policy).toMatch(/script-src [^;]*https:\/\/js\.stripe\.com/)
    expect(policy).toMatch(/frame-src [^;]*https:\/\/hooks\.stripe\.com/)
    expect(policy).toMatch(/connect-src [^;]*https:\/\/api\.stripe\.com/)
    expect(policy).toContain(`form-action 'self' ${stripe.origin}`)
    for (const path of ['/', '/cart', '/order-history', '/checkout/verify']) {
      expect(await policyOf(path), path).not.toMatch(/stripe|127\.0\.0\.1/)
    }
  })

  test('without the provider’s publishable key the page says that it cannot take payments', async () => {
    const { shop } = await openStripe({ env: { STRIPE_PUBLISHABLE_KEY: '' } })
    const visitor = await customer(shop)
    const words = await readPage(visitor, '/checkout')
    expect(words).toContain('Payment Processing Unavailable')
    expect(words).not.toContain('Place Order')
    const response = await place(visitor)
    expect(response.status).toBe(503)
    expect(readMain(await response.text())).toContain('Payment Processing Unavailable')
  })
})
