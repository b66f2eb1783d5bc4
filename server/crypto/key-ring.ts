import { createSecretKey, hkdfSync, type KeyObject } from 'node:crypto'

/**
 * Keys by id. Each sealed value names the key that sealed it, so an older key still opens it.
 * Keys are key objects: with a buffer, Node 24 takes 8 µs longer, because it tries two other kinds
 * of keys first.
 */
export type KeyRing = {
  /** The id of the key that seals from now on. */
  current: string
  keys: ReadonlyMap<string, KeyObject>
}

/** The shop's secrets: its master keys, and two keys for keyed hashes. */
export type ShopKeys = KeyRing & {
  /**
   * Derived from SESSION_SECRET: for short-lived hashes, such as rate limits and upload signatures.
   */
  hashKey: KeyObject
  /**
   * Stored in the database under the master key, so that blind indexes survive a master key
   * rotation.
   */
  indexKey: KeyObject
}

const keyBytes = 32

/** A ring of one key. */
export const ringOf = (id: string, key: Buffer): KeyRing => ({
  current: id,
  keys: new Map([[id, createSecretKey(key)]]),
})

/** A key for one purpose, derived from a secret by HKDF with SHA-256 (RFC 5869). */
export const deriveKey = (secret: string | KeyObject, purpose: string): KeyObject =>
  createSecretKey(Buffer.from(hkdfSync('sha256', secret, '', purpose, keyBytes)))

const entryPattern = /^([\w-]{1,32}):([A-Za-z0-9+/]{43}=)$/

/**
 * Reads `id:base64,id:base64`, the first one current, each key of 32 bytes.
 * @throws Error with one sentence that holds no part of a key
 */
export function parseKeyRing(text: string): KeyRing {
  const keys = new Map<string, KeyObject>()
  for (const entry of text.split(',')) {
    const [, id = '', base64 = ''] = entryPattern.exec(entry.trim()) ?? []
    const key = Buffer.from(base64, 'base64')
    if (key.length !== keyBytes) throw new Error('must be id:base64,id:base64 with keys of 32 bytes')
    if (keys.has(id)) throw new Error('contains a duplicate id')
    keys.set(id, createSecretKey(key))
  }
  const [current = ''] = keys.keys()
  return { current, keys }
}
