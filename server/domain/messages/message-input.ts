import { z } from 'zod'
import { cleanLines, isBlank } from '../clean-text.ts'
import { messageBounds } from './messages.ts'

const tooLong = `Enter at most ${messageBounds.characters.toLocaleString('en-US')} characters.`

const message = z
  .string({ error: 'Enter a message.' })
  .transform(cleanLines)
  .refine((text) => !isBlank(text), 'Enter a message.')
  .refine((text) => text.length <= messageBounds.characters, tooLong)

/**
 * The id of the last message that the pharmacist saw, from `lastMessageIdOf`. Pages of the version
 * before did not post it, and are not checked.
 */
export const lastMessageId = z.string().max(64).optional()

/** The form of a message. */
export const messageSchema = z.object({
  message,
  /** Names this submission, so that a double submit is stored once. */
  requestKey: z
    .string({ error: 'Reload the page and try again.' })
    .min(8, 'Reload the page and try again.')
    .max(64, 'Reload the page and try again.'),
})

/** The form of a message to a customer. */
export const replySchema = messageSchema.extend({ lastMessageId })

/** The same form, when it closes the thread. A typed answer must not be lost. */
export const closeThreadSchema = z.object({
  message: z
    .string()
    .default('')
    .refine((text) => isBlank(cleanLines(text)), 'Send your answer, or clear it first.'),
  lastMessageId,
})
