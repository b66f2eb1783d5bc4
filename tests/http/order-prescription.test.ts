import { adminPaths } from '#domain/admin-paths.ts'
import { makeUser, signInAs } from '#tests/support/accounts.ts'
import { readMain } from '#tests/support/page-text.ts'
import { placeHeldOrder } from '#tests/support/payment-holds.ts'
import { clearOrder } from '#tests/support/pharmacist.ts'
import { eachShop, type Visitor } from '#tests/support/shop.ts'
import { expect, test } from 'vitest'

eachShop((openShop) => {
  test('an order names the transcribed prescriber, and the customer’s entry as not verified', async () => {
    const { db, visit } = await openShop()
    const now = new Date()
    const { order, rxLine } = await placeHeldOrder(db, { now })
    const [pharmacist, packer] = [visit(), visit()]
    await signInAs(pharmacist, db, await makeUser(db, { roles: ['pharmacist'] }))
    await signInAs(packer, db, await makeUser(db, { roles: ['fulfillment'] }))
    const read = async (staff: Visitor) => {
      const reply = await staff.get(adminPaths.order(order.id))
      expect(reply.status).toBe(200)
      return readMain(await reply.text())
    }
    const entered = /What the customer entered \(not verified\) Doctor Dr\. Ada Quillfeather Expires/
    const before = await read(pharmacist)
    expect(before).toMatch(/Prescriber Not transcribed yet/)
    expect(before).toMatch(entered)
    await clearOrder(db, order.id, { now })
    const after = await read(pharmacist)
    expect(after).toMatch(/Prescriber Ada Quillfeather, MD/)
    expect(after).toMatch(entered)
    // Not yet transcribed, the line has no label.
    expect(before).not.toMatch(/Label of Ibuprofen Draft/)
    expect(after).toMatch(/Label of Ibuprofen Draft Leaflet of Ibuprofen/)
    const label = await pharmacist.get(adminPaths.label(order.id, rxLine.id))
    expect(readMain(await label.text())).toContain('By the directions, 48 tablets last 24 days, not 30.')
    const packed = await read(packer)
    expect(packed).toMatch(/Prescription Approved/)
    expect(packed).not.toContain('Quillfeather')
    // A damaged transcription, of which a packer sees nothing, must not hide the order from them.
    await db.updateTable('prescriptions').set({ sealedTranscription: 'broken' }).execute()
    expect(await read(packer)).toBe(packed)
  })
})
