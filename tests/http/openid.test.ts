import { makeUser, signInAs } from '#tests/support/accounts.ts'
import { freePort } from '#tests/support/free-port.ts'
import { startOidcProvider, type Person, type TestProvider } from '#tests/support/oidc-provider.ts'
import { eachShop, type Shop, type Visitor } from '#tests/support/shop.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

const zoe: Person = {
  sub: 'zoe-1',
  email: 'zoe@customer.example',
  email_verified: true,
  given_name: 'Zoë',
  family_name: 'O’Hara',
}

const locationOf = (response: Response): string => response.headers.get('location') ?? ''

eachShop((openShopOf) => {
  let provider: TestProvider
  beforeAll(async () => {
    provider = await startOidcProvider()
  })
  afterAll(() => provider.close())

  const openShop = (env: Record<string, string> = {}) =>
    openShopOf({ catalog: 'empty', env: { ...provider.env, ...env } })

  const setOut = async (visitor: Visitor, returnTo = '/faq'): Promise<URL> =>
    new URL(locationOf(await visitor.get(`/api/login?returnTo=${encodeURIComponent(returnTo)}`)))

  /** Signs in at the provider; returns the response of the callback. */
  const signIn = async (visitor: Visitor, person: Person): Promise<Response> => {
    const url = await setOut(visitor)
    return visitor.get(await provider.signIn(url.href, person))
  }
  const expectSignedOut = async (shop: Shop, visitor: Visitor): Promise<void> => {
    expect(visitor.cookies.has('session')).toBe(false)
    expect(await shop.db.selectFrom('sessions').select('id').execute()).toEqual([])
  }

  test('Sign In redirects with PKCE, state and nonce, and the first sign-in creates an account', async () => {
    const shop = await openShop()
    const visitor = shop.visit()
    const url = await setOut(visitor)
    expect(url.origin).toBe(provider.env.OIDC_ISSUER)
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      response_type: 'code',
      client_id: 'meridian',
      redirect_uri: 'http://localhost:3000/login/callback',
      code_challenge_method: 'S256',
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
    })
    const back = await visitor.get(await provider.signIn(url.href, zoe))
    expect(back.status).toBe(303)
    expect(locationOf(back)).toBe('/faq')
    expect(visitor.cookies.has('sign-in')).toBe(false)
    const html = await (await visitor.get('/faq')).text()
    expect(html).toContain('Zoë O’Hara')
    expect(html).toContain('zoe@customer.example')
    const user = await shop.db.selectFrom('users').selectAll().executeTakeFirstOrThrow()
    expect(user.passwordHash).toBeNull()
    expect(user.emailConfirmedAt).not.toBeNull()

    // A second sign-in uses the same account, even with another address.
    const again = shop.visit()
    expect((await signIn(again, { ...zoe, email: 'zoe.new@customer.example' })).status).toBe(303)
    expect(await shop.db.selectFrom('users').select('id').execute()).toHaveLength(1)
    expect(JSON.stringify(shop.log)).not.toMatch(/zoe/i)
  })

  test('the password pages are closed, and the sign-in page offers the provider', async () => {
    const shop = await openShop()
    const html = await (await shop.visit().get('/login?returnTo=%2Forders')).text()
    expect(html).toContain('href="/api/login?returnTo=%2Forders"')
    expect(html).not.toContain('type="password"')
    for (const path of ['/register', '/forgot-password', '/reset-password?token=x']) {
      const response = await shop.visit().get(path)
      expect([response.status, locationOf(response)], path).toEqual([302, '/login'])
    }
    await makeUser(shop.db, { email: 'a@customer.example' })
    for (const path of ['/login', '/register', '/forgot-password', '/reset-password']) {
      const fields = { email: 'a@customer.example', password: 'a long enough one', token: 'x' }
      expect((await shop.visit().post(path, fields)).status, path).toBe(404)
    }
  })

  test('a callback works once, and only in the browser that started the sign-in', async () => {
    const shop = await openShop()
    const visitor = shop.visit()
    const url = await setOut(visitor)
    const signInCookie = visitor.cookies.get('sign-in') ?? ''
    const path = await provider.signIn(url.href, zoe)
    // Another browser, without a cookie and with its own.
    for (const stranger of [shop.visit(), shop.visit()]) {
      const refused = await stranger.get(path)
      expect(refused.status).toBe(403)
      expect(await refused.text()).toContain('You’re not signed in')
      await expectSignedOut(shop, stranger)
      await setOut(stranger)
      expect((await stranger.get(path)).status).toBe(403)
      await expectSignedOut(shop, stranger)
    }
    expect((await visitor.get(path)).status).toBe(303)
    await visitor.get('/api/logout')
    visitor.cookies.set('sign-in', signInCookie)
    const replayed = await visitor.get(path)
    expect(replayed.status).toBe(403)
    expect(await replayed.text()).toContain('This sign-in has expired, was already used')
    await expectSignedOut(shop, visitor)
  })

  test.each(['state', 'nonce', 'code_challenge'])(
    'a %s other than the browser’s is refused',
    async (name) => {
      const shop = await openShop()
      const visitor = shop.visit()
      const url = await setOut(visitor)
      url.searchParams.set(name, 'A'.repeat(43))
      const refused = await visitor.get(await provider.signIn(url.href, zoe))
      expect(refused.status).toBe(403)
      await expectSignedOut(shop, visitor)
    },
  )

  test('an ID token that another key signed is refused', async () => {
    const forging = await startOidcProvider({ publishedKey: 'another' })
    try {
      const shop = await openShopOf({ catalog: 'empty', env: forging.env })
      const visitor = shop.visit()
      const url = locationOf(await visitor.get('/api/login'))
      expect((await visitor.get(await forging.signIn(url, zoe))).status).toBe(403)
      await expectSignedOut(shop, visitor)
    } finally {
      await forging.close()
    }
  })

  test('an expired or forged cookie is ignored', async () => {
    let now = new Date()
    const shop = await openShopOf({ catalog: 'empty', env: provider.env, now: () => now })
    const late = shop.visit()
    const path = await provider.signIn((await setOut(late)).href, zoe)
    now = new Date(now.getTime() + 601_000)
    expect((await late.get(path)).status).toBe(403)
    const forged = shop.visit()
    await setOut(forged)
    forged.cookies.set('sign-in', Buffer.from(JSON.stringify('v1.test.a.b.c')).toString('base64'))
    expect((await forged.get(path)).status).toBe(403)
  })

  test('a refusal by the provider is reported', async () => {
    const shop = await openShop()
    const visitor = shop.visit()
    const state = (await setOut(visitor)).searchParams.get('state') ?? ''
    const iss = encodeURIComponent(provider.env.OIDC_ISSUER)
    const refused = await visitor.get(`/login/callback?error=access_denied&state=${state}&iss=${iss}`)
    expect(refused.status).toBe(403)
    expect(await refused.text()).toContain('The sign-in was canceled or not allowed')
  })

  test('an existing account is linked only when the provider has verified the address', async () => {
    const shop = await openShop()
    const userId = await makeUser(shop.db, { email: 'Zoe@customer.example' })
    const unverified = shop.visit()
    const { email_verified: _, ...silent } = zoe
    for (const person of [{ ...zoe, email_verified: false }, silent]) {
      const refused = await signIn(unverified, person)
      expect(refused.status).toBe(403)
      expect(await refused.text()).toContain('hasn’t verified that the address is yours')
      await expectSignedOut(shop, unverified)
    }
    expect((await signIn(shop.visit(), zoe)).status).toBe(303)
    const [user, ...others] = await shop.db.selectFrom('users').selectAll().execute()
    expect(others).toEqual([])
    expect(user?.id).toBe(userId)
    expect(user?.oidcSubjectHash).not.toBeNull()
    // Another identity with the same address does not get the account, verified or not.
    expect((await signIn(shop.visit(), { ...zoe, sub: 'zoe-2' })).status).toBe(403)
  })

  test('linking an account with an unconfirmed address removes its other credentials', async () => {
    const shop = await openShop()
    const userId = await makeUser(shop.db, {
      email: 'zoe@customer.example',
      emailConfirmed: false,
      passwordHash: 'whoever was first',
    })
    const squatter = shop.visit()
    await signInAs(squatter, shop.db, userId)
    await shop.db
      .updateTable('users')
      .set({ totpConfirmedAt: new Date(), sealedTotpSecret: 'theirs' })
      .where('id', '=', userId)
      .execute()
    const back = await signIn(shop.visit(), zoe)
    expect([back.status, locationOf(back)]).toEqual([303, '/faq'])
    expect(await (await squatter.get('/')).text()).not.toContain('zoe@customer.example')
    expect(await shop.db.selectFrom('users').selectAll().executeTakeFirstOrThrow()).toMatchObject({
      passwordHash: null,
      totpConfirmedAt: null,
      sealedTotpSecret: null,
      emailConfirmedAt: expect.any(Date),
    })
  })

  test('the shop’s second factor is required here too', async () => {
    const shop = await openShop()
    const visitor = shop.visit()
    await signIn(visitor, zoe)
    await shop.db.updateTable('users').set({ totpConfirmedAt: new Date() }).execute()
    await visitor.get('/api/logout')
    const back = await signIn(visitor, zoe)
    expect(locationOf(back)).toBe('/login/verify?returnTo=%2Ffaq')
    expect(visitor.cookies.has('second-step')).toBe(true)
    await expectSignedOut(shop, visitor)
  })

  test('an identity without an address gets no account and no failing page', async () => {
    const shop = await openShop()
    const refused = await signIn(shop.visit(), { sub: 'nameless' })
    expect(refused.status).toBe(403)
    expect(await refused.text()).toContain('didn’t share an email address')
    expect(await shop.db.selectFrom('users').select('id').execute()).toEqual([])
  })

  test('an unreachable provider is a 503 with a message, and the shop keeps running', async () => {
    const unreachable = `http://localhost:${await freePort()}`
    const shop = await openShop({ OIDC_ISSUER: unreachable })
    const response = await shop.visit().get('/api/login')
    expect(response.status).toBe(503)
    expect(response.headers.get('retry-after')).toBe('10')
    expect(await response.text()).toBe('Sign-in is temporarily unavailable. Try again.')
    expect((await shop.visit().get('/products')).status).toBe(200)
  })

  test('without a provider the callback is not found', async () => {
    const shop = await openShopOf({ catalog: 'empty' })
    expect((await shop.visit().get('/login/callback?code=x&state=y')).status).toBe(404)
  })
})
