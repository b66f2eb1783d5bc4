import { addProduct, addVariant } from '#tests/support/catalog.ts'
import {
  harbour,
  card,
  cards,
  customer,
  fill,
  formOf,
  hiddenOf,
  place,
  readPage,
  outcomeOf,
  rowsOf,
  stockOf,
  tagOf,
} from '#tests/support/checkout-page.ts'
import { mainOf, readMain } from '#tests/support/page-text.ts'
import { eachShop, type ShopOptions } from '#tests/support/shop.ts'
import { expect, test } from 'vitest'

eachShop((openShopOf) => {
  const openShop = (options: ShopOptions = {}) => openShopOf({ catalog: 'empty', ...options })

  test('a visitor and an empty cart are redirected home with the reason, without a payment, and signing in returns to checkout', async () => {
    const shop = await openShop()
    const visitor = shop.visit()
    expect(outcomeOf(await visitor.get('/checkout'))).toBe('302 /')
    // The router fetches the root data of the page being left during the redirect; that request
    // must not consume the toast.
    expect(await (await visitor.get('/checkout.data?_routes=root')).text()).not.toContain('Login Required')
    const home = await (await visitor.get('/')).text()
    expect(home).toMatch(
      /role="alert"[^>]*><p[^>]*>Login Required<\/p><p>[^<]+<\/p><a href="\/api\/login\?returnTo=%2Fcheckout"[^>]*>Sign In</,
    )
    expect(home).toContain('href="/api/login?returnTo=%2Fcheckout"')
    // Switching the theme stays on the page.
    expect(home).not.toContain('value="/checkout"')
    const again = await (await visitor.get('/')).text()
    expect(again).not.toContain('Login Required')
    expect(again).toContain('href="/api/login"')
    const buyer = await customer(shop)
    expect(outcomeOf(await buyer.get('/checkout'))).toBe('302 /')
    const empty = await (await buyer.get('/')).text()
    expect(empty).toMatch(/role="alert"[^>]*><p[^>]*>Cart is Empty<\/p><\/div>/)
    await fill(buyer, [await addVariant(shop.db)])
    expect((await buyer.get('/checkout')).status).toBe(200)
    expect(await rowsOf(shop)).toEqual({ orders: [], checkouts: [], payments: [] })
  })

  test('the page has all documented labels and the profile’s address', async () => {
    const shop = await openShop()
    const profile = { shippingStreet: '9 Quay', shippingCity: 'Bath', shippingCountry: 'United Kingdom' }
    const visitor = await customer(shop, { profile })
    await fill(visitor, [await addVariant(shop.db, { brandName: 'Advil' }), 2])
    const response = await visitor.get('/checkout')
    expect(response.headers.get('cache-control')).toBe('private, no-store')
    const html = await response.text()
    for (const [name, label, autocomplete] of [
      ['streetAddress', 'Street Address', 'shipping address-line1'],
      ['city', 'City', 'shipping address-level2'],
      ['stateProvince', 'State/Province', 'shipping address-level1'],
      ['zipCode', 'ZIP Code', 'shipping postal-code'],
      ['country', 'Country', 'shipping country-name'],
      ['cardNumber', 'Card number', 'cc-number'],
      ['expiry', 'Expiry (MM/YY)', 'cc-exp'],
      ['cardCvc', 'CVC', 'cc-csc'],
    ] as const) {
      expect(html).toContain(`<label for="${name}" class="mb-1 block font-medium">${label}</label>`)
      expect(tagOf(html, name).toLowerCase()).toContain(`autocomplete="${autocomplete}"`)
    }
    expect(tagOf(html, 'streetAddress')).toContain('value="9 Quay"')
    expect(tagOf(html, 'prescriptionId')).toBe('')
    const main = readMain(html)
    for (const words of [
      'Ibuprofen',
      'Advil',
      '2 × $5.00',
      '$10.00',
      'Place Order',
      'You won’t be charged',
      'Delivery is free.',
    ]) {
      expect(main).toContain(words)
    }
  })

  test('a cart becomes one paid order: stock sold, cart emptied, address saved, toast shown', async () => {
    const shop = await openShop()
    const visitor = await customer(shop)
    const variantId = await addVariant(shop.db)
    await fill(visitor, [variantId, 3])
    expect(outcomeOf(await place(visitor))).toBe('303 /order-history')
    expect(await readPage(visitor, '/order-history')).toContain('Order Placed')
    const { orders, checkouts } = await rowsOf(shop)
    expect(orders).toMatchObject([{ userId: visitor.id, status: 'processing', totalCents: 1500 }])
    expect(checkouts).toMatchObject([{ status: 'ordered' }])
    expect(await stockOf(shop, variantId)).toEqual({ stockQuantity: 97, reservedQuantity: 0 })
    const saved = await (await visitor.get('/api/shipping-addresses')).json()
    expect(saved).toMatchObject([{ ...harbour, isDefault: true }])
    // Back after paying.
    expect(outcomeOf(await visitor.get('/checkout'))).toBe('302 /')
    const home = await (await visitor.get('/')).text()
    expect(home).toMatch(/role="status"[^>]*><p[^>]*>Cart is Empty<\/p><p>Your order was placed\./)
    // Neither the card nor the address is logged.
    expect(JSON.stringify(shop.log)).not.toMatch(/4242 ?4242|Harbour/)
  })

  test('a form of another account places no order, even when both carts hold the same', async () => {
    const shop = await openShop()
    const variantId = await addVariant(shop.db)
    const [shown, current] = [await customer(shop), await customer(shop)]
    await fill(shown, [variantId])
    await fill(current, [variantId])
    const { userId, seen } = await formOf(current)
    expect([userId, seen]).toEqual([current.id, (await formOf(shown)).seen])
    const response = await place(current, { userId: shown.id, streetAddress: '9 Quay' })
    expect(response.status).toBe(409)
    const html = await response.text()
    expect(readMain(html)).toContain('signed in to a different account')
    expect(mainOf(html)).not.toContain('<form')
    expect(await rowsOf(shop)).toEqual({ orders: [], checkouts: [], payments: [] })
  })

  test('each missing address field has an error, and the typed values stay except for the card', async () => {
    const shop = await openShop()
    const visitor = await customer(shop)
    await fill(visitor, [await addVariant(shop.db)])
    const response = await place(visitor, { streetAddress: ' ', zipCode: '', city: 'Zürich "Nord"' })
    expect(response.status).toBe(422)
    const html = await response.text()
    const main = readMain(html)
    for (const words of [
      'Missing Shipping Information',
      'Street Address is required.',
      'ZIP Code is required.',
    ]) {
      expect(main).toContain(words)
    }
    expect(main).not.toContain('City is required')
    expect(tagOf(html, 'streetAddress')).toContain('aria-invalid="true"')
    expect(tagOf(html, 'city')).toContain('value="Zürich &quot;Nord&quot;"')
    expect(tagOf(html, 'expiry')).toContain(`value="${card.expiry}"`)
    expect(html).not.toContain('4242 4242 4242 4242"')
    expect(tagOf(html, 'cardCvc')).not.toContain('value=')
    expect((await rowsOf(shop)).checkouts).toEqual([])
  })

  test('card fields are validated before anything is reserved', async () => {
    const shop = await openShop({ now: () => new Date('2026-11-20T12:00:00Z') })
    const visitor = await customer(shop)
    await fill(visitor, [await addVariant(shop.db)])
    for (const [fields, sentence] of [
      [{ cardNumber: '' }, 'Card number is required.'],
      [{ cardNumber: '42' }, 'Enter a valid card number.'],
      [{ expiry: '10/26' }, 'This card has expired.'],
      [{ expiry: '13/30' }, 'Enter the expiry date as MM/YY.'],
      [{ cardCvc: '12' }, 'Enter the 3- or 4-digit CVC.'],
    ] as const) {
      const response = await place(visitor, fields)
      expect(response.status).toBe(422)
      expect(readMain(await response.text())).toContain(sentence)
    }
    expect((await rowsOf(shop)).checkouts).toEqual([])
    expect(outcomeOf(await place(visitor, { expiry: '11/26' }))).toBe('303 /order-history')
  })

  test('after a declined card the form returns, and another card pays the same reservation', async () => {
    const shop = await openShop()
    const visitor = await customer(shop)
    const variantId = await addVariant(shop.db)
    await fill(visitor, [variantId, 2])
    for (const [cardNumber, words] of [
      [cards.declined, 'Your card was declined.'],
      [cards.insufficient, 'Your card has insufficient funds.'],
    ] as const) {
      const response = await place(visitor, { cardNumber })
      expect(response.status).toBe(402)
      const html = await response.text()
      expect(readMain(html)).toContain('Payment Failed')
      expect(readMain(html)).toContain(words)
      expect(html).not.toContain(cardNumber + '"')
      expect(tagOf(html, 'streetAddress')).toContain('value="12 Harbour Lane"')
      expect(await stockOf(shop, variantId)).toEqual({ stockQuantity: 100, reservedQuantity: 2 })
    }
    expect(outcomeOf(await place(visitor, { streetAddress: '1 Other Street' }))).toBe('303 /order-history')
    const { checkouts, payments, orders } = await rowsOf(shop)
    expect([checkouts.length, payments.length, orders.length]).toEqual([1, 1, 1])
    const saved = await (await visitor.get('/api/shipping-addresses')).json()
    expect(saved).toMatchObject([{ streetAddress: '1 Other Street' }])
  })

  test('a verification is completed, or fails and the form accepts another card', async () => {
    const shop = await openShop()
    const visitor = await customer(shop)
    const variantId = await addVariant(shop.db)
    await fill(visitor, [variantId])
    const verify = '/checkout/verify'
    expect(outcomeOf(await visitor.get(verify))).toBe('302 /checkout')
    expect(outcomeOf(await place(visitor, { cardNumber: cards.secondStep }))).toBe(`303 ${verify}`)
    const page = await readPage(visitor, verify)
    for (const words of ['Complete', 'Fail', '$5.00']) expect(page).toContain(words)
    expect(outcomeOf(await visitor.post(verify, { outcome: 'fail' }))).toBe('303 /checkout')
    const html = await (await visitor.get('/checkout')).text()
    expect(readMain(html)).toContain('Payment Failed')
    expect(tagOf(html, 'city')).toContain('value="Portland"')
    expect(await stockOf(shop, variantId)).toEqual({ stockQuantity: 100, reservedQuantity: 1 })
    await place(visitor, { cardNumber: cards.secondStep })
    // Another customer cannot complete it.
    expect(outcomeOf(await (await customer(shop)).post(verify, { outcome: 'succeed' }))).toBe('303 /checkout')
    const shown = /name="payment" value="([^"]+)"/.exec(await (await visitor.get(verify)).text())?.[1] ?? ''
    const answers = { outcome: 'succeed', payment: shown }
    expect(outcomeOf(await (await customer(shop)).post(verify, answers))).toBe('303 /checkout')
    // A double click: both requests redirect to the order, in either order.
    const twice = await Promise.all([visitor.post(verify, answers), visitor.post(verify, answers)])
    expect(twice.map(outcomeOf)).toEqual(['303 /order-history', '303 /order-history'])
    expect(outcomeOf(await visitor.post(verify, { ...answers, outcome: 'fail' }))).toBe('303 /order-history')
    expect(outcomeOf(await visitor.post(verify, { outcome: 'succeed' }))).toBe('303 /checkout')
    expect((await rowsOf(shop)).orders).toHaveLength(1)
  })

  test('a form sent twice, concurrently or in sequence, orders once and redirects both times', async () => {
    const shop = await openShop()
    const variantId = await addVariant(shop.db)
    for (let round = 1; round <= 5; round++) {
      const visitor = await customer(shop)
      await fill(visitor, [variantId, 2])
      const form = await formOf(visitor)
      const answers = await Promise.all([1, 2, 3].map(() => visitor.post('/checkout', form)))
      const late = await visitor.post('/checkout', form)
      const all = [...answers, late].map(outcomeOf)
      expect(all.filter((one) => one !== '303 /order-history' && one !== '409')).toEqual([])
      expect(outcomeOf(late)).toBe('303 /order-history')
      const own = (await rowsOf(shop)).orders.filter(({ userId }) => userId === visitor.id)
      expect(own).toHaveLength(1)
    }
    expect(await stockOf(shop, variantId)).toEqual({ stockQuantity: 90, reservedQuantity: 0 })
    const paid = (await rowsOf(shop)).payments.filter(({ status }) => status === 'succeeded')
    expect(paid).toHaveLength(5)
  })

  test('a changed price is shown and must be accepted', async () => {
    const shop = await openShop()
    const visitor = await customer(shop)
    const variantId = await addVariant(shop.db)
    await fill(visitor, [variantId, 2])
    const before = await formOf(visitor)
    await shop.db
      .updateTable('productVariants')
      .set({ priceCents: 650 })
      .where('id', '=', variantId)
      .execute()

    const stale = await visitor.post('/checkout', { ...before, accepted: 'on' })
    expect(stale.status).toBe(409)
    const html = await stale.text()
    const main = readMain(html)
    for (const words of [
      'Your cart has changed',
      'The price was $5.00',
      '$13.00',
      'I agree to the updated order',
    ]) {
      expect(main).toContain(words)
    }
    const unasked = await place(visitor)
    expect(unasked.status).toBe(422)
    expect(readMain(await unasked.text())).toContain('Confirm the changes to your order.')
    expect((await rowsOf(shop)).checkouts).toEqual([])
    expect(outcomeOf(await place(visitor, { accepted: 'on' }))).toBe('303 /order-history')
    expect((await rowsOf(shop)).orders).toMatchObject([{ totalCents: 1300 }])
  })

  test('short stock blocks the order with a fix; others’ reservations count, one’s own do not', async () => {
    const shop = await openShop()
    const [visitor, other] = [await customer(shop), await customer(shop)]
    const variantId = await addVariant(shop.db, { stockQuantity: 5 })
    await fill(visitor, [variantId, 3])
    await fill(other, [variantId, 3])
    await place(other, { cardNumber: cards.declined })
    expect(await readPage(other, '/checkout')).not.toContain('in stock')

    const blocked = await place(visitor)
    expect(blocked.status).toBe(409)
    expect(readMain(await blocked.text())).toContain('Only 2 in stock.')
    const fewer = { intent: 'update', variantId, quantity: '2', from: 'checkout' }
    expect(await readPage(visitor, '/checkout')).toContain('Order 2 instead')
    expect(outcomeOf(await visitor.post('/cart', fewer))).toBe('303 /checkout')
    expect(outcomeOf(await place(visitor))).toBe('303 /order-history')
    expect(outcomeOf(await place(other))).toBe('303 /order-history')
    expect(await stockOf(shop, variantId)).toEqual({ stockQuantity: 0, reservedQuantity: 0 })
    expect((await rowsOf(shop)).orders).toHaveLength(2)
  })

  test('a deleted variant leaves the order, and the customer must accept it', async () => {
    const shop = await openShop()
    const visitor = await customer(shop)
    const signedOut = await addVariant(shop.db, { productId: await addProduct(shop.db, { name: 'Gone' }) })
    await fill(visitor, [signedOut], [await addVariant(shop.db)])
    const before = await formOf(visitor)
    await shop.db
      .updateTable('productVariants')
      .set({ deletedAt: new Date() })
      .where('id', '=', signedOut)
      .execute()
    const html = await (await visitor.post('/checkout', before)).text()
    expect(readMain(html)).toContain('We no longer offer Gone, so we removed it from your cart.')
    const form = { ...harbour, ...card, ...hiddenOf(html) }
    expect((await visitor.post('/checkout', form)).status).toBe(422)
    expect(outcomeOf(await visitor.post('/checkout', { ...form, accepted: 'on' }))).toBe('303 /order-history')
    expect((await rowsOf(shop)).orders).toMatchObject([{ totalCents: 500 }])
  })

  test('known addresses are offered: the profile’s first, then saved ones, newest first', async () => {
    const shop = await openShop()
    const visitor = await customer(shop, {
      profile: { shippingStreet: '9 Quay', shippingCity: 'Bath', shippingCountry: 'United Kingdom' },
    })
    const variantId = await addVariant(shop.db)
    await fill(visitor, [variantId])
    await place(visitor)
    await fill(visitor, [variantId])
    const html = await (await visitor.get('/checkout')).text()
    expect(tagOf(html, 'streetAddress')).toContain('value="9 Quay"')
    expect(readMain(html)).toContain('12 Harbour Lane')
    const chosen = await (await visitor.get('/checkout?address=1')).text()
    expect(tagOf(chosen, 'streetAddress')).toContain('value="12 Harbour Lane"')
    expect(tagOf(await (await visitor.get('/checkout?address=x')).text(), 'city')).toContain('value="Bath"')
  })

  test('a failing provider is 503 with the documented message, and nothing stays reserved', async () => {
    let isDown = true
    const shop = await openShop({
      wrapPayments: (payments) => ({
        ...payments,
        createPayment: (payment) => {
          if (isDown) throw Object.assign(new Error('away'), { code: 'ECONNREFUSED' })
          return payments.createPayment(payment)
        },
      }),
    })
    const visitor = await customer(shop)
    const variantId = await addVariant(shop.db)
    await fill(visitor, [variantId])
    const response = await place(visitor)
    expect(response.status).toBe(503)
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
    const html = await response.text()
    expect(readMain(html)).toContain('Failed to initialize checkout. Please try again.')
    expect(tagOf(html, 'city')).toContain('value="Portland"')
    expect(await stockOf(shop, variantId)).toEqual({ stockQuantity: 100, reservedQuantity: 0 })
    isDown = false
    expect(outcomeOf(await place(visitor))).toBe('303 /order-history')
  })

  test('a provider failure during an open checkout keeps the form and the reservation', async () => {
    let isDown = false
    const shop = await openShop({
      wrapPayments: (payments) => ({
        ...payments,
        findPayment: (id) => {
          if (isDown) throw Object.assign(new Error('away'), { code: 'ECONNREFUSED' })
          return payments.findPayment(id)
        },
      }),
    })
    const visitor = await customer(shop)
    const variantId = await addVariant(shop.db)
    await fill(visitor, [variantId])
    expect((await place(visitor, { cardNumber: cards.declined })).status).toBe(402)
    isDown = true
    const response = await place(visitor)
    expect(response.status).toBe(503)
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(tagOf(await response.text(), 'city')).toContain('value="Portland"')
    expect(await stockOf(shop, variantId)).toEqual({ stockQuantity: 100, reservedQuantity: 1 })
    isDown = false
    expect(outcomeOf(await place(visitor))).toBe('303 /order-history')
  })
})
