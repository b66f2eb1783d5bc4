import { z } from 'zod'
import type { AlertEffect } from '../screening/alert.ts'
import { toLotKey } from '../screening/recall-codes.ts'
import { listsLot } from '../screening/recall-outcome.ts'

/** Records the lot that staff read on the packs of a line, and that a recall does not affect it. */
export const packCheckSchema = z.object({
  lineId: z.string(),
  recallId: z.string(),
  /** As printed on the pack. */
  lotNumber: z.string(),
  /** Why a recall of all lots does not affect the packs; null for other recalls. */
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
  /** The lots that the recall lists, at least those of the line and of its checks. */
  recalledLots: readonly string[]
}

const lotKeys = (lots: readonly string[]): string => [...new Set(lots.map(toLotKey))].toSorted().join(' ')

/** The lots of a line as a check keeps them. */
export const lotNumbersOf = (lots: readonly { lotNumber: string }[] = []): string[] =>
  lots.map(({ lotNumber }) => lotNumber)

/**
 * Whether a recall keeps a line from shipping: no check resolves it for the line's lots. A check no
 * longer counts once the recall lists the lot.
 */
export function isHeldBack(
  { packChecks = [] }: { packChecks?: readonly PackCheck[] | undefined },
  { lineId, recallId, effect, lots, recalledLots }: Units,
): boolean {
  if (effect !== 'block' && effect !== 'check-pack') return false
  return !packChecks.some(
    (check) =>
      check.lineId === lineId &&
      check.recallId === recallId &&
      (effect === 'check-pack' || check.reason !== null) &&
      ![check.lotNumber, ...check.lots].some((lot) => listsLot({ lots: recalledLots }, lot)) &&
      lotKeys(check.lots) === lotKeys(lotNumbersOf(lots)),
  )
}

const message = 'Enter the lot number that is printed on the package.'

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
