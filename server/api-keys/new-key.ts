import { newToken } from '../crypto/tokens.ts'

/** Scanners for leaked secrets find a key by its start. */
const start = 'meridian_'
const keyPattern = /^meridian_[\w-]{43}$/
const prefixLength = start.length + 6

/** A key of 256 random bits. */
export const newKey = (): string => `${start}${newToken()}`

export const isWellFormedKey = (text: string): boolean => keyPattern.test(text)

/** What people see of a key: 36 of its 256 bits. */
export const prefixOf = (key: string): string => key.slice(0, prefixLength)
