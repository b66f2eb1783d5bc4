import type { Db } from '#db/engine/client.ts'
import { countInbox } from '#db/ledger/sealed-rows.ts'
import { adjustmentFormSchema } from '#domain/inventory/stock-adjustment.ts'
import { verifyStock } from '#server/checkout/verify-stock.ts'
import { adjustStock } from '#server/inventory/adjust-stock.ts'
import { closeBatches } from '#server/ledger/close-batches.ts'
import { asAdmin } from '#tests/support/admin.ts'
import { addVariant, testDay } from '#tests/support/catalog.ts'
import { asCustomer, buy } from '#tests/support/checkouts.ts'
import { testContext, testKeys } from '#tests/support/context.ts'
import { eachEngine } from '#tests/support/engines.ts'
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'

const receive = (db: Db, variantId: string, change: object) =>
  adjustStock(
    asAdmin(db),
    adjustmentFormSchema.parse({
      variantId,
      quantityChange: 5,
      transactionType: 'purchase',
      lotNumber: 'L1',
      expiryDate: '2031-01-31',
      ...change,
    }),
  )

async function stockOf(db: Db, id: string): Promise<number> {
  const query = db.selectFrom('productVariants').select('stockQuantity').where('id', '=', id)
  return (await query.executeTakeFirstOrThrow()).stockQuantity
}

eachEngine((_engine, openDb) => {
  test('repeated submissions change the stock once, concurrent or after the batch is closed', async () => {
    const db = await openDb()
    const variantId = await addVariant(db, { stockQuantity: 0 })
    const requestKey = randomUUID()
    const sent = await Promise.all([1, 2, 3].map(() => receive(db, variantId, { requestKey })))
    expect(new Set(sent.map(({ id }) => id))).toEqual(new Set([requestKey]))
    expect(await stockOf(db, variantId)).toBe(5)

    await buy(await asCustomer(db), variantId)
    await closeBatches({ ...testContext(db), now: () => testDay }, { customers: 1 })
    expect(await countInbox(db)).toBe(0)
    expect(await receive(db, variantId, { requestKey })).toEqual(sent[0])
    expect(await stockOf(db, variantId)).toBe(4)

    const messages: string[] = []
    await verifyStock({ db, keys: testKeys }, (message) => void messages.push(message))
    expect(messages).toEqual([])
  })

  test('a form that is changed before it is sent again is refused; another form is not', async () => {
    const db = await openDb()
    const variantId = await addVariant(db, { stockQuantity: 0 })
    const requestKey = randomUUID()
    await receive(db, variantId, { requestKey })
    for (const change of [
      { quantityChange: 6 },
      { transactionType: 'return' },
      { lotNumber: null, expiryDate: null },
      { notes: 'Broken seal' },
    ]) {
      await expect(receive(db, variantId, { requestKey, ...change })).rejects.toMatchObject({
        code: 'CONFLICT',
        message: 'This request already changed the stock by +5. Check the stock before you change it again.',
      })
    }
    await receive(db, variantId, { requestKey: randomUUID() })
    expect(await stockOf(db, variantId)).toBe(10)

    const intoKnownLot = { requestKey: randomUUID(), expiryDate: null }
    const first = await receive(db, variantId, intoKnownLot)
    expect(await receive(db, variantId, intoKnownLot)).toEqual(first)
    expect(await stockOf(db, variantId)).toBe(15)
  })
})
