import type { Db } from '#db/engine/client.ts'
import { listProductSitemaps, streamSitemapProducts } from '#server/catalog/list-for-sitemap.ts'
import { addProduct, testDay } from '#tests/support/catalog.ts'
import { eachEngine } from '#tests/support/engines.ts'
import { expect, test } from 'vitest'

async function readAll(db: Db, limit: number): Promise<string[][]> {
  const sitemaps: string[][] = []
  for (const sitemap of await listProductSitemaps({ reads: db }, limit)) {
    const ids: string[] = []
    for await (const { id } of streamSitemapProducts({ reads: db }, sitemap)) ids.push(id)
    sitemaps.push(ids)
  }
  return sitemaps
}

eachEngine((_engine, openDb) => {
  test('sitemaps hold at most the limit, and together each live product once', async () => {
    const db = await openDb()
    const ids: string[] = []
    for (let i = 0; i < 7; i++) ids.push(await addProduct(db, { name: `Medicine ${i}` }))
    await addProduct(db, { deletedAt: testDay })
    expect(await readAll(db, 3)).toEqual([ids.slice(0, 3), ids.slice(3, 6), ids.slice(6)])
    expect(await readAll(db, 7)).toEqual([ids])
    expect(await readAll(db, 50_000)).toEqual([ids])
    // A new product goes into the last sitemap; the others do not change.
    const added = await addProduct(db)
    expect((await readAll(db, 3)).slice(0, 2)).toEqual([ids.slice(0, 3), ids.slice(3, 6)])
    expect((await readAll(db, 3)).at(-1)).toEqual([ids[6], added])
  })

  test('a sitemap longer than one batch is complete', async () => {
    const db = await openDb()
    const first = await addProduct(db)
    const rows = Array.from({ length: 2100 }, (_, i) => ({
      id: `01900000-0000-7000-8000-${String(i).padStart(12, '0')}`,
      name: `Medicine ${i}`,
      sortName: `medicine ${i}`,
      category: 'OTC' as const,
      createdAt: testDay,
      updatedAt: testDay,
    }))
    for (let i = 0; i < rows.length; i += 300)
      await db
        .insertInto('products')
        .values(rows.slice(i, i + 300))
        .execute()
    const [sitemap] = await readAll(db, 50_000)
    expect(sitemap).toEqual([...rows.map(({ id }) => id), first].toSorted())
  })

  test('an empty shop has no sitemaps; a changed product changes only its own sitemap', async () => {
    const db = await openDb()
    expect(await listProductSitemaps({ reads: db }, 3)).toEqual([])
    for (let i = 0; i < 4; i++) await addProduct(db)
    const before = await listProductSitemaps({ reads: db }, 3)
    expect(before.map(({ count, updatedAt }) => [count, updatedAt])).toEqual([
      [3, testDay],
      [1, testDay],
    ])
    const later = new Date('2026-02-01T00:00:00Z')
    await db
      .updateTable('products')
      .set({ updatedAt: later, version: 2 })
      .where('id', '=', before[1]?.last ?? '')
      .execute()
    const after = await listProductSitemaps({ reads: db }, 3)
    expect(after[0]).toEqual(before[0])
    expect(after[1]).toMatchObject({ updatedAt: later })
  })
})
