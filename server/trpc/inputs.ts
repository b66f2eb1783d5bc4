import { withoutControlCharacters } from '#domain/grid.ts'
import { cleanLine } from '#domain/clean-text.ts'
import { z } from 'zod'

/** Identifies one row. */
export const idSchema = z.object({ id: z.string().max(64) })

/**
 * Identifies a row at a version: an edit of an older version is refused. Versions fit an integer
 * column.
 */
export const versionedSchema = idSchema.extend({ version: z.int32() })

/** Whether the admin confirmed a change with consequences. */
export const confirmed = z.boolean().default(false)

/** An edit of a row that may have consequences. */
export const confirmableSchema = versionedSchema.extend({ confirmed })

/** Text typed to find a suggestion, without control characters: Postgres cannot compare NUL. */
export const searchTextSchema = z.object({ text: z.string().max(200).transform(cleanLine) })

/** A grid's URL parameters, parsed by the grid's own schema, as the page's loader does. */
export const gridInput = <Schema extends z.ZodType>(schema: Schema) =>
  z
    .record(z.string(), z.union([z.string(), z.number()]))
    .default({})
    .transform((params): z.output<Schema> => schema.parse(withoutControlCharacters(params)))
