import { z } from 'zod'
import type { AlertEffect } from '../screening/alert.ts'
import { toLotKey } from '../screening/recall-codes.ts'

/** That someone read the lot on the packs of a line, and that a recall does not concern it. */
export const packCheckSchema = z.object({
  lineId: z.string(),
  recallId: z.string(),
  /** As printed on the pack. */
  lotNumber: z.string(),
  /** Why the recall does not concern the packs although it is for them; null otherwise. */
  reason: z.string().nullable(),
  by: z.string().nullable(),
  at: z.iso.datetime(),
  /** The line's lots then: after others are chosen, the check no longer counts. */
  lots: z.array(z.string()),
})
export type PackCheck = z.output<typeof packCheckSchema>

type Units = {
  lineId: string
  recallId: string
  effect: AlertEffect
  lots?: readonly { lotNumber: string }[] | undefined
}

const lotKeys = (lots: readonly string[]): string => lots.map(toLotKey).toSorted().join(' ')

/** The lots of a line as a check keeps them. */
export const lotNumbersOf = (lots: readonly { lotNumber: string }[] = []): string[] =>
  lots.map(({ lotNumber }) => lotNumber)

/** Whether a recall keeps a line from shipping: no check resolves it for the line's lots. */
export function isHeldBack(
  { packChecks = [] }: { packChecks?: readonly PackCheck[] | undefined },
  { lineId, recallId, effect, lots }: Units,
): boolean {
  if (effect !== 'block' && effect !== 'check-pack') return false
  return !packChecks.some(
    (check) =>
      check.lineId === lineId &&
      check.recallId === recallId &&
      (effect === 'check-pack' || check.reason !== null) &&
      lotKeys(check.lots) === lotKeys(lotNumbersOf(lots)),
  )
}

const message = 'Enter the lot number that is printed on the pack.'

/** The form that records a look at the packs of a line. */
export const packCheckFormSchema = z.object({
  lineId: z.string().max(100),
  recallId: z.string().max(100),
  lotNumber: z
    .string({ error: message })
    .trim()
    .min(1, message)
    .max(60, 'Use at most 60 characters.')
    .refine((lot) => toLotKey(lot) !== '', message),
  reason: z
    .string()
    .max(500, 'Use at most 500 characters.')
    .default('')
    .transform((text) => text.trim()),
})
