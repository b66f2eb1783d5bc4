import { AppError } from '#domain/errors.ts'
import { z } from 'zod'

const header = 'Idempotency-Key'

/** Version 7, because the key becomes the id of a row, and rows are in the order of their ids. */
const key = z
  .uuidv7()
  .describe(
    'A UUID of version 7 in lower case. Sent again with the same key and body, the call changes nothing and returns the same row.',
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
  const parsed = key.lowercase().safeParse(value)
  if (parsed.success) return parsed.data
  throw new AppError('INVALID', undefined, {
    fields: { [header]: 'Send a UUID of version 7 in lower case.' },
  })
}
