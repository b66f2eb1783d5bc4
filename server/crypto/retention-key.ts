import { getShopKey, insertShopKey } from '#db/crypto/keys.ts'
import { randomBytes } from 'node:crypto'
import type { Context } from '../context.ts'
import { bindings } from './bindings.ts'
import { ringOf, type KeyRing } from './key-ring.ts'
import { seal, unseal } from './sealing.ts'

const id = 'retention'
const associatedData = bindings.shopKey(id)

/**
 * The key that wraps the keys of dispensing records. It is a key of the shop, wrapped by the master
 * key, so what it wraps outlives every user's key. The first record creates it.
 */
export async function openRetentionKey(ctx: Pick<Context, 'db' | 'keys' | 'now'>): Promise<KeyRing> {
  await insertShopKey(ctx.db, {
    id,
    wrappedKey: seal(ctx.keys, associatedData, randomBytes(32).toString('base64url')),
    createdAt: ctx.now,
  })
  const wrapped = await getShopKey(ctx.db, id)
  const key = Buffer.from(unseal(ctx.keys, associatedData, wrapped), 'base64url')
  return ringOf(id, key)
}
