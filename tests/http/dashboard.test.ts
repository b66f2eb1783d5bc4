import { newId } from '#domain/ids.ts'
import { makeUser, signInAs } from '#tests/support/accounts.ts'
import { addVariant } from '#tests/support/catalog.ts'
import { placeOrder } from '#tests/support/orders.ts'
import { headingsOf, mainOf, readMain } from '#tests/support/page-text.ts'
import { eachShop, type Shop, type Visitor } from '#tests/support/shop.ts'
import { expect, test } from 'vitest'

async function asAdmin(shop: Shop): Promise<Visitor> {
  const visitor = shop.visit()
  await signInAs(visitor, shop.db, await makeUser(shop.db, { isAdmin: true }))
  return visitor
}

eachShop((openShop) => {
  test('the dashboard of a new shop has the documented empty texts', async () => {
    const shop = await openShop({ catalog: 'empty' })
    const response = await (await asAdmin(shop)).get('/admin')
    expect(response.headers.get('cache-control')).toBe('private, no-store')
    const html = await response.text()
    expect(headingsOf(html, 1)).toEqual(['Dashboard'])
    expect(readMain(html)).toContain('No orders yet')
    expect(readMain(html)).toMatch(
      /Total Revenue \$0\.00 .*Total Orders 0 .*Active Products 0 .*Pending Orders 0/,
    )
  })

  test('a 403 or 404 page links to the dashboard and offers no retry', async () => {
    const shop = await openShop({ catalog: 'empty' })
    const pharmacist = shop.visit()
    await signInAs(pharmacist, shop.db, await makeUser(shop.db, { roles: ['pharmacist'] }))
    const refused = await pharmacist.get('/admin/settings/shop')
    const missing = await pharmacist.get('/admin/prescriptions?id=none')
    expect([refused.status, missing.status]).toEqual([403, 404])
    for (const page of [refused, missing]) {
      const html = mainOf(await page.text())
      expect(html).toContain('href="/admin"')
      expect(html).not.toContain('Try again')
    }
  })

  test('the dates of the status page and of an API key are written alike', async () => {
    const shop = await openShop({ catalog: 'empty' })
    const admin = await asAdmin(shop)
    const id = newId()
    const fields = { intent: 'create', id, name: 'Robot', stockWrite: 'on', days: '90' }
    expect((await admin.post('/admin/api/keys', fields)).status).toBe(200)
    const time = String.raw`[A-Z][a-z]{2} \d{1,2}, \d{4}, \d{2}:\d{2} UTC`
    expect(readMain(await (await admin.get('/admin/status')).text())).toMatch(new RegExp(`As of ${time}\\.`))
    expect(readMain(await (await admin.get('/admin/api/keys')).text())).toMatch(
      new RegExp(`Created by .*, ${time}\\. Expires ${time}\\.`),
    )
  })

  test('the shortcut of “Go to” has the name of the key on the visitor’s keyboard', async () => {
    const admin = await asAdmin(await openShop({ catalog: 'empty' }))
    const keyOn = async (system: string) => {
      const response = await admin.get('/admin', { 'user-agent': `Mozilla/5.0 (${system}) Chrome/140` })
      return /<kbd[^>]*>([^<]*)/.exec(await response.text())?.[1]
    }
    expect(await keyOn('Macintosh; Intel Mac OS X 10_15_7')).toBe('⌘K')
    expect(await keyOn('Windows NT 10.0; Win64; x64')).toBe('Ctrl K')
  })

  test('has the four figures, at most five orders with a link to all, and a table for each chart', async () => {
    const shop = await openShop({ catalog: 'empty' })
    const admin = await asAdmin(shop)
    const customer = await makeUser(shop.db)
    const productVariantId = await addVariant(shop.db)
    const now = new Date()
    const buy = (daysAgo: number) =>
      placeOrder(shop.db, customer, {
        items: [{ productVariantId, quantity: 2 }],
        user: { firstName: 'Ada', lastName: '<Marsh>' },
        ctx: { now: new Date(now.getTime() - daysAgo * 24 * 3600 * 1000) },
      })
    for (const days of [20, 9, 2, 1, 1]) await buy(days)
    const newest = await buy(0)
    const html = await (await admin.get('/admin?days=7')).text()
    const text = readMain(html)
    expect(text).toMatch(/Total Revenue \$60\.00 .*Total Orders 6 .*Active Products 1 .*Pending Orders 6/)
    expect(text).toContain('$40.00 in the last 7 days, 300% more than before')
    expect(text).toContain('Ada &lt;Marsh&gt;')
    const links = [...mainOf(html).matchAll(/<a [^>]*href="([^"]*)"[^>]*>View Details/g)].map(([, to]) => to)
    expect(links).toEqual(Array.from({ length: 5 }, () => '/admin/orders'))
    expect(mainOf(html)).toContain(`href="/admin/orders/${newest.id}"`)
    expect(mainOf(html).match(/<svg role="img"/g)).toHaveLength(2)
    expect(text.match(/Show as table/g)).toHaveLength(2)
    // The content security policy forbids inline styles.
    expect(mainOf(html)).not.toContain('style="')
    expect(readMain(await (await admin.get('/admin?days=nonsense')).text())).toContain(
      'in the previous 30 days',
    )
  })
})
