import { eachShop } from '#tests/support/shop.ts'
import {
  email,
  headingOf,
  inputOf,
  locationOf,
  mailedLinks,
  makeZoe,
  password,
  signIn,
  htmlWithoutScripts,
} from '#tests/support/sign-in-pages.ts'
import { expect, test } from 'vitest'

eachShop((openShopOf) => {
  const openShop: typeof openShopOf = (options) => openShopOf({ catalog: 'empty', ...options })

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
    const page = await htmlWithoutScripts(refused)
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
    expect(await htmlWithoutScripts(page)).toMatch(/<button[^>]*>Confirm email</)
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
    const prompt = await htmlWithoutScripts(await phone.get(link))
    expect(prompt).not.toContain('Confirm email<')
    const signInPath = /href="(\/api\/login[^"]+)"/.exec(prompt)?.[1] ?? ''
    expect(await phone.post('/confirm-email', { token }).then(locationOf)).toBe(signInPath)
    const loginPath = `/login?returnTo=${encodeURIComponent(link)}`
    expect(locationOf(await phone.get(signInPath))).toBe(loginPath)
    expect(locationOf(await signIn(phone, { returnTo: link }))).toBe(link)
    expect(await htmlWithoutScripts(await phone.get(link))).toMatch(/<button[^>]*>Confirm email</)

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
})
