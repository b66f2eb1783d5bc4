import type { ImportRule } from '#domain/dispensing/destination.ts'
import { z } from 'zod'
import json from './import-rules.json' with { type: 'json' }

const row = z
  .tuple([
    z.string().min(1),
    z.string().length(2),
    z.enum(['import', 'dispense']),
    z.string(),
    z.string(),
    z.string().min(1),
    z.string(),
    z.string(),
    z.string().min(1),
    z.string().min(1),
    z.string(),
    z.string().min(1),
  ])
  .transform(
    ([
      id,
      country,
      direction,
      appliesTo,
      situation,
      rule,
      limitValue,
      limitUnit,
      authority,
      source,
      sourceDate,
      howRead,
    ]): ImportRule => ({
      id,
      country,
      direction,
      appliesTo,
      situation,
      rule,
      limit: limitValue === '' ? null : `${limitValue} ${limitUnit}`,
      authority,
      source,
      sourceDate: sourceDate || null,
      howRead,
    }),
  )

/**
 * The legal limits on dispensing and importing that pharmacists see beside a destination. Twenty
 * rows; the file says where they are from.
 */
export const importRules: readonly ImportRule[] = z.object({ rows: z.array(row) }).parse(json).rows
