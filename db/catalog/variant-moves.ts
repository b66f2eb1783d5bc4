import { sql } from 'kysely'
import type { Db } from '../engine/client.ts'
import { isOneOf } from '../engine/sql.ts'

/** How often variants have moved to another product. A trigger counts (migration 0056). */
export async function countVariantMoves(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('variantMoves')
    .select(sql<number>`cast(count(*) as integer)`.as('count'))
    .executeTakeFirstOrThrow()
  return count
}

/** The product of each of these variants. */
export const listProductsOfVariants = (
  db: Db,
  variantIds: readonly string[],
): Promise<{ id: string; productId: string }[]> =>
  db
    .selectFrom('productVariants')
    .select(['id', 'productId'])
    .where(isOneOf(db, 'id', sql`${JSON.stringify(variantIds)}`))
    .execute()
