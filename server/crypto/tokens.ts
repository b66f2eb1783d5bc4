import { createHash, createHmac, randomBytes, type KeyObject } from 'node:crypto'
import type { ShopKeys } from './key-ring.ts'

/** 256 random bits in base64url, for cookies and links. */
export const newToken = (): string => randomBytes(32).toString('base64url')

/** The hash of a token that the database stores; it cannot be used to sign in. */
export const hashToken = (token: string): string => createHash('sha256').update(token).digest('base64url')

const hmac = (key: KeyObject, texts: readonly string[]): string =>
  createHmac('sha256', key).update(JSON.stringify(texts)).digest('base64url')

/** A keyed hash for short-lived data. It changes with SESSION_SECRET. */
export const keyedHash = (keys: Pick<ShopKeys, 'hashKey'>, texts: readonly string[]): string =>
  hmac(keys.hashKey, texts)

/**
 * The blind index of a sealed value: equal for equal texts of one kind. Without the shop's key,
 * texts cannot be tested against it.
 */
export const blindIndex = (
  keys: Pick<ShopKeys, 'indexKey'>,
  kind:
    | 'email'
    | 'phone'
    | 'oidc-subject'
    | 'address'
    | 'recovery-code'
    | 'person'
    | 'variant'
    | 'stock-break'
    | 'cart-line'
    | 'checkout-user'
    | 'reminders'
    | 'alert'
    | 'recall'
    | 'recalled-order'
    | 'recalled-person'
    | 'message',
  text: string,
): string => hmac(keys.indexKey, [kind, text])
