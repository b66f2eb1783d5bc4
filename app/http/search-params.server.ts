import { categories, dosageForms, type Category } from '#domain/catalog/catalog.ts'
import { maxTypedLength } from '#domain/search/emergency-terms.ts'
import { otherForm, priceBandKeys, productSorts } from '#domain/search/facets.ts'
import { z } from 'zod'

/** Truncated, as the search itself does: every link of the page repeats it. */
const text = z
  .string()
  .trim()
  .min(1)
  .transform((typed) => typed.slice(0, maxTypedLength))
  .optional()
  .catch(undefined)

const schema = z.object({
  q: text,
  manufacturerId: text,
  ndc: text,
  din: text,
  upc: text,
  category: z.enum(categories).optional().catch(undefined),
  form: z
    .enum([...dosageForms, otherForm])
    .optional()
    .catch(undefined),
  stock: z.literal('in').optional().catch(undefined),
  price: z.enum(priceBandKeys).optional().catch(undefined),
  shipsTo: z.string().trim().min(1).max(100).optional().catch(undefined),
  sort: z.enum(productSorts).optional().catch(undefined),
  /** Anything but a positive whole number means the first page. */
  page: z.coerce.number().int().min(1).max(1_000_000_000).optional().catch(undefined),
})

export type SearchParams = {
  q?: string | undefined
  manufacturerId?: string | undefined
  ndc?: string | undefined
  din?: string | undefined
  upc?: string | undefined
  category?: Category | undefined
  form?: string | undefined
  stock?: string | undefined
  price?: string | undefined
  shipsTo?: string | undefined
  sort?: string | undefined
  page?: number | undefined
}

/** A URL's search, with values trimmed and empty ones omitted (specification, section 5). */
export const readSearch = (params: URLSearchParams): SearchParams => schema.parse(Object.fromEntries(params))

const brandSchema = schema.pick({ q: true, page: true }).extend({ letter: text })

/** A URL's search for brands. */
export const readBrandSearch = (
  params: URLSearchParams,
): { letter?: string | undefined; q?: string | undefined; page?: number | undefined } =>
  brandSchema.parse(Object.fromEntries(params))

/** The page number in a list's URL; 1 by default. */
export const readPageNumber = (request: Request): number =>
  schema.pick({ page: true }).parse(Object.fromEntries(new URL(request.url).searchParams)).page ?? 1

const choiceSchema = z.object({
  variant: text,
  /** The name of the radios: without scripts, the form submits the selected one. */
  variantId: text,
  form: text,
  strength: text,
  brand: text,
  pack: text,
  shown: z.coerce.number().int().min(1).max(100_000).optional().catch(undefined),
})

/** The variant that a product's URL selects, and the filters for the others. */
export function readVariantChoice(params: URLSearchParams): {
  variantId?: string | undefined
  form?: string | undefined
  strength?: string | undefined
  brand?: string | undefined
  pack?: string | undefined
  shown?: number | undefined
} {
  const { variant, variantId, ...choice } = choiceSchema.parse(Object.fromEntries(params))
  return { variantId: variant ?? variantId, ...choice }
}
