import type { Db } from '#db/engine/client.ts'
import { deductReserved, deductAvailable } from '#db/inventory/deduct-stock.ts'
import { releaseStock, reserveStock } from '#db/inventory/reservations.ts'
import { changeStock, restock } from '#db/inventory/stock.ts'
import { newId } from '#domain/ids.ts'
import { maxStock } from '#domain/inventory/inventory.ts'
import { addVariant, testDay } from '#tests/support/catalog.ts'
import { eachEngine } from '#tests/support/engines.ts'
import { expect, test } from 'vitest'

const now = testDay
const usableUntil = '2026-01-05'

const levels = (db: Db, id: string) =>
  db
    .selectFrom('productVariants')
    .select(['stockQuantity as stock', 'reservedQuantity as reserved', 'inStock', 'updatedAt'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()

eachEngine((_engine, openDb, openWithUrl) => {
  test('a reservation takes only available stock, and changes neither stock nor time', async () => {
    const db = await openDb()
    const id = await addVariant(db, { stockQuantity: 3 })
    expect(await reserveStock(db, { variantId: id, quantity: 2, usableUntil })).toBe(true)
    expect(await reserveStock(db, { variantId: id, quantity: 2, usableUntil })).toBe(false)
    expect(await reserveStock(db, { variantId: id, quantity: 1, usableUntil })).toBe(true)
    expect(await levels(db, id)).toEqual({ stock: 3, reserved: 3, inStock: true, updatedAt: now })
    await releaseStock(db, { variantId: id, quantity: 2 })
    expect((await levels(db, id)).reserved).toBe(1)
    await releaseStock(db, { variantId: id, quantity: 2 })
    expect((await levels(db, id)).reserved).toBe(0)
  })

  test('an untracked variant reserves nothing; a deleted or missing one cannot be reserved', async () => {
    const db = await openDb()
    const untracked = await addVariant(db, { stockQuantity: 0, trackInventory: false })
    expect(await reserveStock(db, { variantId: untracked, quantity: 50, usableUntil })).toBe(true)
    expect((await levels(db, untracked)).reserved).toBe(0)
    const deleted = await addVariant(db, { deletedAt: now })
    expect(await reserveStock(db, { variantId: deleted, quantity: 1, usableUntil })).toBe(false)
    expect(await reserveStock(db, { variantId: newId(), quantity: 1, usableUntil })).toBe(false)
  })

  test('taking reserved stock lowers both quantities, and the last unit sets the variant out of stock', async () => {
    const db = await openDb()
    const id = await addVariant(db, { stockQuantity: 3, reservedQuantity: 3 })
    expect(await deductReserved(db, { variantId: id, quantity: 2, usableUntil })).toMatchObject({
      before: 3,
      after: 1,
      hasAvailabilityChanged: false,
    })
    expect(await deductAvailable(db, { variantId: id, quantity: 1, usableUntil })).toBeNull()
    expect(await deductReserved(db, { variantId: id, quantity: 2, usableUntil })).toBeNull()
    expect(await levels(db, id)).toEqual({ stock: 1, reserved: 1, inStock: true, updatedAt: now })
    expect(await deductReserved(db, { variantId: id, quantity: 1, usableUntil })).toMatchObject({
      after: 0,
      hasAvailabilityChanged: true,
    })
    expect(await levels(db, id)).toEqual({ stock: 0, reserved: 0, inStock: false, updatedAt: now })
    expect(await restock(db, { variantId: id, quantity: 3 })).toMatchObject({
      before: 0,
      after: 3,
      hasAvailabilityChanged: true,
    })
    expect((await levels(db, id)).inStock).toBe(true)
    expect(await deductAvailable(db, { variantId: id, quantity: 3, usableUntil })).toMatchObject({ after: 0 })
  })

  test('a deleted variant still ships its reservations and takes restocks, and nothing else', async () => {
    const db = await openDb()
    const id = await addVariant(db, { stockQuantity: 4, reservedQuantity: 2, deletedAt: now })
    expect(await deductReserved(db, { variantId: id, quantity: 2, usableUntil })).toMatchObject({ after: 2 })
    expect(await restock(db, { variantId: id, quantity: 2 })).toMatchObject({ after: 4 })
    expect(await deductAvailable(db, { variantId: id, quantity: 1, usableUntil })).toBeNull()
    expect(await changeStock(db, { variantId: id, change: 1, now })).toBeNull()
  })

  test('a stock change stays between zero and the maximum, and may go below the reserved quantity', async () => {
    const db = await openDb()
    const id = await addVariant(db, { stockQuantity: 5, reservedQuantity: 4 })
    expect(await changeStock(db, { variantId: id, change: -6, now })).toBeNull()
    expect(await changeStock(db, { variantId: id, change: maxStock - 4, now })).toBeNull()
    expect(await levels(db, id)).toEqual({ stock: 5, reserved: 4, inStock: true, updatedAt: now })
    expect(await changeStock(db, { variantId: id, change: -3, now })).toMatchObject({ before: 5, after: 2 })
    expect(await deductReserved(db, { variantId: id, quantity: 4, usableUntil })).toBeNull()
    expect(await changeStock(db, { variantId: id, change: maxStock - 2, now })).toMatchObject({
      after: maxStock,
    })
  })

  test('a variant marked out of stock stays so until its stock rises from zero; an untracked one never changes', async () => {
    const db = await openDb()
    const off = await addVariant(db, { stockQuantity: 5, inStock: false })
    expect(await changeStock(db, { variantId: off, change: -2, now })).toMatchObject({
      hasAvailabilityChanged: false,
    })
    expect((await levels(db, off)).inStock).toBe(false)
    await changeStock(db, { variantId: off, change: -3, now })
    await changeStock(db, { variantId: off, change: 1, now })
    expect((await levels(db, off)).inStock).toBe(true)
    const untracked = await addVariant(db, { stockQuantity: 5, trackInventory: false })
    expect(await changeStock(db, { variantId: untracked, change: -5, now })).toMatchObject({
      hasAvailabilityChanged: false,
    })
    expect((await levels(db, untracked)).inStock).toBe(true)
  })

  test('when two connections reserve the last unit at once, one succeeds', async () => {
    const { db, openAgain } = await openWithUrl()
    const secondConnection = openAgain()
    const id = await addVariant(db, { stockQuantity: 1 })
    const outcomes = await Promise.all(
      Array.from({ length: 16 }, (_, i) =>
        reserveStock(i % 2 ? db : secondConnection, { variantId: id, quantity: 1, usableUntil }),
      ),
    )
    expect(outcomes.filter(Boolean)).toHaveLength(1)
    expect(await levels(db, id)).toMatchObject({ stock: 1, reserved: 1 })
  })
})
