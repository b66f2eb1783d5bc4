import { z } from 'zod'
import { cleanLine, isBlank } from '../clean-text.ts'
import { accessChanges, maxAccessReason } from './account-access.ts'

const missingReason = 'Enter a reason.'

/** A change of access, with its reason: it is sealed for the customer, who can read it. */
export const accessChangeFields = {
  change: z.enum(accessChanges),
  reason: z
    .string({ error: missingReason })
    .transform(cleanLine)
    .refine((reason) => !isBlank(reason), missingReason)
    .refine((reason) => reason.length <= maxAccessReason, {
      error: `Enter a reason of at most ${maxAccessReason} characters.`,
    }),
}
