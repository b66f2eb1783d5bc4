import { makeNeedTable, type NeedClass, type NeedTable } from '#domain/search/needs.ts'
import { z } from 'zod'
import json from './needs.json' with { type: 'json' }

const row = z.object({
  term: z.string().min(1),
  system: z.enum(['ATC', 'EPC', 'PE']),
  code: z.string(),
  name: z.string().min(1),
  routes: z.string().transform((routes) => routes.split(',').filter(Boolean)),
  reviewer: z.string().min(1).nullable(),
})

const file = z.object({ aliases: z.record(z.string(), z.string()), rows: z.array(row) }).parse(json)

const classes = new Map<string, NeedClass[]>()
for (const { term, ...rest } of file.rows) classes.set(term, [...(classes.get(term) ?? []), rest])

/** The committed table of lay terms and classes (docs/search.md, "By need"). */
export const needTable: NeedTable = makeNeedTable({ classes, aliases: new Map(Object.entries(file.aliases)) })
