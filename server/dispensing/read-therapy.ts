import { listFills } from '#db/dispensing/fills.ts'
import { listItems, listUsableItems } from '#db/dispensing/items.ts'
import { pipeline } from '#db/engine/sql.ts'
import type { Fill, Item } from '#domain/dispensing/fill-rules.ts'
import type { Context } from '../context.ts'
import type { KeyRing } from '../crypto/key-ring.ts'
import { openFill, openItem } from './sealed-item.ts'

/** What was prescribed to a customer and what was dispensed on it. */
export type Therapy = { items: Item[]; fills: Fill[] }

/**
 * A customer's items of approved prescriptions with all fills. Not audited: the caller writes the
 * audit row.
 * @param key the customer's
 */
export async function readTherapy(
  { db }: Pick<Context, 'db'>,
  key: KeyRing,
  userId: string,
): Promise<Therapy> {
  const [items, fills] = await pipeline(listUsableItems(db, userId), listFills(db, userId))
  return { items: items.map((row) => openItem(key, row)), fills: fills.map((row) => openFill(key, row)) }
}

/** Like `readTherapy`, with the items of prescriptions that are not approved. */
export async function readAllTherapy(
  { db }: Pick<Context, 'db'>,
  key: KeyRing,
  userId: string,
): Promise<Therapy> {
  const [items, fills] = await pipeline(listItems(db, userId), listFills(db, userId))
  return { items: items.map((row) => openItem(key, row)), fills: fills.map((row) => openFill(key, row)) }
}
