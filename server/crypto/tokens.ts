import { createHash, createHmac, randomBytes } from 'node:crypto'
import type { ShopKeys } from './key-ring.ts'

/** 256 random bits, base64url: what a cookie carries. */
export const newToken = (): string => randomBytes(32).toString('base64url')

/** What the database keeps of a token; whoever reads the database cannot use it. */
export const hashToken = (token: string): string => createHash('sha256').update(token).digest('base64url')

const hmac = (key: Buffer, texts: readonly string[]): string =>
  createHmac('sha256', key).update(JSON.stringify(texts)).digest('base64url')

/** A hash of some texts that only the shop can make, for what may be forgotten; changes with SESSION_SECRET. */
export const keyedHash = (keys: Pick<ShopKeys, 'hashKey'>, texts: readonly string[]): string =>
  hmac(keys.hashKey, texts)

/** What a sealed value is found by: equal for equal texts of one kind, and nobody but the shop can try texts out. */
export const blindIndex = (
  keys: Pick<ShopKeys, 'indexKey'>,
  kind: 'email' | 'phone' | 'oidc-subject' | 'address' | 'recovery-code' | 'person',
  text: string,
): string => hmac(keys.indexKey, [kind, text])
