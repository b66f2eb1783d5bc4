import { listManufacturerRows } from '#db/catalog/manufacturers.ts'
import { manufacturerQuerySchema } from '#domain/catalog/manufacturer-fields.ts'
import { eachEngine } from '#tests/support/engines.ts'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'

eachEngine((_engine, openDb) => {
  test('a page that cannot be read fails once: no count is left behind whose failure would end the process', async () => {
    const db = await openDb()
    await db.schema.alterTable('manufacturers').renameTo('gone').execute()
    const unheard: unknown[] = []
    const hear = (reason: unknown): void => void unheard.push(reason)
    process.on('unhandledRejection', hear)
    await expect(listManufacturerRows(db, manufacturerQuerySchema.parse({}))).rejects.toThrow(/manufacturers/)
    await nextTurn()
    process.off('unhandledRejection', hear)
    expect(unheard).toEqual([])
  })
})
