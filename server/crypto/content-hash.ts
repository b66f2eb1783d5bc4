import { createHmac } from 'node:crypto'
import type { ShopKeys } from './key-ring.ts'

/**
 * Passes chunks on and computes their keyed hash, which tells nothing without the key.
 * `digest` is valid after the last chunk.
 */
export function hashChunks(
  { indexKey }: Pick<ShopKeys, 'indexKey'>,
  chunks: AsyncIterable<Uint8Array>,
): { chunks: AsyncGenerator<Uint8Array>; digest: () => string } {
  const hash = createHmac('sha256', indexKey).update('file-content\0')
  async function* pass(): AsyncGenerator<Uint8Array> {
    for await (const chunk of chunks) {
      hash.update(chunk)
      yield chunk
    }
  }
  return { chunks: pass(), digest: () => hash.digest('base64url') }
}
