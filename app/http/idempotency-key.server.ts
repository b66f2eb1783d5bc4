import { AppError } from '#domain/errors.ts'
import { z } from 'zod'

const header = 'Idempotency-Key'

/** Version 4, because the key becomes the id of a row, and a random id reveals no time. */
const randomKey = z
  .uuidv4({ error: 'Send a random UUID (version 4).' })
  .toLowerCase()
  .describe(
    'A random UUID (version 4). Sending the same key and body again changes nothing and returns the same row.',
  )

const textKeyMessage = 'Send 1 to 255 visible ASCII characters, such as a UUID.'

const textKey = z
  .string()
  .regex(/^[!-~]+$/, textKeyMessage)
  .max(255, textKeyMessage)
  .describe(
    'Any text of 1 to 255 visible ASCII characters, such as a random UUID. For 24 hours, sending the same key and body again creates nothing and returns the same object as it is now.',
  )

/** The headers of a write that a program may send again, for the API's document. */
export const idempotencyHeaders = z.object({ [header]: randomKey.optional() })
/** Those of a write that creates an object. */
export const creationHeaders = z.object({ [header]: textKey.optional() })

type Headers = Pick<Request, 'headers'>

/**
 * The key of a write that a program sends again when the reply was lost; undefined without one.
 * Throws INVALID (Idempotency-Key).
 * https://datatracker.ietf.org/doc/draft-ietf-httpapi-idempotency-key-header/
 */
export const readIdempotencyKey = (request: Headers): string | undefined => readKey(request, randomKey)

/** The same for a write that creates an object. */
export const readCreationKey = (request: Headers): string | undefined => readKey(request, textKey)

function readKey({ headers }: Headers, key: z.ZodType<string>): string | undefined {
  const value = headers.get(header)
  if (value === null) return undefined
  // The draft has the key in quotes; most programs send it without.
  const parsed = key.safeParse(value.replace(/^"(.*)"$/, '$1'))
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw new AppError('INVALID', undefined, { fields: { [header]: issue?.message ?? 'Send another key.' } })
}
