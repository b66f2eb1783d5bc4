import { sql } from 'kysely'
import type { Db } from '../engine/client.ts'
import { isOneOf } from '../engine/sql.ts'

/** Also matches pseudoephedrine and methylephedrine, but not epinephrine or phenylephrine. */
const patterns = ['%ephedrine%', '%phenylpropanolamine%'] as const

/**
 * Gives products with ephedrine, pseudoephedrine or phenylpropanolamine, and their variants, a
 * schedule if they have none. Returns how many products changed.
 */
export async function setListedChemicalSchedule(db: Db, schedule: string): Promise<number> {
  const [ephedrines, propanolamine] = patterns
  const text = sql`lower(coalesce(products.ingredients, products.name))`
  const matching = await db
    .selectFrom('products')
    .select('id')
    .where(sql<boolean>`(${text} like ${ephedrines} or ${text} like ${propanolamine})`)
    .execute()
  if (matching.length === 0) return 0
  const ids = sql<string>`${JSON.stringify(matching.map(({ id }) => id))}`
  return db.transaction().execute(async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('products')
      .set((row) => ({ controlledSchedule: schedule, version: row('version', '+', 1) }))
      .where('controlledSchedule', 'is', null)
      .where(isOneOf(tx, 'id', ids))
      .executeTakeFirst()
    await tx
      .updateTable('productVariants')
      .set((row) => ({ controlledSchedule: schedule, version: row('version', '+', 1) }))
      .where('controlledSchedule', 'is', null)
      .where(isOneOf(tx, 'product_id', ids))
      // Only variants that are not deleted have an index by product. The others take a scan of all
      // variants, which only the first start after an earlier version needs.
      .$if(numUpdatedRows === 0n, (query) => query.where('deletedAt', 'is', null))
      .execute()
    return Number(numUpdatedRows)
  })
}
