import { z } from 'zod'
import { emailField } from '../accounts/sign-in.ts'
import { isBlank, cleanLines } from '../clean-text.ts'

/** A customer's message to the shop, with a name and an email address for the reply. */
export type ContactMessage = { name: string; email: string; message: string }

export const contactBounds = { name: 100, email: 254, message: 5000 } as const

/** The form's fields. A line break in a name or address could inject a mail header: rejected. */
export const contactSchema = z.object({
  name: z
    .string({ error: 'Enter your name.' })
    .transform((value) => value.toWellFormed().trim())
    .pipe(
      z
        .string()
        .refine((name) => !isBlank(name), 'Enter your name.')
        .max(contactBounds.name, `Your name can have at most ${contactBounds.name} characters.`)
        .refine((name) => !/\p{Cc}/u.test(name), 'Enter your name on one line.'),
    ),
  email: emailField,
  message: z
    .string({ error: 'Enter a message.' })
    .transform(cleanLines)
    .pipe(
      z
        .string()
        .refine((message) => !isBlank(message), 'Enter a message.')
        .max(
          contactBounds.message,
          `Your message can have at most ${contactBounds.message.toLocaleString('en-US')} characters.`,
        ),
    ),
})
