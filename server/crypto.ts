import { createHash, randomBytes } from 'node:crypto'

/** 256 random bits, base64url: what a cookie carries. */
export const newToken = (): string => randomBytes(32).toString('base64url')

/** What the database keeps of a token; whoever reads the database cannot use it. */
export const hashToken = (token: string): string => createHash('sha256').update(token).digest('base64url')
