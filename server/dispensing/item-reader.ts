import type { FillRow } from '#db/dispensing/fills.ts'
import type { ItemRow } from '#db/dispensing/items.ts'
import type { Fill, Item } from '#domain/dispensing/fill-rules.ts'
import type { LineDecision } from '#domain/dispensing/prescription-item.ts'
import type { KeyRing } from '../crypto/key-ring.ts'
import { openDecision, openFill, openItem } from './sealed-item.ts'

/**
 * What other areas read of items, fills and decisions. Not audited: the caller writes the audit
 * row.
 */

/** @param key the customer's */
export const readItem = (key: KeyRing, row: ItemRow): Item => openItem(key, row)

/** @param key the customer's */
export const readFill = (key: KeyRing, row: FillRow): Fill => openFill(key, row)

/** What was noted and decided about a line. */
export const readDecision = (
  keys: KeyRing,
  row: { lineId: string; sealedDecision: string | null },
): LineDecision => openDecision(keys, row)
