import { z } from 'zod'
import type { Alert, AlertKind } from '../screening/alert.ts'

/**
 * What became of a line when a pharmacist decided on it; `confirmed`: the customer read its high
 * alerts and ordered it.
 */
export type LineOutcome = 'cleared' | 'refused' | 'confirmed'

export const alertCountSchema = z.object({
  kind: z.string(),
  list: z.string(),
  grade: z.string(),
  level: z.string(),
  shown: z.number().int(),
  /** By customers. */
  confirmed: z.number().int(),
  overridden: z.number().int(),
  refused: z.number().int(),
})
export type AlertCount = z.infer<typeof alertCountSchema>

/** Lists of these kinds have few grades; those of others would name a class of medicines. */
const gradedKinds: readonly AlertKind[] = ['interaction', 'pregnancy']

/**
 * What a line that was decided or ordered adds to the report: each rule of its alerts once. An
 * alert that two lists have counts for both.
 */
export function countAlerts(alerts: readonly Alert[], outcome: LineOutcome): AlertCount[] {
  const counts = new Map<string, AlertCount>()
  for (const { kind, level, sources } of alerts)
    for (const { list, grade } of sources) {
      const rule = { kind, list, grade: gradedKinds.includes(kind) ? grade : '', level }
      counts.set(Object.values(rule).join('\n'), {
        ...rule,
        shown: 1,
        confirmed: outcome === 'confirmed' ? 1 : 0,
        overridden: outcome === 'cleared' && level === 'high' ? 1 : 0,
        refused: outcome === 'refused' ? 1 : 0,
      })
    }
  return [...counts.values()].sort((a, b) => (ruleKey(a) < ruleKey(b) ? -1 : 1))
}

const ruleKey = ({ kind, list, grade, level }: AlertCount): string => [kind, list, grade, level].join('\n')
