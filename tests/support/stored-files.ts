import type { Db } from '#db/engine/client.ts'
import { newId } from '#domain/ids.ts'
import type { Storage } from '#server/integrations/storage/storage.ts'
import { createHash, randomBytes } from 'node:crypto'

async function* oneChunk(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

/** Stores a picture that the database names. Returns its storage key. */
export async function storeFile(
  { db, storage }: { db: Db; storage: Storage },
  bytes: Uint8Array = randomBytes(1000),
): Promise<string> {
  const key = newId()
  await storage.put(key, oneChunk(bytes))
  await db
    .insertInto('productPictures')
    .values({
      id: key,
      storageKey: key,
      contentType: 'image/png',
      byteSize: bytes.byteLength,
      sha256: createHash('sha256').update(bytes).digest('base64url'),
      actorId: newId(),
      createdAt: new Date('2026-11-20T10:00:00Z'),
    })
    .execute()
  return key
}
