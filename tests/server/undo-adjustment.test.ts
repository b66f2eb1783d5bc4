import { reverseAdjustment } from '#app/routes/admin/inventory/reverse-adjustment.ts'
import { adjustmentFormSchema } from '#domain/inventory/stock-adjustment.ts'
import { adjustStock, adjustStockWithUndo } from '#server/inventory/adjust-stock.ts'
import { findStockedVariant } from '#server/inventory/list-stock.ts'
import { asAdmin } from '#tests/support/admin.ts'
import { addVariant } from '#tests/support/catalog.ts'
import { eachEngine } from '#tests/support/engines.ts'
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'

eachEngine((_engine, openDb) => {
  test.each([
    ['to 0', -100],
    ['by a part', -40],
    ['up', 40],
  ])('an undone adjustment %s leaves a variant on or off sale as it was', async (_name, quantityChange) => {
    const db = await openDb()
    const admin = asAdmin(db)
    for (const inStock of [true, false]) {
      const variantId = await addVariant(db, { inStock })
      const before = await findStockedVariant(admin, variantId)
      const input = { variantId, quantityChange, transactionType: 'adjustment' }
      const row = await adjustStock(admin, adjustmentFormSchema.parse(input))
      await adjustStock(admin, adjustmentFormSchema.parse(reverseAdjustment(row, before)))
      const after = await findStockedVariant(admin, variantId)
      expect(after).toEqual(before)
      expect(after).toMatchObject({ stockQuantity: 100, isOnSale: inStock })
    }
  })

  test('an undo goes by what the adjustment found, not by what the page showed before', async () => {
    const db = await openDb()
    const admin = asAdmin(db)
    const change = { quantityChange: -100, transactionType: 'adjustment' }
    for (const inStock of [true, false]) {
      const variantId = await addVariant(db, { inStock: !inStock })
      const shown = await findStockedVariant(admin, variantId)
      await db.updateTable('productVariants').set({ inStock }).where('id', '=', variantId).execute()
      const input = adjustmentFormSchema.parse({ ...change, variantId, requestKey: randomUUID() })
      const row = await adjustStockWithUndo(admin, input)
      await adjustStock(admin, adjustmentFormSchema.parse(reverseAdjustment(row, shown)))
      expect(await findStockedVariant(admin, variantId)).toMatchObject({
        stockQuantity: 100,
        isOnSale: inStock,
      })
    }
  })

  test('an undone receipt from 0 takes the variant off sale again', async () => {
    const db = await openDb()
    const admin = asAdmin(db)
    const variantId = await addVariant(db, { inStock: false, stockQuantity: 0 })
    const before = await findStockedVariant(admin, variantId)
    const input = { variantId, quantityChange: 5, transactionType: 'purchase' }
    const row = await adjustStock(admin, adjustmentFormSchema.parse(input))
    expect(await findStockedVariant(admin, variantId)).toMatchObject({ isOnSale: true })
    await adjustStock(admin, adjustmentFormSchema.parse(reverseAdjustment(row, before)))
    expect(await findStockedVariant(admin, variantId)).toEqual(before)
  })
})
