import { insertItem, updateItem } from '#db/dispensing/items.ts'
import type { ItemStatus } from '#domain/dispensing/dispensing.ts'
import type { ItemContent } from '#domain/dispensing/prescription-item.ts'
import { newId } from '#domain/ids.ts'
import type { Context } from '../context.ts'
import type { KeyRing } from '../crypto/key-ring.ts'
import { sealItem } from './sealed-item.ts'

/** Stores a new item of a prescription and returns its id. `key` is the customer's. */
export async function createItem(
  { db, now }: Pick<Context, 'db' | 'now'>,
  key: KeyRing,
  {
    prescriptionId,
    userId,
    transcribedBy,
    content,
  }: { prescriptionId: string; userId: string; transcribedBy: string; content: ItemContent },
): Promise<string> {
  const id = newId(now.getTime())
  await insertItem(db, {
    id,
    prescriptionId,
    userId,
    status: 'active',
    sealedItem: sealItem(key, id, content),
    transcribedBy,
    createdAt: now,
    updatedAt: now,
  })
  return id
}

/**
 * Replaces an item that is still at this version. Returns false when a fill or another edit came
 * first. `key` is the customer's.
 */
export const replaceItem = (
  { db, now }: Pick<Context, 'db' | 'now'>,
  key: KeyRing,
  {
    id,
    version,
    content,
    status,
  }: { id: string; version: number; content: ItemContent; status?: ItemStatus },
): Promise<boolean> =>
  updateItem(db, {
    id,
    version,
    sealedItem: sealItem(key, id, content),
    updatedAt: now,
    ...(status === undefined ? {} : { status }),
  })
