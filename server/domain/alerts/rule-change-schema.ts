import { z } from 'zod'
import { screeningLists } from '../screening/alert.ts'
import { adjustableKinds } from '../screening/rules.ts'

const message = 'This rule can’t be downgraded.'

/** An admin turns a rule of alerts down, or up again. */
export const ruleChangeSchema = z.object({
  kind: z.enum(adjustableKinds, { error: message }),
  list: z.enum(screeningLists, { error: message }),
  grade: z
    .string()
    .max(100, message)
    .transform((grade) => grade || null),
  isTurnedDown: z.enum(['on', 'off'], { error: 'Choose one.' }).transform((choice) => choice === 'on'),
  /** A code of the second factor, when the session gave none in the last minutes. */
  code: z.string().max(100, 'This code is too long.').default(''),
})
