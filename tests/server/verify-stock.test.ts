import type { Db } from '#db/client.ts'
import { insertTransactions } from '#db/inventory-transactions.ts'
import { changeStock } from '#db/stock.ts'
import { verifyStock, type StockSummary } from '#server/inventory/verify-stock.ts'
import { addVariant, testDay } from '#tests/support/catalog.ts'
import { testKeys } from '#tests/support/context.ts'
import { eachEngine } from '#tests/support/engines.ts'
import { sql } from 'kysely'
import { expect, test } from 'vitest'

async function verify(db: Db): Promise<StockSummary & { said: string[] }> {
  const said: string[] = []
  const summary = await verifyStock({ db, keys: testKeys }, (sentence) => void said.push(sentence))
  return { ...summary, said }
}

eachEngine((_engine, openDb) => {
  test('smoke', async () => {
    const db = await openDb()
    const id = await addVariant(db, { stockQuantity: 0, inStock: false })
    for (const change of [5, 3, -2]) {
      const done = await changeStock(db, { variantId: id, change, now: testDay })
      await insertTransactions(db, done ? [{ change: done, transactionType: 'adjustment', notes: null }] : [])
    }
    expect(await verify(db)).toEqual({ variants: 1, transactions: 3, orders: 0, checkouts: 0, findings: 0, said: [] })
    await sql`update product_variants set stock_quantity = 7`.execute(db)
    expect((await verify(db)).said).toEqual([`Variant ${id}: the ledger ends at 6 and the stock is 7.`])
  })
})
