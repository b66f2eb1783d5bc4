import { newId } from '#domain/ids.ts'
import { queueWebhooks } from '#server/webhooks/queue-webhooks.ts'
import { makeUser, signInAs } from '#tests/support/accounts.ts'
import { testContext } from '#tests/support/context.ts'
import { eachShop } from '#tests/support/shop.ts'
import { expect, test } from 'vitest'

const path = '/admin/api/webhooks'

eachShop((openShop) => {
  test('without scripts, an admin adds an endpoint, sees its secret once, and manages it', async () => {
    const shop = await openShop({ catalog: 'empty' })
    const admin = shop.visit()
    await signInAs(admin, shop.db, await makeUser(shop.db, { isAdmin: true }))
    const page = async () => (await admin.get(path)).text()
    const empty = await page()
    expect(empty).toContain('No endpoints.')
    expect(empty).toContain('No deliveries.')
    const id = newId()
    const create = (url: string) => admin.post(path, { intent: 'create', id, url, topic: 'orders' })
    for (const url of [
      'http://receiver.example/',
      'https://receiver.example:8443/',
      'https://a:b@receiver.example/',
    ]) {
      const refused = await create(url)
      expect(refused.status, url).toBe(422)
      expect(await refused.text()).toContain('Enter an address that starts with https://')
    }
    const created = await create('https://receiver.example/hooks')
    expect(created.status).toBe(200)
    expect(created.headers.get('cache-control')).toContain('no-store')
    const secret = /whsec_[\w+/]{43}=/.exec(await created.text())?.[0] ?? ''
    expect(secret).not.toBe('')
    expect((await create('https://receiver.example/hooks')).status).toBe(409)
    expect(await page()).not.toContain(secret)

    const data = { orderId: newId(), status: 'processing' } as const
    await queueWebhooks(testContext(shop.db), [{ type: 'order.created', data }])
    await shop.db
      .updateTable('webhookDeliveries')
      .set({ state: 'failed', nextAt: null, attempts: 10, lastStatus: 503 })
      .execute()
    const [delivery] = await shop.db.selectFrom('webhookDeliveries').select('id').execute()
    const log = await page()
    for (const part of ['order.created', 'Given up', '503', 'Send again']) expect(log).toContain(part)
    expect((await admin.post(path, { intent: 'send-again', id: delivery?.id ?? '' })).status).toBe(303)
    expect(await page()).toContain('Waiting')
    expect((await admin.post(path, { intent: 'disable', id })).status).toBe(303)
    expect(await page()).toContain('Disabled by staff')
    expect((await admin.post(path, { intent: 'enable', id })).status).toBe(303)
    expect(await page()).not.toContain('doesn’t send to this address')
    // A release before accepted it.
    await shop.db.updateTable('webhookEndpoints').set({ url: 'https://10.0.0.1/' }).execute()
    expect(await page()).toContain('doesn’t send to this address')
    expect((await admin.post(path, { intent: 'delete', id })).status).toBe(303)
    expect(await page()).toContain('No endpoints.')
    expect(await shop.db.selectFrom('webhookDeliveries').select('id').execute()).toEqual([])
  })
})
