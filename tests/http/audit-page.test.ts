import { insertAudits } from '#db/audit/audit.ts'
import { makeUser, signInAs } from '#tests/support/accounts.ts'
import { onePerMinute } from '#tests/support/audit-rows.ts'
import { mainOf, readMain } from '#tests/support/page-text.ts'
import { eachShop, type Shop, type Visitor } from '#tests/support/shop.ts'
import { expect, test } from 'vitest'

const now = new Date('2026-07-20T12:00:00Z')

async function asAdmin(shop: Shop): Promise<Visitor> {
  const visitor = shop.visit()
  await signInAs(visitor, shop.db, await makeUser(shop.db, { isAdmin: true }), now)
  return visitor
}

eachShop((openShopOf) => {
  test('the page shows the filtered rows and what was chosen', async () => {
    const shop = await openShopOf({ catalog: 'empty', now: () => now })
    const admin = await asAdmin(shop)
    const pharmacist = await makeUser(shop.db, { firstName: 'Ida', lastName: 'Holm', roles: ['pharmacist'] })
    const patient = await makeUser(shop.db)
    await insertAudits(
      shop.db,
      onePerMinute(now, [
        { actorId: patient, subjectId: patient, action: 'order.placed' },
        { actorId: pharmacist, subjectId: patient, action: 'prescription.read' },
      ]),
    )
    const response = await admin.get(
      `/admin/audit?who=${pharmacist}&action=views&from=2026-07-19&to=2026-07-20`,
    )
    const html = await response.text()
    expect(response.status).toBe(200)
    expect(response.headers.get('cache-control')).toContain('no-store')
    const text = readMain(html)
    expect(text).toContain('Jul 20, 2026, 11:59 UTC Ida Holm viewed a prescription')
    expect(text).not.toContain('placed an order Account')
    expect(mainOf(html)).toContain(`<option value="${pharmacist}" selected="">Ida Holm</option>`)
    expect(mainOf(html)).toContain('<option value="views" selected="">Everything that was viewed</option>')
    expect(mainOf(html)).toMatch(/name="from"[^>]*value="2026-07-19"/)
  })

  test('bad input is refused with a message at its field, and what was typed stays', async () => {
    const shop = await openShopOf({ catalog: 'empty', now: () => now })
    const admin = await asAdmin(shop)
    const response = await admin.get('/admin/audit?from=2026-07-20&to=2026-07-19&action=role.changed')
    const html = await response.text()
    expect(response.status).toBe(422)
    expect(readMain(html)).toContain('Choose a day that isn’t before “From”.')
    expect(mainOf(html)).toMatch(/name="to"[^>]*value="2026-07-19"/)
    expect(mainOf(html)).toContain('<option value="role.changed" selected="">')
    expect(mainOf(html)).not.toContain('aria-label="Entries"')
  })

  test('without entries, the page says what to change', async () => {
    const shop = await openShopOf({ catalog: 'empty', now: () => now })
    const text = readMain(
      await (await (await asAdmin(shop)).get('/admin/audit?action=webhook.deleted')).text(),
    )
    expect(text).toContain('No entries. Choose more days or another action.')
  })

  test('the log of what a staff member did links to their own account’s, which has their sign-ins', async () => {
    const shop = await openShopOf({ catalog: 'empty', now: () => now })
    const admin = await asAdmin(shop)
    const pharmacist = await makeUser(shop.db, { roles: ['pharmacist'] })
    const signIn = { actorId: pharmacist, subjectId: pharmacist, action: 'sign-in.completed' } as const
    await insertAudits(shop.db, onePerMinute(now, [signIn]))
    const html = await (await admin.get(`/admin/audit?who=${pharmacist}&action=access`)).text()
    expect(readMain(html)).toContain('No entries.')
    expect(mainOf(html)).toContain(`href="/admin/audit?about=${pharmacist}"`)
    const own = await (await admin.get(`/admin/audit?about=${pharmacist}&action=access`)).text()
    expect(readMain(own)).toContain('Jul 20, 2026, 11:59 UTC The account’s owner signed in')
    expect(readMain(own)).not.toContain('in their own account')
  })
})
