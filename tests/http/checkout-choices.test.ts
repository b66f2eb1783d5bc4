import { addVariant } from '#tests/support/catalog.ts'
import { customer, fill, formOf, place, tagOf } from '#tests/support/checkout-page.ts'
import { readMain } from '#tests/support/page-text.ts'
import { addPharmacy } from '#tests/support/pharmacies.ts'
import { eachShop } from '#tests/support/shop.ts'
import { expect, test } from 'vitest'

const unserved = /does not list (.+?) as a destination\. Contact us before you order\./g

/** The countries of the warnings on a page: beside Country, and in the order summary. */
const warnedOf = (html: string): string[] =>
  [...readMain(html).matchAll(unserved)].map(([, country = '']) => country)

eachShop((openShop) => {
  const openCheckout = async (profile: Record<string, string> = {}) => {
    const shop = await openShop({ catalog: 'empty' })
    await addPharmacy(shop.db, { country: 'United States', shipsTo: ['United States', 'Canada'] })
    const visitor = await customer(shop, { profile })
    await fill(visitor, [await addVariant(shop.db)])
    return { ...visitor, shop }
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
})
