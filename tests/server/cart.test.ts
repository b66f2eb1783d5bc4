import { maxLines } from '#domain/cart/cart.ts'
import { newId } from '#domain/ids.ts'
import { addToCart, importCart, removeFromCart, setCartQuantity } from '#server/cart/update-cart.ts'
import { getCart } from '#server/cart/get-cart.ts'
import { deleteOldCarts } from '#server/jobs/delete-old-carts.ts'
import { makeUser } from '#tests/support/accounts.ts'
import { addProduct, addVariant, testDay } from '#tests/support/catalog.ts'
import { limitedTo, signedIn, testContext } from '#tests/support/context.ts'
import { eachEngine } from '#tests/support/engines.ts'
import { expect, test } from 'vitest'

const quantities = async (ctx: ReturnType<typeof testContext>, token: string | null): Promise<number[]> =>
  (await getCart(ctx, token)).cart.lines.map((line) => line.quantity)

eachEngine((_engine, openDb) => {
  test('the first add creates the cart, a second of the same variant raises its line', async () => {
    const db = await openDb()
    const ctx = testContext(db)
    const variantId = await addVariant(db)
    const token = await addToCart(ctx, null, { variantId, quantity: 2 })
    expect(await addToCart(ctx, token, { variantId, quantity: 3 })).toBe(token)
    const { cart } = await getCart(ctx, token)
    expect(cart).toMatchObject({
      count: 5,
      total: '25.00',
      lines: [{ quantity: 5, subtotal: '25.00', problem: null, priceNote: null }],
    })
  })

  test('the cart always has current prices, and the one that the customer saw', async () => {
    const db = await openDb()
    const ctx = testContext(db)
    const variantId = await addVariant(db)
    const token = await addToCart(ctx, null, { variantId, quantity: 3 })
    const setPrice = (priceCents: number | null) =>
      db.updateTable('productVariants').set({ priceCents }).where('id', '=', variantId).execute()
    await setPrice(799)
    expect((await getCart(ctx, token)).cart).toMatchObject({
      total: '23.97',
      lines: [{ priceNote: 'The price was $5.00 when you added it.' }],
    })
    await setPrice(null)
    expect((await getCart(ctx, token)).cart.lines).toMatchObject([
      { problem: 'This variant has no price and can’t be bought.' },
    ])
    await setPrice(799)
    await setCartQuantity(ctx, token, { variantId, quantity: 2 })
    expect((await getCart(ctx, token)).cart.lines).toMatchObject([{ quantity: 2, priceNote: null }])
  })

  test('an unknown token has an empty cart, and an add returns a new token', async () => {
    const db = await openDb()
    const ctx = testContext(db)
    expect((await getCart(ctx, 'tampered')).cart.lines).toEqual([])
    const token = await addToCart(ctx, 'tampered', { variantId: await addVariant(db), quantity: 1 })
    expect(token).not.toBe('tampered')
  })

  test.each([0, -1, 1.5, 1000, 1e9, Number.NaN])(
    'adding %s is rejected with the field’s name',
    async (quantity) => {
      const db = await openDb()
      const variantId = await addVariant(db)
      await expect(addToCart(testContext(db), null, { variantId, quantity })).rejects.toMatchObject({
        code: 'INVALID',
        fields: { quantity: expect.stringMatching(/^Quantity must be/) },
      })
    },
  )

  test('an address can create only so many visitors’ carts; old ones are deleted, accounts’ stay', async () => {
    const db = await openDb()
    const rateLimits = limitedTo('new-cart', { limit: 2, windowSeconds: 3600 })
    const ctx = testContext(db, { rateLimits })
    const line = { variantId: await addVariant(db), quantity: 1 }
    const used = await addToCart(ctx, null, line)
    await importCart(ctx, null, [line])
    for (const add of [() => addToCart(ctx, null, line), () => importCart(ctx, 'unknown', [line])]) {
      await expect(add()).rejects.toMatchObject({ code: 'TOO_MANY', retryAfter: 3600 })
    }
    await addToCart(ctx, used, line)
    await addToCart({ ...ctx, clientAddress: '192.0.2.2' }, null, line)
    const userId = await makeUser(db)
    await addToCart({ ...ctx, user: signedIn(userId) }, null, line)
    const count = async () => (await db.selectFrom('carts').select('id').execute()).length
    expect(await count()).toBe(3)
    const dayMs = 24 * 3600_000
    const sweepAfter = (days: number) =>
      deleteOldCarts(
        { db, now: () => new Date(ctx.now.getTime() + days * dayMs) },
        new AbortController().signal,
      )
    await setCartQuantity({ ...ctx, now: new Date(ctx.now.getTime() + dayMs) }, used, line)
    await sweepAfter(29)
    expect(await count()).toBe(3)
    await sweepAfter(30.5)
    expect(await count()).toBe(1)
    expect(await quantities(ctx, used)).toEqual([1])
    await sweepAfter(60)
    expect(await count()).toBe(0)
    expect(await quantities({ ...ctx, user: signedIn(userId) }, null)).toEqual([1])
  })

  test('a line never grows beyond 999', async () => {
    const db = await openDb()
    const ctx = testContext(db)
    const variantId = await addVariant(db, { trackInventory: false })
    const token = await addToCart(ctx, null, { variantId, quantity: 999 })
    await expect(addToCart(ctx, token, { variantId, quantity: 1 })).rejects.toMatchObject({ code: 'INVALID' })
    expect(await quantities(ctx, token)).toEqual([999])
  })

  test('a cart holds at most fifty lines', async () => {
    const db = await openDb()
    const ctx = testContext(db)
    const productId = await addProduct(db)
    let token: string | null = null
    for (let i = 0; i < maxLines; i++) {
      token = await addToCart(ctx, token, { variantId: await addVariant(db, { productId }), quantity: 1 })
    }
    const oneMore = await addVariant(db, { productId })
    await expect(addToCart(ctx, token, { variantId: oneMore, quantity: 1 })).rejects.toMatchObject({
      code: 'INVALID',
      fields: { variantId: 'A cart can have at most 50 different items.' },
    })
    expect((await getCart(ctx, token)).cart.lines).toHaveLength(maxLines)
  })

  test.each([
    ['out of stock', { inStock: false, stockQuantity: 0 }, 'Out of stock.'],
    ['fewer than asked', { stockQuantity: 2 }, 'Only 2 in stock.'],
    ['without a price', { priceCents: null }, 'This variant has no price and can’t be bought.'],
    ['at a price of nothing', { priceCents: 0 }, 'This variant has no price and can’t be bought.'],
  ])('a variant %s cannot be added', async (_, values, sentence) => {
    const db = await openDb()
    const variantId = await addVariant(db, values)
    await expect(addToCart(testContext(db), null, { variantId, quantity: 3 })).rejects.toMatchObject({
      code: 'CONFLICT',
      message: sentence,
    })
    expect(await db.selectFrom('carts').selectAll().execute()).toEqual([])
  })

  test('a controlled medicine cannot be added to the cart', async () => {
    const db = await openDb()
    const productId = await addProduct(db, { controlledSchedule: 'CSA schedule II' })
    const variantId = await addVariant(db, { productId })
    await expect(addToCart(testContext(db), null, { variantId, quantity: 1 })).rejects.toMatchObject({
      code: 'CONFLICT',
      message: 'Not available online.',
    })
  })

  test.each(['', 'x', newId()])('the variant %j is unknown', async (variantId) => {
    const db = await openDb()
    await expect(addToCart(testContext(db), null, { variantId, quantity: 1 })).rejects.toMatchObject({
      code: 'INVALID',
      fields: { variantId: 'This variant is no longer available.' },
    })
  })

  test('a deleted variant is removed once and named', async () => {
    const db = await openDb()
    const ctx = testContext(db)
    const productId = await addProduct(db, { name: 'Naproxen' })
    const deleted = await addVariant(db, { productId })
    let token = await addToCart(ctx, null, { variantId: deleted, quantity: 1 })
    token = await addToCart(ctx, token, { variantId: await addVariant(db), quantity: 1 })
    await db.updateTable('productVariants').set({ deletedAt: testDay }).where('id', '=', deleted).execute()
    const first = await getCart(ctx, token)
    expect(first.removedNames).toEqual(['Naproxen'])
    expect(first.cart.lines).toHaveLength(1)
    expect((await getCart(ctx, token)).removedNames).toEqual([])
  })

  test('setting a quantity to zero or less removes the line, also when repeated', async () => {
    const db = await openDb()
    const ctx = testContext(db)
    const variantId = await addVariant(db)
    for (const quantity of [0, -1]) {
      const token = await addToCart(ctx, null, { variantId, quantity: 2 })
      await setCartQuantity(ctx, token, { variantId, quantity })
      await setCartQuantity(ctx, token, { variantId, quantity })
      await removeFromCart(ctx, token, { variantId })
      expect(await quantities(ctx, token)).toEqual([])
    }
  })

  test.each([1.5, 1000, Number.NaN])('setting %s is rejected and changes nothing', async (quantity) => {
    const db = await openDb()
    const ctx = testContext(db)
    const variantId = await addVariant(db)
    const token = await addToCart(ctx, null, { variantId, quantity: 2 })
    await expect(setCartQuantity(ctx, token, { variantId, quantity })).rejects.toMatchObject({
      code: 'INVALID',
    })
    expect(await quantities(ctx, token)).toEqual([2])
  })

  test('when stock runs short, a quantity can be lowered but not raised', async () => {
    const db = await openDb()
    const ctx = testContext(db)
    const variantId = await addVariant(db)
    const token = await addToCart(ctx, null, { variantId, quantity: 10 })
    await db.updateTable('productVariants').set({ stockQuantity: 4 }).where('id', '=', variantId).execute()
    expect((await getCart(ctx, token)).cart.lines).toMatchObject([{ problem: 'Only 4 in stock.' }])
    await expect(setCartQuantity(ctx, token, { variantId, quantity: 11 })).rejects.toMatchObject({
      code: 'CONFLICT',
      message: 'Only 4 in stock.',
    })
    await setCartQuantity(ctx, token, { variantId, quantity: 6 })
    await setCartQuantity(ctx, token, { variantId, quantity: 3 })
    expect((await getCart(ctx, token)).cart.lines).toMatchObject([{ quantity: 3, problem: null }])
  })

  test('ten adds at the same moment all count', async () => {
    const db = await openDb()
    const ctx = testContext(db)
    const variantId = await addVariant(db)
    const token = await addToCart(ctx, null, { variantId, quantity: 1 })
    await Promise.all(Array.from({ length: 10 }, () => addToCart(ctx, token, { variantId, quantity: 1 })))
    expect(await quantities(ctx, token)).toEqual([11])
  })

  test('an import fills an empty cart once, with what can be bought', async () => {
    const db = await openDb()
    const ctx = testContext(db)
    const scarce = await addVariant(db, { stockQuantity: 2 })
    const soldOut = await addVariant(db, { inStock: false, stockQuantity: 0 })
    const lines = [
      { variantId: scarce, quantity: 5 },
      { variantId: soldOut, quantity: 1 },
      { variantId: newId(), quantity: 1 },
      { variantId: scarce, quantity: -1 },
    ]
    const first = await importCart(ctx, null, lines)
    expect(first.imported).toBe(1)
    expect(await quantities(ctx, first.token)).toEqual([2])
    expect(await importCart(ctx, first.token, lines)).toEqual({ token: null, imported: 0 })
    expect(await quantities(ctx, first.token)).toEqual([2])
  })

  test('an import without usable lines creates no cart', async () => {
    const db = await openDb()
    expect(await importCart(testContext(db), null, [{ variantId: 'x', quantity: 1 }])).toEqual({
      token: null,
      imported: 0,
    })
    expect(await db.selectFrom('carts').selectAll().execute()).toEqual([])
  })
})
