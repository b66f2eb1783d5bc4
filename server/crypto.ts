import { createHash, createHmac, randomBytes } from 'node:crypto'
import type { KeyRing } from './key-ring.ts'

/** 256 random bits, base64url: what a cookie carries. */
export const newToken = (): string => randomBytes(32).toString('base64url')

/** What the database keeps of a token; whoever reads the database cannot use it. */
export const hashToken = (token: string): string => createHash('sha256').update(token).digest('base64url')

/** A hash of some texts that only the shop can make, so that nobody finds what was hashed by trying. */
export const keyedHash = (ring: KeyRing, texts: readonly string[]): string =>
  createHmac('sha256', ring.hashKey).update(JSON.stringify(texts)).digest('base64url')
