import { z } from 'zod'
import { cleanLine } from './clean-text.ts'

/** The query and the page that all grids of the back office share. */

export type Direction = 'asc' | 'desc'

/** The selectable page sizes. */
export const gridSizes = [25, 50, 100, 200, 500] as const
type GridSize = (typeof gridSizes)[number]

/**
 * A page of rows with cursors to its neighbors. Everything in it is JSON: dates are ISO 8601, money
 * is text.
 */
export type GridPage<Row> = {
  rows: Row[]
  /** How many rows match on all pages, counted up to one above `countedRows`. */
  total: number
  /** Cursors to the next and previous page; null where there is none. */
  next: string | null
  previous: string | null
}

/** Where a page starts or ends: its row's sort value and id. */
export type GridCursor = { value: string | number; id: string }

/** Parses the search parameters of a grid's URL. Unknown and invalid values count as absent. */
export const gridQuerySchema = <const Sort extends string, Filters extends z.ZodRawShape>({
  sorts,
  sort,
  dir,
  size = 50,
  filters,
}: {
  /** The names of the sortable columns. */
  sorts: readonly [Sort, ...Sort[]]
  sort: NoInfer<Sort>
  dir: Direction
  /** The default page size. */
  size?: GridSize
  /** Each needs its own `.catch`. */
  filters: Filters
}) =>
  z.object({
    q: searchText,
    sort: z.enum(sorts).catch(sort as never),
    dir: z.enum(['asc', 'desc']).catch(dir),
    after: cursor,
    before: cursor,
    /** Asks for the last page and overrides both cursors. */
    last: z.literal('1').optional().catch(undefined),
    size: z.coerce
      .number()
      .refine((size) => gridSizes.some((option) => option === size))
      .catch(size),
    ...filters,
  })

/**
 * The rows of a bulk change: all that a grid's parameters match. It refuses a filter's value that
 * the list would ignore, because the change would reach more rows. During a deploy, a page of the
 * next release may offer such a value.
 */
export const gridTargetSchema = <Query extends object>(
  schema: z.ZodType<Query>,
  filters: readonly (keyof Query & string)[],
) =>
  z.record(z.string(), z.string()).transform((params, context) => {
    const query = schema.parse(params)
    for (const name of filters) {
      if (params[name] && query[name] === undefined)
        context.addIssue({ code: 'custom', path: [name], message: 'Choose from the list.' })
    }
    return query
  })

/** The search text without control characters: Postgres cannot store NUL. */
const searchText = z.string().transform(cleanLine).pipe(z.string().max(200)).catch('')

/** The part of the query that every grid has besides its own filters. */
export type GridQuery<Sort extends string> = {
  q: string
  sort: Sort
  dir: Direction
  after?: GridCursor | undefined
  before?: GridCursor | undefined
  last?: '1' | undefined
  size: number
}

const plainText = z.string().regex(/^\P{Cc}*$/u)

const cursor = z
  .string()
  .max(1000)
  .transform(parseCursorJson)
  .pipe(z.object({ value: z.union([plainText, z.number()]), id: plainText }))
  .optional()
  .catch(undefined)

function parseCursorJson(text: string): unknown {
  try {
    const [value, id] = JSON.parse(text) as unknown[]
    return { value, id }
  } catch {
    return null
  }
}

/**
 * The parameters with each control character as a space: a name that is pasted from two cells of a
 * spreadsheet has a tab between its words.
 */
export const withoutControlCharacters = <Value>(
  params: Readonly<Record<string, Value>>,
): Record<string, Value | string> =>
  Object.fromEntries(
    Object.entries(params).map(([name, value]) => [
      name,
      typeof value === 'string' && /\p{Cc}/u.test(value) ? cleanLine(value) : value,
    ]),
  )

/** The cursor that `formatCursor` wrote; undefined for any other text. */
export const parseCursor = (text: string): GridCursor | undefined => cursor.parse(text)

/** A cursor as text for a URL. */
export const formatCursor = ({ value, id }: GridCursor): string => JSON.stringify([value, id])
