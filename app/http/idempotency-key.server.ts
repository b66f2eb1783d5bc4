import { AppError } from '#domain/errors.ts'
import { z } from 'zod'

const header = 'Idempotency-Key'

/** Version 4, because the key becomes the id of a row, and a random id reveals no time. */
const key = z
  .uuidv4()
  .toLowerCase()
  .describe(
    'A random UUID (version 4). Sending the same key and body again changes nothing and returns the same row.',
  )

/** The headers of a write that a program may send again, for the API's document. */
export const idempotencyHeaders = z.object({ [header]: key.optional() })

/**
 * The key of a write that a program sends again when the reply was lost; undefined without one.
 * Throws INVALID (Idempotency-Key).
 * https://datatracker.ietf.org/doc/draft-ietf-httpapi-idempotency-key-header/
 */
export function readIdempotencyKey({ headers }: Pick<Request, 'headers'>): string | undefined {
  const value = headers.get(header)
  if (value === null) return undefined
  // The draft has the key in quotes; most programs send it without.
  const parsed = key.safeParse(value.replace(/^"(.*)"$/, '$1'))
  if (parsed.success) return parsed.data
  throw new AppError('INVALID', undefined, { fields: { [header]: 'Send a random UUID (version 4).' } })
}
