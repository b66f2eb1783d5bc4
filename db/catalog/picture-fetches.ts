import type { Insertable } from 'kysely'
import type { Db } from '../engine/client.ts'
import type { Schema } from '../schema/schema.ts'

type Fetch = Schema['pictureFetches']

/** Plans the fetch of a product's picture, instead of an earlier one. */
export async function planPictureFetch(db: Db, fetch: Insertable<Fetch>): Promise<void> {
  await db
    .insertInto('pictureFetches')
    .values(fetch)
    .onConflict((conflict) => conflict.column('productId').doUpdateSet(fetch))
    .execute()
}

export async function deletePictureFetch(db: Db, productId: string): Promise<void> {
  await db.deleteFrom('pictureFetches').where('productId', '=', productId).execute()
}

/** Due fetches of live products, the oldest first. */
export const listDueFetches = (db: Db, { now, limit }: { now: Date; limit: number }) =>
  db
    .selectFrom('pictureFetches')
    .innerJoin('products', 'products.id', 'pictureFetches.productId')
    .selectAll('pictureFetches')
    .where('pictureFetches.dueAt', '<=', now)
    .where('products.deletedAt', 'is', null)
    .orderBy('pictureFetches.dueAt')
    .limit(limit)
    .execute()

type Attempt = { productId: string; pictureId: string; attempts: number }

/** Claims an attempt until `until`: of concurrent processes, one gets true. */
export async function claimFetch(
  db: Db,
  { productId, pictureId, attempts, until }: Attempt & { until: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('pictureFetches')
    .set({ attempts: attempts + 1, dueAt: until })
    .where('productId', '=', productId)
    .where('pictureId', '=', pictureId)
    .where('attempts', '=', attempts)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Notes why a fetch failed, and when the next attempt is due; null gives it up. */
export async function noteFailedFetch(
  db: Db,
  { productId, pictureId, problem, dueAt }: Pick<Fetch, 'productId' | 'pictureId' | 'problem' | 'dueAt'>,
): Promise<void> {
  await db
    .updateTable('pictureFetches')
    .set({ problem, dueAt })
    .where('productId', '=', productId)
    .where('pictureId', '=', pictureId)
    .execute()
}

/** Shows our copy of a product's picture, unless the product has another picture by now. */
export async function saveImageCopy(
  db: Db,
  { productId, url, path, now }: { productId: string; url: string; path: string; now: Date },
): Promise<void> {
  await db
    .updateTable('products')
    .set(({ eb }) => ({ imageCopy: path, version: eb('version', '+', 1), updatedAt: now }))
    .where('id', '=', productId)
    .where('image', '=', url)
    .execute()
  await db.deleteFrom('pictureFetches').where('productId', '=', productId).where('url', '=', url).execute()
}
