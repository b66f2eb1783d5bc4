import { z } from 'zod'
import { emailField, newPasswordField } from './sign-in.ts'

const codeField = z
  .string({ error: 'Please enter a code.' })
  .trim()
  .min(1, 'Please enter a code.')
  .max(100, 'This code is too long.')

/** What proves whose session it is; which of the two is asked for depends on the account. */
const proof = {
  currentPassword: z.string().default(''),
  code: z.string().max(100, 'This code is too long.').default(''),
}

/** The forms of the page that guards an account. */
export const proofSchema = z.object(proof)
export const codeSchema = z.object({ code: codeField })
export const changeEmailSchema = z.object({ email: emailField, ...proof })
export const changePasswordSchema = z.object({
  currentPassword: z.string({ error: 'Please enter your current password.' }),
  newPassword: newPasswordField,
})
export const endSessionSchema = z.object({ session: z.string().max(100) })
export const emptySchema = z.object({})
/** What somebody proves before their account is deleted: the password, or where there is none the e-mail address. */
export const deletionSchema = z.object({ ...proof, email: z.string().max(254).default('') })
