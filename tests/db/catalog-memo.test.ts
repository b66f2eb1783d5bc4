import { perCatalog } from '#db/catalog/catalog-memo.ts'
import type { Db } from '#db/engine/client.ts'
import { countOffers } from '#db/search/count-offers.ts'
import { countProducts } from '#db/search/list-page.ts'
import { eachEngine } from '#tests/support/engines.ts'
import { CamelCasePlugin } from 'kysely'
import { expect, test } from 'vitest'

eachEngine((_engine, _openDb, openWithUrl) => {
  const deleteOne = async (db: Db): Promise<void> => {
    const { id } = await db
      .selectFrom('products')
      .select('id')
      .where('deletedAt', 'is', null)
      .where('category', '=', 'OTC')
      .limit(1)
      .executeTakeFirstOrThrow()
    await db.updateTable('products').set({ deletedAt: new Date() }).where('id', '=', id).execute()
  }

  test('counts of the catalog follow each change, also by another process', async () => {
    const { db, openAgain } = await openWithUrl('demo')
    const other = openAgain()
    const countAll = async (): Promise<number[]> => [
      await countProducts(db, null),
      await countProducts(db, 'OTC'),
      (await countOffers(db, null, 0)).reduce((sum, { products }) => sum + products, 0),
    ]
    const [all = 0, otc = 0] = await countAll()
    await deleteOne(db)
    expect(await countAll()).toEqual([all - 1, otc - 1, all - 1])
    await deleteOne(other)
    expect(await countAll()).toEqual([all - 2, otc - 2, all - 2])
  })

  test('a read is repeated after a change, in a transaction, and after an error only', async () => {
    const { db } = await openWithUrl('demo')
    let reads = 0
    const count = perCatalog(async () => {
      reads++
      if (reads === 1) throw new Error('lost')
      return reads
    })
    await expect(count(db)).rejects.toThrow('lost')
    expect([await count(db), await count(db)]).toEqual([2, 2])
    await db.transaction().execute(async (tx) => {
      await deleteOne(tx)
      expect(await count(tx)).toBe(3)
    })
    expect([await count(db), await count(db)]).toEqual([4, 4])
    // As reads do that go to a replica or its primary.
    const other = db.withPlugin(new CamelCasePlugin())
    expect([await count(other), await count(other)]).toEqual([5, 6])
  })
})
