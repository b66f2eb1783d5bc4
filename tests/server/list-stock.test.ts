import { stockQuerySchema } from '#domain/inventory/inventory-grid.ts'
import { listStock } from '#server/inventory/list-stock.ts'
import { asAdmin } from '#tests/support/admin.ts'
import { eachEngine } from '#tests/support/engines.ts'
import { expect, test } from 'vitest'
import { addMedicine } from './search-support.ts'

eachEngine((_engine, openDb) => {
  test('a search of the low stock counts what it found in other stock', async () => {
    const db = await openDb()
    await addMedicine(db, { name: 'Simvastatin' }, [{ stockQuantity: 7 }, { stockQuantity: 130 }])
    await addMedicine(db, { name: 'Zinc' }, [{ stockQuantity: 130 }])
    const list = async (query: Record<string, string>) => {
      const { rows, hidden } = await listStock(asAdmin(db), stockQuerySchema.parse(query))
      return { stock: rows.map(({ stockQuantity }) => stockQuantity), hidden }
    }
    expect(await list({ q: 'simvastatin' })).toEqual({ stock: [7], hidden: 1 })
    expect(await list({ q: 'simvastatin', show: 'out' })).toEqual({ stock: [], hidden: 2 })
    expect(await list({ q: 'simvastatin', show: 'all' })).toEqual({ stock: [7, 130], hidden: 0 })
    expect(await list({})).toEqual({ stock: [7], hidden: 0 })
  })
})
