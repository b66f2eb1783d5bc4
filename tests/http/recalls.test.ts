import { setOrderStatus } from '#server/orders/set-order-status.ts'
import { makeUser, signInAs } from '#tests/support/accounts.ts'
import { addVariant } from '#tests/support/catalog.ts'
import { signedIn, testContext } from '#tests/support/context.ts'
import { dateBefore } from '#tests/support/dates.ts'
import { placeOrder } from '#tests/support/orders.ts'
import { recallJson, recallReport } from '#tests/support/recall-reports.ts'
import { addPackage, importRecalls } from '#tests/support/recalls.ts'
import { hiddenFields } from '#tests/support/page-text.ts'
import { eachShop } from '#tests/support/shop.ts'
import { expect, test } from 'vitest'

const report = recallReport('D-0101-2026', '0143-1473-01', {
  reason_for_recall: 'CGMP deviations',
  code_info: 'Lot 77A1',
})

const readable = async (response: Response): Promise<string> =>
  (await response.text()).replaceAll('<!-- -->', '').replaceAll(/<script[\s\S]*?<\/script>/g, '')

eachShop((openShop) => {
  test('an admin who receives a recalled lot sees that its units are in quarantine', async () => {
    const shop = await openShop({ catalog: 'empty' })
    const admin = shop.visit()
    const adminId = await makeUser(shop.db, { isAdmin: true })
    await signInAs(admin, shop.db, adminId)
    const variantId = await addPackage(shop.db, '0143-1473-01', '00143147301')
    await importRecalls(
      testContext(shop.db, { user: signedIn(adminId, { isAdmin: true }) }),
      Buffer.from(recallJson(report)),
    )
    const form = {
      variantId,
      lotNumber: '77a1',
      expiryDate: dateBefore(new Date(), -400),
      quantityChange: '4',
      transactionType: 'purchase',
    }
    const received = await admin.post(`/admin/inventory/lots?variant=${variantId}`, form)
    const path = received.headers.get('location') ?? ''
    expect(path).toBe(`/admin/inventory/lots?variant=${variantId}&show=quarantined`)
    const page = await readable(await admin.get(path))
    expect(page).toContain(
      'Lot 77A1 is in quarantine. Its units are not in stock. Keep them away from the shelf.',
    )
    expect(page).not.toContain('Units added')
    const lot = await shop.db.selectFrom('stockLots').select('id').executeTakeFirstOrThrow()
    const lotPage = await readable(await admin.get(`/admin/inventory/lots/${lot.id}`))
    expect(lotPage).toMatch(/Can’t be released[^]*D-0101-2026 applies to lot 77A1[^]*Open the recall/)
    expect(lotPage).not.toContain('Release lot')
  })

  test('without scripts a recall is imported, checked on the pack, and read by the customer', async () => {
    const shop = await openShop({ catalog: 'empty' })
    const [admin, customer] = [shop.visit(), shop.visit()]
    await signInAs(admin, shop.db, await makeUser(shop.db, { isAdmin: true }))
    const userId = await makeUser(shop.db)
    await signInAs(customer, shop.db, userId)
    const items = [{ productVariantId: await addVariant(shop.db, { ndc: '0143-1473-01' }), quantity: 1 }]
    const now = new Date()
    const sent = await placeOrder(shop.db, userId, { items, ctx: { now } })
    const staff = testContext(shop.db, { now, user: signedIn(await makeUser(shop.db), { isAdmin: true }) })
    await setOrderStatus(staff, sent.id, { status: 'shipped' })
    const open = await placeOrder(shop.db, userId, { items, ctx: { now } })
    const upload = (...results: object[]): Promise<Response> => {
      const body = new FormData()
      body.append('file', new File([JSON.stringify({ results })], 'recalls.json'))
      const headers = { origin: shop.origin }
      return admin.request('/admin/screening/import', { method: 'POST', body, headers })
    }

    const refused = await upload(report, { ...report, recall_number: 'D-2' })
    expect(refused.status).toBe(422)
    expect(await readable(refused)).toMatch(
      /current lists are unchanged[^]*entry 2: recall_number: is not a recall number/,
    )
    const uploaded = await upload(report)
    const page = uploaded.headers.get('location') ?? ''
    expect(`${uploaded.status} ${page}`).toMatch(/^303 \/admin\/screening\/import\/[\da-f-]{36}$/)
    expect(await readable(await admin.get(page))).toMatch(
      /Customers to email<\/dt><dd[^>]*>1<[^]*emailed about a recall only once/,
    )
    const imported = await admin.post(page, { intent: 'import' })
    expect(`${imported.status} ${imported.headers.get('location')}`).toBe('303 /admin/screening/recalls')
    expect(await readable(await admin.get('/admin/screening/recalls'))).toContain(
      '1 customer was emailed about 1 shipped order.',
    )
    const hold = { variantId: 'x', held: '1', quantity: '1', outcome: 'destroyed', reason: 'x' }
    expect((await admin.get('/admin/screening/recalls/a%00b')).status).toBe(404)
    expect((await admin.post('/admin/screening/recalls/a%00b', hold)).status).toBe(404)
    expect(await readable(await admin.get('/admin/screening/recalls/D-0101-2026'))).toMatch(
      /as\s+of July 2023[^]*Waiting to be sent/,
    )
    const staffPage = await readable(await admin.get(`/admin/orders/${sent.id}`))
    expect(staffPage).toMatch(
      /Recalled after shipping\. We notified the customer\.[^]*href="\/admin\/screening\/recalls\/D-0101-2026"/,
    )
    expect(staffPage).toMatch(/Recalled: lot 77A1\.[^]*Email to the customer, [^]*Waiting to be sent/)

    await setOrderStatus(staff, sent.id, { status: 'processing' })
    const setBack = await readable(await admin.get(`/admin/orders/${sent.id}`))
    expect(setBack).toContain('We notified the customer of a recall.')
    expect(setBack).not.toMatch(/Recalled after shipping|Sent from|we sent/)

    const orderPage = await readable(await customer.get(`/orders/${sent.id}`))
    expect(orderPage).toMatch(
      /Recall: Ibuprofen[^]*Compare the lot on your package with the recalled lot: 77A1/,
    )
    expect(await readable(await customer.get(`/orders/${open.id}`))).not.toContain('Recall:')

    const lots = `/admin/orders/${open.id}/lots`
    expect(await readable(await admin.get(lots))).toContain('Check the lot on the package and record it.')
    const check = { intent: 'check', lineId: open.items[0]?.id ?? '', recallId: 'D-0101-2026' }
    const recalled = await admin.post(lots, { ...check, lotNumber: '77-A1' })
    expect(recalled.status).toBe(422)
    expect(await readable(recalled)).toMatch(/lists this lot[^]*value="77-A1"/)
    expect((await admin.post(lots, { ...check, lotNumber: '80B' })).status).toBe(303)
    expect(await readable(await admin.get(lots))).toContain('lot 80B on the package is not part of')
    expect((await setOrderStatus(staff, open.id, { status: 'shipped' })).status).toBe('shipped')
  })

  test('without scripts recalled units are written off with what happened to them and why', async () => {
    const shop = await openShop({ catalog: 'empty' })
    const admin = shop.visit()
    const adminId = await makeUser(shop.db, { isAdmin: true, firstName: 'Amara', lastName: 'Okafor' })
    await signInAs(admin, shop.db, adminId)
    const variantId = await addPackage(shop.db, '0143-1473-01', '00143147301', 7)
    await importRecalls(
      testContext(shop.db, { user: signedIn(adminId, { isAdmin: true }) }),
      Buffer.from(recallJson({ ...report, code_info: 'All lots within expiry' })),
    )
    const path = '/admin/screening/recalls/D-0101-2026'
    expect(await readable(await admin.get(path))).toMatch(/7 units[^]*What happened to the units[^]*Reason/)
    const form = { variantId, held: '7', quantity: '8', outcome: '', reason: ' ' }
    const refused = await admin.post(path, form)
    expect(refused.status).toBe(422)
    expect(await readable(refused)).toMatch(/Choose what happened to the units\.[^]*Enter the reason\./)
    const tooMany = await admin.post(path, { ...form, outcome: 'supplier', reason: 'Return 4711' })
    expect(await readable(tooMany)).toMatch(/Enter at most 7\.[^]*value="8"[^]*Return 4711/)
    const done = await admin.post(path, {
      ...form,
      quantity: '7',
      outcome: 'supplier',
      reason: 'Return 4711',
    })
    expect(`${done.status} ${done.headers.get('location')}`).toBe(`303 ${path}`)
    const page = await readable(await admin.get(path))
    expect(page).toMatch(
      /Returned to the supplier<\/b>: 7 units of Ibuprofen[^]*by Amara Okafor[^]*Return 4711/,
    )
    expect(page).not.toContain('What happened to the units')
  })

  test('a form that already recorded held units says so, and can be sent after its conflict', async () => {
    const shop = await openShop({ catalog: 'empty' })
    const admin = shop.visit()
    const adminId = await makeUser(shop.db, { isAdmin: true })
    await signInAs(admin, shop.db, adminId)
    await addPackage(shop.db, '0143-1473-01', '00143147301', 7)
    await importRecalls(
      testContext(shop.db, { user: signedIn(adminId, { isAdmin: true }) }),
      Buffer.from(recallJson({ ...report, code_info: 'All lots within expiry' })),
    )
    const path = '/admin/screening/recalls/D-0101-2026'
    const typed = { quantity: '2', outcome: 'destroyed', reason: 'Certificate 12' }
    const formOf = (html: string) => ({ ...typed, ...hiddenFields(html, 'What happened to [^"]*') })
    const first = formOf(await (await admin.get(path)).text())
    expect((await admin.post(path, first)).status).toBe(303)
    expect(await readable(await admin.get(path))).toContain('Destruction recorded')
    expect((await admin.post(path, first)).status).toBe(303)
    const repeated = await readable(await admin.get(path))
    expect(repeated).toContain('Already recorded: 2 units')
    expect(repeated).not.toContain('Destruction recorded')
    const refused = await admin.post(path, { ...first, reason: 'Certificate 13' })
    expect(refused.status).toBe(409)
    const next = { ...formOf(await refused.text()), reason: 'Certificate 13' }
    expect((await admin.post(path, next)).status).toBe(303)
    expect(await shop.db.selectFrom('recallHolds').select('units').execute()).toEqual([{ units: 3 }])
  })
})
