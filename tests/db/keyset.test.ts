import { listManufacturerRows } from '#db/catalog/manufacturers.ts'
import { manufacturerQuerySchema } from '#domain/catalog/manufacturer-fields.ts'
import { eachEngine } from '#tests/support/engines.ts'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'

eachEngine((_engine, openDb) => {
  test('a failed page read leaves no unhandled rejection behind', async () => {
    const db = await openDb()
    await db.schema.alterTable('manufacturers').renameTo('renamed').execute()
    const unhandled: unknown[] = []
    const record = (reason: unknown): void => void unhandled.push(reason)
    process.on('unhandledRejection', record)
    await expect(listManufacturerRows(db, manufacturerQuerySchema.parse({}))).rejects.toThrow(/manufacturers/)
    await nextTurn()
    process.off('unhandledRejection', record)
    expect(unhandled).toEqual([])
  })
})
