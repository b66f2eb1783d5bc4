import { makeUser, signInAs } from '#tests/support/accounts.ts'
import { eachShop } from '#tests/support/shop.ts'
import {
  email,
  headingOf,
  isSignedIn,
  locationOf,
  mailedLinks,
  makeZoe,
  signIn,
  htmlWithoutScripts,
} from '#tests/support/sign-in-pages.ts'
import { expect, test } from 'vitest'

eachShop((openShopOf) => {
  const openShop: typeof openShopOf = (options) => openShopOf({ catalog: 'empty', ...options })

  test('a reset request past the limit gets the same page, and no mail', async () => {
    let minute = 0
    const now = (): Date => new Date(Date.UTC(2026, 0, 5, 12, minute))
    const shop = await openShop({ mode: 'production', now })
    await makeZoe(shop, { emailConfirmed: false })
    const visitor = shop.visit()
    const answers = new Set<string>()
    for (; minute < 35; minute++) {
      const answer = await visitor.post('/forgot-password', { email })
      const html = await htmlWithoutScripts(await visitor.get(locationOf(answer)))
      answers.add(`${answer.status} ${locationOf(answer)} ${html.replace(/nonce="[^"]*"/g, '')}`)
    }
    expect(answers.size).toBe(1)
    const sent = await shop.db.selectFrom('outbox').select('id').execute()
    expect(sent).toHaveLength(5)
  })

  test('the emailed link resets a password once; opening it changes nothing', async () => {
    const shop = await openShop()
    await makeZoe(shop)
    const elsewhere = shop.visit()
    await signIn(elsewhere)
    const visitor = shop.visit()
    const answers: string[] = []
    for (const address of [email, 'unknown@customer.example']) {
      const sent = await visitor.post('/forgot-password', { email: address })
      expect([sent.status, locationOf(sent)]).toEqual([303, '/forgot-password?sent'])
      answers.push(await htmlWithoutScripts(await visitor.get(locationOf(sent))))
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
    expect(await htmlWithoutScripts(refused)).toContain(`value="${token}"`)
    const fresh = 'a new and better one'
    const done = await visitor.post('/reset-password', { token, password: fresh })
    expect([done.status, locationOf(done)]).toEqual([303, '/login'])
    expect(await htmlWithoutScripts(await visitor.get('/login'))).toContain('Password changed')
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
})
