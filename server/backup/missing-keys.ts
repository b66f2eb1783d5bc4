import type { KeyRing } from '../crypto/key-ring.ts'

/**
 * Says which master keys of a backup the ring does not have, without a period; null when it has all
 * of them.
 */
export function describeMissingKeys(ring: KeyRing | undefined, keyIds: readonly string[]): string | null {
  const missing = keyIds.filter((id) => !ring?.keys.has(id))
  if (missing.length === 0) return null
  return `needs the keys ${keyIds.join(', ')}, and ${missing.join(', ')} ${missing.length > 1 ? 'are' : 'is'} missing`
}
