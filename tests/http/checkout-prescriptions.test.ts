import { newId } from '#domain/ids.ts'
import { addProduct, addVariant } from '#tests/support/catalog.ts'
import {
  cards,
  customer,
  fill,
  place,
  readPage,
  outcomeOf,
  rowsOf,
  tagOf,
} from '#tests/support/checkout-page.ts'
import { dateBefore } from '#tests/support/dates.ts'
import { addItem } from '#tests/support/dispensing.ts'
import { readMain } from '#tests/support/page-text.ts'
import { addPrescription } from '#tests/support/prescriptions.ts'
import { eachShop, type ShopOptions } from '#tests/support/shop.ts'
import { expect, test } from 'vitest'

eachShop((openShopOf) => {
  const openShop = (options: ShopOptions = {}) => openShopOf({ catalog: 'empty', ...options })

  test('a prescription medicine requires a usable prescription that the customer chooses', async () => {
    const shop = await openShop()
    const visitor = await customer(shop)
    const productId = await addProduct(shop.db, { category: 'Rx', name: 'Gabapentin' })
    await fill(visitor, [await addVariant(shop.db, { productId })])
    const none = await readPage(visitor, '/checkout')
    expect(none).toContain('You need to upload a prescription before ordering prescription medications.')
    expect(await (await visitor.get('/checkout')).text()).toContain(
      'href="/prescriptions/upload?from=checkout"',
    )

    const now = new Date()
    const usable = await addPrescription(shop.db, visitor.id, { now })
    await addPrescription(shop.db, visitor.id, { now, doctorName: 'Dr. Old', expiryDate: '2020-01-01' })
    const rejected = await addPrescription(shop.db, visitor.id, { now, doctorName: 'Dr. No' })
    await shop.db
      .updateTable('prescriptions')
      .set({ status: 'rejected' })
      .where('id', '=', rejected.id)
      .execute()
    const others = await addPrescription(shop.db, (await customer(shop)).id, { now })
    // The only one that a pharmacist could find this medicine on.
    const html = await (await visitor.get('/checkout')).text()
    expect(html).toContain(`<option value="${usable.id}" selected="">`)
    expect(readMain(html)).toMatch(/Dr\. Ada Quillfeather, uploaded \w{3} \d+, \d{4} \(Under review\)/)
    expect(readMain(html)).not.toMatch(/Dr\. Old|Dr\. No| UTC/)

    for (const prescriptionId of ['', 'x', rejected.id, others.id, newId()]) {
      const response = await place(visitor, { prescriptionId })
      expect(response.status).toBe(422)
      const main = readMain(await response.text())
      expect(main).toContain('Prescription Required')
      expect(main).toContain('Please select a prescription for prescription items')
    }
    expect((await rowsOf(shop)).payments).toEqual([])
    const declined = await place(visitor, { prescriptionId: usable.id, cardNumber: cards.declined })
    expect(await declined.text()).toContain(`<option value="${usable.id}" selected="">`)
    expect(outcomeOf(await place(visitor, { prescriptionId: usable.id }))).toBe('303 /order-history')
    expect((await rowsOf(shop)).orders).toMatchObject([{ prescriptionId: usable.id, hasRx: true }])
  })

  test('two prescriptions of one doctor and day are told apart by the time of their upload', async () => {
    const shop = await openShop()
    const visitor = await customer(shop)
    await fill(visitor, [
      await addVariant(shop.db, { productId: await addProduct(shop.db, { category: 'Rx' }) }),
    ])
    const day = dateBefore(new Date(), 1)
    const addAt = (time: string, doctorName: string) =>
      addPrescription(shop.db, visitor.id, { now: new Date(`${day}T${time}Z`), doctorName })
    const { id } = await addAt('14:05:31', 'Dr. Costa')
    await addAt('14:05:32', 'Dr. Costa')
    await addAt('14:05:33', 'Dr. Silva')
    const checkout = await readPage(visitor, '/checkout')
    expect(checkout).toMatch(/Dr\. Costa, uploaded [^(]+, 2:05:31\sPM UTC \(Under review\)/)
    expect(checkout).toMatch(/Dr\. Costa, uploaded [^(]+, 2:05:32\sPM UTC \(Under review\)/)
    expect(checkout).toMatch(/Dr\. Silva, uploaded \w{3} \d+, \d{4} \(Under review\)/)
    expect(await readPage(visitor, `/prescriptions?delete=${id}`)).toMatch(
      /The prescription “ ?Dr\. Costa, uploaded [^:]+, 2:05:31\sPM UTC ?” and its file will be permanently deleted/,
    )
  })

  test('each prescription line says how it is covered, and what never can be is refused before payment', async () => {
    const shop = await openShop()
    const visitor = await customer(shop)
    const now = new Date()
    const writtenOn = now.toISOString().slice(0, 10)
    const addRx = async (name: string) =>
      addVariant(shop.db, {
        productId: await addProduct(shop.db, { category: 'Rx', name }),
        genericName: name,
      })
    const [lisinopril, gabapentin] = [await addRx('Lisinopril'), await addRx('Gabapentin')]
    const [transcribed, uploaded] = [
      await addPrescription(shop.db, visitor.id, { now }),
      await addPrescription(shop.db, visitor.id, { now, doctorName: 'Dr. New' }),
    ]
    const item = { userId: visitor.id, prescriptionId: transcribed.id, variantId: lisinopril, writtenOn }
    await addItem(shop.db, { ...item, prescriberName: 'Dr. Natarajan' })

    // Refused: more than a fill allows, with the quantity that it does allow.
    await fill(visitor, [lisinopril, 3])
    const tooMany = await place(visitor, { prescriptionId: '' })
    expect(tooMany.status).toBe(409)
    const main = readMain(await tooMany.text())
    expect(main).toContain(
      'Lisinopril, Generic, 200 mg, 24 tablets: Not covered: one fill is at most 48 tablets. Choose a smaller quantity.',
    )
    expect(main).toContain('Order 2 instead')
    const fewer = { intent: 'update', variantId: lisinopril, quantity: '2', from: 'checkout' }
    expect(outcomeOf(await visitor.post('/cart', fewer))).toBe('303 /checkout')

    // Covered: no prescription has to be chosen.
    const covered = 'Covered by Dr. Natarajan’s prescription, 2 refills left'
    const cartPage = await visitor.get('/cart')
    expect(cartPage.headers.get('cache-control')).toBe('private, no-store')
    expect(readMain(await cartPage.text())).toContain(covered)
    expect(await (await visitor.get('/checkout')).text()).toContain('<option value="" selected="">')

    // To review: the only prescription without a transcription is preselected.
    await fill(visitor, [gabapentin])
    expect(await readPage(visitor, '/cart')).toContain('You’ll choose a prescription for it at checkout')
    const html = await (await visitor.get('/checkout')).text()
    expect(html).toContain(`<option value="${uploaded.id}" selected="">`)
    expect(readMain(html)).toContain(covered)
    expect(readMain(html)).toContain('A pharmacist will check this against the prescription you choose')
    for (const [prescriptionId, words] of [
      ['', 'Choose or upload a prescription for this medicine'],
      [transcribed.id, 'Not covered: the prescription you chose is for another medicine'],
    ] as const) {
      const checked = await place(visitor, { intent: 'check', city: 'Bath', prescriptionId })
      expect(checked.status).toBe(200)
      const checkedHtml = await checked.text()
      expect(readMain(checkedHtml)).toContain(words)
      expect(tagOf(checkedHtml, 'city')).toContain('value="Bath"')
      const refused = await place(visitor, { city: 'Bath', prescriptionId })
      expect(refused.status).toBe(422)
      const refusedHtml = await refused.text()
      expect(readMain(refusedHtml)).toContain('Prescription Required')
      expect(tagOf(refusedHtml, 'city')).toContain('value="Bath"')
    }

    expect((await rowsOf(shop)).payments).toEqual([])
    expect(outcomeOf(await place(visitor, { prescriptionId: uploaded.id }))).toBe('303 /order-history')

    // The fill counts until the order has left or is cancelled.
    await fill(visitor, [lisinopril, 2])
    const again = await place(visitor, { prescriptionId: '' })
    expect(again.status).toBe(409)
    expect(readMain(await again.text())).toContain('You already have an order for this medicine in progress.')
    expect((await rowsOf(shop)).orders).toHaveLength(1)

    // Too early after it was dispensed: another prescription does not help, and the line can go.
    await shop.db
      .updateTable('fills')
      .set({ status: 'dispensed', dispensedAt: now })
      .where('status', '=', 'reserved')
      .execute()
    const another = await addPrescription(shop.db, visitor.id, { now, doctorName: 'Dr. Other' })
    for (const prescriptionId of ['', another.id]) {
      const early = await place(visitor, { prescriptionId })
      expect(early.status).toBe(409)
      expect(readMain(await early.text())).toMatch(/Available from \w{3} \d+\./)
    }
    expect(await readPage(visitor, '/checkout')).toMatch(/Available from \w{3} \d+\..*Remove/)
    const remove = { intent: 'remove', variantId: lisinopril, from: 'checkout' }
    expect(outcomeOf(await visitor.post('/cart', remove))).toBe('303 /checkout')

    // Another strength than the prescribed one.
    const { productId } = await shop.db
      .selectFrom('productVariants')
      .select('productId')
      .where('id', '=', lisinopril)
      .executeTakeFirstOrThrow()
    const stronger = { productId, genericName: 'Lisinopril', strength: '400' }
    await fill(visitor, [await addVariant(shop.db, stronger)])
    const unlike = await place(visitor, { prescriptionId: '' })
    expect(unlike.status).toBe(422)
    const unlikeMain = readMain(await unlike.text())
    expect(unlikeMain).toContain('Not covered: this prescription is for 200 mg.')
    expect(unlikeMain).toContain('Upload a new one')
    expect((await rowsOf(shop)).orders).toHaveLength(1)
  })

  test('two forms of one strength read differently from the product’s page to the order', async () => {
    const shop = await openShop()
    const visitor = await customer(shop)
    const productId = await addProduct(shop.db, { name: 'Metformin', category: 'Rx' })
    const addForm = (labelForm: string) =>
      addVariant(shop.db, { productId, genericName: 'Metformin', labelForm })
    const plain = await addForm('TABLET')
    const extended = await addForm('TABLET, FILM COATED, EXTENDED RELEASE')
    const words = 'film coated, extended release'
    const productPage = await readPage(visitor, `/products/${productId}`)
    expect(productPage).toContain(`· tablet, ${words}`)
    const writtenOn = new Date().toISOString().slice(0, 10)
    const prescription = await addPrescription(shop.db, visitor.id, { now: new Date() })
    const item = { userId: visitor.id, prescriptionId: prescription.id, writtenOn }
    await addItem(shop.db, { ...item, variantId: plain })

    await fill(visitor, [plain], [extended])
    const named = `Generic, 200 mg, 24 tablets, ${words}`
    expect(await readPage(visitor, '/cart')).toContain(named)
    expect(await readPage(visitor, '/checkout')).toContain(named)
    const refused = await place(visitor, { prescriptionId: '' })
    expect(refused.status).toBe(422)
    expect(readMain(await refused.text())).toContain(
      `Not covered: this prescription is for “tablet”, not “tablet, ${words}”.`,
    )

    await visitor.post('/cart', { intent: 'remove', variantId: plain })
    const uploaded = await addPrescription(shop.db, visitor.id, { now: new Date() })
    expect(outcomeOf(await place(visitor, { prescriptionId: uploaded.id }))).toBe('303 /order-history')
    expect(await readPage(visitor, '/order-history')).toContain(`200 mg, tablet, ${words}, 24 tablets`)
  })

  test('every line that is refused is named', async () => {
    const shop = await openShop()
    const visitor = await customer(shop)
    const productId = await addProduct(shop.db, { name: 'Metformin', category: 'Rx' })
    const addStrength = (strength: string, labelForm: string | null = null) =>
      addVariant(shop.db, { productId, strength, labelForm })
    const prescribed = await addStrength('500')
    const [larger, largest] = [await addStrength('850', 'TABLET, FILM COATED'), await addStrength('1000')]
    const { id: prescriptionId } = await addPrescription(shop.db, visitor.id, { now: new Date() })
    const writtenOn = new Date().toISOString().slice(0, 10)
    await addItem(shop.db, { userId: visitor.id, prescriptionId, variantId: prescribed, writtenOn })
    await fill(visitor, [larger], [largest])
    const [first, second] = ['850 mg, 24 tablets, film coated', '1000 mg, 24 tablets'].map(
      (label) => `Metformin, Generic, ${label}: Not covered: this prescription is for 500 mg.`,
    )
    for (const [chosen, sentence] of [
      ['', 'Prescription Required: Please select a prescription for prescription items'],
      [prescriptionId, `Prescription Required: ${first}`],
    ] as const) {
      const refused = await place(visitor, { prescriptionId: chosen })
      expect(refused.status).toBe(422)
      const main = readMain(await refused.text())
      for (const part of [sentence, first, second]) expect(main).toContain(part)
    }

    await shop.db.updateTable('productVariants').set({ inStock: false }).execute()
    const soldOut = await place(visitor, { prescriptionId })
    expect(soldOut.status).toBe(409)
    const soldOutMain = readMain(await soldOut.text())
    expect(soldOutMain).toContain('Metformin, Generic, 850 mg, 24 tablets, film coated: Out of stock.')
    expect(soldOutMain).toContain('Metformin, Generic, 1000 mg, 24 tablets: Out of stock.')
  })
})
