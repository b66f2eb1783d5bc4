import type { Fields } from '#domain/catalog/catalog-history.ts'
import { importFieldNames, type ImportChanges, type ImportMapping } from '#domain/catalog/csv-imports.ts'
import { z } from 'zod'

/** Parses the catalog's JSON columns. They throw when a stored value has another shape. */

const createParser =
  <T>(schema: z.ZodType<T>) =>
  (json: string): T =>
    schema.parse(JSON.parse(json))

const value = z.union([z.string(), z.number(), z.boolean(), z.null()])
const texts = z.array(z.string())

/** `before_fields` and `after_fields` of catalog_changes. */
export const parseFields: (json: string) => Fields = createParser(z.record(z.string(), value))

/** `header` of csv_imports. */
export const parseHeader: (json: string) => string[] = createParser(texts)

/** `cells` of csv_import_rows. */
export const parseCells: (json: string) => string[] = createParser(texts)

/** `mapping` of csv_imports. */
export const parseMapping: (json: string) => ImportMapping = createParser(
  z.object({
    columns: z.partialRecord(z.enum(importFieldNames), z.number()),
    adds: z.boolean(),
    clears: z.boolean(),
  }),
)

/** `changes` of csv_import_rows. */
export const parseChanges: (json: string) => ImportChanges = createParser(
  z.record(z.string(), z.tuple([value, value])),
)

/**
 * The labels in `catalog_names` of product_variants: [kind, label, folded label] each. Checked by
 * hand, because a rebuild of the search reads a hundred thousand.
 */
export function parseNameLabels(names: unknown): string[] {
  if (names === null) return []
  if (!Array.isArray(names)) throw new TypeError('catalog_names must be an array.')
  return names.map((name: unknown) => {
    const label: unknown = Array.isArray(name) ? name[1] : undefined
    if (typeof label !== 'string') throw new TypeError('A catalog name must have a label.')
    return label
  })
}
