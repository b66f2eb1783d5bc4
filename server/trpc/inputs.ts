import { withoutControlCharacters } from '#domain/grid.ts'
import { cleanLine } from '#domain/typed-text.ts'
import { z } from 'zod'

/** What names one row. */
export const idSchema = z.object({ id: z.string().max(64) })

/** What names a row as somebody saw it: an edit of an older one is refused. No version is more than an integer column holds. */
export const versionedSchema = idSchema.extend({ version: z.int32() })

/** What somebody types to choose something, less what is no text, which Postgres cannot compare. */
export const searchTextSchema = z.object({ typed: z.string().max(200).transform(cleanLine) })

/** What a grid's URL says, read by the grid's own schema, as the page's loader reads it. */
export const gridInput = <Schema extends z.ZodType>(schema: Schema) =>
  z
    .record(z.string(), z.union([z.string(), z.number()]))
    .default({})
    .transform((params): z.output<Schema> => schema.parse(withoutControlCharacters(params)))
