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
    openShopOf({ catalogue: 'empty', env: { ...provider.env, ...env } })

  const setOut = async (visitor: Visitor, returnTo = '/faq'): Promise<URL> =>
    new URL(locationOf(await visitor.get(`/api/login?returnTo=${encodeURIComponent(returnTo)}`)))

  /** There and back again; the answer of the callback. */
  const signIn = async (visitor: Visitor, person: Person): Promise<Response> => {
    const url = await setOut(visitor)
    return visitor.get(await provider.signIn(url.href, person))
  }
  const nobodySignedIn = async (shop: Shop, visitor: Visitor): Promise<void> => {
    expect(visitor.cookies.has('session')).toBe(false)
    expect(await shop.db.selectFrom('sessions').select('id').execute()).toEqual([])
  }

  test('Sign In leads to the provider with PKCE, state and nonce, and the first time an account is made', async () => {
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

    // The second time it is the same account, whatever the address is by then.
    const again = shop.visit()
    expect((await signIn(again, { ...zoe, email: 'zoe.new@customer.example' })).status).toBe(303)
    expect(await shop.db.selectFrom('users').select('id').execute()).toHaveLength(1)
    expect(JSON.stringify(shop.log)).not.toMatch(/zoe/i)
  })

  test('the pages about passwords are closed, and the page offers the provider', async () => {
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

  test('an answer is taken once, and by the browser that asked alone', async () => {
    const shop = await openShop()
    const visitor = shop.visit()
    const url = await setOut(visitor)
    const kept = visitor.cookies.get('sign-in') ?? ''
    const path = await provider.signIn(url.href, zoe)
    // Somebody else's browser, with none and with its own.
    for (const stranger of [shop.visit(), shop.visit()]) {
      const refused = await stranger.get(path)
      expect(refused.status).toBe(403)
      expect(await refused.text()).toContain('You’re not signed in')
      await nobodySignedIn(shop, stranger)
      await setOut(stranger)
      expect((await stranger.get(path)).status).toBe(403)
      await nobodySignedIn(shop, stranger)
    }
    expect((await visitor.get(path)).status).toBe(303)
    await visitor.get('/api/logout')
    visitor.cookies.set('sign-in', kept)
    const replayed = await visitor.get(path)
    expect(replayed.status).toBe(403)
    expect(await replayed.text()).toContain('This sign-in was used already')
    await nobodySignedIn(shop, visitor)
  })

  test.each(['state', 'nonce', 'code_challenge'])(
    'another %s than the browser’s is refused',
    async (name) => {
      const shop = await openShop()
      const visitor = shop.visit()
      const url = await setOut(visitor)
      url.searchParams.set(name, 'A'.repeat(43))
      const refused = await visitor.get(await provider.signIn(url.href, zoe))
      expect(refused.status).toBe(403)
      await nobodySignedIn(shop, visitor)
    },
  )

  test('a cookie that is old or of another’s making counts as none', async () => {
    let now = new Date()
    const shop = await openShopOf({ catalogue: 'empty', env: provider.env, now: () => now })
    const late = shop.visit()
    const path = await provider.signIn((await setOut(late)).href, zoe)
    now = new Date(now.getTime() + 601_000)
    expect((await late.get(path)).status).toBe(403)
    const forged = shop.visit()
    await setOut(forged)
    forged.cookies.set('sign-in', Buffer.from(JSON.stringify('v1.test.a.b.c')).toString('base64'))
    expect((await forged.get(path)).status).toBe(403)
  })

  test('who is not let in there is told so', async () => {
    const shop = await openShop()
    const visitor = shop.visit()
    const state = (await setOut(visitor)).searchParams.get('state') ?? ''
    const iss = encodeURIComponent(provider.env.OIDC_ISSUER)
    const refused = await visitor.get(`/login/callback?error=access_denied&state=${state}&iss=${iss}`)
    expect(refused.status).toBe(403)
    expect(await refused.text()).toContain('the sign-in was cancelled or not allowed')
  })

  test('an account that is there is linked when the provider has verified the address, and only then', async () => {
    const shop = await openShop()
    const userId = await makeUser(shop.db, { email: 'Zoe@customer.example' })
    const unverified = shop.visit()
    const { email_verified: _, ...silent } = zoe
    for (const person of [{ ...zoe, email_verified: false }, silent]) {
      const refused = await signIn(unverified, person)
      expect(refused.status).toBe(403)
      expect(await refused.text()).toContain('hasn’t verified that the address is yours')
      await nobodySignedIn(shop, unverified)
    }
    expect((await signIn(shop.visit(), zoe)).status).toBe(303)
    const [user, ...others] = await shop.db.selectFrom('users').selectAll().execute()
    expect(others).toEqual([])
    expect(user?.id).toBe(userId)
    expect(user?.oidcSubjectHash).not.toBeNull()
    // Another person there with the same address does not get it, verified or not.
    expect((await signIn(shop.visit(), { ...zoe, sub: 'zoe-2' })).status).toBe(403)
  })

  test('an account whose address nobody had confirmed is its owner’s alone from then on', async () => {
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

  test('a second factor of the shop’s own is asked for here, too', async () => {
    const shop = await openShop()
    const visitor = shop.visit()
    await signIn(visitor, zoe)
    await shop.db.updateTable('users').set({ totpConfirmedAt: new Date() }).execute()
    await visitor.get('/api/logout')
    const back = await signIn(visitor, zoe)
    expect(locationOf(back)).toBe('/login/verify?returnTo=%2Ffaq')
    expect(visitor.cookies.has('second-step')).toBe(true)
    await nobodySignedIn(shop, visitor)
  })

  test('who has no address there gets no account, and no page fails', async () => {
    const shop = await openShop()
    const refused = await signIn(shop.visit(), { sub: 'nameless' })
    expect(refused.status).toBe(403)
    expect(await refused.text()).toContain('tells us no email address')
    expect(await shop.db.selectFrom('users').select('id').execute()).toEqual([])
  })

  test('with the provider away it is 503 in words, and the shop goes on', async () => {
    const away = `http://localhost:${await freePort()}`
    const shop = await openShop({ OIDC_ISSUER: away })
    const response = await shop.visit().get('/api/login')
    expect(response.status).toBe(503)
    expect(response.headers.get('retry-after')).toBe('10')
    expect(await response.text()).toBe('Sign-in is unavailable for a moment. Please try again.')
    expect((await shop.visit().get('/products')).status).toBe(200)
  })

  test('without a provider there is no way back from one', async () => {
    const shop = await openShopOf({ catalogue: 'empty' })
    expect((await shop.visit().get('/login/callback?code=x&state=y')).status).toBe(404)
  })
})
