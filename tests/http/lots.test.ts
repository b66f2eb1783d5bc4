import { makeUser, signInAs } from '#tests/support/accounts.ts'
import { addVariant } from '#tests/support/catalog.ts'
import { dateBefore } from '#tests/support/dates.ts'
import { hiddenFields, readMain } from '#tests/support/page-text.ts'
import { eachShop, type Shop, type Visitor } from '#tests/support/shop.ts'
import { beforeEach, expect, test } from 'vitest'

const readable = async (response: Response): Promise<string> =>
  (await response.text()).replaceAll('<!-- -->', '').replaceAll(/<script[\s\S]*?<\/script>/g, '')

type Receipt = { lotNumber: string; expiryDate: string; requestKey?: string }

eachShop((openShop) => {
  let shop: Shop
  let admin: Visitor
  let receipts: string
  let receive: (receipt: Receipt) => Promise<Response>
  beforeEach(async () => {
    shop = await openShop({ catalog: 'empty' })
    admin = shop.visit()
    await signInAs(admin, shop.db, await makeUser(shop.db, { isAdmin: true }))
    const variantId = await addVariant(shop.db, { stockQuantity: 0, inStock: false })
    receipts = `/admin/inventory/lots?variant=${variantId}`
    receive = (receipt) =>
      admin.post(receipts, { variantId, quantityChange: '20', transactionType: 'purchase', ...receipt })
  })

  test('a lot number that is too long is refused with its limit, and stays as it was typed', async () => {
    const form = (await readable(await admin.get(receipts))).match(/<input[^>]*name="lotNumber"[^>]*>/)?.[0]
    expect(form).toBeDefined()
    // A browser would cut what is typed, without a word.
    expect(form).not.toMatch(/maxlength/i)
    const lotNumber = 'A'.repeat(41)
    const refused = await receive({ lotNumber, expiryDate: dateBefore(new Date(), -400) })
    expect(refused.status).toBe(422)
    expect(await readable(refused)).toMatch(new RegExp(`value="${lotNumber}"[^]*Enter at most 40 characters`))
    expect(
      (await receive({ lotNumber: lotNumber.slice(1), expiryDate: dateBefore(new Date(), -400) })).status,
    ).toBe(303)
  })

  test('a receipt form that already recorded other units gets a new key, and then adds what is typed', async () => {
    const keyOf = (page: string): string => /name="requestKey" value="([^"]+)"/.exec(page)?.[1] ?? ''
    const requestKey = keyOf(await readable(await admin.get(receipts)))
    const receipt = { lotNumber: 'A12', expiryDate: dateBefore(new Date(), -400), requestKey }
    expect((await receive(receipt)).status).toBe(303)
    const other = { ...receipt, lotNumber: 'B7' }
    const refused = await receive(other)
    expect(refused.status).toBe(409)
    const page = await readable(refused)
    expect(page).toMatch(/already changed the stock by \+20\.[^]*value="B7"/)
    // The key of a form with an error stays: its units may have been added.
    const invalid = await readable(await receive({ ...receipt, lotNumber: '' }))
    expect(keyOf(invalid)).toBe(requestKey)
    expect((await receive({ ...other, requestKey: keyOf(page) })).status).toBe(303)
    const lots = await shop.db.selectFrom('stockLots').select('lotNumber').orderBy('lotNumber').execute()
    expect(lots.map(({ lotNumber }) => lotNumber)).toEqual(['A12', 'B7'])
  })

  test('the page of a lot shows how many units were received, quarantined and written off', async () => {
    expect((await receive({ lotNumber: 'A12', expiryDate: dateBefore(new Date(), -400) })).status).toBe(303)
    const { id } = await shop.db.selectFrom('stockLots').select('id').executeTakeFirstOrThrow()
    const page = `/admin/inventory/lots/${id}`
    await admin.post(page, { intent: 'quarantine', reason: 'Wet carton' })
    const form = await (await admin.get(page)).text()
    const requestKey = /name="requestKey" value="([^"]+)"/.exec(form)?.[1] ?? ''
    const writeOff = { intent: 'write-off', quantity: '3', version: '2', reason: 'Destroyed', requestKey }
    expect((await admin.post(page, { ...writeOff, quantity: '1e1' })).status).toBe(422)
    expect((await admin.post(page, { ...writeOff, requestKey: 'x' })).status).toBe(422)
    // A browser without scripts whose page did not load sends the form again.
    expect((await admin.post(page, writeOff)).status).toBe(303)
    expect(await (await admin.get(page)).text()).toContain('Units written off')
    expect((await admin.post(page, writeOff)).status).toBe(303)
    expect(await (await admin.get(page)).text()).toContain('Already recorded: 3 units')
    const text = readMain(await (await admin.get(page)).text())
    expect(text).toMatch(
      /Written off : 3 units, by .* Destroyed .*Put into quarantine : 20 units, by .* Wet carton .*Purchase : \+20 units,/,
    )
  })

  test('a form that already wrote units off can be sent after its conflict, without scripts too', async () => {
    expect((await receive({ lotNumber: 'A13', expiryDate: dateBefore(new Date(), -400) })).status).toBe(303)
    const { id } = await shop.db.selectFrom('stockLots').select('id').executeTakeFirstOrThrow()
    const page = `/admin/inventory/lots/${id}`
    await admin.post(page, { intent: 'quarantine', reason: 'Wet carton' })
    const typed = { quantity: '3', reason: 'Destroyed' }
    const first = { ...typed, ...hiddenFields(await (await admin.get(page)).text(), 'Write off') }
    expect((await admin.post(page, first)).status).toBe(303)
    const refused = await admin.post(page, { ...first, quantity: '4' })
    expect(refused.status).toBe(409)
    const html = await refused.text()
    expect(readMain(html)).toContain('This form already recorded 3 units. Check what is left')
    expect(
      (await admin.post(page, { ...typed, quantity: '4', ...hiddenFields(html, 'Write off') })).status,
    ).toBe(303)
    expect(await shop.db.selectFrom('stockLots').select('quantity').execute()).toEqual([{ quantity: 13 }])
  })
})
