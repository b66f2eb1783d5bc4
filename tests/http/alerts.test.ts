import { updateProfile } from '#server/accounts/update-profile.ts'
import { dependantSchema } from '#domain/patients/dependant-fields.ts'
import { saveDependant } from '#server/patients/dependants.ts'
import { getCase } from '#server/reviews/get-case.ts'
import { makeUser, signInAs } from '#tests/support/accounts.ts'
import { addCareLists } from '#tests/support/alerts.ts'
import { addProduct, addVariant } from '#tests/support/catalog.ts'
import { signedIn, testContext } from '#tests/support/context.ts'
import { cardExpiry } from '#tests/support/dates.ts'
import { addEquivalents } from '#tests/support/equivalents.ts'
import { placeOrder } from '#tests/support/orders.ts'
import { mainOf, readMain } from '#tests/support/page-text.ts'
import { addPharmacist, answerHealthQuestions, transcribe } from '#tests/support/pharmacist.ts'
import { addPrescription } from '#tests/support/prescriptions.ts'
import { lineOf, prescriptionOf } from '#tests/support/review-cases.ts'
import { eachShop, type Shop, type Visitor } from '#tests/support/shop.ts'
import { expect, test } from 'vitest'

const address = {
  streetAddress: '12 Harbour Lane',
  city: 'Portland',
  stateProvince: 'ME',
  zipCode: '04101',
  country: 'United States',
}
const card = { cardNumber: '4242 4242 4242 4242', expiry: cardExpiry(), cardCvc: '123' }
const warning = 'You take Warfarin. A list of interactions warns about taking these together.'

async function signIn(shop: Shop, id: string): Promise<Visitor> {
  const visitor = shop.visit()
  await signInAs(visitor, shop.db, id)
  return visitor
}

/** A customer who lists warfarin, ibuprofen without a prescription, and lisinopril with one. */
async function openAlertShop(openShop: () => Promise<Shop>) {
  const shop = await openShop()
  const { db } = shop
  const ids = { ibuprofen: '', lisinopril: '' }
  const variants = { ...ids }
  for (const [name, category] of [
    ['ibuprofen', 'OTC'],
    ['lisinopril', 'Rx'],
  ] as const) {
    ids[name] = await addProduct(db, { name, category, ingredients: name })
    variants[name] = await addVariant(db, { productId: ids[name], genericName: name, brandName: null })
  }
  await addCareLists(db, new Date())
  const customerId = await makeUser(db)
  await answerHealthQuestions(db, customerId)
  await updateProfile(testContext(db, { user: signedIn(customerId) }), { currentMedications: 'Warfarin' })
  return { shop, customerId, ids, variants, customer: await signIn(shop, customerId) }
}

eachShop((openShopOf) => {
  const openShop = () => openAlertShop(() => openShopOf({ catalog: 'empty' }))

  test('a card is on the product, in the cart and at checkout, where a high alert must be confirmed', async () => {
    const { shop, customer, ids, variants } = await openShop()
    const path = `/products/${ids.ibuprofen}`
    await addEquivalents(shop.db, [
      ['NDA000001', 'TABLET;ORAL'],
      ['ANDA000002', 'TABLET;ORAL'],
    ])
    const tablet = { productId: ids.ibuprofen, labelStrength: '300 mg', labelForm: 'TABLET' }
    const brand = await addVariant(shop.db, {
      ...tablet,
      applicationNumber: 'NDA000001',
      brandName: 'B<b>rand',
      priceCents: 2400,
    })
    await addVariant(shop.db, { ...tablet, applicationNumber: 'ANDA000002', priceCents: 1200 })
    const open = await shop.visit().get(path)
    expect(open.headers.get('cache-control')).toBe('no-cache')
    expect(open.headers.get('etag')).not.toBeNull()
    const openPage = readMain(await open.text())
    expect(openPage).not.toContain('Before you buy')
    // The package that is selected at first is in no group.
    expect(openPage).not.toContain('FDA rates these as equivalent')
    const brandPage = readMain(await (await shop.visit().get(`${path}?variant=${brand}`)).text())
    expect(brandPage).toContain(
      '200 mg tablet, rated AB. Cheapest per tablet: Generic, 24 tablets , $0.500 per tablet',
    )
    expect(brandPage).toContain(
      'Saves 50% compared with B&lt;b&gt;rand, 24 tablets ($12.00 less for 24 tablets)',
    )
    expect(brandPage).toContain('From FDA’s list of Jul 16, 2026.')
    const own = await customer.get(path)
    expect(own.headers.get('cache-control')).toBe('private, no-store')
    const html = await own.text()
    expect(readMain(html)).toContain(`${warning} Ask a pharmacist before you buy.`)
    expect(readMain(html)).toContain('NDF-RT interactions (Jul 7, 2014)')
    expect(mainOf(html)).toContain('href="/how-we-check"')

    await customer.post('/cart', { intent: 'add', variantId: variants.ibuprofen, quantity: '1' })
    expect(readMain(await (await customer.get('/cart')).text())).toContain(warning)
    const page = await (await customer.get('/checkout')).text()
    const alertsRead = /name="alertsRead"[^>]*value="([^"]+)"/.exec(page)?.[1] ?? ''
    expect(alertsRead).toMatch(/^[\w-]{22}$/)
    const seen = /name="seen" value="([^"]*)"/.exec(page)?.[1] ?? ''
    const refused = await customer.post('/checkout', { ...address, ...card, seen, alertsRead: 'on' })
    expect(refused.status).toBe(422)
    const again = await refused.text()
    expect(again).toMatch(/id="alertsRead-error"[^>]*>Read the alerts about your items/)
    expect(again).toContain('value="12 Harbour Lane"')

    // A client that shows alerts says whether they were read; others stay as documented.
    const items = [{ productVariantId: variants.ibuprofen, quantity: 1 }]
    const intent = (body: object) =>
      customer.request('/api/create-payment-intent', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ items, ...body }),
      })
    const unread = await intent({ alertsRead: false })
    expect([unread.status, await unread.text()]).toEqual([422, expect.stringContaining('alertsRead')])
    expect((await intent({})).status).toBe(200)

    const placed = await customer.post('/checkout', { ...address, ...card, seen, alertsRead })
    expect([placed.status, placed.headers.get('location')]).toEqual([303, '/order-history'])
    expect(await shop.db.selectFrom('orders').selectAll().execute()).toHaveLength(1)
  })

  test('another account’s form shows nothing of either account, checked or placed', async () => {
    const { shop, customer, customerId, variants } = await openShop()
    const ctx = testContext(shop.db, { user: signedIn(customerId) })
    await saveDependant(
      ctx,
      dependantSchema(ctx.now).parse({ firstName: 'Sofia', dateOfBirth: '2015-05-05' }),
    )
    await updateProfile(ctx, { shippingStreet: '9 Quay', shippingCountry: 'Canada' })
    await addPrescription(shop.db, customerId, { now: new Date() })
    for (const variantId of [variants.ibuprofen, variants.lisinopril])
      await customer.post('/cart', { intent: 'add', variantId, quantity: '1' })
    const form = { ...address, streetAddress: '12 Harbour Lane', seen: '' }
    const check = (userId: string) => customer.post('/checkout.data', { ...form, intent: 'check', userId })
    const own = await check(customerId)
    expect([own.status, await own.text()]).toEqual([200, expect.stringContaining(warning)])

    const otherId = await makeUser(shop.db)
    const privateTexts = [warning, 'Sofia', '9 Quay', 'Canada', 'Dr. ', 'ibuprofen', '12 Harbour Lane']
    const shownOf = (text: string) => privateTexts.filter((each) => text.includes(each))
    const page = mainOf(await (await customer.get('/checkout')).text())
    expect(shownOf(page)).toEqual(privateTexts.slice(0, -1))
    const checked = await check(otherId)
    expect([checked.status, shownOf(await checked.text())]).toEqual([409, []])
    for (const intent of ['', 'check']) {
      const refused = await customer.post('/checkout', { ...form, ...card, userId: otherId, intent })
      expect(refused.status).toBe(409)
      const html = await refused.text()
      expect(shownOf(mainOf(html))).toEqual([])
      expect(html).not.toContain('12 Harbour Lane')
      expect(readMain(html)).toContain('You’re now signed in to a different account')
      expect(mainOf(html)).toMatch(/<a href="\/checkout"[^>]*>Go to this account’s checkout/)
    }
  })

  test('without scripts, a pharmacist decides on an alert beside its line before clearing it', async () => {
    const { shop, customerId, variants } = await openShop()
    const { db } = shop
    const prescription = await addPrescription(db, customerId, { now: new Date() })
    const { id } = await placeOrder(db, customerId, {
      items: [{ productVariantId: variants.lisinopril, quantity: 2 }],
      prescriptionId: prescription.id,
      ctx: { now: new Date() },
    })
    const staff = await addPharmacist(db, { now: new Date() })
    const writtenOn = new Date().toISOString().slice(0, 10)
    const current = await transcribe(staff, prescriptionOf(await getCase(staff, id)), [variants.lisinopril], {
      writtenOn,
    })
    const pharmacist = await signIn(shop, staff.user?.id ?? '')
    const path = `/admin/prescriptions?id=${id}`
    const html = await (await pharmacist.get(path)).text()
    expect(readMain(html)).toContain(
      'Takes Warfarin. A list of interactions warns about taking these together.',
    )
    // A row of a list is marked as wrong beside the alert, and another person decides.
    const rowKey = /name="rowKey" value="([^"]+)"/.exec(html)?.[1] ?? ''
    const mark = { intent: 'report', rowKey, caseId: id }
    const unsaid = await pharmacist.post('/admin/screening/reports', { ...mark, reason: '' })
    expect([unsaid.status, readMain(await unsaid.text())]).toEqual([
      422,
      expect.stringContaining('Say what is wrong with it.'),
    ])
    const marked = await pharmacist.post('/admin/screening/reports', { ...mark, reason: 'Another pair' })
    expect([marked.status, marked.headers.get('location')]).toEqual([303, path])
    const admin = await signIn(shop, await makeUser(db, { roles: ['admin'] }))
    const reports = await (await admin.get('/admin/screening/reports')).text()
    expect(readMain(reports)).toMatch(/lisinopril and warfarin Open .*Dana Fox: Another pair/)
    const reportId = /name="id" value="([^"]+)"/.exec(reports)?.[1] ?? ''
    const rejected = { intent: 'review', id: reportId, isWrong: 'no', note: 'It is right.' }
    expect((await pharmacist.post('/admin/screening/reports', rejected)).status).toBe(403)
    expect((await admin.post('/admin/screening/reports', rejected)).status).toBe(303)
    expect((await admin.post('/admin/screening/reports', rejected)).status).toBe(409)
    expect(readMain(await (await pharmacist.get('/admin/screening/reports')).text())).toMatch(
      /No open reports\. Decided .*The row is right\. It is right\./,
    )

    const alertId = /name="alertId" value="([^"]+)"/.exec(html)?.[1] ?? ''
    const line = lineOf(current)
    const fields = { lineId: line.id, version: String(line.version) }
    const [candidate] = line.candidates
    const clear = {
      ...fields,
      intent: 'clear',
      item: `${candidate?.itemId} ${candidate?.itemVersion}`,
      destinationNote: 'Checked',
    }
    const refused = await pharmacist.post(path, clear)
    expect(refused.status).toBe(422)
    expect(readMain(await refused.text())).toContain('Decide on this alert first.')
    const wordless = { ...fields, intent: 'decideAlert', alertId, choice: 'called-prescriber', note: '' }
    const asked = await pharmacist.post(path, wordless)
    expect([asked.status, readMain(await asked.text())]).toEqual([
      422,
      expect.stringContaining('Enter who you spoke with and what they said.'),
    ])
    expect((await pharmacist.post(path, { ...wordless, note: 'Dr. Fox: INR is stable' })).status).toBe(303)
    expect(readMain(await (await pharmacist.get(path)).text())).toContain(
      'Called the prescriber: Dr. Fox: INR is stable.',
    )
    expect((await pharmacist.post(path, clear)).status).toBe(303)
    const report = readMain(await (await pharmacist.get('/admin/alerts')).text())
    expect(report).toMatch(
      /rule.*Interaction, Interactions from the U\.S\. Department.*Critical high 1 0 1 0/i,
    )
    expect(report).not.toContain('Downgrade')
  })

  test('the page about the checks names each list with its date, its limits and its sources', async () => {
    const { shop } = await openShop()
    const text = readMain(await (await shop.visit().get('/how-we-check')).text())
    for (const words of [
      'Interactions rated Critical or Significant Jul 7, 2014, 1 entries',
      'No entry found in the lists we check',
      'Do not rely on openFDA to make decisions regarding medical care.',
      'Contains information licensed under the Open Government Licence - Canada.',
      'U.S. National Library of Medicine (NLM)',
      'Canadian recalls are in none of our lists.',
    ])
      expect(text).toContain(words)
    expect(text).not.toMatch(/\bsafe\b/i)
    expect(await (await shop.visit().get('/hipaa')).text()).toContain('href="/how-we-check"')
  })
})
