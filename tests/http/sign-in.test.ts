import { hashPassword } from '#server/accounts/passwords.ts'
import { testDay } from '#tests/support/catalog.ts'
import { makeUser, signInAs } from '#tests/support/accounts.ts'
import { findAvailableVariants } from '#tests/support/demo-catalog.ts'
import { eachShop, type Shop, type Visitor } from '#tests/support/shop.ts'
import { expect, test } from 'vitest'

const email = 'zoe@customer.example'
const password = 'correct horse battery'
const passwordHash = await hashPassword(password)

const locationOf = (response: Response): string => response.headers.get('location') ?? ''

/** The page without its scripts, as a browser without JavaScript shows it. */
const seen = async (response: Response): Promise<string> =>
  (await response.text()).replace(/<script\b[\s\S]*?<\/script>/g, '')

const headingOf = (html: string): string => /<h1\b[^>]*>([\s\S]*?)<\/h1>/.exec(html)?.[1] ?? ''

/** The input with this id. */
const inputOf = (html: string, id: string): string =>
  new RegExp(`<input [^>]*id="${id}"[^>]*>`).exec(html)?.[0] ?? ''

const mailedLinks = async (visitor: Visitor, page: string): Promise<string[]> => {
  const html = await (await visitor.get('/demo/outbox')).text()
  return [...new Set(html.match(new RegExp(`/${page}\\?token=[\\w-]{43}`, 'g')))]
}

eachShop((openShopOf) => {
  const openShop: typeof openShopOf = (options) => openShopOf({ catalog: 'empty', ...options })
  const makeZoe = (shop: Shop, overrides = {}) => makeUser(shop.db, { email, passwordHash, ...overrides })
  const signIn = (visitor: Visitor, fields = {}) => visitor.post('/login', { email, password, ...fields })
  const isSignedIn = async (visitor: Visitor): Promise<boolean> =>
    (await visitor.get('/api/auth/user')).status === 200

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
      const html = await seen(await shop.visit().get(path))
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
    const html = await seen(await visitor.get('/faq'))
    expect(html).toMatch(/<b[^>]*>Account<\/b>/)
    expect(html).toMatch(/>Z<\/span>/)
    expect(html).toMatch(/<a[^>]*href="\/admin"[^>]*>Admin Dashboard</)
  })

  test('a wrong password and an unknown address get the same page, which keeps the email only', async () => {
    const shop = await openShop()
    await makeZoe(shop)
    const pages: string[] = []
    for (const who of [email, 'nobody@customer.example']) {
      const visitor = shop.visit()
      const typed = 'a wrong one, typed <here>'
      const response = await signIn(visitor, { email: who, password: typed, returnTo: '/faq' })
      expect(response.status).toBe(422)
      expect(visitor.cookies.has('session')).toBe(false)
      const html = await response.text()
      expect(html).not.toContain('typed &lt;here&gt;')
      expect(html).not.toContain('a wrong one')
      const page = html.replace(/<script\b[\s\S]*?<\/script>/g, '')
      expect(page).toMatch(/role="alert"[^>]*>\s*<p[^>]*>The email or password is incorrect\./)
      expect(inputOf(page, 'email')).toContain(`value="${who}"`)
      expect(page).toContain('name="returnTo" value="/faq"')
      pages.push(page.replaceAll(who, '…').replace(/nonce="[^"]*"/g, ''))
    }
    expect(pages[0]).toBe(pages[1])
    const empty = await signIn(shop.visit(), { email: '', password: '' })
    expect(empty.status).toBe(422)
    const html = await seen(empty)
    expect(html).toMatch(/<a href="#email"[^>]*>Enter your email address\.</)
    expect(html).toMatch(/<a href="#password"[^>]*>Enter your password\.</)
  })

  test('after ten wrong passwords even the right one gets a 429 with Retry-After', async () => {
    const shop = await openShop({ now: () => testDay })
    await makeZoe(shop)
    for (let i = 0; i < 10; i++) expect((await signIn(shop.visit(), { password: 'wrong' })).status).toBe(422)
    const refused = await signIn(shop.visit())
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '900'])
    expect(await seen(refused)).toContain('Too many requests. Try again in 15 minutes.')
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

  test('a reset request past the limit gets the same page, and no mail', async () => {
    const shop = await openShop({ mode: 'production', now: () => new Date('2026-01-05T12:00:00Z') })
    await makeZoe(shop, { emailConfirmed: false })
    const visitor = shop.visit()
    const answers = new Set<string>()
    for (let i = 0; i < 35; i++) {
      const answer = await visitor.post('/forgot-password', { email })
      const html = await seen(await visitor.get(locationOf(answer)))
      answers.add(`${answer.status} ${locationOf(answer)} ${html.replace(/nonce="[^"]*"/g, '')}`)
    }
    expect(answers.size).toBe(1)
    const sent = await shop.db.selectFrom('outbox').select('id').execute()
    expect(sent).toHaveLength(5)
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

  test('registering creates the account, signs in and redirects; a second submit reuses it', async () => {
    const shop = await openShop()
    const visitor = shop.visit()
    const form = {
      firstName: 'Zoë',
      lastName: 'O’Hara',
      email: 'Zoe@customer.example',
      password,
      returnTo: '/faq',
    }
    const answers = await Promise.all([visitor.post('/register', form), visitor.post('/register', form)])
    for (const answer of answers) expect([answer.status, locationOf(answer)]).toEqual([303, '/faq'])
    expect(await shop.db.selectFrom('users').select('id').execute()).toHaveLength(1)
    const html = await (await visitor.get('/faq')).text()
    expect(html).toContain('Zoë O’Hara')
    expect(html).toContain('Zoe@customer.example')
    expect(html).toContain('Account created')
    expect(await mailedLinks(visitor, 'confirm-email')).toHaveLength(1)
    const later = shop.visit()
    await later.post('/register', form)
    expect(await (await later.get('/faq')).text()).not.toContain('Account created')
    const refused = await shop.visit().post('/register', { ...form, password: 'quite another one' })
    expect(refused.status).toBe(422)
    const page = await seen(refused)
    expect(page).toContain('This email address already has an account. Sign in instead.')
    expect(page).toContain('href="/login?returnTo=%2Ffaq"')
    expect(inputOf(page, 'firstName')).toContain('value="Zoë"')
    expect(page).not.toContain('quite another one')
  })

  test.each([
    ['eleven sig.', 422],
    ['twelve signs', 303],
    ['            ', 422],
    ['пароль-пароль', 303],
    ['🔑'.repeat(11), 422],
    ['🔑🗝️'.repeat(42), 422],
    ['a🔑b'.repeat(42) + 'cd', 303],
    [`${'horse battery '.repeat(9)}xy`, 303],
    [`${'horse battery '.repeat(9)}xyz`, 422],
    ['Password1234', 422],
    ['zoe@customer', 422],
  ])(
    'a password must have 12 to 128 characters and be hard to guess, and nothing else: %j',
    async (chosen, status) => {
      const shop = await openShop()
      const visitor = shop.visit()
      expect((await visitor.post('/register', { email, password: chosen })).status).toBe(status)
      if (status === 303) expect((await signIn(shop.visit(), { password: chosen })).status).toBe(303)
      else expect(await shop.db.selectFrom('users').select('id').execute()).toEqual([])
    },
  )

  test('an invalid registration names its fields and keeps everything but the password', async () => {
    const shop = await openShop()
    const response = await shop
      .visit()
      .post('/register', { firstName: 'x'.repeat(101), email: 'zoe@', password: 'too short' })
    expect(response.status).toBe(422)
    const html = await response.text()
    for (const [id, sentence] of [
      ['firstName', 'Enter a first name of at most 100 characters.'],
      ['email', 'Enter an email address like name@example.com.'],
      ['password', 'Choose a password with at least 12 characters.'],
    ] as const) {
      expect(html).toMatch(new RegExp(`<a href="#${id}"[^>]*>${sentence}</a>`))
      expect(html).toMatch(new RegExp(`<input [^>]*id="${id}"[^>]*aria-invalid="true"`))
    }
    expect(html).toContain('value="zoe@"')
    expect(html).not.toContain('too short')
  })

  test('in production the 61st registration per hour from one IP address is a 429', async () => {
    const shop = await openShop({ mode: 'production', now: () => new Date('2026-01-05T12:00:00Z') })
    await makeZoe(shop)
    const register = async (i: number, secret = password): Promise<number> =>
      (await shop.visit().post('/register', { email: `z${i}@customer.example`, password: secret })).status
    // What the shop refuses counts too, and costs no hash.
    const statuses: number[] = []
    for (let i = 0; i < 59; i++) statuses.push(await register(i, 'password1234'))
    expect(new Set(statuses)).toEqual(new Set([422]))
    expect(await register(59)).toBe(303)
    expect(await register(60)).toBe(429)
  })

  test('the emailed link resets a password once; opening it changes nothing', async () => {
    const shop = await openShop()
    await makeZoe(shop)
    const elsewhere = shop.visit()
    await signIn(elsewhere)
    const visitor = shop.visit()
    const answers: string[] = []
    for (const who of [email, 'nobody@customer.example']) {
      const sent = await visitor.post('/forgot-password', { email: who })
      expect([sent.status, locationOf(sent)]).toEqual([303, '/forgot-password?sent'])
      answers.push(await seen(await visitor.get(locationOf(sent))))
    }
    expect(answers[0]?.replace(/nonce="[^"]*"/g, '')).toBe(answers[1]?.replace(/nonce="[^"]*"/g, ''))
    const [link = '', ...others] = await mailedLinks(visitor, 'reset-password')
    expect(others).toEqual([])
    for (let i = 0; i < 2; i++) {
      const page = await visitor.get(link)
      expect(page.status).toBe(200)
      expect(page.headers.get('referrer-policy')).toBe('strict-origin')
      expect(page.headers.get('cache-control')).toBe('private, no-store')
      expect(await page.text()).toContain('<meta name="robots" content="noindex"')
    }
    const token = link.split('=')[1] ?? ''
    const refused = await visitor.post('/reset-password', { token, password: 'too short' })
    expect(refused.status).toBe(422)
    expect(await seen(refused)).toContain(`value="${token}"`)
    const fresh = 'a new and better one'
    const done = await visitor.post('/reset-password', { token, password: fresh })
    expect([done.status, locationOf(done)]).toEqual([303, '/login'])
    expect(await seen(await visitor.get('/login'))).toContain('Password changed')
    expect(await isSignedIn(visitor)).toBe(false)
    expect(await isSignedIn(elsewhere)).toBe(false)
    expect((await signIn(shop.visit())).status).toBe(422)
    expect((await signIn(shop.visit(), { password: fresh })).status).toBe(303)
    expect((await visitor.post('/reset-password', { token, password: fresh })).status).toBe(404)
    for (const path of [link, '/reset-password', '/reset-password?token=x']) {
      const page = await visitor.get(path)
      expect(page.status, path).toBe(404)
      expect(headingOf(await page.text()), path).toBe('This link no longer works')
    }
    expect(JSON.stringify(shop.log)).not.toContain(token)
  })

  test('a reset in a browser that is signed in to another account ends that session', async () => {
    const shop = await openShop()
    await makeZoe(shop)
    const visitor = shop.visit()
    const otherId = await makeUser(shop.db)
    await signInAs(visitor, shop.db, otherId)
    await visitor.post('/forgot-password', { email })
    const [link = ''] = await mailedLinks(visitor, 'reset-password')
    const token = link.split('=')[1] ?? ''
    const sessions = () => shop.db.selectFrom('sessions').select('userId').execute()
    expect(await sessions()).toEqual([{ userId: otherId }])
    await visitor.post('/reset-password', { token, password: 'a new and better one' })
    expect(await isSignedIn(visitor)).toBe(false)
    expect(await sessions()).toEqual([])
  })

  test('an address is confirmed by the button, not by opening the link', async () => {
    const shop = await openShop()
    const visitor = shop.visit()
    await visitor.post('/register', { email, password })
    const [link = ''] = await mailedLinks(visitor, 'confirm-email')
    const confirmedAt = async () =>
      (await shop.db.selectFrom('users').select('emailConfirmedAt').executeTakeFirstOrThrow())
        .emailConfirmedAt
    const page = await visitor.get(link)
    expect(page.headers.get('referrer-policy')).toBe('strict-origin')
    expect(await seen(page)).toMatch(/<button[^>]*>Confirm email</)
    expect(await confirmedAt()).toBeNull()
    const token = link.split('=')[1] ?? ''
    const done = await visitor.post('/confirm-email', { token })
    expect([done.status, locationOf(done)]).toEqual([303, '/'])
    expect(await confirmedAt()).not.toBeNull()
    expect(headingOf(await (await visitor.get(link)).text())).toBe('This link no longer works')
  })

  test('an address is confirmed by its account only, which another browser signs in to first', async () => {
    const shop = await openShop()
    const visitor = shop.visit()
    await visitor.post('/register', { email, password })
    const [link = ''] = await mailedLinks(visitor, 'confirm-email')
    const token = link.split('=')[1] ?? ''

    const phone = shop.visit()
    const prompt = await seen(await phone.get(link))
    expect(prompt).not.toContain('Confirm email<')
    const signInPath = /href="(\/api\/login[^"]+)"/.exec(prompt)?.[1] ?? ''
    expect(await phone.post('/confirm-email', { token }).then(locationOf)).toBe(signInPath)
    const loginPath = `/login?returnTo=${encodeURIComponent(link)}`
    expect(locationOf(await phone.get(signInPath))).toBe(loginPath)
    expect(locationOf(await signIn(phone, { returnTo: link }))).toBe(link)
    expect(await seen(await phone.get(link))).toMatch(/<button[^>]*>Confirm email</)

    const other = shop.visit()
    await other.post('/register', { email: 'other@customer.example', password })
    const refused = await other.get(link)
    expect([refused.status, headingOf(await refused.text())]).toEqual([
      404,
      'This link is for a different account',
    ])
    expect((await other.post('/confirm-email', { token })).status).toBe(404)
    expect((await phone.post('/confirm-email', { token })).status).toBe(303)
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
    const cart = await seen(await visitor.get('/cart'))
    expect(cart).toContain('Your cart was saved')
    expect(cart).toContain('Shopping Cart (2 items)')
    expect(cart).toContain(name)
    const elsewhere = shop.visit()
    await elsewhere.post('/cart', { variantId, quantity: '1' })
    await signIn(elsewhere)
    expect(await seen(await elsewhere.get('/cart'))).toContain('Shopping Cart (3 items)')
    const third = shop.visit()
    await signIn(third)
    expect(await seen(await third.get('/cart'))).not.toContain('Your cart was saved')
    // Items added while signed in belong to the account: no cart cookie is set.
    expect((await third.post('/cart', { variantId, quantity: '1' })).status).toBe(303)
    expect(third.cookies.has('cart')).toBe(false)
    await visitor.post('/api/logout', {})
    expect(await seen(await visitor.get('/cart'))).toContain('Your cart is empty')
    // The visitor's cart cookie no longer works.
    if (guestCart) visitor.cookies.set('cart', guestCart)
    expect(await seen(await visitor.get('/cart'))).toContain('Your cart is empty')
    expect(await seen(await elsewhere.get('/cart'))).toContain('Shopping Cart (4 items)')
  })

  test('registering keeps the cart, and the next user of the browser does not get it', async () => {
    const shop = await openShop({ catalog: 'demo' })
    await makeZoe(shop)
    const [{ variantId }] = await findAvailableVariants(shop.db)
    const visitor = shop.visit()
    await visitor.post('/cart', { variantId, quantity: '2' })
    await visitor.post('/register', { email: 'new@customer.example', password })
    expect(await seen(await visitor.get('/cart'))).toContain('Shopping Cart (2 items)')
    await signIn(visitor)
    expect(await seen(await visitor.get('/cart'))).toContain('Your cart is empty')
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
      const html = await seen(await visitor.get(path))
      expect(headingOf(html), path).toBe(heading)
      expect(html, path).toContain('No orders yet')
      expect(html, path).not.toContain('/api/login')
    }
    const missing = await visitor.get('/orders/1')
    expect(missing.status).toBe(404)
    expect(await seen(missing)).not.toContain('/api/login')
    const toastAfter = async (): Promise<string> => {
      expect(locationOf(await visitor.get('/checkout'))).toBe('/')
      return seen(await visitor.get('/faq'))
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
