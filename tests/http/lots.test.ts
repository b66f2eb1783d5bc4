import { makeUser, signInAs } from '#tests/support/accounts.ts'
import { addVariant } from '#tests/support/catalog.ts'
import { eachShop, type Shop, type Visitor } from '#tests/support/shop.ts'
import { beforeEach, expect, test } from 'vitest'

const readable = async (response: Response): Promise<string> =>
  (await response.text()).replaceAll('<!-- -->', '').replaceAll(/<script[\s\S]*?<\/script>/g, '')

eachShop((openShop) => {
  let shop: Shop
  let admin: Visitor
  let receipts: string
  let receive: (receipt: { lotNumber: string; expiryDate: string }) => Promise<Response>
  beforeEach(async () => {
    shop = await openShop({ catalog: 'empty' })
    admin = shop.visit()
    await signInAs(admin, shop.db, await makeUser(shop.db, { isAdmin: true }))
    const variantId = await addVariant(shop.db, { stockQuantity: 0, inStock: false })
    receipts = `/admin/inventory/lots?variant=${variantId}`
    receive = (receipt) =>
      admin.post(receipts, { variantId, quantityChange: '20', transactionType: 'purchase', ...receipt })
  })

  test('the page of a lot shows how many units were received, quarantined and written off', async () => {
    expect((await receive({ lotNumber: 'A12', expiryDate: '2099-12-31' })).status).toBe(303)
    const { id } = await shop.db.selectFrom('stockLots').select('id').executeTakeFirstOrThrow()
    const page = `/admin/inventory/lots/${id}`
    await admin.post(page, { intent: 'quarantine', reason: 'Wet carton' })
    const writeOff = { intent: 'write-off', quantity: '3', version: '2', reason: 'Destroyed' }
    expect((await admin.post(page, writeOff)).status).toBe(303)
    const html = (await readable(await admin.get(page))).replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ')
    expect(html).toMatch(
      /Written off : 3 units, by .* Destroyed .*Put into quarantine : 20 units, by .* Wet carton .*Purchase : \+20 units,/,
    )
  })
})
