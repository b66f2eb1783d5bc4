import { z } from 'zod'
import { cleanLines, isBlank } from '../clean-text.ts'
import {
  alertChoices,
  alertNoteLength,
  notRelevantReasons,
  type AlertChoice,
  type NotRelevantReason,
} from './alert-decision.ts'

const choices = Object.keys(alertChoices) as [AlertChoice, ...AlertChoice[]]
const reasons = Object.keys(notRelevantReasons) as [NotRelevantReason, ...NotRelevantReason[]]

/** A decision as it is stored. */
export const alertDecisionSchema = z.object({
  key: z.string(),
  facts: z.string(),
  // Missing in decisions from before it was stored.
  itemIds: z.array(z.string()).default([]),
  patientId: z.string(),
  about: z.string(),
  choice: z.enum(choices),
  reason: z.enum(reasons).nullable(),
  note: z.string().nullable(),
})

/** What a pharmacist decides on an alert of a line. */
export const alertDecisionInputSchema = z
  .object({
    lineId: z.string().max(64),
    version: z.coerce.number().pipe(z.int32()),
    /** Which alert, by `CaseAlert.id`. */
    alertId: z.string().max(64),
    /** The item that the line is to be filled from; none for the one that its review names. */
    itemId: z
      .string()
      .max(64)
      .nullish()
      .transform((id) => id || null),
    choice: z.enum(choices, { error: 'Choose a decision.' }),
    reason: z
      .enum(reasons, { error: 'Choose a reason.' })
      .nullish()
      .or(z.literal(''))
      .transform((reason) => reason || null),
    note: z
      .string()
      .nullish()
      .transform((text) => {
        const clean = cleanLines(text ?? '')
        return isBlank(clean) ? null : clean
      })
      .refine(
        (text) => text === null || text.length <= alertNoteLength,
        `Enter at most ${alertNoteLength} characters.`,
      ),
  })
  .superRefine(({ choice, reason, note }, check) => {
    const issue = (path: 'reason' | 'note', message: string): void => {
      check.addIssue({ code: 'custom', path: [path], message })
    }
    if (choice === 'not-relevant' && reason === null) issue('reason', 'Choose a reason.')
    else if (note !== null) return
    else if (choice === 'not-relevant' && reason === 'other') issue('note', 'Say why in a few words.')
    else if (choice === 'called-prescriber') issue('note', 'Enter who you spoke with and what they said.')
    else if (choice === 'refuse') issue('note', 'Enter a reason. The customer reads it.')
  })
  .transform((input) => (input.choice === 'not-relevant' ? input : { ...input, reason: null }))
export type AlertDecisionInput = z.output<typeof alertDecisionInputSchema>
