import { z } from 'zod'
import { cleanLine, isBlank } from '../clean-text.ts'
import { accessChanges, maxAccessReason } from './account-access.ts'
import { proofSchema } from './account-security.ts'

/** Why an admin did it. It is sealed for the account's user, who can read it. */
const reasonField = (missing: string) =>
  z
    .string({ error: missing })
    .transform(cleanLine)
    .refine((reason) => !isBlank(reason), missing)
    .refine((reason) => reason.length <= maxAccessReason, {
      error: `Enter a reason of at most ${maxAccessReason} characters.`,
    })

/** A change of access, with its reason. */
export const accessChangeFields = {
  change: z.enum(accessChanges),
  reason: reasonField('Enter a reason.'),
}

/** A reset of two-step sign-in. The reason says how the admin identified the person. */
export const factorResetFields = { reason: reasonField('Enter how you identified the person.') }

/** Its form on a user's page. */
export const factorResetSchema = z.object({ ...factorResetFields, code: proofSchema.shape.code })
