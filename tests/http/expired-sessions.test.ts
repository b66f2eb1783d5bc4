import { newId } from '#domain/ids.ts'
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
    const sent = await shop.visit().post('/prescriptions.data', message)
    expect(sent.status).toBe(401)
    const reply = await sent.text()
    expect(reply).toContain('isSignedOut')
    expect(reply).toContain('May I take it with food?')
  })
})
