import { addCareLists } from '#tests/support/alerts.ts'
import { addProduct, addVariant } from '#tests/support/catalog.ts'
import {
  addPerson,
  cards,
  customer,
  fill,
  formOf,
  outcomeOf,
  place,
  readPage,
  tagOf,
} from '#tests/support/checkout-page.ts'
import { readMain } from '#tests/support/page-text.ts'
import { addPharmacy } from '#tests/support/pharmacies.ts'
import { addPrescription } from '#tests/support/prescriptions.ts'
import { eachShop, type Visitor } from '#tests/support/shop.ts'
import { expect, test } from 'vitest'

const unserved = /does not list (.+?) as a destination\. Contact us before you order\./g

/** The countries of the warnings on a page: beside Country, and in the order summary. */
const warnedOf = (html: string): string[] =>
  [...readMain(html).matchAll(unserved)].map(([, country = '']) => country)

/** The selected prescription and person of a checkout page. */
async function selectedOf(visitor: Visitor, path = '/checkout'): Promise<(string | undefined)[]> {
  const html = await (await visitor.get(path)).text()
  return ['prescriptionId', 'patientId'].map((name) => {
    const select = new RegExp(`<select[^>]*name="${name}".*?</select>`, 's').exec(html)?.[0] ?? ''
    return /<option value="([^"]*)" selected/.exec(select)?.[1]
  })
}

eachShop((openShop) => {
  const openCheckout = async (profile: Record<string, string> = {}) => {
    const shop = await openShop({ catalog: 'empty' })
    await addPharmacy(shop.db, { country: 'United States', shipsTo: ['United States', 'Canada'] })
    const visitor = await customer(shop, { profile })
    const variantId = await addVariant(shop.db)
    await fill(visitor, [variantId])
    return { ...visitor, shop, variantId }
  }

  test('checkout warns beside Country when no pharmacy ships there, and takes the order', async () => {
    const visitor = await openCheckout({ shippingCountry: 'Iran' })
    const html = await (await visitor.get('/checkout')).text()
    expect(warnedOf(html)).toEqual(['Iran', 'Iran'])
    expect(tagOf(html, 'country')).toContain('aria-describedby="country-hint"')
    expect(html).toMatch(/id="country-hint"[^>]*><span role="status"[^>]*>[^<]*does not list Iran/)
    expect((await place(visitor, { country: 'Narnia' })).status).toBe(303)
  })

  test('every returned form is about the country that was submitted', async () => {
    const visitor = await openCheckout({ shippingCountry: 'Iran' })
    const refused = await (await place(visitor, { country: ' Canada ', zipCode: '' })).text()
    expect(warnedOf(refused)).toEqual([])
    expect(readMain(refused)).toContain('Standard delivery to Canada takes 7-14 business days once shipped.')
    const again = await (await place(visitor, { country: 'Narnia', zipCode: '' })).text()
    expect(warnedOf(again)).toEqual(['Narnia', 'Narnia'])
    const emptied = await (await place(visitor, { country: '' })).text()
    expect(warnedOf(emptied)).toEqual([])
  })

  test('without scripts, a button checks the choices before the order is placed', async () => {
    const visitor = await openCheckout()
    const html = await (await visitor.get('/checkout')).text()
    expect(warnedOf(html)).toEqual([])
    expect(readMain(html)).toContain('Check your choices before you pay')
    const checked = await place(visitor, { intent: 'check', country: 'Iran' })
    expect(checked.status).toBe(200)
    const page = await checked.text()
    expect(warnedOf(page)).toEqual(['Iran', 'Iran'])
    expect(tagOf(page, 'country')).toContain('value="Iran"')
  })

  test('a check whose notes cannot be read keeps the form, and the log has the error', async () => {
    const { shop, ...visitor } = await openCheckout()
    const form = await formOf(visitor, { intent: 'check', country: 'Canada' })
    await shop.db.schema.alterTable('pharmacies').renameTo('unreadable').execute()
    const reply = await visitor.post('/checkout.data', form)
    expect([reply.status, await reply.text()]).toEqual([200, expect.stringContaining('"Canada"')])
    expect(shop.log).toContainEqual(expect.objectContaining({ msg: 'checkout notes failed' }))
    expect(JSON.stringify(shop.log)).not.toContain('Harbour')
  })

  test('without scripts, a saved address that is chosen has its own delivery time', async () => {
    const visitor = await openCheckout({ shippingCity: 'Shiraz', shippingCountry: 'Iran' })
    expect((await place(visitor, { country: 'Canada', cardNumber: '4000 0000 0000 0002' })).status).toBe(402)
    const first = await (await visitor.get('/checkout?address=0')).text()
    expect([tagOf(first, 'country').includes('value="Canada"'), warnedOf(first)]).toEqual([true, []])
    const second = await (await visitor.get('/checkout?address=1')).text()
    expect(tagOf(second, 'country')).toContain('value="Iran"')
    expect(warnedOf(second)).toEqual(['Iran', 'Iran'])
  })

  test('the chosen person and prescription survive a declined card and a failed verification', async () => {
    const { shop, ...visitor } = await openCheckout()
    await fill(visitor, [
      await addVariant(shop.db, { productId: await addProduct(shop.db, { category: 'Rx' }) }),
    ])
    const patientId = await addPerson(visitor, 'Leo')
    const now = new Date()
    const { id: prescriptionId } = await addPrescription(shop.db, visitor.id, { now, patientId })
    const own = await addPrescription(shop.db, visitor.id, { now })
    expect(await selectedOf(visitor)).toEqual(['', visitor.id])

    const choice = { prescriptionId, patientId }
    expect((await place(visitor, { ...choice, cardNumber: cards.declined })).status).toBe(402)
    expect(await selectedOf(visitor)).toEqual([prescriptionId, patientId])

    const secondStep = await place(visitor, { ...choice, cardNumber: cards.secondStep })
    expect(outcomeOf(secondStep)).toBe('303 /checkout/verify')
    expect(outcomeOf(await visitor.post('/checkout/verify', { outcome: 'fail' }))).toBe('303 /checkout')
    expect(await selectedOf(visitor)).toEqual([prescriptionId, patientId])

    await visitor.post(`/profile/people/${patientId}`, { intent: 'remove-person' })
    await addPerson(visitor, 'Mia')
    expect(await selectedOf(visitor)).toEqual([own.id, visitor.id])
  })

  test('a person who was added from checkout is selected there, and another one can be added', async () => {
    const { shop: _shop, ...visitor } = await openCheckout()
    for (const name of ['Leo', 'Mia']) {
      const checkout = await (await visitor.get('/checkout')).text()
      const [, add = ''] = /href="([^"]+)"[^>]*>Add a person you care for</.exec(checkout) ?? []
      const form = { firstName: name, dateOfBirth: '2019-04-02' }
      const added = (await visitor.post(add, form)).headers.get('location') ?? ''
      const id = /people\/([^?]+)/.exec(added)?.[1]
      const page = await (await visitor.get(added)).text()
      const [, back = ''] = /href="([^"]+)"[^>]*>Continue to checkout</.exec(page) ?? []
      expect(await selectedOf(visitor, back)).toEqual([undefined, id])
    }
    expect(await selectedOf(visitor, '/checkout?for=unknown')).toEqual([undefined, visitor.id])
    expect(await readPage(visitor, '/prescriptions/upload')).toContain('Add a person you care for')
  })

  test('a prescription uploaded since the declined card is selected', async () => {
    const { shop, ...visitor } = await openCheckout()
    await fill(visitor, [
      await addVariant(shop.db, { productId: await addProduct(shop.db, { category: 'Rx' }) }),
    ])
    await addPerson(visitor, 'Leo')
    const { id: prescriptionId } = await addPrescription(shop.db, visitor.id, { now: new Date() })
    expect((await place(visitor, { prescriptionId, cardNumber: cards.declined })).status).toBe(402)
    expect(await selectedOf(visitor)).toEqual([prescriptionId, visitor.id])
    const { id } = await addPrescription(shop.db, visitor.id, { now: new Date() })
    expect(await selectedOf(visitor)).toEqual([id, visitor.id])
  })

  test('an order, a declined card and ordering again end what a tab remembers of its checkout', async () => {
    const { shop, variantId, ...visitor } = await openCheckout()
    const readKey = async (): Promise<string | undefined> =>
      /"choicesKey",\s*"(\d+)"/.exec(
        (await (await visitor.get('/checkout.data')).text()).replaceAll('\\', ''),
      )?.[1]
    const first = await readKey()
    await visitor.post('/cart', { intent: 'update', variantId, quantity: '2' })
    expect([first, await readKey()]).toEqual(['0', '0'])
    await place(visitor, { cardNumber: cards.declined })
    const declined = await readKey()
    await place(visitor)
    await fill(visitor, [variantId])
    const ordered = await readKey()
    const { id } = await shop.db.selectFrom('orders').select('id').executeTakeFirstOrThrow()
    await visitor.post(`/orders/${id}`, { intent: 'again' })
    expect(new Set([first, declined, ordered, await readKey()]).size).toBe(4)
  })

  test('after a declined card, the alerts are about the person who was chosen', async () => {
    const { shop, ...visitor } = await openCheckout()
    await addCareLists(shop.db, new Date())
    const patientId = await addPerson(visitor, 'Leo', { currentMedications: 'Warfarin' })
    const asked = await (await place(visitor, { patientId })).text()
    const alertsRead = /name="alertsRead"[^>]*value="([^"]+)"/.exec(asked)?.[1] ?? ''
    const declined = { patientId, alertsRead, cardNumber: cards.declined }
    expect((await place(visitor, declined)).status).toBe(402)
    expect(await readPage(visitor, '/checkout')).toMatch(/For Leo: Ibuprofen.* and Warfarin/)
  })

  test('a choice that was rejected before the order could be placed stays with the form', async () => {
    const visitor = await openCheckout()
    const patientId = await addPerson(visitor, 'Leo')
    const rejected = await (await place(visitor, { patientId, zipCode: '' })).text()
    expect(rejected).toContain(`<option value="${patientId}" selected`)
  })

  test('ordering again starts with the person whom the order was for', async () => {
    const { shop, variantId, ...visitor } = await openCheckout()
    const [leo, mia] = [await addPerson(visitor, 'Leo'), await addPerson(visitor, 'Mia')]
    const orderFor = async (patientId: string): Promise<string> => {
      expect(outcomeOf(await place(visitor, { patientId }))).toBe('303 /order-history')
      const { id } = await shop.db
        .selectFrom('orders')
        .select('id')
        .orderBy('createdAt', 'desc')
        .executeTakeFirstOrThrow()
      return `/orders/${id}`
    }
    const again = async (path: string): Promise<(string | undefined)[]> => {
      expect((await visitor.post(path, { intent: 'again' })).status).toBe(303)
      return selectedOf(visitor)
    }
    const forLeo = await orderFor(leo)
    expect(await again(forLeo)).toEqual([undefined, leo])
    const own = await orderFor(visitor.id)
    expect(await again(own)).toEqual([undefined, visitor.id])
    expect(await again(forLeo)).toEqual([undefined, leo])

    // What was chosen since counts.
    expect((await place(visitor, { patientId: mia, cardNumber: cards.declined })).status).toBe(402)
    expect(await selectedOf(visitor)).toEqual([undefined, mia])
    expect(await again(forLeo)).toEqual([undefined, leo])
    await visitor.post('/cart', { intent: 'update', variantId, quantity: '2' })
    expect(await selectedOf(visitor)).toEqual([undefined, leo])
    await visitor.post(`/profile/people/${leo}`, { intent: 'remove-person' })
    expect(await selectedOf(visitor)).toEqual([undefined, visitor.id])
  })
})
