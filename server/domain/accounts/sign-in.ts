import { z } from 'zod'
import { isBlank } from '../clean-text.ts'

/**
 * The forms of signing in and registering (contract, "Labels that automation relies on" and
 * "Sessions and limits").
 */
export const signInBounds = { email: 254, name: 100, password: { min: 12, max: 128 } } as const

const trimmedText = (missing: string) =>
  z.string({ error: missing }).transform((value) => value.toWellFormed().trim())

const missingEmail = 'Enter your email address.'

/** An address that mail can go to. */
export const emailField = trimmedText(missingEmail).pipe(
  z
    .string()
    .min(1, missingEmail)
    .max(signInBounds.email, `Enter an email address of at most ${signInBounds.email} characters.`)
    .refine((email) => z.email().safeParse(email).success, 'Enter an email address like name@example.com.'),
)

const length = (text: string): number => [...text].length

/** A new password: only its length in characters is checked (NIST SP 800-63B, 3.1.1.2). */
export const newPasswordField = z
  .string({ error: 'Choose a password.' })
  .refine((password) => length(password) >= signInBounds.password.min, {
    error: `Choose a password with at least ${signInBounds.password.min} characters.`,
  })
  .refine((password) => length(password) <= signInBounds.password.max, {
    error: `Choose a password with at most ${signInBounds.password.max} characters.`,
  })

const nameField = (which: string) =>
  z
    .string()
    .optional()
    .transform((value) => value?.toWellFormed().trim() ?? '')
    .transform((name) => (isBlank(name) ? null : name))
    .refine((name) => name === null || name.length <= signInBounds.name, {
      error: `Enter a ${which} of at most ${signInBounds.name} characters.`,
    })
    .refine((name) => name === null || !/\p{Cc}/u.test(name), {
      error: `Enter the ${which} on one line.`,
    })

/**
 * The address is only checked for being present: any other problem gives the same error as a wrong
 * password.
 */
export const signInSchema = z.object({
  email: trimmedText(missingEmail).pipe(z.string().min(1, missingEmail)),
  password: z.string({ error: 'Enter your password.' }),
})

export const registerSchema = z.object({
  firstName: nameField('first name'),
  lastName: nameField('last name'),
  email: emailField,
  password: newPasswordField,
})

export const forgotPasswordSchema = z.object({ email: emailField })

const tokenField = z.string({ error: 'This link is incomplete.' }).max(200, 'This link is incomplete.')

export const resetPasswordSchema = z.object({ token: tokenField, password: newPasswordField })
export const confirmEmailSchema = z.object({ token: tokenField })
