import type { Db } from '../engine/client.ts'
import type { Schema } from '../schema/schema.ts'

type Picture = Schema['productPictures']

/** A picture, or null. */
export async function findPicture(db: Db, id: string): Promise<Picture | null> {
  return (await db.selectFrom('productPictures').selectAll().where('id', '=', id).executeTakeFirst()) ?? null
}

/**
 * The picture with these bytes, or null.
 * @param sha256 base64url
 */
export async function findPictureOfBytes(db: Db, sha256: string): Promise<Picture | null> {
  const query = db.selectFrom('productPictures').selectAll().where('sha256', '=', sha256)
  return (await query.executeTakeFirst()) ?? null
}

/**
 * Inserts a picture unless one has the same bytes, and returns the stored one: of concurrent
 * uploads, the first.
 */
export async function insertPicture(db: Db, picture: Picture): Promise<Picture> {
  await db
    .insertInto('productPictures')
    .values(picture)
    .onConflict((conflict) => conflict.column('sha256').doNothing())
    .execute()
  return (await findPictureOfBytes(db, picture.sha256)) ?? picture
}
