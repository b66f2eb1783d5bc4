import { z } from 'zod'
import { cleanLines } from '../clean-text.ts'
import { emailField, newPasswordField } from './sign-in.ts'

const codeField = z
  .string({ error: 'Enter a code.' })
  .trim()
  .min(1, 'Enter a code.')
  .max(100, 'This code is too long.')

/** What verifies the account's owner; which of the two is required depends on the account. */
const proof = {
  currentPassword: z.string().default(''),
  code: z.string().max(100, 'This code is too long.').default(''),
}

/** The forms of the security page. */
export const proofSchema = z.object(proof)
export const codeSchema = z.object({ code: codeField })
export const changeEmailSchema = z.object({ email: emailField, ...proof })
export const changePasswordSchema = z.object({
  currentPassword: z.string({ error: 'Enter your current password.' }),
  newPassword: newPasswordField,
})
export const endSessionSchema = z.object({ session: z.string().max(100) })
export const emptySchema = z.object({})
/**
 * What confirms that an account is deleted by its owner: the password, or the email address when
 * there is none.
 */
export const deletionSchema = z.object({ ...proof, email: z.string().max(254).default('') })
/** Why staff open a patient's record without an open case. */
export const recordReasonSchema = z.object({
  reason: z
    .string({ error: 'Give a reason.' })
    .transform(cleanLines)
    .pipe(
      z.string().min(10, 'Give a reason of at least 10 characters.').max(500, 'Use at most 500 characters.'),
    ),
})
