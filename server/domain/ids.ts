import { randomBytes } from './random-bytes.ts'

/**
 * A UUIDv7 (RFC 9562) as text: 48 bits of milliseconds, then random bits. Sorts by time. Ids that
 * one process creates in the same millisecond still increase, so keyset pages are stable.
 */
let lastMs = 0
let counter = 0

export function newId(now: number = Date.now()): string {
  if (now > lastMs) {
    lastMs = now
    counter = twoBytes() & 0x7ff
  } else {
    counter++
    if (counter > 0xfff) {
      lastMs++
      counter = 0
    }
  }
  return uuidV7(lastMs, counter)
}

/**
 * An id of exactly this millisecond, for rows whose times the caller keeps distinct. Ids of the
 * same millisecond have no order.
 */
export const idOfTime = (ms: number): string => uuidV7(ms, twoBytes() & 0xfff)

function twoBytes(): number {
  const [high, low] = randomBytes(2)
  return (high! << 8) | low!
}

/**
 * Makes increasing ids of exactly this millisecond, up to 2^26 of them. An index appends them,
 * where ids of `idOfTime` would go to random pages.
 */
export function increasingIdsOfTime(ms: number): () => string {
  let count = -1
  return () => {
    count++
    const random = randomBytes(8)
    random[0] = count >>> 8
    random[1] = count
    return uuidV7(ms, count >>> 14, random)
  }
}

const hexBytes = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

function uuidV7(ms: number, sequenceBits: number, random: Uint8Array = randomBytes(8)): string {
  random[0] = (random[0]! & 0x3f) | 0x80
  const time = ms.toString(16).padStart(12, '0')
  let tail = ''
  for (const byte of random) tail += hexBytes[byte]
  const sequence = (0x7000 | sequenceBits).toString(16)
  return `${time.slice(0, 8)}-${time.slice(8)}-${sequence}-${tail.slice(0, 4)}-${tail.slice(4)}`
}

/** The time of an id that `newId` or `idOfTime` made. */
export const timeOfId = (id: string): number => Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)

/** A text before every id of this millisecond and after those of the one before. */
export const beforeIdsOf = (ms: number): string => {
  const time = ms.toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}`
}

const idPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

/** Whether a text has the shape of our ids. Anything else is not looked up. */
export const isId = (text: string): boolean => idPattern.test(text)

const randomIdPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

/** Whether a text has the shape of an id that must not tell a time: a UUIDv4. */
export const isRandomId = (text: string): boolean => randomIdPattern.test(text)
