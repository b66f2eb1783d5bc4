import { refreshSearch } from '#db/search/refresh-search.ts'
import { addProduct, addVariant } from '#tests/support/catalog.ts'
import { buy } from '#tests/support/checkouts.ts'
import { signedIn, testContext } from '#tests/support/context.ts'
import { addItem } from '#tests/support/dispensing.ts'
import { readMain } from '#tests/support/page-text.ts'
import { person } from '#tests/support/prescription-pages.ts'
import { addPrescription } from '#tests/support/prescriptions.ts'
import { eachShop, type Visitor } from '#tests/support/shop.ts'
import { expect, test } from 'vitest'

eachShop((openShopOf) => {
  const openShop: typeof openShopOf = (options) => openShopOf({ catalog: 'empty', ...options })

  test('My medications lists each item, and Refill puts one fill in the cart without scripts', async () => {
    const shop = await openShop()
    const [owner, stranger] = [await person(shop), await person(shop)]
    const productId = await addProduct(shop.db, { category: 'Rx', name: 'Lisinopril' })
    const sold = { productId, genericName: 'Lisinopril', packageSize: 30 }
    const variantId = await addVariant(shop.db, sold)
    await addVariant(shop.db, { ...sold, strength: '400' })
    await refreshSearch(shop.db, [productId])
    const now = new Date()
    const daysAgo = (days: number): Date => new Date(now.getTime() - days * 24 * 3600_000)
    const { id: prescriptionId } = await addPrescription(shop.db, owner.id, { now })
    const onItem = {
      userId: owner.id,
      prescriptionId,
      variantId,
      unitsPerFill: 60,
      writtenOn: daysAgo(60).toISOString().slice(0, 10),
    }
    const itemId = await addItem(shop.db, onItem)
    const readList = async (path = '/prescriptions'): Promise<string> =>
      readMain(await (await owner.get(path)).text())
    const refill = async (visitor: Visitor, fields: Record<string, string> = {}): Promise<string> => {
      const response = await visitor.post('/prescriptions', { intent: 'refill', id: itemId, ...fields })
      return `${response.status} ${response.headers.get('location') ?? ''}`.trimEnd()
    }

    const page = await owner.get('/prescriptions')
    expect(page.headers.get('cache-control')).toBe('private, no-store')
    const main = readMain(await page.text())
    for (const words of [
      'My medications',
      'Lisinopril 200 mg, tablet',
      'Take 1 tablet by mouth daily',
      '2 of 2',
      '60 tablets, 30 days',
      'Dr. Ada Quillfeather',
      '000001',
      'Ready to order',
    ]) {
      expect(main).toContain(words)
    }
    expect(readMain(await (await stranger.get('/prescriptions')).text())).not.toContain('Lisinopril')
    expect(await refill(stranger)).toBe('404')
    expect(await refill(shop.visit())).toBe('303 /api/login?returnTo=%2Fprescriptions')
    expect([await refill(owner), await refill(owner)]).toEqual(['303 /cart', '303 /cart'])
    const cart = readMain(await (await owner.get('/cart')).text())
    expect(cart).toContain('Shopping Cart (2 items)')
    expect(cart).toContain('Covered by Dr. Ada Quillfeather’s prescription, 2 refills left')

    const ctx = testContext(shop.db, { now, user: signedIn(owner.id) })
    const { order } = await buy(ctx, variantId, { quantity: 2 })
    expect(await readList()).toContain('Order in progress')
    const dispense = (dispensedAt: Date) =>
      shop.db
        .updateTable('fills')
        .set({ status: 'dispensed', dispensedAt })
        .where('orderId', '=', order.id)
        .execute()
    await dispense(daysAgo(2))
    expect(await readList()).toMatch(/Next refill \w{3} \d+, \d{4}/)
    expect(await refill(owner)).toBe('303 /prescriptions')
    expect(await readList()).toContain('2 of 2')
    expect(await (await owner.get('/prescriptions')).text()).not.toContain('value="refill"')

    // The product of the last fill is gone: equal ones are offered, other strengths are not.
    await dispense(daysAgo(25))
    await shop.db.updateTable('productVariants').set({ deletedAt: now }).where('id', '=', variantId).execute()
    expect(await refill(owner)).toBe('303 /prescriptions')
    const equalId = await addVariant(shop.db, { ...sold, packageSize: 60, priceCents: 900 })
    expect(await refill(owner)).toBe(`303 /prescriptions?refill=${itemId}`)
    const choices = await readList(`/prescriptions?refill=${itemId}`)
    expect(choices).toContain('1 × Generic, 200 mg, 60 tablets')
    expect(choices).not.toContain('400 mg')
    expect(await refill(owner, { variantId: equalId })).toBe('303 /cart')

    // A prescription that ended asks for a new one; a newer one replaces it in the list.
    const ended = { ...onItem, writtenOn: daysAgo(400).toISOString().slice(0, 10) }
    await addItem(shop.db, { ...ended, variantId: await addVariant(shop.db, { ...sold, strength: '800' }) })
    const list = await readList()
    expect(list).toContain('Lisinopril 800 mg, tablet')
    expect(list).toContain('Ask your doctor for a new one.')
    expect(list).toContain('Print a request')
    await addItem(shop.db, ended)
    expect((await readList()).match(/Lisinopril 200 mg/g)).toHaveLength(1)
  })
})
