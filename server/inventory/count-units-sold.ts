import { addUnitsSold, hasUnitsToCount, takeUnitsToCount } from '#db/catalog/product-summaries.ts'
import type { Schema } from '#db/schema/schema.ts'
import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { Context } from '../context.ts'
import { bindings } from '../crypto/bindings.ts'
import type { KeyRing } from '../crypto/key-ring.ts'
import { seal, unseal } from '../crypto/sealing.ts'

const unitsSchema = z.array(z.tuple([z.string(), z.int()]))

/** Seals the units that an order sold, by product; negative when returned. */
export function sealUnits(keys: KeyRing, sold: ReadonlyMap<string, number>): Schema['unitsToCount'] {
  const id = randomUUID()
  return { id, sealedUnits: seal(keys, bindings.unitsToCount(id), JSON.stringify([...sold])) }
}

/**
 * Adds the recorded units to `units_sold`, which orders the lists. Each unit is counted once,
 * however many processes run this. A record that cannot be decrypted is logged and dropped.
 */
export async function countUnitsSold({ db, keys, log }: Pick<Context, 'db' | 'keys' | 'log'>): Promise<void> {
  // Check first without a transaction: SQLite has one writer.
  if (!(await hasUnitsToCount(db))) return
  await db.transaction().execute(async (tx) => {
    const sold = new Map<string, number>()
    for (const { id, sealedUnits } of await takeUnitsToCount(tx)) {
      for (const [productId, count] of openUnits({ keys, log }, id, sealedUnits))
        sold.set(productId, (sold.get(productId) ?? 0) + count)
    }
    await addUnitsSold(tx, sold)
  })
}

function openUnits(
  { keys, log }: Pick<Context, 'keys' | 'log'>,
  id: string,
  sealedUnits: string,
): z.infer<typeof unitsSchema> {
  try {
    return unitsSchema.parse(JSON.parse(unseal(keys, bindings.unitsToCount(id), sealedUnits)))
  } catch (error) {
    log.error({ err: error, id }, 'sold units could not be decrypted')
    return []
  }
}
