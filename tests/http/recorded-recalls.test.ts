import { makeUser, signInAs } from '#tests/support/accounts.ts'
import { addVariant } from '#tests/support/catalog.ts'
import { testContext, signedIn } from '#tests/support/context.ts'
import { placeOrder } from '#tests/support/orders.ts'
import { eachShop } from '#tests/support/shop.ts'
import { setOrderStatus } from '#server/orders/set-order-status.ts'
import { expect, test } from 'vitest'

const path = '/admin/screening/recalls/new'

const readable = async (response: Response): Promise<string> =>
  (await response.text()).replaceAll('<!-- -->', '').replaceAll(/<script[\s\S]*?<\/script>/g, '')

const hiddenField = (page: string, name: string): string =>
  new RegExp(`name="${name}" value="([^"]*)"`).exec(page)?.[1] ?? ''

/** The one package that is checked. */
const checkedPackages = (page: string): string =>
  /<input (?=[^>]*name="variantIds")(?=[^>]*checked="")[^>]*value="([^"]*)"/.exec(page)?.[1] ?? ''

const typedPackages = (page: string): string =>
  /<textarea [^>]*name="products"[^>]*>([^<]*)</.exec(page)?.[1] ?? ''

eachShop((openShop) => {
  test('without scripts a recall by phone is previewed, recorded once, and ended', async () => {
    const shop = await openShop({ catalog: 'empty' })
    const [admin, customer] = [shop.visit(), shop.visit()]
    const adminId = await makeUser(shop.db, { isAdmin: true, firstName: 'Amara', lastName: 'Okafor' })
    await signInAs(admin, shop.db, adminId)
    const userId = await makeUser(shop.db)
    await signInAs(customer, shop.db, userId)
    const variantId = await addVariant(shop.db, { din: '02237998', trackInventory: false })
    await shop.db
      .insertInto('variantIdentifiers')
      .values({ kind: 'din', value: '02237998', variantId })
      .execute()
    const now = new Date()
    const items = [{ productVariantId: variantId, quantity: 1 }]
    const sent = await placeOrder(shop.db, userId, { items, ctx: { now } })
    const staff = testContext(shop.db, { now, user: signedIn(adminId, { isAdmin: true }) })
    await setOrderStatus(staff, sent.id, { status: 'shipped' })
    await placeOrder(shop.db, userId, { items, ctx: { now } })

    const empty = await readable(await admin.get(path))
    expect(empty).not.toContain('Record the recall')
    const form = {
      requestKey: hiddenField(empty, 'requestKey'),
      firm: 'Example Labs',
      reference: 'Dana Kim, 555-0100',
      initiated: '2026-01-02',
      recallClass: '',
      reason: 'Metal particles',
      products: 'DIN 02237998\r\n99999-999-99',
      scope: 'all',
      lots: '',
    }
    const unknown = await admin.post(path, { ...form, intent: 'preview' })
    expect(unknown.status).toBe(422)
    const corrected = await readable(unknown)
    expect(corrected).toMatch(/Not in the catalog: 99999-999-99\.[^]*Metal particles/)
    expect(corrected).toMatch(new RegExp(`<input [^>]*checked=""[^>]*value="${variantId}"`))
    // A package that an SKU finds is not chosen, and the other line doesn't hide that.
    await addVariant(shop.db, { sku: 'BOTTLE' })
    const half = await admin.post(path, { ...form, products: 'DIN 02237998\r\nBOTTLE', intent: 'preview' })
    expect(half.status).toBe(422)
    expect(await readable(half)).toContain('No package is chosen for: BOTTLE.')
    const products = 'DIN 02237998'
    // Without a preview, nothing is recorded.
    const hasty = await admin.post(path, { ...form, products, intent: 'record' })
    expect(hasty.status).toBe(409)
    expect(await readable(hasty)).toContain('Check the preview, then record it.')
    const previewed = await admin.post(path, { ...form, products, intent: 'preview' })
    expect(previewed.status).toBe(200)
    const preview = await readable(previewed)
    expect(preview).toMatch(
      /DIN 02237998 · Stock isn’t tracked[^]*take off sale<\/dt><dd[^>]*>1<[^]*can’t ship yet<\/dt><dd[^>]*>1<[^]*Customers to email<\/dt><dd[^>]*>1<[^]*Record the recall/,
    )
    expect(await shop.db.selectFrom('careRecalls').select('id').execute()).toEqual([])
    const confirmed = {
      ...form,
      products,
      shown: hiddenField(preview, 'shown'),
      variantIds: variantId,
      previewed: hiddenField(preview, 'previewed'),
      intent: 'record',
    }
    expect((await admin.post(path, { ...confirmed, variantIds: 'none' })).status).toBe(422)
    const replies = [await admin.post(path, confirmed), await admin.post(path, confirmed)]
    const [recall] = await shop.db.selectFrom('careRecalls').select('id').execute()
    const recallPath = `/admin/screening/recalls/${recall?.id}`
    expect(replies.map(({ status, headers }) => `${status} ${headers.get('location')}`)).toEqual([
      `303 ${recallPath}`,
      `303 ${recallPath}`,
    ])
    expect(await readable(await admin.get(recallPath))).toMatch(
      /not known[^]*Recorded by Amara Okafor[^]*Dana Kim, 555-0100[^]*End this recall[^]*Waiting to be sent/,
    )
    expect(await readable(await admin.get('/admin/screening/recalls'))).toContain(recallPath)
    const orderPage = await readable(await customer.get(`/orders/${sent.id}`))
    expect(orderPage).toMatch(
      /Recalled by Example Labs: Metal particles[^]*recalled on Jan 2, 2026\. We recorded this recall on [A-Z][a-z]+ \d+, \d{4}\./,
    )
    expect(orderPage).not.toMatch(/Dana Kim|555-0100/)

    const unreasoned = await admin.post(recallPath, { intent: 'end', reason: ' ' })
    expect(unreasoned.status).toBe(422)
    expect(await readable(unreasoned)).toMatch(/href="#end-reason"[^>]*>Enter the reason\./)
    const requestKey = hiddenField(await readable(await admin.get(recallPath)), 'requestKey')
    const early = await admin.get(`${path}?from=${recall?.id}`)
    expect(early.status).toBe(409)
    expect(await readable(early)).toContain('This recall is ongoing. It can’t be recorded again')
    for (const _press of [1, 2]) {
      const end = { intent: 'end', reason: 'It was another strength', requestKey }
      const ended = await admin.post(recallPath, end)
      expect(`${ended.status} ${ended.headers.get('location')}`).toBe(`303 ${recallPath}`)
    }
    const endedPage = await readable(await admin.get(recallPath))
    expect(endedPage).toMatch(/Ended<\/b> by Amara Okafor[^]*It was another strength/)
    expect(endedPage).not.toContain('End this recall')
    // It can’t be undone, but the recall can be recorded again with its fields filled in.
    expect(endedPage).toContain(`href="${path}?from=${recall?.id}"`)
    const again = await readable(await admin.get(`${path}?from=${recall?.id}`))
    expect(again).toMatch(
      /value="Example Labs"[^]*>Dana Kim, 555-0100<[^]*value="2026-01-02"[^]*>Metal particles<[^]*DIN 02237998 · Stock[^]*value="all"/,
    )
    expect(again).toMatch(new RegExp(`<input [^>]*checked=""[^>]*value="${variantId}"`))
    expect(again).toMatch(/<input [^>]*checked=""[^>]*value="all"/)
    expect(hiddenField(again, 'requestKey')).not.toBe(form.requestKey)
    expect((await admin.get(`${path}?from=D-1`)).status).toBe(404)
    expect((await admin.post(recallPath, { intent: 'end', reason: 'Again' })).status).toBe(409)
    const afterEnd = await readable(await customer.get(`/orders/${sent.id}`))
    expect(afterEnd).toMatch(
      /We withdrew this notice on [A-Z][a-z]+ \d+, \d{4}\. Another recall may still apply\. Ask us before/,
    )
    expect(afterEnd).not.toContain('no longer in the list')
  })

  test('without scripts a recall that is recorded again covers the packages that it covered, and no others', async () => {
    const shop = await openShop({ catalog: 'empty' })
    const admin = shop.visit()
    await signInAs(admin, shop.db, await makeUser(shop.db, { isAdmin: true }))
    const addCanadian = async (packageSize: number): Promise<string> => {
      const variantId = await addVariant(shop.db, { din: '02237998', packageSize })
      const code = { kind: 'din', value: '02237998', variantId } as const
      await shop.db.insertInto('variantIdentifiers').values(code).execute()
      return variantId
    }
    const [chosen, other] = [await addCanadian(30), await addCanadian(100)]
    const listed = (page: string) => ({
      shown: hiddenField(page, 'shown'),
      carried: hiddenField(page, 'carried'),
      requestKey: hiddenField(page, 'requestKey'),
      previewed: hiddenField(page, 'previewed'),
      variantIds: checkedPackages(page),
    })
    const form = {
      firm: 'Example Labs',
      reference: 'Dana Kim, 555-0100',
      initiated: '2026-01-02',
      reason: 'Metal particles',
      scope: 'all',
      products: '',
    }
    const first = { ...form, ...listed(''), shown: `${chosen} ${other}`, variantIds: chosen }
    const asked = { ...first, products: 'DIN 02237998', requestKey: crypto.randomUUID() }
    const preview = await readable(await admin.post(path, { ...asked, intent: 'preview' }))
    expect(preview).toContain('The recall leaves out DIN 02237998, because')
    const previewed = hiddenField(preview, 'previewed')
    expect((await admin.post(path, { ...asked, previewed, intent: 'record' })).status).toBe(303)
    const packages = shop.db.selectFrom('careRecallPackages').select('ndc')
    expect(await packages.execute()).toEqual([{ ndc: `variant:${chosen}` }])
    const recall = await shop.db.selectFrom('careRecalls').select('id').executeTakeFirstOrThrow()
    const end = { intent: 'end', reason: 'By mistake' }
    expect((await admin.post(`/admin/screening/recalls/${recall.id}`, end)).status).toBe(303)

    const again = await readable(await admin.get(`${path}?from=${recall.id}`))
    const sent = { ...form, products: typedPackages(again), ...listed(again) }
    const second = await readable(await admin.post(path, { ...sent, intent: 'preview' }))
    expect(second).toContain('Record the recall')
    const done = { ...sent, products: typedPackages(second), ...listed(second), intent: 'record' }
    expect((await admin.post(path, done)).status).toBe(303)
    expect(await packages.execute()).toEqual([1, 2].map(() => ({ ndc: `variant:${chosen}` })))
  })

  test('without scripts a lot that may be a range is confirmed beside the preview, and recorded as printed', async () => {
    const shop = await openShop({ catalog: 'empty' })
    const admin = shop.visit()
    await signInAs(admin, shop.db, await makeUser(shop.db, { isAdmin: true }))
    const variantId = await addVariant(shop.db, { sku: 'BOTTLE' })
    const form = {
      requestKey: hiddenField(await readable(await admin.get(path)), 'requestKey'),
      firm: 'Example Labs',
      reference: 'Dana Kim, 555-0100',
      initiated: '2026-01-02',
      reason: 'Metal particles',
      products: 'BOTTLE',
      shown: variantId,
      variantIds: variantId,
      scope: 'listed',
      lots: '23-1047',
    }
    const previewed = await admin.post(path, { ...form, intent: 'preview' })
    expect(previewed.status).toBe(200)
    const preview = await readable(previewed)
    expect(preview).toMatch(/name="printedLots"[^>]*value="23-1047"[^]*not a range: 23-1047/)
    const sent = { ...form, previewed: hiddenField(preview, 'previewed'), intent: 'record' }
    const unconfirmed = await admin.post(path, sent)
    expect(unconfirmed.status).toBe(422)
    expect(await readable(unconfirmed)).toMatch(
      /href="#printedLots"[^>]*>Confirm that these are lots and not ranges: 23-1047\.[^]*Record the recall/,
    )
    expect((await admin.post(path, { ...sent, printedLots: '23-1047' })).status).toBe(303)
    expect(await shop.db.selectFrom('careRecallLots').select('lot').execute()).toEqual([{ lot: '23-1047' }])
  })
})
