import { testDay } from '#tests/support/catalog.ts'
import { findAvailableVariants } from '#tests/support/demo-catalog.ts'
import { eachShop } from '#tests/support/shop.ts'
import {
  email,
  headingOf,
  inputOf,
  isSignedIn,
  locationOf,
  makeZoe,
  password,
  signIn,
  htmlWithoutScripts,
} from '#tests/support/sign-in-pages.ts'
import { expect, test } from 'vitest'

eachShop((openShopOf) => {
  const openShop: typeof openShopOf = (options) => openShopOf({ catalog: 'empty', ...options })

  test('the sign-in pages have their labels, autocomplete tokens and no canonical URL', async () => {
    const shop = await openShop()
    const fields = {
      '/login': [
        ['email', 'Email', 'username'],
        ['password', 'Password', 'current-password'],
      ],
      '/register': [
        ['firstName', 'First name', 'given-name'],
        ['lastName', 'Last name', 'family-name'],
        ['email', 'Email', 'username'],
        ['password', 'Password', 'new-password'],
      ],
      '/forgot-password': [['email', 'Email', 'username']],
    } as const
    const buttons = {
      '/login': 'Sign In',
      '/register': 'Create account',
      '/forgot-password': 'Send reset link',
    }
    for (const [path, labels] of Object.entries(fields)) {
      const html = await htmlWithoutScripts(await shop.visit().get(path))
      for (const [id, label, token] of labels) {
        expect(html, path).toMatch(new RegExp(`<label for="${id}"[^>]*>${label}</label>`))
        expect(inputOf(html, id), path).toContain(`autoComplete="${token}"`)
      }
      expect(html).toMatch(/<form [^>]*novalidate/i)
      expect(html).toMatch(new RegExp(`<button[^>]*>${buttons[path as keyof typeof buttons]}</button>`))
      expect(html).toContain('<meta name="robots" content="noindex"')
    }
  })

  test('a user who signs in is redirected and shown in the header, without further data', async () => {
    const shop = await openShop()
    await makeZoe(shop)
    const visitor = shop.visit()
    const page = await (await visitor.get('/login?returnTo=%2Ffaq%3Fa%3Db')).text()
    const returnTo = /name="returnTo" value="([^"]*)"/.exec(page.split('<main')[1] ?? '')?.[1] ?? ''
    const response = await signIn(visitor, { email: ' ZOE@customer.example ', returnTo })
    expect([response.status, locationOf(response)]).toEqual([303, '/faq?a=b'])
    expect(response.headers.get('cache-control')).toBe('private, no-store')
    const cookie = response.headers.getSetCookie().find((line) => line.startsWith('session='))
    expect(cookie).toMatch(/; Max-Age=43200; Path=\/; HttpOnly; SameSite=Lax$/)
    const faq = await visitor.get('/faq')
    expect(faq.headers.get('cache-control')).toBe('private, no-store')
    expect(faq.headers.get('etag')).toBeNull()
    const html = await faq.text()
    expect(html).toContain('Zoë O’Hara')
    const menu = [
      ...html.matchAll(/<a[^>]*href="([^"]*)"[^>]*>(My Profile|Order History|My Prescriptions)</g),
    ]
    expect(menu.map(([, path]) => path)).toEqual(['/profile', '/order-history', '/prescriptions'])
    expect(html).toMatch(/<form [^>]*action="\/api\/logout"[^>]*><button[^>]*>Log out</)
    expect(html).not.toContain('Admin Dashboard')
    expect(html).not.toContain('>Sign In<')
    const { id, passwordHash: stored } = await shop.db
      .selectFrom('users')
      .selectAll()
      .executeTakeFirstOrThrow()
    expect(html).not.toContain(id)
    expect(html).not.toContain(stored)
    // Signed-in users are redirected away from the sign-in pages.
    for (const path of ['/login', '/register']) {
      const again = await visitor.get(`${path}?returnTo=%2Fbrands`)
      expect([again.status, locationOf(again)], path).toEqual([302, '/brands'])
    }
  })

  test('an account without a name is "Account", and an admin sees the dashboard link', async () => {
    const shop = await openShop()
    await makeZoe(shop, { firstName: null, lastName: null, isAdmin: true })
    const visitor = shop.visit()
    await signIn(visitor)
    const html = await htmlWithoutScripts(await visitor.get('/faq'))
    expect(html).toMatch(/<b[^>]*>Account<\/b>/)
    expect(html).toMatch(/>Z<\/span>/)
    expect(html).toMatch(/<a[^>]*href="\/admin"[^>]*>Admin Dashboard</)
  })

  test('a wrong password and an unknown address get the same page, which keeps the email only', async () => {
    const shop = await openShop()
    await makeZoe(shop)
    const pages: string[] = []
    for (const address of [email, 'unknown@customer.example']) {
      const visitor = shop.visit()
      const typed = 'a wrong one, typed <here>'
      const response = await signIn(visitor, { email: address, password: typed, returnTo: '/faq' })
      expect(response.status).toBe(422)
      expect(visitor.cookies.has('session')).toBe(false)
      const html = await response.text()
      expect(html).not.toContain('typed &lt;here&gt;')
      expect(html).not.toContain('a wrong one')
      const page = html.replace(/<script\b[\s\S]*?<\/script>/g, '')
      expect(page).toMatch(/role="alert"[^>]*>\s*<p[^>]*>The email or password is incorrect\./)
      expect(inputOf(page, 'email')).toContain(`value="${address}"`)
      expect(page).toContain('name="returnTo" value="/faq"')
      pages.push(page.replaceAll(address, '…').replace(/nonce="[^"]*"/g, ''))
    }
    expect(pages[0]).toBe(pages[1])
    const empty = await signIn(shop.visit(), { email: '', password: '' })
    expect(empty.status).toBe(422)
    const html = await htmlWithoutScripts(empty)
    expect(html).toMatch(/<a href="#email"[^>]*>Enter your email address\.</)
    expect(html).toMatch(/<a href="#password"[^>]*>Enter your password\.</)
  })

  test('after ten wrong passwords even the right one gets a 429 with Retry-After', async () => {
    const shop = await openShop({ now: () => testDay })
    await makeZoe(shop)
    for (let i = 0; i < 10; i++) expect((await signIn(shop.visit(), { password: 'wrong' })).status).toBe(422)
    const refused = await signIn(shop.visit())
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '900'])
    expect(await htmlWithoutScripts(refused)).toContain('Too many requests. Try again in 15 minutes.')
    expect((await signIn(shop.visit(), { email: 'another@customer.example' })).status).toBe(422)
  })

  test('the owner’s browser signs in although others have locked the account', async () => {
    const shop = await openShop()
    await makeZoe(shop)
    const [owner, stranger] = [shop.visit(), shop.visit()]
    const [, device = ''] = (await signIn(owner)).headers.getSetCookie()
    expect(device).toMatch(/^device=[^;]+; Max-Age=15552000; Path=\/; HttpOnly; SameSite=Lax$/)
    await owner.post('/api/logout', {})
    expect([...owner.cookies.keys()]).toEqual(['device'])
    // The shop's pages do not depend on this cookie.
    const page = await owner.get('/faq')
    expect([page.headers.get('cache-control'), page.headers.has('etag')]).toEqual(['no-cache', true])
    for (let i = 0; i < 10; i++) expect((await signIn(stranger, { password: 'wrong' })).status).toBe(422)
    expect((await signIn(stranger)).status).toBe(429)
    owner.cookies.set('device', `${owner.cookies.get('device')}x`)
    expect((await signIn(owner)).status).toBe(429)
    owner.cookies.set('device', device.slice('device='.length).split(';')[0] ?? '')
    expect((await signIn(owner)).status).toBe(303)
    expect(await isSignedIn(owner)).toBe(true)
  })

  test.each([
    '//evil.example',
    'https://evil.example/',
    '/\\evil.example',
    '/api/logout',
    '/%61pi/log%6fut',
    '/login?returnTo=/login',
    '',
  ])('signing in never redirects to another site or to sign-out: %j', async (returnTo) => {
    const shop = await openShop()
    await makeZoe(shop)
    const response = await signIn(shop.visit(), { returnTo })
    expect([response.status, locationOf(response)]).toEqual([303, '/'])
  })

  test('a session token from before signing in stops working', async () => {
    const shop = await openShop()
    await makeZoe(shop)
    const visitor = shop.visit()
    await signIn(visitor)
    const stolen = visitor.cookies.get('session') ?? ''
    // A second sign-in in the same browser ends the previous token, as it would a planted one.
    await signIn(visitor)
    expect(visitor.cookies.get('session')).not.toBe(stolen)
    const thief = shop.visit()
    thief.cookies.set('session', stolen)
    expect(await isSignedIn(thief)).toBe(false)
    const planted = btoa(JSON.stringify('A'.repeat(43)))
    const victim = shop.visit()
    victim.cookies.set('session', planted)
    await signIn(victim)
    thief.cookies.set('session', planted)
    expect(await isSignedIn(victim)).toBe(true)
    expect(await isSignedIn(thief)).toBe(false)
  })

  test('signing out ends the session; another site’s link, image or form does not', async () => {
    const shop = await openShop()
    await makeZoe(shop)
    const visitor = shop.visit()
    await signIn(visitor)
    const cookie = visitor.cookies.get('session') ?? ''
    const unintendedRequests: Record<string, string>[] = [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'same-origin', 'sec-purpose': 'prefetch' },
    ]
    for (const headers of unintendedRequests) {
      const response = await visitor.get('/api/logout', headers)
      expect([response.status, locationOf(response)]).toEqual([302, '/'])
      expect(await isSignedIn(visitor)).toBe(true)
    }
    expect((await visitor.post('/api/logout', {}, { 'sec-fetch-site': 'cross-site' })).status).toBe(403)
    expect((await visitor.request('/api/logout', { method: 'DELETE' })).status).toBe(405)
    expect(await isSignedIn(visitor)).toBe(true)

    const out = await visitor.get('/api/logout', { 'sec-fetch-site': 'same-origin' })
    expect([out.status, locationOf(out)]).toEqual([302, '/'])
    expect(visitor.cookies.has('session')).toBe(false)
    visitor.cookies.set('session', cookie)
    expect((await visitor.get('/api/auth/user')).status).toBe(401)
    // Signing out twice is harmless.
    expect((await visitor.get('/api/logout')).status).toBe(302)

    await signIn(visitor)
    const posted = await visitor.post('/api/logout', {})
    expect([posted.status, locationOf(posted)]).toEqual([303, '/'])
    expect(await isSignedIn(visitor)).toBe(false)
  })

  test('on https the cookie is bound to the host', async () => {
    const shop = await openShop({ mode: 'production', env: { PUBLIC_ORIGIN: 'https://shop.example' } })
    await makeZoe(shop)
    const [cookie = ''] = (await signIn(shop.visit())).headers.getSetCookie()
    expect(cookie).toMatch(/^__Host-session=[^;]+; Max-Age=43200; Path=\/; HttpOnly; Secure; SameSite=Lax$/)
  })

  test('with a second factor the password alone does not sign in', async () => {
    const shop = await openShop()
    await makeZoe(shop)
    await shop.db.updateTable('users').set({ totpConfirmedAt: new Date() }).execute()
    const visitor = shop.visit()
    const response = await signIn(visitor, { returnTo: '/faq' })
    expect([response.status, locationOf(response)]).toEqual([303, '/login/verify?returnTo=%2Ffaq'])
    expect(response.headers.getSetCookie().join()).toMatch(
      /^second-step=[^;]+; Max-Age=600; .*HttpOnly; SameSite=Lax$/,
    )
    expect(await isSignedIn(visitor)).toBe(false)
    expect(await shop.db.selectFrom('sessions').select('id').execute()).toEqual([])
  })

  test('a visitor’s cart joins the account, follows it to other browsers, and stays after sign-out', async () => {
    const shop = await openShop({ catalog: 'demo' })
    await makeZoe(shop)
    const [{ variantId, name }] = await findAvailableVariants(shop.db)
    const visitor = shop.visit()
    await visitor.post('/cart', { variantId, quantity: '2' })
    const guestCart = visitor.cookies.get('cart')
    await signIn(visitor)
    expect(visitor.cookies.has('cart')).toBe(false)
    const cart = await htmlWithoutScripts(await visitor.get('/cart'))
    expect(cart).toContain('Your cart was saved')
    expect(cart).toContain('Shopping Cart (2 items)')
    expect(cart).toContain(name)
    const elsewhere = shop.visit()
    await elsewhere.post('/cart', { variantId, quantity: '1' })
    await signIn(elsewhere)
    expect(await htmlWithoutScripts(await elsewhere.get('/cart'))).toContain('Shopping Cart (3 items)')
    const third = shop.visit()
    await signIn(third)
    expect(await htmlWithoutScripts(await third.get('/cart'))).not.toContain('Your cart was saved')
    // Items added while signed in belong to the account: no cart cookie is set.
    expect((await third.post('/cart', { variantId, quantity: '1' })).status).toBe(303)
    expect(third.cookies.has('cart')).toBe(false)
    await visitor.post('/api/logout', {})
    expect(await htmlWithoutScripts(await visitor.get('/cart'))).toContain('Your cart is empty')
    // The visitor's cart cookie no longer works.
    if (guestCart) visitor.cookies.set('cart', guestCart)
    expect(await htmlWithoutScripts(await visitor.get('/cart'))).toContain('Your cart is empty')
    expect(await htmlWithoutScripts(await elsewhere.get('/cart'))).toContain('Shopping Cart (4 items)')
  })

  test('registering keeps the cart, and the next user of the browser does not get it', async () => {
    const shop = await openShop({ catalog: 'demo' })
    await makeZoe(shop)
    const [{ variantId }] = await findAvailableVariants(shop.db)
    const visitor = shop.visit()
    await visitor.post('/cart', { variantId, quantity: '2' })
    await visitor.post('/register', { email: 'new@customer.example', password })
    expect(await htmlWithoutScripts(await visitor.get('/cart'))).toContain('Shopping Cart (2 items)')
    await signIn(visitor)
    expect(await htmlWithoutScripts(await visitor.get('/cart'))).toContain('Your cart is empty')
  })

  test('a signed-in user sees no sign-in prompt on any page', async () => {
    const shop = await openShop({ catalog: 'demo' })
    await makeZoe(shop)
    const visitor = shop.visit()
    await signIn(visitor)
    for (const [path, heading] of [
      ['/orders', 'My Orders'],
      ['/order-history', 'Order History'],
    ] as const) {
      const html = await htmlWithoutScripts(await visitor.get(path))
      expect(headingOf(html), path).toBe(heading)
      expect(html, path).toContain('No orders yet')
      expect(html, path).not.toContain('/api/login')
    }
    const missing = await visitor.get('/orders/1')
    expect(missing.status).toBe(404)
    expect(await htmlWithoutScripts(missing)).not.toContain('/api/login')
    const toastAfter = async (): Promise<string> => {
      expect(locationOf(await visitor.get('/checkout'))).toBe('/')
      return htmlWithoutScripts(await visitor.get('/faq'))
    }
    expect(await toastAfter()).toContain('Cart is Empty')
    const [{ variantId }] = await findAvailableVariants(shop.db)
    await visitor.post('/cart', { variantId, quantity: '1' })
    expect((await visitor.get('/checkout')).status).toBe(200)
  })

  test('the log contains no sign-in secrets', async () => {
    const shop = await openShop()
    await makeZoe(shop)
    const visitor = shop.visit()
    await signIn(visitor, { password: 'mistyped' })
    await signIn(visitor)
    await visitor.get('/faq')
    const token = visitor.cookies.get('session') ?? ''
    expect(token).not.toBe('')
    const log = JSON.stringify(shop.log)
    for (const secret of [email, password, 'mistyped', token, atob(decodeURIComponent(token)).slice(1, -1)]) {
      expect(log).not.toContain(secret)
    }
  })
})
