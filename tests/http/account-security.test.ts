import { hashPassword } from '#server/accounts/passwords.ts'
import { listOutbox } from '#server/mail/list-outbox.ts'
import { makeUser, signInAs } from '#tests/support/accounts.ts'
import { testContext } from '#tests/support/context.ts'
import { appCode, turnOnSecondFactor } from '#tests/support/second-factor.ts'
import { eachShop, type Shop } from '#tests/support/shop.ts'
import { expect, test } from 'vitest'

const path = '/account/security'
const password = 'correct horse battery'
const start = new Date('2026-01-05T12:00:00Z')

eachShop((openShopOf) => {
  /** A shop with a manual clock, and a customer with a password who is signed in in one browser. */
  async function openShop({
    env = {},
    isAdmin = false,
  }: { env?: Record<string, string>; isAdmin?: boolean } = {}) {
    let now = start
    const shop = await openShopOf({ catalog: 'empty', now: () => now, env })
    const email = 'zoe@customer.example'
    const userId = await makeUser(shop.db, { email, isAdmin, passwordHash: await hashPassword(password) })
    const visitor = shop.visit()
    await signInAs(visitor, shop.db, userId, now)
    return {
      shop,
      userId,
      email,
      visitor,
      moveClock: (seconds: number) => (now = new Date(now.getTime() + seconds * 1000)),
      now: () => now,
    }
  }

  const isSignedIn = async (visitor: ReturnType<Shop['visit']>): Promise<boolean> =>
    (await visitor.get(path)).status === 200
  const mails = (shop: Shop) => listOutbox(testContext(shop.db))

  test('visitors are redirected to sign in and back, also when a form is submitted too late', async () => {
    const shop = await openShopOf({ catalog: 'empty' })
    const visitor = shop.visit()
    for (const answer of [
      await visitor.get(path),
      await visitor.post(path, { intent: 'end-all-sessions' }),
    ]) {
      expect(answer.status).toBe(303)
      expect(answer.headers.get('location')).toBe('/api/login?returnTo=%2Faccount%2Fsecurity')
    }
    const link = await visitor.get('/account/confirm-new-email?token=a-b')
    expect(link.headers.get('location')).toBe(
      `/api/login?returnTo=${encodeURIComponent('/account/confirm-new-email?token=a-b')}`,
    )
  })

  test('the security page shows its owner’s settings only', async () => {
    const { shop, visitor, email } = await openShop()
    const response = await visitor.get(path)
    expect(response.headers.get('cache-control')).toBe('private, no-store')
    const html = await response.text()
    expect(html).toContain('<title>Security | Meridian</title>')
    expect(html.match(/<h1\b[^>]*>(.*?)<\/h1>/)?.[1]).toBe('Security')
    for (const text of ['Two-step sign-in', 'Change password', 'Change email', email, 'This browser'])
      expect(html).toContain(text)
    expect(html).toContain('href="/account/activity"')
    const stranger = shop.visit()
    await signInAs(stranger, shop.db, await makeUser(shop.db), start)
    expect(await (await stranger.get(path)).text()).not.toContain(email)
  })

  test('before the address is confirmed, the page offers the link again instead of two-step sign-in', async () => {
    const { shop, visitor } = await openShop()
    await shop.db.updateTable('users').set({ emailConfirmedAt: null }).execute()
    const html = await (await visitor.get(path)).text()
    expect(html).toMatch(/Confirm your email address first\..*<a href="#email"[^>]*>send it again<\/a>/)
    expect(html).not.toContain('Set up two-step sign-in')
    // A page that was opened earlier.
    const late = await visitor.post(path, { intent: 'begin-second-factor', currentPassword: password })
    expect(late.status).toBe(409)
    expect(await late.text()).toMatch(
      /role="alert"[\s\S]*?Confirm your email address before you set up two-step sign-in\./,
    )
    const sent = await visitor.post(path, { intent: 'resend-confirmation' })
    expect([sent.status, sent.headers.get('location')]).toEqual([303, path])
    expect((await mails(shop)).map(({ subject }) => subject)).toEqual(['Confirm your email address'])
  })

  test('two-step sign-in is set up, used and turned off without JavaScript', async () => {
    const { shop, visitor, email, moveClock, now } = await openShop()
    const wrong = await visitor.post(path, {
      intent: 'begin-second-factor',
      currentPassword: 'hunter2hunter2',
    })
    expect(wrong.status).toBe(422)
    const refused = await wrong.text()
    expect(refused).toMatch(/<a href="#begin-second-factor-currentPassword"[^>]*>This isn’t your current/)
    expect(refused).toMatch(/id="begin-second-factor-currentPassword"[^>]*aria-invalid="true"/)
    expect(refused).not.toContain('hunter2')
    // The form that failed is open.
    expect(refused).toMatch(/<details[^>]* open=""[^>]*><summary[^>]*>Set up two-step/)

    const setup = await visitor.post(path, { intent: 'begin-second-factor', currentPassword: password })
    expect([setup.status, setup.headers.get('location')]).toEqual([303, `${path}#two-step`])
    const setUp = await (await visitor.get(path)).text()
    expect(setUp).toMatch(/<svg[^>]*role="img"[^>]*aria-label="QR image of the key below"/)
    const secret = /<code[^>]*>([A-Z2-7 ]+)<\/code>/.exec(setUp)?.[1] ?? ''
    expect(setUp).toContain(`secret=${secret.replaceAll(' ', '')}`)
    const wrongCode = await visitor.post(path, { intent: 'confirm-second-factor', code: '000000' })
    expect(wrongCode.status).toBe(422)
    const on = await visitor.post(path, { intent: 'confirm-second-factor', code: appCode(secret, now()) })
    expect(on.status).toBe(200)
    expect(on.headers.get('cache-control')).toBe('private, no-store')
    const codes = [...(await on.text()).matchAll(/<li>([a-z2-9]{5}-[a-z2-9]{5})<\/li>/g)].map(
      ([, code]) => code ?? '',
    )
    expect(codes).toHaveLength(10)
    const after = await (await visitor.get(path)).text()
    expect(after).toContain('10 recovery codes')
    for (const text of [secret, ...codes]) expect(after).not.toContain(text)

    moveClock(60)
    const browser = shop.visit()
    const first = await browser.post('/login', { email, password, returnTo: path })
    const verify = '/login/verify?returnTo=%2Faccount%2Fsecurity'
    expect([first.status, first.headers.get('location')]).toEqual([303, verify])
    expect([...browser.cookies.keys()]).toEqual(['second-step'])
    expect(await isSignedIn(browser)).toBe(false)
    const codePage = await (await browser.get(verify)).text()
    expect(codePage).toMatch(/<label for="code"[^>]*>Code<\/label>/)
    expect(codePage).toContain('or a recovery code.')
    expect(codePage).toMatch(/autocomplete="one-time-code"/i)
    const second = await browser.post('/login/verify', { code: '000000', returnTo: path })
    expect(second.status).toBe(422)
    expect(await second.text()).toMatch(/<a href="#code"[^>]*>This code is incorrect or was already used\.</)
    const third = await browser.post('/login/verify', { code: appCode(secret, now()), returnTo: path })
    expect([third.status, third.headers.get('location')]).toEqual([303, path])
    expect([...browser.cookies.keys()]).toEqual(['session', 'device'])
    expect(await isSignedIn(browser)).toBe(true)
    const again = await browser.get(verify)
    expect(again.headers.get('location')).toBe(path)

    const other = shop.visit()
    await other.post('/login', { email, password })
    const recovered = await other.post('/login/verify', { code: codes[0]?.toUpperCase() ?? '' })
    expect([recovered.status, recovered.headers.get('location')]).toEqual([303, '/'])
    const withoutCode = await other.post(path, {
      intent: 'turn-off-second-factor',
      currentPassword: password,
    })
    expect(withoutCode.status).toBe(422)
    expect(await withoutCode.text()).toMatch(/<a href="#turn-off-second-factor-code"[^>]*>Enter a code\./)
    const off = await other.post(path, {
      intent: 'turn-off-second-factor',
      currentPassword: password,
      code: codes[1] ?? '',
    })
    expect(await isSignedIn(browser)).toBe(false)
    expect([off.status, off.headers.get('location')]).toEqual([303, path])
    expect(await (await other.get(path)).text()).toContain('Two-step sign-in is off')
    expect((await shop.visit().post('/login', { email, password })).headers.get('location')).toBe('/')
    const log = JSON.stringify(shop.log)
    for (const text of [secret, secret.replaceAll(' ', ''), ...codes]) expect(log).not.toContain(text)
  })

  test('a second step without the first, or too late, restarts with a message', async () => {
    const { shop, userId, email, moveClock } = await openShop()
    await turnOnSecondFactor(shop.db, userId, start, password)
    const stranger = shop.visit()
    for (const answer of [
      await stranger.get('/login/verify?returnTo=%2Fprofile'),
      await stranger.post('/login/verify', { code: '123456', returnTo: '/profile' }),
    ]) {
      expect([answer.status, answer.headers.get('location')]).toEqual([303, '/login?returnTo=%2Fprofile'])
    }
    const visitor = shop.visit()
    await visitor.post('/login', { email, password })
    moveClock(601)
    const late = await visitor.post('/login/verify', { code: '123456' })
    expect([late.status, late.headers.get('location')]).toEqual([303, '/login'])
    expect(visitor.cookies.has('second-step')).toBe(false)
    expect(await (await visitor.get('/login')).text()).toContain('Sign in again')
  })

  test('the eleventh wrong code gets a 429 with Retry-After', async () => {
    const { shop, userId, email } = await openShop()
    await turnOnSecondFactor(shop.db, userId, start, password)
    const visitor = shop.visit()
    await visitor.post('/login', { email, password })
    for (let i = 0; i < 10; i++) {
      expect((await visitor.post('/login/verify', { code: '000000' })).status).toBe(422)
    }
    const refused = await visitor.post('/login/verify', { code: '000000' })
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '900'])
  })

  test('changing the password works without JavaScript and signs out other browsers', async () => {
    const { shop, userId, visitor, email } = await openShop()
    const other = shop.visit()
    await signInAs(other, shop.db, userId, start)
    const short = await visitor.post(path, {
      intent: 'change-password',
      currentPassword: password,
      newPassword: 'short',
    })
    expect(short.status).toBe(422)
    const html = await short.text()
    expect(html).toMatch(/<a href="#change-password-newPassword"[^>]*>Choose a password with at least 12/)
    expect(html).not.toContain(password)
    const common = await visitor.post(path, {
      intent: 'change-password',
      currentPassword: password,
      newPassword: 'password1234',
    })
    expect(common.status).toBe(422)
    expect(await common.text()).toMatch(/<a href="#change-password-newPassword"[^>]*>Many people use this/)
    expect(await isSignedIn(other)).toBe(true)
    const changed = await visitor.post(path, {
      intent: 'change-password',
      currentPassword: password,
      newPassword: 'a wholly new password',
    })
    expect([changed.status, changed.headers.get('location')]).toEqual([303, path])
    expect(await (await visitor.get(path)).text()).toContain('Password changed')
    expect([await isSignedIn(visitor), await isSignedIn(other)]).toEqual([true, false])
    expect((await mails(shop)).map(({ to, subject }) => [to.address, subject])).toEqual([
      [email, 'Your password was changed'],
    ])
  })

  test('an email change is confirmed by the button, not by opening the link', async () => {
    const { shop, visitor, email } = await openShop()
    await makeUser(shop.db, { email: 'taken@customer.example' })
    const ask = (to: string) =>
      visitor.post(path, { intent: 'change-email', email: to, currentPassword: password })
    for (const to of ['taken@customer.example', 'new@customer.example']) {
      const answer = await ask(to)
      expect([answer.status, answer.headers.get('location')]).toEqual([303, path])
      expect(await (await visitor.get(path)).text()).toContain('Check your email')
    }
    const [mail, ...others] = await mails(shop)
    expect(others).toEqual([])
    expect(mail?.to.address).toBe('new@customer.example')
    const link = /http:\S+/.exec(mail?.text ?? '')?.[0].slice(shop.origin.length) ?? ''
    for (let i = 0; i < 2; i++) {
      const page = await visitor.get(link)
      expect(page.headers.get('cache-control')).toBe('private, no-store')
      expect(page.headers.get('referrer-policy')).toBe('strict-origin')
      expect(await page.text()).toContain('new@customer.example')
    }
    expect(await (await visitor.get(path)).text()).toContain(email)
    const token = new URL(link, shop.origin).searchParams.get('token') ?? ''
    const stranger = shop.visit()
    await signInAs(stranger, shop.db, await makeUser(shop.db), start)
    expect(await (await stranger.get(link)).text()).toContain('This link no longer works')
    expect((await stranger.post('/account/confirm-new-email', { token })).status).toBe(404)
    const done = await visitor.post('/account/confirm-new-email', { token })
    expect([done.status, done.headers.get('location')]).toEqual([303, path])
    const after = await (await visitor.get(path)).text()
    expect(after).toContain('new@customer.example')
    expect(after).not.toContain(email)
    expect((await visitor.post('/account/confirm-new-email', { token })).status).toBe(404)
    expect(await (await visitor.get(link)).text()).toContain('This link no longer works')
    expect((await mails(shop))[0]?.to.address).toBe(email)
    expect(JSON.stringify(shop.log)).not.toContain(token)
  })

  test('users can sign out their own sessions only', async () => {
    const { shop, userId, visitor } = await openShop()
    const [second, third, stranger] = [shop.visit(), shop.visit(), shop.visit()]
    for (const browser of [second, third]) await signInAs(browser, shop.db, userId, start)
    await signInAs(stranger, shop.db, await makeUser(shop.db), start)
    const sessionsOf = async (browser: typeof visitor) =>
      [...(await (await browser.get(path)).text()).matchAll(/name="session" value="([^"]+)"/g)].map(
        ([, id]) => id ?? '',
      )
    const ownSessions = await sessionsOf(visitor)
    expect(ownSessions).toHaveLength(3)
    const [foreign = '', ...others] = await sessionsOf(stranger)
    expect(others).toEqual([])
    expect(ownSessions).not.toContain(foreign)
    for (const session of [foreign, 'no-such-session', '']) {
      const answer = await visitor.post(path, { intent: 'end-session', session })
      expect([404, 422]).toContain(answer.status)
    }
    expect(await isSignedIn(stranger)).toBe(true)
    expect(await sessionsOf(visitor)).toEqual(ownSessions)

    const rows = await shop.db
      .selectFrom('sessions')
      .select('id')
      .where('userId', '=', userId)
      .orderBy('id')
      .execute()
    const [ownId = '', secondId = ''] = rows.map(({ id }) => id)
    const ended = await visitor.post(path, { intent: 'end-session', session: secondId })
    expect([ended.status, ended.headers.get('location')]).toEqual([303, path])
    expect([await isSignedIn(visitor), await isSignedIn(second), await isSignedIn(third)]).toEqual([
      true,
      false,
      true,
    ])
    const left = await visitor.post(path, { intent: 'end-session', session: ownId })
    expect([left.status, left.headers.get('location')]).toEqual([303, '/'])
    expect(visitor.cookies.has('session')).toBe(false)
    await signInAs(visitor, shop.db, userId, start)
    const all = await third.post(path, { intent: 'end-all-sessions' })
    expect([all.status, all.headers.get('location')]).toEqual([303, '/'])
    expect([await isSignedIn(visitor), await isSignedIn(third), await isSignedIn(stranger)]).toEqual([
      false,
      false,
      true,
    ])
  })

  test.each(['', 'nothing', 'constructor', '__proto__', 'toString'])(
    'a form with the intent %j is a 400',
    async (intent) => {
      const { visitor } = await openShop()
      expect((await visitor.post(path, { intent })).status).toBe(400)
    },
  )

  test('an admin without a second factor is redirected to set it up and cannot turn it off', async () => {
    const required = await openShop({ env: { REQUIRE_ADMIN_MFA: 'on' }, isAdmin: true })
    const { shop, email, userId, visitor, moveClock, now } = required
    const browser = shop.visit()
    const entered = await browser.post('/login', { email, password, returnTo: '/admin' })
    expect([entered.status, entered.headers.get('location')]).toEqual([303, path])
    expect(await (await browser.get(path)).text()).toContain(
      'Turn on two-step sign-in to use the back office',
    )
    expect((await browser.get('/admin')).headers.get('location')).toBe(path)
    const { secret } = await turnOnSecondFactor(shop.db, userId, start, password)
    // Sessions opened by the password alone have ended.
    expect([await isSignedIn(browser), await isSignedIn(visitor)]).toEqual([false, false])
    moveClock(60)
    const again = shop.visit()
    await again.post('/login', { email, password, returnTo: '/admin' })
    const in2 = await again.post('/login/verify', { code: appCode(secret, now()), returnTo: '/admin' })
    expect(in2.headers.get('location')).toBe('/admin')
    expect((await again.get('/admin')).status).toBe(200)
    const page = await (await again.get(path)).text()
    expect(page).not.toContain('Turn on two-step sign-in to use the back office')
    expect(page).toContain('Staff accounts can’t turn it off.')
    const off = await again.post(path, { intent: 'turn-off-second-factor', currentPassword: password })
    expect(off.status).toBe(409)

    const customer = shop.visit()
    await makeUser(shop.db, { email: 'c@customer.example', passwordHash: await hashPassword(password) })
    const free = await customer.post('/login', {
      email: 'c@customer.example',
      password,
      returnTo: '/profile',
    })
    expect(free.headers.get('location')).toBe('/profile')
    expect(await (await customer.get(path)).text()).not.toContain('The back office')
  })
})
