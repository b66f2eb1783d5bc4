import { sql } from 'kysely'
import type { Db } from '../engine/client.ts'
import { isOneOf } from '../engine/sql.ts'

/** Also matches pseudoephedrine and methylephedrine, and no epinephrine or phenylephrine. */
const patterns = ['%ephedrine%', '%phenylpropanolamine%'] as const

/**
 * Gives products with ephedrine, pseudoephedrine or phenylpropanolamine, and their variants that
 * are not deleted, a schedule if they have none. Returns how many products changed.
 */
export async function scheduleListedChemicals(db: Db, schedule: string): Promise<number> {
  const [ephedrines, propanolamine] = patterns
  const text = sql`lower(coalesce(products.ingredients, products.name))`
  const matching = await db
    .selectFrom('products')
    .select('id')
    .where(sql<boolean>`(${text} like ${ephedrines} or ${text} like ${propanolamine})`)
    .execute()
  if (matching.length === 0) return 0
  // Found first: SQLite would look each variant of the catalog up among them.
  const ids = sql<string>`${JSON.stringify(matching.map(({ id }) => id))}`
  await db
    .updateTable('productVariants')
    .set((row) => ({ controlledSchedule: schedule, version: row('version', '+', 1) }))
    .where('controlledSchedule', 'is', null)
    .where(isOneOf(db, 'product_id', ids))
    // Repeats the condition of the index. A deleted one is not for sale.
    .where('deletedAt', 'is', null)
    .execute()
  const { numUpdatedRows } = await db
    .updateTable('products')
    .set((row) => ({ controlledSchedule: schedule, version: row('version', '+', 1) }))
    .where('controlledSchedule', 'is', null)
    .where(isOneOf(db, 'id', ids))
    .executeTakeFirst()
  return Number(numUpdatedRows)
}
