import { z } from 'zod'
import { typedLine } from './typed-text.ts'

/** What the grids of the back office ask for and get, the same for all of them. */

export type Direction = 'asc' | 'desc'

/** How many rows a page may hold; the first is the default. */
export const gridSizes = [50, 100, 200, 500] as const

/** A page of rows and how to come to the others. Rows and all that they hold are JSON: dates are ISO 8601, money is text. */
export type GridPage<Row> = {
  rows: Row[]
  /** How many match, on all pages. */
  total: number
  /** Where the next page begins and the one before ends; null where there is none. */
  next: string | null
  previous: string | null
}

/** Where a page begins or ends: the value that its row is sorted by, and its id. */
export type GridPlace = { value: string | number; id: string }

/** What of a grid's URL asks for which rows. Search parameters as they stand there: whatever is none of ours counts as left out. */
export const gridQuerySchema = <const Sort extends string, Filters extends z.ZodRawShape>({
  sorts,
  sort,
  dir,
  filters,
}: {
  /** The names of the sortable columns. */
  sorts: readonly [Sort, ...Sort[]]
  sort: NoInfer<Sort>
  dir: Direction
  /** Each with a `.catch` of its own. */
  filters: Filters
}) =>
  z.object({
    q: searched,
    sort: z.enum(sorts).catch(sort as never),
    dir: z.enum(['asc', 'desc']).catch(dir),
    after: place,
    before: place,
    /** The last page, whatever the two above say. */
    last: z.literal('1').optional().catch(undefined),
    size: z.coerce
      .number()
      .refine((size) => gridSizes.some((known) => known === size))
      .catch(gridSizes[0]),
    ...filters,
  })

/** What is searched for, less what is no text: Postgres stores no NUL, and nobody types one. */
const searched = z.string().transform(typedLine).pipe(z.string().max(200)).catch('')

/** What every grid's query holds besides its own filters. */
export type GridQuery<Sort extends string> = {
  q: string
  sort: Sort
  dir: Direction
  after?: GridPlace | undefined
  before?: GridPlace | undefined
  last?: '1' | undefined
  size: number
}

const plainText = z.string().regex(/^\P{Cc}*$/u)

const place = z
  .string()
  .max(1000)
  .transform(readPlace)
  .pipe(z.object({ value: z.union([plainText, z.number()]), id: plainText }))
  .optional()
  .catch(undefined)

function readPlace(text: string): unknown {
  try {
    const [value, id] = JSON.parse(text) as unknown[]
    return { value, id }
  } catch {
    return null
  }
}

/** A grid's parameters, less what is no text, which no filter has either. */
export const readableParams = <Value>(params: Readonly<Record<string, Value>>): Record<string, Value> =>
  Object.fromEntries(
    Object.entries(params).filter(([, value]) => typeof value !== 'string' || !/\p{Cc}/u.test(value)),
  )

/** The place that `writePlace` wrote; undefined of any other text. */
export const parsePlace = (text: string): GridPlace | undefined => place.parse(text)

/** A place as a URL names it. */
export const writePlace = ({ value, id }: GridPlace): string => JSON.stringify([value, id])
