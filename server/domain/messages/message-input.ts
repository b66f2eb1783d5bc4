import { z } from 'zod'
import { cleanLines, isBlank } from '../clean-text.ts'
import { messageBounds } from './messages.ts'

const tooLong = `Enter at most ${messageBounds.characters.toLocaleString('en-US')} characters.`

/** The form of a message. */
export const messageSchema = z.object({
  message: z
    .string({ error: 'Enter a message.' })
    .transform(cleanLines)
    .refine((text) => !isBlank(text), 'Enter a message.')
    .refine((text) => text.length <= messageBounds.characters, tooLong),
  /** Names this submission, so that a double submit is stored once. */
  requestKey: z
    .string({ error: 'Reload the page and try again.' })
    .min(8, 'Reload the page and try again.')
    .max(64, 'Reload the page and try again.'),
})
