import { sql } from 'kysely'
import type { Db } from '../engine/client.ts'

/** Also matches pseudoephedrine and methylephedrine, and no epinephrine or phenylephrine. */
const patterns = ['%ephedrine%', '%phenylpropanolamine%'] as const

/**
 * Gives products with ephedrine, pseudoephedrine or phenylpropanolamine, and their variants, a
 * schedule if they have none. Returns how many products changed.
 */
export async function scheduleListedChemicals(db: Db, schedule: string): Promise<number> {
  const [ephedrines, propanolamine] = patterns
  const text = sql`lower(coalesce(products.ingredients, products.name))`
  const matches = sql<boolean>`(${text} like ${ephedrines} or ${text} like ${propanolamine})`
  await db
    .updateTable('productVariants')
    .set((row) => ({ controlledSchedule: schedule, version: row('version', '+', 1) }))
    .where('controlledSchedule', 'is', null)
    .where('productId', 'in', (row) => row.selectFrom('products').select('products.id').where(matches))
    .execute()
  const { numUpdatedRows } = await db
    .updateTable('products')
    .set((row) => ({ controlledSchedule: schedule, version: row('version', '+', 1) }))
    .where('controlledSchedule', 'is', null)
    .where(matches)
    .executeTakeFirst()
  return Number(numUpdatedRows)
}
