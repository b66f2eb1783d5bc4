import { addProduct, addVariant } from '#tests/support/catalog.ts'
import { addPerson, customer, fill, outcomeOf, place, readPage } from '#tests/support/checkout-page.ts'
import { addPrescription } from '#tests/support/prescriptions.ts'
import { eachShop } from '#tests/support/shop.ts'
import { expect, test } from 'vitest'

eachShop((openShop) => {
  test('order pages name the person that an item or a prescription is for, unless that is the customer', async () => {
    const shop = await openShop({ catalog: 'empty' })
    const { db } = shop
    const visitor = await customer(shop)
    const leo = await addPerson(visitor, 'Leo', { lastName: 'Silva' })
    const mia = await addPerson(visitor, 'Mia')
    const addItem = async (category: 'OTC' | 'Rx', name: string) =>
      fill(visitor, [await addVariant(db, { productId: await addProduct(db, { category, name }) })])
    const order = async (choice: Record<string, string>): Promise<string> => {
      expect(outcomeOf(await place(visitor, choice))).toBe('303 /order-history')
      const { id } = await db
        .selectFrom('orders')
        .select('id')
        .orderBy('id', 'desc')
        .executeTakeFirstOrThrow()
      return `/orders/${id}`
    }

    await addItem('OTC', 'Ibuprofen')
    await addItem('Rx', 'Lisinopril')
    const { id: prescriptionId } = await addPrescription(db, visitor.id, { now: new Date(), patientId: leo })
    const forLeo = await readPage(visitor, await order({ patientId: leo, prescriptionId }))
    expect(forLeo).toMatch(/Ibuprofen [^A-Z]*For Leo Silva .*Lisinopril [^A-Z]*For Leo Silva /)
    expect(forLeo).toMatch(/Dr\. Ada Quillfeather Under review For Leo Silva/)
    expect(await readPage(visitor, '/order-history')).toMatch(/Ibuprofen [^A-Z]*For Leo Silva/)
    expect(await readPage(visitor, '/orders')).toMatch(/2 items For Leo Silva \$10\.00 View details/)

    await addItem('Rx', 'Gabapentin')
    await addItem('OTC', 'Aspirin')
    const mixed = await readPage(visitor, await order({ patientId: visitor.id, prescriptionId }))
    expect(mixed).not.toMatch(/Aspirin [^A-Z]*For /)
    expect(await readPage(visitor, '/orders')).toMatch(/2 items For you and Leo Silva /)

    await addItem('OTC', 'Cetirizine')
    const forMia = await order({ patientId: mia })
    expect(await readPage(visitor, forMia)).toContain('For Mia')
    await visitor.post(`/profile/people/${mia}`, { intent: 'remove-person' })
    expect(await readPage(visitor, forMia)).toContain('For someone you removed from your account')

    await addItem('OTC', 'Loratadine')
    expect(await readPage(visitor, await order({ patientId: visitor.id }))).not.toContain('For ')
  })
})
