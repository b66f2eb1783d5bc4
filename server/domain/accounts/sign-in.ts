import { z } from 'zod'
import { isBlank } from '../typed-text.ts'

/** The forms of signing in and of an account's beginning (contract, "Labels" and "Sessions and limits"). */
export const signInBounds = { email: 254, name: 100, password: { min: 12, max: 128 } } as const

const typed = (missing: string) =>
  z.string({ error: missing }).transform((value) => value.toWellFormed().trim())

const missingEmail = 'Please enter your email address.'

/** An address that mail can go to. */
export const emailField = typed(missingEmail).pipe(
  z
    .string()
    .min(1, missingEmail)
    .max(signInBounds.email, `Please shorten the email address to ${signInBounds.email} characters.`)
    .refine(
      (email) => z.email().safeParse(email).success,
      'Please enter an email address like name@example.com.',
    ),
)

const length = (text: string): number => [...text].length

/** A password to be set: its length, counted in characters, and nothing else (NIST SP 800-63B, 3.1.1.2). */
export const newPasswordField = z
  .string({ error: 'Please choose a password.' })
  .refine((password) => length(password) >= signInBounds.password.min, {
    error: `Please choose a password of ${signInBounds.password.min} characters or more.`,
  })
  .refine((password) => length(password) <= signInBounds.password.max, {
    error: `Please shorten the password to ${signInBounds.password.max} characters.`,
  })

const nameField = (which: string) =>
  z
    .string()
    .optional()
    .transform((value) => value?.toWellFormed().trim() ?? '')
    .transform((name) => (isBlank(name) ? null : name))
    .refine((name) => name === null || name.length <= signInBounds.name, {
      error: `Please shorten the ${which} to ${signInBounds.name} characters.`,
    })
    .refine((name) => name === null || !/\p{Cc}/u.test(name), {
      error: `Please enter the ${which} on one line.`,
    })

/** What is wrong with an address that signs in is told no closer than that it does not. */
export const signInSchema = z.object({
  email: typed(missingEmail).pipe(z.string().min(1, missingEmail)),
  password: z.string({ error: 'Please enter your password.' }),
})

export const registerSchema = z.object({
  firstName: nameField('first name'),
  lastName: nameField('last name'),
  email: emailField,
  password: newPasswordField,
})

export const forgotPasswordSchema = z.object({ email: emailField })

const tokenField = z.string({ error: 'The link is not whole.' }).max(200, 'The link is not whole.')

export const resetPasswordSchema = z.object({ token: tokenField, password: newPasswordField })
export const confirmEmailSchema = z.object({ token: tokenField })
