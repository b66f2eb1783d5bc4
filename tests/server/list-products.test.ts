import type { Db } from '#db/engine/client.ts'
import { listFingerprint, streamProducts, streamVariants } from '#server/catalog/list-products.ts'
import { addVariant } from '#tests/support/catalog.ts'
import { testContext } from '#tests/support/context.ts'
import { eachEngine } from '#tests/support/engines.ts'
import { expect, test } from 'vitest'

/** A replica that must not be read. */
const unread = new Proxy({} as Db, {
  get: () => {
    throw new Error('The replica was read.')
  },
})

async function listAll<T>(rows: AsyncIterable<T>): Promise<T[]> {
  const listed: T[] = []
  for await (const row of rows) listed.push(row)
  return listed
}

eachEngine((_engine, openDb) => {
  test('a whole list and its fingerprint read the primary', async () => {
    const db = await openDb()
    const id = await addVariant(db)
    const ctx = testContext(db, { reads: unread })
    const products = await listAll(await streamProducts(ctx, { after: null, variants: true }))
    expect(products).toMatchObject([{ variants: [{ id }] }])
    expect(await listAll(await streamVariants(ctx, { after: null }))).toMatchObject([{ id }])
    expect(await listFingerprint(ctx)).not.toBe('')
  })
})
