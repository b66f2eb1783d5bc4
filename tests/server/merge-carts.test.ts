import { maxLines, maxQuantity } from '#domain/cart/cart.ts'
import { completeSignIn } from '#server/accounts/complete-sign-in.ts'
import { addToCart, importCart, removeFromCart, setCartQuantity } from '#server/cart/update-cart.ts'
import { getCheckoutLines } from '#server/checkout/get-checkout-lines.ts'
import { getCart } from '#server/cart/get-cart.ts'
import type { Context } from '#server/context.ts'
import { makeUser } from '#tests/support/accounts.ts'
import { addProduct, addVariant } from '#tests/support/catalog.ts'
import { signedIn, testContext } from '#tests/support/context.ts'
import { eachEngine } from '#tests/support/engines.ts'
import { expect, test } from 'vitest'

const as = (ctx: Context, userId: string): Context => ({ ...ctx, user: signedIn(userId) })
const linesOf = async (ctx: Context, token: string | null = null) =>
  new Map((await getCart(ctx, token)).cart.lines.map((line) => [line.variant.id, line.quantity]))
const signIn = (ctx: Context, userId: string, cartToken: string | null) =>
  completeSignIn(ctx, { userId, hasGivenFactor: false, userAgent: null, cartToken })

eachEngine((_engine, openDb) => {
  test('a visitor’s cart becomes the account’s, and its cookie becomes invalid', async () => {
    const db = await openDb()
    const ctx = testContext(db)
    const userId = await makeUser(db)
    const variantId = await addVariant(db)
    const cartToken = await addToCart(ctx, null, { variantId, quantity: 2 })
    expect((await signIn(ctx, userId, cartToken)).joinedLines).toBe(1)
    expect(await linesOf(as(ctx, userId))).toEqual(new Map([[variantId, 2]]))
    expect(await linesOf(ctx, cartToken)).toEqual(new Map())
    // A second merge does nothing.
    expect((await signIn(ctx, userId, cartToken)).joinedLines).toBe(0)
    expect(await linesOf(as(ctx, userId))).toEqual(new Map([[variantId, 2]]))
  })

  test('two carts are merged line by line, up to the stock and the maximum number of lines', async () => {
    const db = await openDb()
    const ctx = testContext(db)
    const userId = await makeUser(db)
    const [both, scarce, endless, own, guest] = [
      await addVariant(db),
      await addVariant(db, { stockQuantity: 5 }),
      await addVariant(db, { trackInventory: false }),
      await addVariant(db),
      await addVariant(db),
    ]
    const user = as(ctx, userId)
    for (const [variantId, quantity] of [
      [both, 3],
      [scarce, 4],
      [endless, 998],
      [own, 1],
    ] as const)
      expect(await addToCart(user, null, { variantId, quantity })).toBeNull()
    let cartToken: string | null = null
    for (const [variantId, quantity] of [
      [both, 2],
      [scarce, 4],
      [endless, 7],
      [guest, 6],
    ] as const)
      cartToken = await addToCart(ctx, cartToken, { variantId, quantity })
    expect((await signIn(ctx, userId, cartToken)).joinedLines).toBe(4)
    expect(await linesOf(user)).toEqual(
      new Map([
        [both, 5],
        [scarce, 5],
        [endless, maxQuantity],
        [own, 1],
        [guest, 6],
      ]),
    )
    expect(await db.selectFrom('carts').select('id').execute()).toEqual([])
  })

  test('a merged line keeps the price that the customer saw, so that checkout asks about a new one', async () => {
    const db = await openDb()
    const ctx = testContext(db)
    const userId = await makeUser(db)
    const user = as(ctx, userId)
    const [both, guest] = [
      await addVariant(db, { priceCents: 500 }),
      await addVariant(db, { priceCents: 500 }),
    ]
    await addToCart(user, null, { variantId: both, quantity: 1 })
    let cartToken = await addToCart(ctx, null, { variantId: both, quantity: 1 })
    cartToken = await addToCart(ctx, cartToken, { variantId: guest, quantity: 1 })
    await db.updateTable('productVariants').set({ priceCents: 900 }).execute()
    expect((await signIn(ctx, userId, cartToken)).joinedLines).toBe(2)
    expect((await getCheckoutLines(user)).lines).toMatchObject([
      { quantity: 2, priceCents: 900, priceNote: 'The price was $5.00 when you added it.' },
      { quantity: 1, priceCents: 900, priceNote: 'The price was $5.00 when you added it.' },
    ])
  })

  test('a full cart accepts more of its items but no new ones', async () => {
    const db = await openDb()
    const ctx = testContext(db)
    const userId = await makeUser(db)
    const productId = await addProduct(db)
    const variants: string[] = []
    for (let i = 0; i < maxLines; i++) variants.push(await addVariant(db, { productId }))
    await importCart(
      as(ctx, userId),
      null,
      variants.map((variantId) => ({ variantId, quantity: 1 })),
    )
    const [held = ''] = variants
    let cartToken = await addToCart(ctx, null, { variantId: held, quantity: 2 })
    cartToken = await addToCart(ctx, cartToken, { variantId: await addVariant(db), quantity: 1 })
    expect((await signIn(ctx, userId, cartToken)).joinedLines).toBe(1)
    const lines = await linesOf(as(ctx, userId))
    expect(lines.size).toBe(maxLines)
    expect(lines.get(held)).toBe(3)
  })

  test('two concurrent sign-ins and a repeated form merge each cart once', async () => {
    const db = await openDb()
    const ctx = testContext(db)
    const userId = await makeUser(db)
    const variantId = await addVariant(db)
    const tokens = await Promise.all([1, 2].map(() => addToCart(ctx, null, { variantId, quantity: 1 })))
    await Promise.all([...tokens, ...tokens].map((token) => signIn(ctx, userId, token)))
    expect(await linesOf(as(ctx, userId))).toEqual(new Map([[variantId, 2]]))
    expect(await db.selectFrom('carts').select('id').execute()).toEqual([])
    expect(await db.selectFrom('sessions').select('id').execute()).toHaveLength(4)
  })

  test('a browser that signs in two users at once merges its cart into one account', async () => {
    const db = await openDb()
    const ctx = testContext(db)
    const users = [await makeUser(db), await makeUser(db)]
    const variantId = await addVariant(db)
    for (let round = 1; round <= 5; round++) {
      const cartToken = await addToCart(ctx, null, { variantId, quantity: 1 })
      const answers = await Promise.all(users.map((userId) => signIn(ctx, userId, cartToken)))
      expect(answers.map(({ joinedLines }) => joinedLines).toSorted((a, b) => a - b)).toEqual([0, 1])
      const carts = await Promise.all(users.map((userId) => linesOf(as(ctx, userId))))
      expect(carts.reduce((sum, lines) => sum + (lines.get(variantId) ?? 0), 0)).toBe(round)
    }
  })

  test('a failed sign-in leaves the visitor’s cart unchanged', async () => {
    const db = await openDb()
    const ctx = testContext(db)
    const variantId = await addVariant(db)
    const cartToken = await addToCart(ctx, null, { variantId, quantity: 2 })
    await expect(signIn(ctx, '019a7c1e-0000-7000-8000-000000000000', cartToken)).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
    expect(await linesOf(ctx, cartToken)).toEqual(new Map([[variantId, 2]]))
  })

  test('an account has its own single cart in every browser, whatever the cookie', async () => {
    const db = await openDb()
    const ctx = testContext(db)
    const [one, other] = [as(ctx, await makeUser(db)), as(ctx, await makeUser(db))]
    const variantId = await addVariant(db)
    const guestToken = await addToCart(ctx, null, { variantId, quantity: 9 })
    // Two first adds at once make one cart.
    await Promise.all([1, 2].map(() => addToCart(one, guestToken, { variantId, quantity: 1 })))
    expect(await linesOf(one, guestToken)).toEqual(new Map([[variantId, 2]]))
    expect(await linesOf(one)).toEqual(new Map([[variantId, 2]]))
    expect(await linesOf(other, guestToken)).toEqual(new Map())
    await setCartQuantity(other, guestToken, { variantId, quantity: 5 })
    await removeFromCart(other, guestToken, { variantId })
    expect(await linesOf(ctx, guestToken)).toEqual(new Map([[variantId, 9]]))
    await setCartQuantity(one, null, { variantId, quantity: 7 })
    expect(await linesOf(one)).toEqual(new Map([[variantId, 7]]))
  })

  test('signing in over another user’s session ends it and keeps that user’s cart', async () => {
    const db = await openDb()
    const ctx = testContext(db)
    const [before, after] = [await makeUser(db), await makeUser(db)]
    const variantId = await addVariant(db)
    await addToCart(as(ctx, before), null, { variantId, quantity: 2 })
    await signIn(ctx, before, null)
    const session = await db.selectFrom('sessions').select('id').executeTakeFirstOrThrow()
    await signIn({ ...ctx, user: signedIn(before, { sessionId: session.id }) }, after, null)
    expect(await db.selectFrom('sessions').select('userId').execute()).toEqual([{ userId: after }])
    expect(await linesOf(as(ctx, after))).toEqual(new Map())
    expect(await linesOf(as(ctx, before))).toEqual(new Map([[variantId, 2]]))
  })
})
