import { randomBytes } from '#domain/random-bytes.ts'
import { createCipheriv, createDecipheriv, type KeyObject } from 'node:crypto'
import type { AssociatedData } from './bindings.ts'
import type { KeyRing } from './key-ring.ts'

const version = 'v1'
const algorithm = 'aes-256-gcm'
/** Random nonces of 96 bits are safe for 2^32 values under one key (NIST SP 800-38D, 8.3). */
const nonceBytes = 12
const tagBytes = 16

const toBytes = (data: AssociatedData): Buffer => Buffer.from(JSON.stringify(data))

/**
 * Seals a text under the ring's current key: `v1.key.nonce.ciphertext.tag`, the last three in
 * base64url.
 */
export function seal(ring: KeyRing, data: AssociatedData, text: string): string {
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv(algorithm, requireKey(ring, data, ring.current), nonce).setAAD(toBytes(data))
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return [version, ring.current, ...[Buffer.from(nonce), sealed, cipher.getAuthTag()].map(toText)].join('.')
}

/** A stored value cannot be opened: it is damaged, of another row, or its key is missing. */
export class UnsealError extends Error {}

/**
 * Opens a text that was sealed with the same associated data. Throws UnsealError when it was not,
 * when it was changed, or when its key is not in the ring.
 */
export function unseal(ring: KeyRing, data: AssociatedData, sealed: string): string {
  const [prefix, keyId = '', ...parts] = sealed.split('.')
  const [nonce, content, tag] = parts.map((part) => Buffer.from(part, 'base64url'))
  if (prefix !== version || parts.length !== 3 || !nonce || !content || tag?.length !== tagBytes) {
    throw new UnsealError(`${data[0]}.${data[1]} does not hold a sealed value.`)
  }
  const key = requireKey(ring, data, keyId)
  try {
    const decipher = createDecipheriv(algorithm, key, nonce, { authTagLength: tagBytes })
    decipher.setAAD(toBytes(data)).setAuthTag(tag)
    return Buffer.concat([decipher.update(content), decipher.final()]).toString('utf8')
  } catch (cause) {
    const message = `${data[0]}.${data[1]} cannot be opened: unable to authenticate its data.`
    throw new UnsealError(message, { cause })
  }
}

function requireKey(ring: KeyRing, data: AssociatedData, id: string): KeyObject {
  const key = ring.keys.get(id)
  if (!key) throw new UnsealError(`${noSuchKey(`${data[0]}.${data[1]}`, id)}.`)
  return key
}

/**
 * What is wrong when a value's key is not in the ring, without a period.
 * @param subject where the value is
 * @param id from the value, which can be damaged
 */
export const noSuchKey = (subject: string, id: string): string =>
  `${subject} names the key ${JSON.stringify(id.slice(0, 32))}, and there is no such key`

const toText = (bytes: Buffer): string => bytes.toString('base64url')
