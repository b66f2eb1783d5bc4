import { newId } from '#domain/ids.ts'
import { makeUser, signInAs } from '#tests/support/accounts.ts'
import { placeOrder } from '#tests/support/orders.ts'
import { readMain } from '#tests/support/page-text.ts'
import { eachShop } from '#tests/support/shop.ts'
import { expect, test } from 'vitest'

eachShop((openShopOf) => {
  test('a back-office form that a script sent after its session ended returns what was typed', async () => {
    const shop = await openShopOf({ catalog: 'empty' })
    const id = newId()
    for (const [path, fields] of [
      [`/admin/messages/${id}`, { intent: 'answer', message: 'Take it with food', requestKey: newId() }],
      [`/admin/inventory/lots/${id}`, { intent: 'quarantine', reason: 'Take it with food' }],
      ['/admin/inventory/lots', { variantId: id, notes: 'Take it with food' }],
      [`/admin/users/${id}`, { reason: 'Take it with food', code: '123456' }],
      [`/admin/orders/${id}`, { status: 'Take it with food' }],
      [`/admin/orders/${id}/lots`, { intent: 'check', note: 'Take it with food' }],
      ['/admin/screening/recalls/R-1', { outcome: 'Take it with food' }],
      ['/admin/screening/needs', { note: 'Take it with food' }],
      [`/admin/screening/import/${id}`, { intent: 'import', note: 'Take it with food', code: '123456' }],
      [`/admin/variants/import/${id}`, { intent: 'check', columns: 'Take it with food' }],
      ['/admin/alerts', { reason: 'Take it with food', code: '123456' }],
      ['/admin/settings/shop', { intent: 'save', name: 'Take it with food' }],
      ['/admin/api/keys', { intent: 'create', name: 'Take it with food' }],
      ['/admin/api/webhooks', { intent: 'create', url: 'Take it with food' }],
    ] as const) {
      const scripted = await shop.visit().post(`${path}.data`, fields)
      expect([path, scripted.status]).toEqual([path, 401])
      const reply = await scripted.text()
      expect(reply).toContain('Sign in again in another tab')
      expect(reply).toContain('Take it with food')
      expect(reply).not.toContain('123456')

      const plain = await shop.visit().post(path, fields)
      expect([path, plain.status, plain.headers.get('location')]).toEqual([path, 302, '/'])
    }
  })

  test('a message to the pharmacy that a script sent after its session ended returns what was typed', async () => {
    const shop = await openShopOf({ catalog: 'empty' })
    const id = newId()
    const message = { intent: 'message', id, requestKey: newId(), message: 'May I take it with food?' }
    for (const path of ['/prescriptions', `/orders/${id}`]) {
      const sent = await shop.visit().post(`${path}.data`, message)
      expect(sent.status).toBe(401)
      const reply = await sent.text()
      expect(reply).toContain('isSignedOut')
      expect(reply).toContain('May I take it with food?')
    }
  })

  test('without scripts, a sent order or prescription of an ended session says that it was not placed', async () => {
    const visitor = (await openShopOf({ catalog: 'empty' })).visit()
    const order = await visitor.post('/checkout', { streetAddress: '12 Harbour Lane' })
    const signIn = '/api/login?returnTo=%2Fcheckout'
    expect([order.status, order.headers.get('location')]).toEqual([303, signIn])
    const { headers } = await visitor.get(signIn)
    const page = readMain(await (await visitor.get(headers.get('location') ?? '')).text())
    expect(page).toContain('Your order hasn’t been placed Sign in to continue.')

    const unsent = 'Your prescription hasn’t been submitted. Sign in, then choose the file again.'
    const upload = await visitor.post('/prescriptions/upload', { doctorName: 'Dr. Ada' })
    expect(upload.status).toBe(401)
    expect(readMain(await upload.text())).toContain(`Authentication Required ${unsent}`)
    expect(await (await visitor.get('/prescriptions/upload')).text()).not.toContain(unsent)
  })

  test('without scripts, a message about an order keeps its text until the customer signed in again', async () => {
    const shop = await openShopOf({ catalog: 'empty' })
    const userId = await makeUser(shop.db)
    const { id } = await placeOrder(shop.db, userId)
    const customer = shop.visit()
    await signInAs(customer, shop.db, userId)
    const message = { intent: 'message', id, requestKey: newId(), message: 'May I take it with food?' }
    const refused = await shop.visit().post(`/orders/${id}`, message)
    expect(refused.status).toBe(401)
    const html = await refused.text()
    expect(html).toContain('Your message hasn’t been sent yet.')
    expect(html).toContain('<title>Message to the pharmacy')
    expect(html).toMatch(/<textarea[^>]*name="message"[^>]*>May I take it with food\?</)
    expect(html).toContain(`href="/api/login?returnTo=${encodeURIComponent(`/orders/${id}`)}"`)
    expect(html).toContain(`name="requestKey" value="${message.requestKey}"`)
    // What the page shows is only what was posted to it.
    expect(html).not.toContain('Shipping address')

    expect((await customer.post(`/orders/${id}`, message)).status).toBe(303)
    const other = await shop.visit().post(`/orders/${id}`, { intent: 'cancel' })
    expect(other.status).toBe(303)
    expect(other.headers.get('location')).toMatch(/^\/api\/login\?/)
  })
})
