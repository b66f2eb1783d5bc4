import type { FillRow } from '#db/dispensing/fills.ts'
import type { ItemRow } from '#db/dispensing/items.ts'
import type { Fill, Item } from '#domain/dispensing/fill-rules.ts'
import {
  fillContentSchema,
  itemContentSchema,
  lineDecisionSchema,
  type FillContent,
  type ItemContent,
  type LineDecision,
} from '#domain/dispensing/prescription-item.ts'
import { bindings } from '../crypto/bindings.ts'
import type { KeyRing } from '../crypto/key-ring.ts'
import { seal, unseal } from '../crypto/sealing.ts'

/** @param key the customer's key */
export const sealItem = (key: KeyRing, id: string, content: ItemContent): string =>
  seal(key, bindings.prescriptionItem(id), JSON.stringify(itemContentSchema.parse(content)))

/** Decrypts an item. Throws when it was not sealed with this user's key. */
export function openItem(key: KeyRing, row: ItemRow): Item {
  const { id, prescriptionId, status, version } = row
  const content = itemContentSchema.parse(
    JSON.parse(unseal(key, bindings.prescriptionItem(id), row.sealedItem)),
  )
  return { ...content, id, prescriptionId, status, version }
}

/** @param key the customer's key */
export const sealFill = (key: KeyRing, id: string, content: FillContent): string =>
  seal(key, bindings.fill(id), JSON.stringify(fillContentSchema.parse(content)))

/** Decrypts a fill. Throws when it was not sealed with this user's key. */
export function openFill(key: KeyRing, row: FillRow): Fill {
  const { id, itemId, lineId, status, dispensedAt } = row
  const content = fillContentSchema.parse(JSON.parse(unseal(key, bindings.fill(id), row.sealedFill)))
  // A user's key is named by the user's id.
  const { patientId = key.current } = content
  return { ...content, patientId, id, itemId, lineId, status, dispensedAt, isUnordered: row.orderId === null }
}

/** @param keys the shop's keys: the decision is kept with the order */
export const sealDecision = (keys: KeyRing, lineId: string, decision: LineDecision): string =>
  seal(keys, bindings.lineDecision(lineId), JSON.stringify(lineDecisionSchema.parse(decision)))

/** Decrypts what was decided about a line. Empty when nothing was noted. */
export const openDecision = (
  keys: KeyRing,
  { lineId, sealedDecision }: { lineId: string; sealedDecision: string | null },
): LineDecision =>
  sealedDecision === null
    ? { reason: null, notes: [] }
    : lineDecisionSchema.parse(JSON.parse(unseal(keys, bindings.lineDecision(lineId), sealedDecision)))
