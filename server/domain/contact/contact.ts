import { z } from 'zod'
import { emailField } from '../accounts/sign-in.ts'
import { isBlank, typedLines } from '../typed-text.ts'

/** What somebody writes to the shop: a name and an address to answer to, and the message. */
export type ContactMessage = { name: string; email: string; message: string }

export const contactBounds = { name: 100, email: 254, message: 5000 } as const

/** The form's fields. A line break in a name or an address would begin a mail's next header, so it is refused. */
export const contactSchema = z.object({
  name: z
    .string({ error: 'Please enter your name.' })
    .transform((value) => value.toWellFormed().trim())
    .pipe(
      z
        .string()
        .refine((name) => !isBlank(name), 'Please enter your name.')
        .max(contactBounds.name, `Please shorten the name to ${contactBounds.name} characters.`)
        .refine((name) => !/\p{Cc}/u.test(name), 'Please enter your name on one line.'),
    ),
  email: emailField,
  message: z
    .string({ error: 'Please write a message.' })
    .transform(typedLines)
    .pipe(
      z
        .string()
        .refine((message) => !isBlank(message), 'Please write a message.')
        .max(contactBounds.message, `Please shorten the message to ${contactBounds.message} characters.`),
    ),
})
