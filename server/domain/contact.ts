import { z } from 'zod'

/** What somebody writes to the shop: a name and an address to answer to, and the message. */
export type ContactMessage = { name: string; email: string; message: string }

export const contactBounds = { name: 100, email: 254, message: 5000 } as const

/** Everything that is no text but the tabulator and the line break. */
const notText = /[^\P{Cc}\t\n]/gu

/** Characters that show nothing, of which alone no word is made: blanks, joiners, marks of direction. */
const nothingToSee = /^[\p{Z}\p{Cf}\p{Cc}]*$/u

const text = (missing: string) =>
  z.string({ error: missing }).transform((value) => value.toWellFormed().trim())

/** The form's fields. A line break in a name or an address would begin a mail's next header, so it is refused. */
export const contactSchema = z.object({
  name: text('Please enter your name.').pipe(
    z
      .string()
      .min(1, 'Please enter your name.')
      .max(contactBounds.name, `Please shorten the name to ${contactBounds.name} characters.`)
      .refine((name) => !nothingToSee.test(name), 'Please enter your name.')
      .refine((name) => !/\p{Cc}/u.test(name), 'Please enter your name on one line.'),
  ),
  email: text('Please enter your email address.').pipe(
    z
      .string()
      .min(1, 'Please enter your email address.')
      .max(contactBounds.email, `Please shorten the email address to ${contactBounds.email} characters.`)
      .refine(
        (email) => z.email().safeParse(email).success,
        'Please enter an email address like name@example.com.',
      ),
  ),
  message: z
    .string({ error: 'Please write a message.' })
    // A browser sends each line break as two characters and counts it as one.
    .transform((value) => value.toWellFormed().replace(/\r\n?/g, '\n').replace(notText, '').trim())
    .pipe(
      z
        .string()
        .min(1, 'Please write a message.')
        .refine((message) => !nothingToSee.test(message), 'Please write a message.')
        .max(contactBounds.message, `Please shorten the message to ${contactBounds.message} characters.`),
    ),
})
